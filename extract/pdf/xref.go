package pdf

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

const (
	tailSize    = 2 << 10 // octets at the end in which startxref stands
	maxSections = 4096    // of cross-references
)

// errChain says that cross-references are not as they should be; it is never given out.
var errChain = errors.New("broken cross-references")

// chain reads the cross-references from the newest section back (ISO 32000-1 section 7.5.8).
// What a newer one says of an object counts. Each entry is looked up: one that leads to no
// object, or to another, breaks the chain.
func (f *file) chain() error {
	tail := bytes.Clone(f.at(max(0, f.size-tailSize), tailSize))
	i := bytes.LastIndex(tail, []byte("startxref"))
	if i < 0 {
		return errChain
	}
	l := lexer{buf: tail, pos: i + len("startxref")}
	next := []int64{int64(l.next().num)}
	seen := map[int64]bool{}
	for len(next) > 0 && len(seen) < maxSections {
		at := next[0]
		next = next[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		d, err := f.section(at + f.base)
		if err != nil {
			return err
		}
		if f.trailer == nil {
			f.trailer = d
		}
		// that of a hybrid file is looked at before the one before (section 7.5.8.4)
		for _, key := range []name{"XRefStm", "Prev"} {
			if to, ok := d[key].(float64); ok {
				next = append(next, int64(to))
			}
		}
	}
	f.objects.settle()
	return f.verify()
}

// verify looks whether an object with its number stands where each entry says.
func (f *file) verify() error {
	if _, ok := f.trailer["Root"].(ref); !ok {
		return errChain
	}
	for i, e := range f.objects {
		if e.kind != inFile || e.at == 0 {
			continue
		}
		p := parser{lexer: lexer{buf: f.at(e.at, 32)}}
		if id, ok := p.header(); !ok || id.num != e.num {
			return errChain
		}
		if i&1023 == 0 && f.d.Budget.Check() != nil {
			break
		}
	}
	return f.d.Budget.Err()
}

// section reads one section of cross-references, a table or a stream, and gives its trailer.
func (f *file) section(at int64) (dict, error) {
	l := lexer{buf: f.at(at, 64)}
	if t := l.next(); t.kind == tokenKeyword && string(t.text) == "xref" {
		return f.tableSection(at + int64(l.pos))
	}
	_, v, _, ok := f.objectAt(at)
	s, isStream := v.(*stream)
	if !ok || !isStream || s.dict["Type"] != name("XRef") {
		return nil, errChain
	}
	return s.dict, f.streamSection(s)
}

// tableSection reads a table behind its keyword (section 7.5.4).
func (f *file) tableSection(at int64) (dict, error) {
	l := &lexer{}
	more := func() token { // the next token, and more octets before it where they are few
		if len(l.buf)-l.pos < 64 {
			at += int64(l.pos)
			l.buf, l.pos = f.at(at, searchChunk), 0
		}
		return l.next()
	}
	for {
		first := more()
		if first.kind == tokenKeyword && string(first.text) == "trailer" {
			var v value
			f.parseAt(at+int64(l.pos), func(p *parser) { v, _, _ = p.object(0) })
			d, ok := v.(dict)
			if !ok {
				return nil, errChain
			}
			return d, nil
		}
		count := more()
		if first.kind != tokenNumber || count.kind != tokenNumber || first.num < 0 || first.num > maxObject {
			return nil, errChain
		}
		for i := range int(min(count.num, maxObject-first.num+1)) {
			off, gen, kind := more(), more(), more()
			if off.kind != tokenNumber || gen.kind != tokenNumber || kind.kind != tokenKeyword {
				return nil, errChain
			}
			e := entry{num: uint32(first.num) + uint32(i), at: int64(off.num) + f.base, kind: free}
			if string(kind.text) == "n" && off.num > 0 {
				e.kind = inFile
			}
			if err := f.add(e); err != nil {
				return nil, err
			}
		}
	}
}

func (f *file) add(e entry) error {
	f.objects = append(f.objects, e)
	return f.d.Budget.Member(1)
}

// streamSection reads a stream of cross-references (section 7.5.8.2).
func (f *file) streamSection(s *stream) error {
	var w [3]int
	for i, v := range f.array(s.dict["W"]) {
		if i < 3 {
			w[i] = integer(v)
		}
	}
	width := w[0] + w[1] + w[2]
	if min(w[0], w[1], w[2]) < 0 || width == 0 || width > 24 {
		return errChain
	}
	index := f.array(s.dict["Index"])
	if len(index) < 2 {
		index = array{0.0, f.get(s.dict["Size"])}
	}
	r, done := f.open(s)
	defer done()
	in := bufio.NewReaderSize(r, 4096)
	row := make([]byte, width)
	for ; len(index) >= 2; index = index[2:] {
		first, count := integer(index[0]), integer(index[1])
		for i := range max(0, count) {
			num := first + i
			if num < 0 || num > maxObject {
				break
			}
			if _, err := io.ReadFull(in, row); err != nil {
				return errChain
			}
			if err := f.add(rowEntry(row, w, uint32(num), f.base)); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowEntry is a row of such a stream as an entry (table 18).
func rowEntry(row []byte, w [3]int, num uint32, base int64) entry {
	var field [3]int64
	field[0] = 1
	for i, n := range w {
		if n == 0 {
			continue
		}
		v := int64(0)
		for _, c := range row[:n] {
			v = v<<8 | int64(c)
		}
		field[i], row = v, row[n:]
	}
	switch field[0] {
	case 1:
		return entry{num: num, kind: inFile, at: field[1] + base}
	case 2:
		return entry{num: num, kind: inStream, at: field[1] & 0xffffffff, index: uint16(field[2])}
	}
	return entry{num: num}
}
