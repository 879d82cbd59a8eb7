package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"

	"linkcheck/extract/doc"
)

// readWARCGzip reads records that are compressed each by itself. Offsets are
// those of the stored file, so that a record can be fetched by them; a broken
// record costs no other.
func readWARCGzip(d *doc.Document) error {
	m := &members{d: d, in: &rewinder{r: d.In}}
	return readRecords(d, bufio.NewReaderSize(m, doc.ReaderSize), m.stored)
}

// members is the decompressed stream of all gzip members of a file.
type members struct {
	d      *doc.Document
	in     *rewinder
	z      gzip.Reader
	open   bool  // a member is being read
	lost   bool  // in a broken member: that was told
	n      int64 // bytes decompressed
	starts []memberStart
}

// memberStart ties where a member begins in the decompressed stream to where in the file.
type memberStart struct{ out, in int64 }

const maxStarts = 1 << 12 // of members that are known; records are never read that far behind

// errMember is the error of the stream where a member is broken; the next member
// comes with the next read.
var errMember = errors.New("broken gzip member")

// stored gives where the member that holds a byte of the stream begins in the file.
func (m *members) stored(out int64) int64 {
	for _, s := range slices.Backward(m.starts) {
		if s.out <= out {
			return s.in
		}
	}
	return 0
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
		if err := m.d.Budget.Unfold(int64(n)); err != nil {
			return n, err
		}
		if err != nil && err != io.EOF {
			m.open = false
			m.in.back(m.start()+1, m.begins)
			return n, m.broken(err)
		}
		m.open = err == nil
		if n > 0 {
			return n, nil
		}
	}
}

// next goes to where the next member begins, past bytes that are none. Zeros are padding,
// all else that does not belong to a broken member is damage.
func (m *members) next() error {
	for {
		m.in.fill(len(gzipMagic))
		ahead := m.in.buf[m.in.pos:]
		if bytes.HasPrefix(ahead, gzipMagic) {
			break
		}
		if len(ahead) == 0 {
			return m.in.err
		}
		if ahead[0] != 0 && !m.lost {
			m.lost = true
			m.d.Damage(0, fmt.Errorf("offset %d: %w", m.in.at(), errGarbage))
		}
		m.in.pos++
	}
	m.lost = false
	if len(m.starts) == maxStarts {
		m.starts = m.starts[:copy(m.starts, m.starts[maxStarts/2:])]
	}
	m.starts = append(m.starts, memberStart{m.n, m.in.at()})
	if err := m.z.Reset(m.in); err != nil {
		return m.broken(err)
	}
	m.z.Multistream(false)
	m.open = true
	return nil
}

// begins says whether b is the beginning of a member with records.
func (m *members) begins(b []byte) bool {
	z, done, err := decode(m.d, "gzip", bytes.NewReader(b))
	defer done()
	return err == nil && beginsWARC(z)
}

// beginsWARC says whether a web archive comes out of z.
func beginsWARC(z io.Reader) bool {
	head := make([]byte, 16)
	n, _ := io.ReadFull(z, head)
	return SniffWARC(doc.Peek{Head: head[:n]})
}

// start gives where in the file the member at hand begins.
func (m *members) start() int64 { return m.starts[len(m.starts)-1].in }

func (m *members) broken(err error) error {
	m.lost = true
	return fmt.Errorf("%w at offset %d: %w", errMember, m.start(), err)
}

// rewinder is a byte reader that can go back a little: a broken member makes the
// decompressor run into the next one.
type rewinder struct {
	r   io.Reader
	buf []byte
	pos int
	off int64 // of buf[0] in the file
	err error
}

const rewindSize = 64 << 10

func (w *rewinder) at() int64 { return w.off + int64(w.pos) }

// fill makes n bytes available behind pos if the file has them.
func (w *rewinder) fill(n int) {
	for len(w.buf)-w.pos < n && w.err == nil {
		if drop := w.pos - rewindSize; drop > rewindSize {
			w.buf = w.buf[:copy(w.buf, w.buf[drop:])]
			w.pos, w.off = w.pos-drop, w.off+int64(drop)
		}
		had := len(w.buf)
		w.buf = slices.Grow(w.buf, rewindSize)[:had+rewindSize]
		var got int
		got, w.err = w.r.Read(w.buf[had:])
		w.buf = w.buf[:had+got]
	}
}

func (w *rewinder) Read(p []byte) (int, error) {
	w.fill(1)
	if w.pos == len(w.buf) {
		return 0, w.err
	}
	n := copy(p, w.buf[w.pos:])
	w.pos += n
	return n, nil
}

func (w *rewinder) ReadByte() (byte, error) {
	if w.pos == len(w.buf) {
		if w.fill(1); w.pos == len(w.buf) {
			return 0, w.err
		}
	}
	w.pos++
	return w.buf[w.pos-1], nil
}

// back goes back to the first member that begins behind the given place, if one
// was read over. begins says whether a member with records does.
func (w *rewinder) back(from int64, begins func([]byte) bool) {
	for i := max(from-w.off, 0); i < int64(w.pos); i++ {
		n := bytes.Index(w.buf[i:], gzipMagic)
		if n < 0 {
			return
		}
		if i += int64(n); begins(w.buf[i:]) {
			w.pos = int(i)
			return
		}
	}
}

var gzipMagic = []byte("\x1f\x8b\x08")
