package doc

import (
	"bufio"
	"io"
	"sync"
)

// memory is what was used to read documents of a source, for the next of them to use, and
// for the next source.
type memory struct {
	buffer  []byte // see TakeBuffer
	readers []*bufio.Reader
}

// memories are those that no source uses.
var memories = sync.Pool{New: func() any { return &memory{} }}

// What one of them keeps: few sources need more, and some need very much.
const (
	keptReaders = 4
	keptBuffer  = 1 << 18
)

// free gives the memory of a source to the next one: nothing is read of it any more.
func (m *memory) free() {
	for _, r := range m.readers {
		r.Reset(nil)
	}
	if len(m.readers) <= keptReaders && cap(m.buffer) <= keptBuffer {
		memories.Put(m)
	}
}

// buffered reads r through memory that is used again after d.
func (d *Document) buffered(r io.Reader) *bufio.Reader {
	m := d.out.memory
	var in *bufio.Reader
	if last := len(m.readers) - 1; last >= 0 {
		in, m.readers = m.readers[last], m.readers[:last]
		in.Reset(r)
	} else {
		in = bufio.NewReaderSize(r, ReaderSize)
	}
	d.taken = append(d.taken, in)
	return in
}

// TakeBuffer gives memory that a reader of this source put back, for the next to use.
func (d *Document) TakeBuffer() []byte {
	b := d.out.memory.buffer
	d.out.memory.buffer = nil
	return b[:0]
}

// PutBuffer keeps the memory of b for the next reader; b must not be used any more.
func (d *Document) PutBuffer(b []byte) { d.out.memory.buffer = b }
