package pdf

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"linkcheck/extract/doc"
	"linkcheck/extract/spool"
)

const (
	headerWithin = 1024    // octets of the file in which its header begins
	maxFile      = 8 << 30 // octets of a file, of which a copy is made
)

var errNoPages = errors.New("pdf: no pages are found")

// Sniff recognises PDF by its header, before which other octets may stand in a file that is
// called so (ISO 32000-1 annex H.3, note 13).
func Sniff(p doc.Peek) bool {
	if p.TextBegins("%PDF-") {
		return true
	}
	head := p.Head[:min(len(p.Head), headerWithin)]
	return p.Named(".pdf") && (bytes.Contains(head, []byte("%PDF-")) || bytes.Contains(head, []byte(" 0 obj")))
}

// Read reads a document page by page: the links of its annotations, and addresses in its text.
func Read(d *doc.Document) error {
	r, size, done, err := spool.All(d, "pdf", maxFile)
	if err != nil || d.Stopped() {
		return err
	}
	defer done()
	f := newFile(d, r, size)
	defer f.free()
	if err := f.start(); err != nil {
		return err
	}
	w := newPages(f)
	w.read()
	if !f.rebuilt && w.missed {
		// the cross-references lead to objects, and yet not to all pages
		f.rebuild()
		if err := f.secure(); err != nil {
			return err
		}
		w.read()
	}
	if f.rebuilt && w.missed {
		w.strays()
	}
	if f.rebuilt && !d.Stopped() {
		tail := f.at(max(0, size-headerWithin), headerWithin)
		switch {
		case w.number == 0:
			return errNoPages
		case w.missed || !bytes.Contains(tail, []byte("%%EOF")):
			d.Damage(0, errors.New("pdf: damaged: not all of it can be read"))
		}
	}
	return d.Budget.Err()
}

// start finds out where objects are. Cross-references count if they are sound; if not, the
// objects are looked for in the file.
func (f *file) start() error {
	header := int64(max(0, bytes.Index(f.at(0, headerWithin), []byte("%PDF-"))))
	err := f.chain()
	if err != nil && header > 0 && f.d.Budget.Err() == nil {
		f.objects, f.trailer, f.base = nil, nil, header
		err = f.chain()
	}
	if f.d.Budget.Err() != nil {
		return f.d.Budget.Err()
	}
	if err == nil {
		if err = f.secure(); err != nil {
			return err
		}
		if f.dict(f.dict(f.trailer["Root"])["Pages"]) != nil {
			return nil
		}
	}
	f.base = 0
	f.rebuild()
	return f.secure()
}

// textOf is a text string (ISO 32000-1 section 7.9.2.2) as UTF-8.
func textOf(s str) string {
	switch {
	case bytes.HasPrefix(s, []byte("\xfe\xff")):
		var u []uint16
		for i := 2; i+1 < len(s); i += 2 {
			u = append(u, uint16(s[i])<<8|uint16(s[i+1]))
		}
		return string(utf16.Decode(u))
	case bytes.HasPrefix(s, []byte("\xef\xbb\xbf")):
		return string(s[3:])
	}
	var b strings.Builder
	for _, c := range s {
		b.WriteRune(rune(c)) // its upper half is Latin-1, but for quotation marks
	}
	return b.String()
}

// addressOf is an address, which is ASCII, but in whatever other charset programs write it.
func addressOf(s str) string {
	if bytes.HasPrefix(s, []byte("\xfe\xff")) || bytes.HasPrefix(s, []byte("\xef\xbb\xbf")) {
		return textOf(s)
	}
	return string(s)
}

// placeOf says where something stands, as people say it.
func placeOf(page int) string { return "page " + strconv.Itoa(page) }

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
