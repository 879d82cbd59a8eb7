package doc

import (
	"bytes"
	"cmp"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// SetCharset makes the text of d readable: declared is what the document says
// of itself ("" for nothing). Charsets in which a byte of ASCII can be half of
// something else are decoded before anything reads; of the others only strings
// that are shown are decoded, since references are ASCII in all of them.
func (d *Document) SetCharset(declared string) {
	head, _ := d.In.Peek(SniffSize)
	e := LookupCharset(cmp.Or(d.Options.Charset, bomCharset(head), declared))
	if e == nil {
		e = guessCharset(head)
	}
	d.shown = nil
	if _, single := e.(*charmap.Charmap); single {
		d.shown = e
	} else if e != nil {
		d.In = d.buffered(e.NewDecoder().Reader(d.In))
	}
	if head, _ := d.In.Peek(SniffSize); bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		d.In = d.buffered(&returns{d.In})
	}
}

// returns reads the lines of old Macintosh files, which end in CR alone.
type returns struct{ r io.Reader }

func (c *returns) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// bomCharset names what a byte order mark tells. The one of UTF-8 is as good as none.
func bomCharset(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return "utf-16le"
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "utf-16be"
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return "utf-8"
	}
	return ""
}

// LookupCharset finds a charset by a name that documents use. It gives nil for UTF-8 and for names nobody knows.
func LookupCharset(name string) encoding.Encoding {
	e, err := htmlindex.Get(strings.TrimSpace(name))
	if err != nil || e == unicode.UTF8 || e == encoding.Replacement {
		return nil
	}
	return e
}

// guessCharset judges by the bytes: nil for ASCII and UTF-8.
func guessCharset(head []byte) encoding.Encoding {
	if name := wideCharset(head); name != "" {
		return LookupCharset(name)
	}
	if bytes.Contains(head, []byte("\x1b$")) || !utf8.Valid(wholeRunes(head)) {
		return guessOctets(head)
	}
	return nil
}

// wideCharset names UTF-16 without a byte order mark: many zeros, on one side of each pair.
func wideCharset(head []byte) string {
	if bytes.IndexByte(head, 0) < 0 {
		return ""
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	n := zeros[0] + zeros[1]
	switch {
	case n <= len(head)/4 || min(zeros[0], zeros[1]) > n/20:
		return ""
	case zeros[0] > zeros[1]:
		return "utf-16be"
	}
	return "utf-16le"
}

// readable is s in UTF-8, whatever the document is written in.
func (d *Document) readable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	if d.shown != nil {
		if t, err := d.shown.NewDecoder().String(s); err == nil {
			return t
		}
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// AssumeWindows1252 says that strings of d that are not UTF-8 are in windows-1252,
// unless more is known already.
func (d *Document) AssumeWindows1252() {
	if d.shown == nil {
		d.shown = charmap.Windows1252
	}
}

// ToUTF8 decodes b by the name of a charset; b itself where nobody knows the name.
func ToUTF8(b []byte, name string) []byte {
	e := LookupCharset(name)
	if e == nil {
		return b
	}
	out, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return b
	}
	return out
}
