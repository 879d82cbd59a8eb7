package pdf

import (
	"bytes"
	"errors"
	"io"

	"linkcheck/extract/doc"
)

const (
	maxObject   = 8_388_607 // number of an object (ISO 32000-1 annex C)
	maxRead     = 8 << 20   // octets of an object that are read
	firstRead   = 2 << 10
	maxFollowed = 32       // references to references
	maxKept     = 16 << 20 // octets of objects that are kept in memory
	maxHeld     = 8 << 20  // octets of a stream that is held
	maxLoading  = 32       // objects that are read because another one is
)

// file is a document whose objects can be read.
type file struct {
	d       *doc.Document
	r       io.ReaderAt
	size    int64
	base    int64 // octets before the header, from which offsets count
	objects table
	trailer dict
	crypt   *crypt
	rebuilt bool // the objects were looked for in the file

	kept     map[uint32]value // objects that were read lately
	keptSize int
	loading  int               // how many are being read
	packed   map[int64]*packed // object streams that were read lately
	reading  map[int64]bool    // those that are being read

	packedSize int
	*memory
	buf    []byte
	told   map[string]bool
	layers map[uint32]bool // that are off; nil: not looked for yet
}

func newFile(d *doc.Document, r io.ReaderAt, size int64) *file {
	return &file{d: d, memory: memories.Get().(*memory), r: r, size: size, kept: map[uint32]value{}, packed: map[int64]*packed{}, reading: map[int64]bool{}, told: map[string]bool{}}
}

// tell reports damage, of each kind once.
func (f *file) tell(err error) {
	if !f.told[err.Error()] {
		f.told[err.Error()] = true
		f.d.Damage(0, err)
	}
}

// at gives up to n octets from an offset; they are good until the next call.
func (f *file) at(off int64, n int) []byte {
	if off < 0 || off >= f.size {
		return nil
	}
	n = int(min(int64(n), f.size-off))
	if cap(f.buf) < n {
		f.buf = make([]byte, n)
	}
	n, _ = f.r.ReadAt(f.buf[:n], off)
	return f.buf[:n]
}

// parseAt calls f with a parser of what stands at an offset, and again with more octets
// where those were too few. What is read is charged.
func (f *file) parseAt(off int64, parse func(p *parser)) {
	for n := firstRead; ; n *= 4 {
		b := f.at(off, n)
		if f.d.Budget.Unfold(int64(len(b))) != nil {
			return
		}
		p := &parser{lexer: lexer{buf: b, cut: off+int64(len(b)) < f.size && n < maxRead}}
		if parse(p); !p.short {
			return
		}
	}
}

// objectAt reads the object at an offset; ok says that one with a header begins there.
func (f *file) objectAt(off int64) (id ref, v value, end int64, ok bool) {
	f.parseAt(off, func(p *parser) {
		if id, ok = p.header(); !ok {
			return
		}
		v, _, _ = p.object(0)
		end = off + int64(p.pos)
		d, isDict := v.(dict)
		if !isDict {
			return
		}
		if t := p.next(); t.kind == tokenCut {
			p.short = true
		} else if t.kind == tokenKeyword && bytes.HasPrefix(t.text, []byte("stream")) {
			// the end of the line belongs to the keyword (ISO 32000-1 section 7.3.8.1)
			start := p.pos - len(t.text) + len("stream")
			if rest := p.buf[start:]; bytes.HasPrefix(rest, []byte("\r\n")) {
				start += 2
			} else if len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r') {
				start++
			}
			v, end = &stream{dict: d, at: off + int64(start), size: -1, ref: id}, off+int64(start)
		}
	})
	return id, v, end, ok
}

// get is v, or what it refers to.
func (f *file) get(v value) value {
	for range maxFollowed {
		r, ok := v.(ref)
		if !ok {
			return v
		}
		v = f.load(r)
	}
	return nil
}

func (f *file) dict(v value) dict {
	switch v := f.get(v).(type) {
	case dict:
		return v
	case *stream:
		return v.dict
	}
	return nil
}

func (f *file) array(v value) array {
	a, _ := f.get(v).(array)
	return a
}

func (f *file) name(v value) name {
	n, _ := f.get(v).(name)
	return n
}

func (f *file) str(v value) str {
	s, _ := f.get(v).(str)
	return s
}

func (f *file) number(v value, otherwise float64) float64 { return number(f.get(v), otherwise) }

// load reads an object; nil where there is none.
func (f *file) load(r ref) value {
	if v, ok := f.kept[r.num]; ok {
		return v
	}
	e, ok := f.objects.find(r.num)
	if !ok || f.loading >= maxLoading || f.d.Stopped() {
		return nil
	}
	f.loading++
	defer func() { f.loading-- }()
	var v value
	switch e.kind {
	case inFile:
		id, found, _, ok := f.objectAt(e.at)
		if !ok || id.num != r.num {
			return nil
		}
		if v = found; f.crypt != nil && !f.crypt.plain(id) {
			v = f.crypt.strings(id, v)
		}
	case inStream:
		if p := f.unpack(e.at); p != nil {
			v = p.object(f, r.num, int(e.index))
		}
	}
	f.keep(r.num, v)
	return v
}

func (f *file) keep(num uint32, v value) {
	size := sizeOf(v)
	if f.keptSize += size; f.keptSize > maxKept {
		clear(f.kept)
		f.keptSize = size
	}
	f.kept[num] = v
}

// length is that of a stream: what it says of itself, if "endstream" follows; else up to
// there.
func (f *file) length(s *stream) int64 {
	if s.size >= 0 {
		return s.size
	}
	s.size = f.size - s.at
	if n := int64(f.number(s.dict["Length"], -1)); n >= 0 && n <= f.size-s.at {
		l := lexer{buf: f.at(s.at+n, 32)}
		if t := l.next(); bytes.HasPrefix(t.text, []byte("endstream")) || bytes.HasPrefix(t.text, []byte("endobj")) {
			s.size = n
			return n
		}
	}
	s.size = f.search(s.at, "endstream") - s.at
	return s.size
}

const searchChunk = 64 << 10

// search gives the offset of a word from an offset on; the end of the file where it is
// nowhere. What is looked at is charged.
func (f *file) search(from int64, word string) int64 {
	for off := from; off < f.size; off += int64(searchChunk - len(word)) {
		b := f.at(off, searchChunk)
		if i := bytes.Index(b, []byte(word)); i >= 0 {
			return off + int64(i)
		}
		if len(b) < searchChunk || f.d.Budget.Unfold(searchChunk) != nil {
			break
		}
	}
	return f.size
}

var errHeld = errors.New("pdf: a table of more than 8 MB: the rest is not read")

// held is what a stream unfolds to, up to a bound.
func (f *file) held(s *stream) []byte {
	r, done := f.open(s)
	defer done()
	b, err := io.ReadAll(io.LimitReader(r, maxHeld+1))
	if len(b) > maxHeld {
		f.tell(errHeld)
		b = b[:maxHeld]
	} else if err != nil && !errors.Is(err, errImage) {
		f.tell(err)
	}
	return b
}
