package extract

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/klauspost/compress/gzip"
)

// sniffWARCGzip recognises a compressed WARC or ARC file by the first bytes
// that come out of it.
func sniffWARCGzip(p peek) bool {
	if !bytes.HasPrefix(p.head, []byte("\x1f\x8b")) {
		return false
	}
	z, err := gzip.NewReader(bytes.NewReader(p.head))
	if err != nil {
		return false
	}
	head := make([]byte, 16)
	n, _ := io.ReadFull(z, head)
	return sniffWARC(peek{head: head[:n]})
}

// readWARCGzip reads records that are compressed each by itself. Offsets are
// those of the stored file, so that a record can be fetched by them; a broken
// record costs no other.
func readWARCGzip(d *doc) error {
	m := &members{d: d, in: &byteCount{Reader: d.in}}
	a := &archive{d: d, in: bufio.NewReaderSize(m, readerSize), line: 1, offset: m.offset}
	return a.records()
}

// members is the decompressed stream of all gzip members of a file.
type members struct {
	d      *doc
	in     *byteCount
	z      *gzip.Reader
	open   bool  // in the midst of a member
	n      int64 // bytes given
	starts []memberStart
}

// memberStart ties where a member begins in the decompressed stream to where in the file.
type memberStart struct{ out, in int64 }

const maxStarts = 1 << 12 // kept; the reader of records is never that far behind

// errMember breaks the stream where a member is broken; after it the next one comes.
var errMember = errors.New("broken gzip member")

// offset gives where the member that holds a byte of the stream begins in the file.
func (m *members) offset(out int64) int64 {
	i := sort.Search(len(m.starts), func(i int) bool { return m.starts[i].out > out })
	if i == 0 {
		return 0
	}
	return m.starts[i-1].in
}

func (m *members) Read(p []byte) (int, error) {
	for {
		if !m.open {
			if err := m.next(); err != nil {
				return 0, err
			}
		}
		n, err := m.z.Read(p)
		m.n += int64(n)
		m.d.limits.bytes += int64(n)
		switch {
		case m.d.limits.bytes > maxUnpack:
			return n, errUnpack
		case m.n > ratioGrace && m.n/maxRatio > m.in.n:
			return n, errRatio
		case err != nil && err != io.EOF:
			m.open = false
			return n, fmt.Errorf("%w at offset %d: %w", errMember, m.starts[len(m.starts)-1].in, err)
		}
		m.open = err == nil
		if n > 0 {
			return n, nil
		}
	}
}

// next goes to where the next member begins, past bytes that are none.
func (m *members) next() error {
	for {
		head, err := m.in.Peek(3)
		if len(head) < 3 {
			return cmp.Or(err, io.EOF)
		}
		if string(head) == "\x1f\x8b\x08" {
			break
		}
		m.in.ReadByte()
	}
	if len(m.starts) == maxStarts {
		m.starts = m.starts[:copy(m.starts, m.starts[maxStarts/2:])]
	}
	m.starts = append(m.starts, memberStart{m.n, m.in.n})
	var err error
	if m.z == nil {
		m.z, err = gzip.NewReader(m.in)
	} else {
		err = m.z.Reset(m.in)
	}
	if err != nil {
		return fmt.Errorf("%w at offset %d: %w", errMember, m.starts[len(m.starts)-1].in, err)
	}
	m.z.Multistream(false)
	m.open = true
	return nil
}

// byteCount counts what is taken from a buffered reader; a decompressor reads no
// further in it than its stream goes.
type byteCount struct {
	*bufio.Reader
	n int64
}

func (c *byteCount) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *byteCount) ReadByte() (byte, error) {
	b, err := c.Reader.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}
