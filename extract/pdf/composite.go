package pdf

import (
	"strings"
	"unicode/utf16"
)

// composite reads a font of many glyphs (ISO 32000-1 section 9.7).
func (f *file) composite(d dict, to *cmap) *font {
	var below dict
	if a := f.array(d["DescendantFonts"]); len(a) > 0 {
		below = f.dict(a[0])
	}
	ordering := string(f.str(f.dict(below["CIDSystemInfo"])["Ordering"]))
	t := &font{em: 1, glyphs: map[uint32]*glyph{}, size: func(s []byte) int { return min(2, len(s)) }}
	cid := func(c uint32) uint32 { return c }
	direct := false // codes are characters
	switch e := f.get(d["Encoding"]).(type) {
	case *stream:
		m := parseCMap(f.held(e))
		t.size = m.size
		if t.kept = m.entries() * entrySize; len(m.cids) > 0 {
			cid = m.cid
		}
	case name:
		switch s := string(e); {
		case strings.HasPrefix(s, "Identity"):
		case strings.Contains(s, "UCS2"), strings.Contains(s, "UTF16"):
			direct = true
			t.size = func(s []byte) int {
				if len(s) >= 4 && s[0]&0xfc == 0xd8 {
					return 4
				}
				return min(2, len(s))
			}
		default:
			direct = true
			t.size = mixedSize
		}
	}
	widths, otherwise := f.cidWidths(below), f.number(below["DW"], 1000)/1000
	t.kept += (maxGlyphs/8 + len(widths)) * entrySize
	if to != nil {
		t.kept += to.entries() * entrySize
	}
	t.glyphOf = func(c uint32, n int) glyph {
		g := glyph{width: otherwise, blank: n == 1 && c == ' '}
		id := cid(c)
		if w, ok := widths[id]; ok {
			g.width = w
		} else if direct && c < 0x80 {
			g.width = 0.5
		}
		text, ok := "", false
		if to != nil {
			text, ok = to.characters(c)
		}
		if !ok || text == "" || text == "\x00" {
			text = cidText(ordering, c, id, n, direct)
		}
		g.text = plainText(text)
		return g
	}
	return t
}

// mixedSize is the size of a code in the encodings of East Asia: ASCII is one octet, most
// others are two (Adobe Technical Note 5094).
func mixedSize(s []byte) int {
	if s[0] < 0x81 || s[0] == 0xa0 || s[0] == 0xff {
		return 1
	}
	return min(2, len(s))
}

// cidText is what a glyph stands for that ToUnicode does not name. The numbers of the glyphs
// of ASCII are the same in all collections of Adobe; that of Japan has narrow ones, too.
func cidText(ordering string, c, id uint32, n int, direct bool) string {
	switch {
	case direct && c < 0x80:
		return string(rune(c))
	case direct && n == 2 && c < 0x2100:
		return string(rune(c))
	case direct && n == 4:
		return string(utf16.Decode([]uint16{uint16(c >> 16), uint16(c)}))
	case direct:
		return "\ufffd"
	}
	switch ordering {
	case "Japan1", "GB1", "CNS1", "Korea1", "KR":
		if id >= 1 && id <= 95 {
			return string(rune(id + 31))
		}
		if ordering == "Japan1" && id >= 231 && id <= 325 {
			return string(rune(id - 231 + ' '))
		}
	}
	return "\ufffd"
}

const maxWidths = 1 << 17

// cidWidths gives the widths of glyphs by their numbers (section 9.7.4.3).
func (f *file) cidWidths(d dict) map[uint32]float64 {
	widths := map[uint32]float64{}
	a := f.array(d["W"])
	for len(a) >= 2 && len(widths) < maxWidths {
		from := uint32(integer(f.get(a[0])))
		if list, ok := f.get(a[1]).(array); ok {
			for i, w := range list {
				widths[from+uint32(i)] = f.number(w, 0) / 1000
			}
			a = a[2:]
			continue
		}
		if len(a) < 3 {
			break
		}
		to, w := uint32(integer(f.get(a[1]))), f.number(a[2], 0)/1000
		to = min(to, 1<<16) // numbers have two octets
		if from > to || f.d.Budget.Unfold(8*int64(to-from)) != nil {
			a = a[3:]
			continue
		}
		for c := from; c <= to; c++ {
			widths[c] = w
		}
		a = a[3:]
	}
	return widths
}
