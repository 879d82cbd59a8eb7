package pdf

import (
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/encoding/charmap"
)

// glyph is what a code shows.
type glyph struct {
	text  string
	width float64 // in units of the text size
	blank bool    // code 32 of one octet, which word spacing is for (ISO 32000-1 section 9.3.3)
}

// font is one in which text is shown.
type font struct {
	simple  *[256]glyph
	glyphs  map[uint32]*glyph // of a composite font, as they come
	size    func([]byte) int  // octets of the code ahead
	em      float64           // how large its letters are, for each unit of the size
	glyphOf func(c uint32, n int) glyph
	kept    int // octets of memory, about
}

const (
	maxGlyphs = 4096 // of a composite font that are kept
	entrySize = 96   // octets of an entry of a map, about
)

// fonts are those of a document that were read, and the names of those of the resources at hand.
type fonts struct {
	read  *fontsRead
	named map[name]*font
}

// fontsRead are fonts by the numbers of their objects.
type fontsRead struct {
	fonts map[uint32]*font
	size  int // octets, about
}

const maxFonts = 32 << 20 // octets of those that are kept

// next takes the code at the front of s, where the font is composite.
func (t *font) next(s []byte) (*glyph, int) {
	n := max(1, t.size(s))
	c := code(s[:n])
	g, ok := t.glyphs[c]
	if !ok {
		of := t.glyphOf(c, n)
		g = &of
		if len(t.glyphs) >= maxGlyphs {
			clear(t.glyphs)
		}
		t.glyphs[c] = g
	}
	return g, n
}

// loadFont reads a font (ISO 32000-1 sections 9.6 and 9.7).
func (f *file) loadFont(d dict) *font {
	var to *cmap
	if s, ok := f.get(d["ToUnicode"]).(*stream); ok {
		to = parseCMap(f.held(s))
	}
	if f.name(d["Subtype"]) == "Type0" {
		return f.composite(d, to)
	}
	t := &[256]glyph{}
	widths := f.widths(d)
	text := f.encoding(d)
	for c := range t {
		s := text[c]
		if to != nil {
			if u, ok := to.characters(uint32(c)); ok && u != "" && u != "\x00" && u != "\ufffd" {
				s = u
			}
		}
		t[c] = glyph{text: plainText(s), width: widths[c], blank: c == ' '}
	}
	em := 1.0
	if f.name(d["Subtype"]) == "Type3" {
		em = letterSize(widths[:])
	}
	return &font{simple: t, em: em, kept: 256 * entrySize}
}

const letterWidth = 0.5 // of letters, in parts of the size

// letterSize is how large the letters of a Type 3 font are, for each unit of the size: its glyphs have
// whatever scale the font says (ISO 32000-1 section 9.6.5).
func letterSize(widths []float64) float64 {
	sum, n := 0.0, 0.0
	for _, w := range widths {
		if w > 0 {
			sum, n = sum+w, n+1
		}
	}
	if wide := sum / max(n, 1); wide > 0 && (wide < letterWidth/2 || wide > 2*letterWidth) {
		return wide / letterWidth
	}
	return 1
}

// widths gives those of a simple font in units of its size.
func (f *file) widths(d dict) (w [256]float64) {
	scale := 0.001
	if m := f.array(d["FontMatrix"]); len(m) == 6 && f.name(d["Subtype"]) == "Type3" {
		scale = f.number(m[0], scale)
	}
	given, descriptor := f.array(d["Widths"]), f.dict(d["FontDescriptor"])
	otherwise := f.number(descriptor["MissingWidth"], 0)
	if len(given) == 0 {
		standard := standardOf(string(f.name(d["BaseFont"])))
		for c := range w {
			w[c] = 0.6
			if i := c - ' '; i >= 0 && i < len(standard) {
				w[c] = standard[i] / 1000
			}
		}
		return w
	}
	firstChar := int(f.number(d["FirstChar"], 0))
	for c := range w {
		w[c] = otherwise * scale
		if i := c - firstChar; i >= 0 && i < len(given) {
			w[c] = f.number(given[i], otherwise) * scale
		}
	}
	return w
}

// standardOf gives the widths of the standard font that one is, or is like; nil for those of
// which all glyphs are 0.6 wide.
func standardOf(base string) (w []float64) {
	base = strings.ToLower(base[strings.IndexByte(base, '+')+1:])
	bold, italic := strings.Contains(base, "bold"), strings.Contains(base, "italic") || strings.Contains(base, "oblique")
	key := "Helvetica"
	switch {
	case strings.Contains(base, "courier") || strings.Contains(base, "mono"):
		return nil
	case strings.Contains(base, "times") && bold && italic:
		key = "Times-BoldItalic"
	case strings.Contains(base, "times") && bold:
		key = "Times-Bold"
	case strings.Contains(base, "times") && italic:
		key = "Times-Italic"
	case strings.Contains(base, "times"):
		key = "Times-Roman"
	case bold:
		key = "Helvetica-Bold"
	}
	for s := range strings.FieldsSeq(standardWidths[key]) {
		n, _ := strconv.Atoi(s)
		w = append(w, float64(n))
	}
	return w
}

// encoding gives what the codes of a simple font stand for without ToUnicode (section 9.6.6).
func (f *file) encoding(d dict) (text [256]string) {
	e := f.get(d["Encoding"])
	base, _ := e.(name)
	differences := array(nil)
	if of, ok := e.(dict); ok {
		base, differences = f.name(of["BaseEncoding"]), f.array(of["Differences"])
	}
	descriptor := f.dict(d["FontDescriptor"])
	if base == "" {
		if f.name(d["Subtype"]) == "TrueType" {
			base = "WinAnsiEncoding"
		}
	}
	text = *basic(base)
	if s, ok := f.get(descriptor["FontFile"]).(*stream); ok && base == "" {
		for c, n := range builtIn(f.held(s)) {
			text[c] = nameText(n, c)
		}
	}
	c := 0
	for _, v := range differences {
		switch v := f.get(v).(type) {
		case float64:
			c = integer(v)
		case name:
			if c >= 0 && c < 256 {
				text[c] = nameText(string(v), c)
			}
			c++
		}
	}
	return text
}

// basic is what codes stand for in an encoding with a name (annex D).
func basic(encoding name) *[256]string {
	switch encoding {
	case "MacRomanEncoding":
		return macRoman()
	case "WinAnsiEncoding":
		return winAnsi()
	}
	return standard()
}

var (
	macRoman = encodingOf(charmap.Macintosh.DecodeByte)
	winAnsi  = encodingOf(charmap.Windows1252.DecodeByte)
	standard = encodingOf(func(c byte) rune {
		switch {
		case c == '\'':
			return '\u2019'
		case c == '`':
			return '\u2018'
		case c < 0x7f:
			return rune(c)
		case c >= 0xa0:
			return []rune(standardUpper)[c-0xa0]
		}
		return 0
	})
)

// encodingOf makes a table of what codes stand for; 0 is nothing.
func encodingOf(of func(c byte) rune) func() *[256]string {
	return sync.OnceValue(func() *[256]string {
		t := &[256]string{}
		for c := ' '; c < 256; c++ {
			if r := of(byte(c)); r != 0 {
				t[c] = string(r)
			}
		}
		return t
	})
}

// builtIn reads the encoding of a Type 1 font: "dup 65 /A put" (Type 1 Font Format section
// 2.3), before its encrypted part.
func builtIn(data []byte) map[int]string {
	all := map[int]string{}
	l := lexer{buf: data[:min(len(data), 64<<10)]}
	for {
		switch t := l.next(); {
		case t.kind == tokenEnd, t.kind == tokenKeyword && string(t.text) == "eexec":
			return all
		case t.kind == tokenKeyword && string(t.text) == "dup":
			n, of := l.next(), l.next()
			if put := l.next(); n.kind == tokenNumber && of.kind == '/' && string(put.text) == "put" && n.num >= 0 && n.num < 256 {
				all[int(n.num)] = string(of.text)
			}
		}
	}
}

// nameText is what a glyph stands for by its name (Adobe Glyph List Specification section 2);
// names that say nothing stand for the character that has the code in ASCII.
func nameText(n string, c int) string {
	if n == "hyphen.alt" || n == "hyphenchar" {
		return "\u2010" // with which TeX divides words, where its fonts have the encoding T1
	}
	n, _, _ = strings.Cut(n, ".")
	if r, ok := glyphs()[n]; ok {
		return string(r)
	}
	var b strings.Builder
	for part := range strings.SplitSeq(n, "_") {
		if r, ok := glyphs()[part]; ok {
			b.WriteRune(r)
			continue
		}
		digits, long := strings.CutPrefix(part, "uni")
		if !long {
			digits, long = strings.CutPrefix(part, "u")
		}
		r, err := strconv.ParseUint(digits[:min(len(digits), 6)], 16, 32)
		switch {
		case len(part) == 1:
			b.WriteString(part)
		case long && err == nil && len(digits) >= 4:
			b.WriteRune(rune(r))
		case c > ' ' && c < 0x7f:
			return string(rune(c))
		case c == 0x7f:
			return "\u2010"
		case c >= 27 && c <= 31: // the ligatures of TeX's fonts, which often have no names (encodings T1 and OT1)
			return string(rune(0xfb00 + c - 27))
		case c >= 11 && c <= 15:
			return string(rune(0xfb00 + c - 11))
		default:
			return "\ufffd"
		}
	}
	return b.String()
}
