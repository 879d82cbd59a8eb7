package pdf

import "sync"

// memory is that of documents which were read, for the next one.
type memory struct {
	inflater *inflater
	spare    []buffers // for contents
	layout   layout
}

var memories = sync.Pool{New: func() any { return &memory{} }}

const (
	contentBuffer = 16 << 10 // octets of contents that are read at once
	maxMemory     = 64 << 10 // octets of text of the pages whose memory is kept
)

// free gives the memory to the next document.
func (m *memory) free() {
	if m.layout.full = nil; cap(m.layout.text) <= maxMemory && cap(m.layout.pieces) <= maxMemory/16 {
		memories.Put(m)
	}
}

// buffers is the memory for contents that are read.
type buffers struct {
	octets   []byte
	operands []operand
}

// takeBuffers gives the memory of contents that were read, and putBuffers keeps it.
func (f *file) takeBuffers() buffers {
	if n := len(f.spare) - 1; n >= 0 {
		b := f.spare[n]
		f.spare = f.spare[:n]
		return b
	}
	return buffers{octets: make([]byte, 0, contentBuffer)}
}

func (f *file) putBuffers(b buffers) {
	if cap(b.octets) <= 4*contentBuffer && cap(b.operands) <= contentBuffer/16 {
		f.spare = append(f.spare, b)
	}
}
