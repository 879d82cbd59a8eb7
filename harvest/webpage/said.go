package webpage

import (
	"bytes"
	"io"
	"strings"

	"linkcheck/internal/ascii"
)

// When a page says something new: lines of it that no page of the run had.
const (
	NewLetters = 80 // a sentence or two
	blanksOf   = 5  // in a line: what has fewer is a name, a label or an address
)

// Said is what pages of a run have said: a bit for each line, by its hash. Of a thousand new lines
// two are taken for others where 30,000 were said.
type Said [saidBits / 64]uint64

const saidBits = 1 << 24

// placeOf is the bit of a line.
func placeOf(line uint64) uint32 { return uint32((line ^ line>>32) % saidBits) }

// isNew says whether a line was not said, and notes that it is.
func (s *Said) isNew(place uint32) bool {
	bit := uint64(1) << (place & 63)
	is := s[place>>6]&bit == 0
	s[place>>6] |= bit
	return is
}

// Add notes lines that were said, by Text.New.
func (s *Said) Add(lines []uint32) {
	for _, place := range lines {
		s.isNew(place)
	}
}

// Text is the body of a page, of which is known at its end what it is and what it says. A line of
// it ends with a tag too; what stands in links, scripts and styles says nothing.
type Text struct {
	r       io.Reader
	said    *Said
	Hash    uint64   // of the body
	Lines   uint64   // of its lines: not of their order
	Fresh   int      // letters in lines that are new
	New     []uint32 // those lines
	line    uint64   // hash of it, with each number as one figure
	letters int      // in the line
	blanks  int
	digit   bool   // it ends in one
	inTag   bool   // not in a line
	tag     []byte // the beginning of the tag
	quiet   string // the element whose text is not counted
	Ended   bool
	Broken  error // in place of its end
}

// NewText reads a page of a run.
func NewText(r io.Reader, said *Said) *Text {
	return &Text{r: r, said: said, Hash: fnvStart, line: fnvStart}
}

// FNV-1a: what is kept of a page has to be the same in the next process.
const (
	fnvStart = 14695981039346656037
	fnvPrime = 1099511628211
)

// Read implements io.Reader.
func (t *Text) Read(b []byte) (int, error) {
	n, err := t.r.Read(b)
	for _, c := range b[:n] {
		t.Hash = (t.Hash ^ uint64(c)) * fnvPrime
		switch {
		case c == '<' && !t.inTag, c == '>' && t.inTag:
			t.endLine()
			t.inTag = !t.inTag
		case t.inTag:
			if len(t.tag) < len("/script ") {
				t.tag = append(t.tag, c)
			}
		case c == '\n':
			t.endLine()
		case t.quiet == "":
			t.write(c)
		}
	}
	if err == io.EOF {
		t.endLine()
		t.Ended = true
	} else if err != nil {
		t.Broken = err
	}
	return n, err
}

// write takes one more octet of a line.
func (t *Text) write(c byte) {
	was := t.digit
	switch t.digit = ascii.Digit(c); {
	case t.digit && was:
		return
	case t.digit:
		c = '0'
	case c >= 0x80 || c|0x20 >= 'a' && c|0x20 <= 'z':
		t.letters++
	case c == ' ':
		t.blanks++
	}
	t.line = (t.line ^ uint64(c)) * fnvPrime
}

// endLine counts a line, or takes the tag that ends.
func (t *Text) endLine() {
	if t.inTag {
		name, _, _ := bytes.Cut(bytes.ToLower(t.tag), []byte(" "))
		switch name := strings.TrimSpace(string(name)); {
		case t.quiet != "" && name == "/"+t.quiet:
			t.quiet = ""
		case t.quiet == "" && (name == "a" || name == "script" || name == "style"):
			t.quiet = name
		}
		t.tag = t.tag[:0]
		return
	}
	if t.letters > 0 {
		t.Lines += t.line
		if place := placeOf(t.line); t.blanks >= blanksOf && t.said.isNew(place) {
			t.Fresh += t.letters
			t.New = append(t.New, place)
		}
	}
	t.line = fnvStart
	t.letters, t.blanks, t.digit = 0, 0, false
}
