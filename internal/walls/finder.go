package walls

import "math/bits"

// textFinder finds texts in a page, ASCII letters in either case, and says of which
// kinds they are. It compares the page with the texts only where four octets, a step
// apart from the four before, stand in one of them: the step is so short that none
// begins and ends between.
type textFinder struct {
	step   int
	filter [slots / 64]uint64 // a bit for each slot that has texts
	texts  [][]textAt         // by slot, as many as are needed
	short  []textAt           // texts of fewer octets: sought everywhere
}

const (
	lookedUp = 4 // octets
	slotBits = 15
	slots    = 1 << slotBits
)

// kinds is a set of kinds of texts.
type kinds uint16

// has says whether one of the kinds of l is in k.
func (k kinds) has(l kinds) bool { return k&l != 0 }

// textAt is a text, where in it the octets stand that are looked up, these, and its kind.
type textAt struct {
	text   string
	offset int
	octets uint32
	kind   kinds
}

// newTextFinder makes a finder of the texts of each kind; empty texts are left out.
func newTextFinder(lists map[kinds][]string) *textFinder {
	shortest, n := 0, 0
	for _, texts := range lists {
		for _, text := range texts {
			if len(text) >= lookedUp && (shortest == 0 || len(text) < shortest) {
				shortest = len(text)
			}
		}
		n += len(texts)
	}
	f := &textFinder{step: max(shortest-lookedUp+1, 1)}
	f.texts = make([][]textAt, min(1<<bits.Len(uint(n*f.step)), slots))
	for kind, texts := range lists {
		for _, text := range texts {
			switch {
			case text == "":
			case len(text) < lookedUp:
				f.short = append(f.short, textAt{text: text, kind: kind})
			default:
				f.add(text, kind)
			}
		}
	}
	return f
}

// add makes a text known by the octets at each of the first steps.
func (f *textFinder) add(text string, kind kinds) {
	for i := range f.step {
		octets := octetsAt(text, i)
		s := slotOf(octets)
		f.filter[s/64] |= 1 << (s % 64)
		list := &f.texts[s%uint32(len(f.texts))]
		*list = append(*list, textAt{text, i, octets, kind})
	}
}

// octetsAt gives four octets, letters the same in either case.
func octetsAt(s string, i int) uint32 {
	s = s[i : i+lookedUp]
	return 0x20202020 | uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func slotOf(octets uint32) uint32 { return octets * 0x9e3779b1 >> (32 - slotBits) }

// in gives the kinds of the texts that stand in a page.
func (f *textFinder) in(page string) (found kinds) {
	for _, at := range f.short {
		for i := 0; i < len(page) && !found.has(at.kind); i++ {
			if hasPrefix(page[i:], at.text) {
				found |= at.kind
			}
		}
	}
	for i := 0; i+lookedUp <= len(page); i += f.step {
		octets := octetsAt(page, i)
		if s := slotOf(octets); f.filter[s/64]&(1<<(s%64)) != 0 {
			found |= f.at(page, i, octets, found)
		}
	}
	return found
}

// at gives the kinds, but for those found, of the texts that stand where four octets of
// theirs do.
func (f *textFinder) at(page string, i int, octets uint32, found kinds) kinds {
	list := f.texts[slotOf(octets)%uint32(len(f.texts))]
	for j := range list {
		if at := &list[j]; at.octets == octets && !found.has(at.kind) && i >= at.offset && hasPrefix(page[i-at.offset:], at.text) {
			found |= at.kind
		}
	}
	return found
}

// hasPrefix says whether s begins with a text, ASCII letters in either case.
func hasPrefix(s, text string) bool {
	if len(s) < len(text) {
		return false
	}
	for i := range len(text) {
		if lower(s[i]) != lower(text[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}
