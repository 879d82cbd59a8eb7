package boltfile

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"syscall"
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
	maxTx        = 1 << 48 // transactions: no store comes near, and bbolt counts over the end
	metaProbeLen = maxPageSize + pageHeader + metaLength
)

// meta is the content of a meta page.
type meta struct{ pageSize, root, freelist, pages, tx uint64 }

// checkHeader reads the two meta pages of the file at path without locking or
// mapping it: a file cut short would end the process with a signal once mapped.
func checkHeader(path string) error {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a FIFO must not block
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
	head, err := readHead(f)
	if err != nil {
		return err
	}
	return judgeHead(head, info.Size())
}

// readHead reads as much of a file as its meta pages may stand in.
func readHead(f io.ReaderAt) ([]byte, error) {
	head := make([]byte, metaProbeLen)
	n, err := f.ReadAt(head, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head[:n], err
}

// judgeHead wants one sound meta page, and all the pages that the newest promises.
func judgeHead(head []byte, size int64) error {
	m, ok := newestMeta(head)
	switch {
	case !ok && (len(head) < pageHeader+4 || u32(head[pageHeader:]) != boltMagic):
		return ErrForeign
	case !ok:
		return fmt.Errorf("%w: no sound header", ErrCorrupt)
	case m.pages > uint64(size)/m.pageSize:
		return fmt.Errorf("%w: cut short: %d octets, of %d pages of %d", ErrCorrupt, size, m.pages, m.pageSize)
	case m.tx > maxTx:
		return fmt.Errorf("%w: transaction %d", ErrCorrupt, m.tx)
	}
	return nil
}

// newestMeta is the sound meta page of the latest transaction.
func newestMeta(head []byte) (newest meta, ok bool) {
	for _, at := range metaOffsets(head) {
		m := readMeta(head, at)
		if !ok || m.tx > newest.tx {
			newest, ok = m, true
		}
	}
	return newest, ok
}

func readMeta(head []byte, at int) meta {
	b := head[at+pageHeader:]
	return meta{pageSize: u32(b[8:]), root: u64(b[16:]), freelist: u64(b[32:]), pages: u64(b[40:]), tx: u64(b[48:])}
}

// headProblems lists what is wrong with the meta pages: each transaction writes one of
// them, and the other stays that of the one before. bbolt goes by the one that is left
// without a word, and what the last transaction wrote is then lost.
func headProblems(head []byte) []string {
	found := metaOffsets(head)
	if len(found) == 0 {
		return []string{"pages: no sound header"}
	}
	if len(found) == 1 {
		return []string{"pages: one of the two headers is damaged"}
	}
	var tx [2]uint64
	for i, at := range found {
		p := head[at:]
		if u64(p) != uint64(i) || u16(p[8:]) != pageMeta || u16(p[10:]) != 0 || u32(p[12:]) != 0 {
			return []string{fmt.Sprintf("page %d: is no header", i)}
		}
		tx[i] = u64(p[pageHeader+48:])
	}
	if tx[0]+1 != tx[1] && tx[1]+1 != tx[0] {
		return []string{fmt.Sprintf("pages: headers of the transactions %d and %d, which do not follow one another", tx[0], tx[1])}
	}
	return nil
}

// metaOffsets finds the sound meta pages: the first at 0, the second one page on. As for
// bbolt, the first says how long a page is if it is sound.
func metaOffsets(head []byte) (found []int) {
	least, most := minPageSize, maxPageSize
	if soundMeta(head, 0) {
		found = append(found, 0)
		least = int(u32(head[pageHeader+8:]))
		most = least
	}
	for size := least; size <= most; size *= 2 {
		if soundMeta(head, size) && int(u32(head[size+pageHeader+8:])) == size {
			return append(found, size)
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
	size := u32(m[8:])
	return u32(m) == boltMagic && u32(m[4:]) == boltVersion && size >= minPageSize && size <= maxPageSize && size&(size-1) == 0 &&
		u64(m[metaSummed:]) == sum.Sum64()
}

func u64(b []byte) uint64 { return binary.NativeEndian.Uint64(b) }
func u32(b []byte) uint64 { return uint64(binary.NativeEndian.Uint32(b)) }
func u16(b []byte) uint64 { return uint64(binary.NativeEndian.Uint16(b)) }

// pages is a file that cannot be read once its context has ended.
type pages struct {
	ctx context.Context
	io.ReaderAt
}

// ReadAt implements io.ReaderAt.
func (p pages) ReadAt(b []byte, at int64) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.ReaderAt.ReadAt(b, at)
}

// FreeBytes is what the free pages of the file at path take; 0 if it cannot be read.
func FreeBytes(path string) int64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	head, err := readHead(f)
	m, ok := newestMeta(head)
	if err != nil || !ok {
		return 0
	}
	p := make([]byte, pageHeader+8)
	if _, err := f.ReadAt(p, int64(m.freelist*m.pageSize)); err != nil {
		return 0
	}
	count := u16(p[10:])
	if count == 0xFFFF {
		count = u64(p[pageHeader:])
	}
	return int64(min(count, m.pages) * m.pageSize)
}
