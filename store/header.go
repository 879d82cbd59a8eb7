package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// Where the numbers of a bbolt file stand: a page header of 16 octets, then the
// meta record, in the machine's own byte order.
const (
	pageHeader   = 16
	metaLength   = 64 // magic, version, page size, flags, root, freelist, pages, transaction, checksum
	metaSummed   = 56
	boltMagic    = 0xED0CDAED
	boltVersion  = 2
	minPageSize  = 512
	maxPageSize  = 1 << 16
	metaProbeLen = maxPageSize + pageHeader + metaLength
)

// checkHeader reads the two meta pages of the file at path without locking or
// mapping it: a file cut short would end the process with a signal once mapped.
func checkHeader(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: not a regular file", ErrForeign)
	}
	head := make([]byte, metaProbeLen)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return judgeHeader(head[:n], info.Size())
}

// judgeHeader wants one sound meta page, and all the pages that the newest promises.
func judgeHeader(head []byte, size int64) error {
	if len(head) < pageHeader+4 || binary.NativeEndian.Uint32(head[pageHeader:]) != boltMagic {
		if !secondMeta(head) {
			return ErrForeign
		}
	}
	var newest, pages, pageSize uint64
	for _, at := range metaOffsets(head) {
		m := head[at+pageHeader:]
		if tx := binary.NativeEndian.Uint64(m[48:]); pageSize == 0 || tx > newest {
			newest, pages = tx, binary.NativeEndian.Uint64(m[40:])
			pageSize = uint64(binary.NativeEndian.Uint32(m[8:]))
		}
	}
	switch {
	case pageSize == 0:
		return fmt.Errorf("%w: no sound header", ErrCorrupt)
	case pages > uint64(size)/pageSize:
		return fmt.Errorf("%w: cut short: %d octets of %d", ErrCorrupt, size, pages*pageSize)
	}
	return nil
}

func secondMeta(head []byte) bool { return len(metaOffsets(head)) > 0 }

// metaOffsets finds the sound meta pages: the first at 0, the second one page on.
func metaOffsets(head []byte) []int {
	var found []int
	if soundMeta(head, 0) {
		found = append(found, 0)
	}
	for size := minPageSize; size <= maxPageSize; size *= 2 {
		if soundMeta(head, size) && int(binary.NativeEndian.Uint32(head[size+pageHeader+8:])) == size {
			found = append(found, size)
			break
		}
	}
	return found
}

func soundMeta(head []byte, at int) bool {
	if len(head) < at+pageHeader+metaLength {
		return false
	}
	m := head[at+pageHeader:][:metaLength]
	sum := fnv.New64a()
	sum.Write(m[:metaSummed])
	return binary.NativeEndian.Uint32(m) == boltMagic &&
		binary.NativeEndian.Uint32(m[4:]) == boltVersion &&
		binary.NativeEndian.Uint32(m[8:]) >= minPageSize &&
		binary.NativeEndian.Uint64(m[metaSummed:]) == sum.Sum64()
}
