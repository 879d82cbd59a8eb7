package extract

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	letters "unicode"
	"unicode/utf8"

	"github.com/saintfish/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

const charsetWindow = 4096 // bytes in which a charset is looked for or guessed

// setCharset makes the text of d readable: declared is what the document says
// of itself ("" for nothing). Charsets in which a byte of ASCII can be half of
// something else are decoded before anything reads; of the others only what is
// shown is decoded, since references are ASCII in all of them.
func (d *doc) setCharset(declared string) {
	head, _ := d.in.Peek(charsetWindow)
	name := d.o.Charset
	if name == "" {
		name = bomCharset(head)
	}
	if name == "" {
		name = declared
	}
	e := lookupCharset(name)
	if e == nil {
		e = guessCharset(head)
	}
	d.late = nil
	if _, single := e.(*charmap.Charmap); single {
		d.late = e
	} else if e != nil {
		d.in = bufio.NewReaderSize(e.NewDecoder().Reader(d.in), readerSize)
	}
	if head, _ := d.in.Peek(charsetWindow); bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		d.in = bufio.NewReaderSize(&returns{d.in}, readerSize)
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

// lookupCharset gives nil for UTF-8 and for names nobody knows.
func lookupCharset(name string) encoding.Encoding {
	e, err := htmlindex.Get(strings.TrimSpace(name))
	if err != nil || e == unicode.UTF8 || e == encoding.Replacement {
		return nil
	}
	return e
}

// guessCharset judges by the bytes: nil for ASCII and UTF-8.
func guessCharset(head []byte) encoding.Encoding {
	if bytes.Contains(head, []byte("\x1b$")) || !utf8.Valid(wholeRunes(head)) {
		return guessOctets(head)
	}
	if n := bytes.Count(head, []byte{0}); n > len(head)/3 {
		name := "utf-16le"
		if head[0] == 0 {
			name = "utf-16be"
		}
		e, _ := htmlindex.Get(name)
		return e
	}
	return nil
}

// guessOctets asks the detector; what it is not sure of is read as windows-1252,
// since a charset of two octets wrongly guessed eats what follows a letter.
func guessOctets(head []byte) encoding.Encoding {
	r, err := chardet.NewTextDetector().DetectBest(head)
	if err != nil {
		return charmap.Windows1252
	}
	e := lookupCharset(strings.ReplaceAll(r.Charset, "GB-18030", "gb18030"))
	if _, single := e.(*charmap.Charmap); e == nil || !single && r.Confidence < surely {
		return charmap.Windows1252
	}
	return e
}

const surely = 50 // of the detector's 100

// wholeRunes cuts a rune off that the end of a window broke.
func wholeRunes(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// readable is s in UTF-8, whatever the document is written in.
func (d *doc) readable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	if d.late != nil {
		if t, err := d.late.NewDecoder().String(s); err == nil {
			return t
		}
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// metaCharset finds the charset that a page declares in its head.
func metaCharset(head []byte) string {
	low := bytes.ToLower(head)
	if i := bytes.Index(low, []byte("<?xml")); i >= 0 && i < 4 {
		if decl, _, ok := bytes.Cut(low, []byte("?>")); ok {
			if _, v, ok := bytes.Cut(decl, []byte("encoding=")); ok {
				return charsetToken(v)
			}
		}
	}
	for {
		i := bytes.Index(low, []byte("<meta"))
		if i < 0 {
			return ""
		}
		tag, rest, ok := bytes.Cut(low[i:], []byte(">"))
		if !ok {
			return ""
		}
		if _, v, ok := bytes.Cut(tag, []byte("charset=")); ok {
			return charsetToken(v)
		}
		low = rest
	}
}

// charsetToken is the name at the front of b, quotes left out.
func charsetToken(b []byte) string {
	b = bytes.TrimLeft(b, " \t\"'")
	i := 0
	for i < len(b) && (alnum(b[i]) || bytes.IndexByte([]byte("-_:.+"), b[i]) >= 0) {
		i++
	}
	return string(b[:i])
}

// escapeOctets writes the octets of a reference that are not ASCII as %XX, as
// they stand; those of a host name stay.
func escapeOctets(ref string) string {
	if ascii([]byte(ref)) {
		return ref
	}
	i := 0
	if _, rest, ok := strings.Cut(ref, "//"); ok {
		i = len(ref)
		if n := strings.IndexAny(rest, "/?#"); n >= 0 {
			i += n - len(rest)
		}
	}
	var b strings.Builder
	b.WriteString(ref[:i])
	for ; i < len(ref); i++ {
		if c := ref[i]; c >= 0x80 {
			b.WriteByte('%')
			b.WriteByte("0123456789ABCDEF"[c>>4])
			b.WriteByte("0123456789ABCDEF"[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// spacedLetter gives the length of a letter outside ASCII at the front of b that
// a reference may have got from a script that puts blanks between words; 0 for
// none. In the others the text goes on right behind a reference.
func spacedLetter(b []byte) int {
	if r, n := utf8.DecodeRune(b); r != utf8.RuneError {
		if r < '\u0e00' && (letters.IsLetter(r) || letters.IsMark(r)) || r == '\u200c' || r == '\u200d' { // up to Sinhala; joiners
			return n
		}
		return 0
	}
	if b[0] >= 0xc0 && len(b) > 1 && (alnum(b[1]) || bytes.IndexByte([]byte("./-_"), b[1]) >= 0) {
		return 1
	}
	return 0
}
