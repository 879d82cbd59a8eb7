package pdf

import (
	"sort"
	"unicode/utf16"
)

const maxMapped = 200_000 // codes and ranges of a CMap

// cmap says how long codes are, and what they stand for: characters (ISO 32000-1 section
// 9.10.3), or the numbers of glyphs (section 9.7.5).
type cmap struct {
	spaces []codeSpace
	text   map[uint32]string
	ranges []codeRange // of characters, by their first code
	cids   []codeRange
}

type codeSpace struct {
	size   int
	lo, hi uint32
}

type codeRange struct {
	lo, hi uint32
	text   []rune // of lo; the last one counts up
	cid    uint32 // of lo
}

func code(s []byte) (n uint32) {
	for _, c := range s[:min(len(s), 4)] {
		n = n<<8 | uint32(c)
	}
	return n
}

// utf16Of reads UTF-16BE.
func utf16Of(s []byte) []rune {
	if len(s) == 1 {
		return []rune{rune(s[0])}
	}
	var u []uint16
	for i := 0; i+1 < len(s); i += 2 {
		u = append(u, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return utf16.Decode(u)
}

// parseCMap reads a CMap, which is a program of PostScript: only its tables.
func parseCMap(data []byte) *cmap {
	m := &cmap{text: map[uint32]string{}}
	p := &parser{lexer: lexer{buf: data}}
	var operands array
	for n := 0; n < maxMapped; {
		v, word, ok := p.object(0)
		switch {
		case ok:
			if operands = append(operands, v); len(operands) > 3*maxMapped {
				operands = operands[:0]
			}
			continue
		case word == "":
			m.sort()
			return m
		case word == "endcodespacerange":
			m.addSpaces(operands)
		case word == "endbfchar":
			m.addChars(operands)
		case word == "endbfrange", word == "endcidrange":
			m.addRanges(operands)
		case word == "endcidchar":
			for i := 0; i+1 < len(operands); i += 2 {
				if s, ok := operands[i].(str); ok {
					m.cids = append(m.cids, codeRange{lo: code(s), hi: code(s), cid: uint32(integer(operands[i+1]))})
				}
			}
		}
		n += len(operands)
		operands = operands[:0]
	}
	m.sort()
	return m
}

func (m *cmap) entries() int { return len(m.text) + len(m.ranges) + len(m.cids) + len(m.spaces) }

func (m *cmap) sort() {
	for _, r := range [][]codeRange{m.ranges, m.cids} {
		sort.SliceStable(r, func(i, j int) bool { return r[i].lo < r[j].lo })
	}
}

func (m *cmap) addSpaces(of array) {
	for i := 0; i+1 < len(of); i += 2 {
		lo, ok := of[i].(str)
		hi, ok2 := of[i+1].(str)
		if ok && ok2 && len(lo) > 0 && len(lo) <= 4 {
			m.spaces = append(m.spaces, codeSpace{len(lo), code(lo), code(hi)})
		}
	}
}

func (m *cmap) addChars(of array) {
	for i := 0; i+1 < len(of); i += 2 {
		src, ok := of[i].(str)
		dst, ok2 := of[i+1].(str)
		if ok && ok2 {
			m.text[code(src)] = string(utf16Of(dst))
		}
	}
}

func (m *cmap) addRanges(of array) {
	for i := 0; i+2 < len(of); i += 3 {
		lo, ok := of[i].(str)
		hi, ok2 := of[i+1].(str)
		if !ok || !ok2 {
			continue
		}
		r := codeRange{lo: code(lo), hi: code(hi)}
		switch dst := of[i+2].(type) {
		case str:
			if r.text = utf16Of(dst); len(r.text) > 0 {
				m.ranges = append(m.ranges, r)
			}
		case array:
			for j, v := range dst {
				if s, ok := v.(str); ok && uint32(j) <= r.hi-r.lo {
					m.text[r.lo+uint32(j)] = string(utf16Of(s))
				}
			}
		case float64:
			r.cid = uint32(integer(dst))
			m.cids = append(m.cids, r)
		}
	}
}

// find gives the range that a code is in.
func find(ranges []codeRange, c uint32) (codeRange, bool) {
	i := sort.Search(len(ranges), func(i int) bool { return ranges[i].lo > c })
	for back := 1; back <= 4 && i-back >= 0; back++ { // ranges may overlap
		if r := ranges[i-back]; c <= r.hi {
			return r, true
		}
	}
	return codeRange{}, false
}

// characters gives what a code stands for.
func (m *cmap) characters(c uint32) (string, bool) {
	if s, ok := m.text[c]; ok {
		return s, true
	}
	if r, ok := find(m.ranges, c); ok {
		text := append([]rune{}, r.text...)
		text[len(text)-1] += rune(c - r.lo)
		return string(text), true
	}
	return "", false
}

func (m *cmap) cid(c uint32) uint32 {
	if r, ok := find(m.cids, c); ok {
		return r.cid + c - r.lo
	}
	return 0
}

// size is how many octets the code at the front of s has.
func (m *cmap) size(s []byte) int {
	for n := 1; n <= min(4, len(s)); n++ {
		c := code(s[:n])
		for _, space := range m.spaces {
			if space.size == n && space.lo <= c && c <= space.hi {
				return n
			}
		}
	}
	if len(m.spaces) > 0 {
		return min(m.spaces[0].size, len(s))
	}
	return min(2, len(s))
}
