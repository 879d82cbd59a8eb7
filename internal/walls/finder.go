package walls

// textFinder finds texts in a page, ASCII letters in either case, and says of which
// kinds they are. It compares the page with the texts only where three octets, a step
// apart from the three before, stand in one of them: the step is so short that none
// begins and ends between.
type textFinder struct {
	step   int
	filter [slots / 64]uint64 // a bit for each slot that has texts
	texts  map[uint16][]textAt
	short  []textAt // texts of fewer octets: sought everywhere
}

const (
	lookedUp = 3 // octets
	slots    = 1 << (5 * lookedUp)
)

// kinds is a set of kinds of texts.
type kinds uint16

// has says whether one of the kinds of l is in k.
func (k kinds) has(l kinds) bool { return k&l != 0 }

// textAt is a text, where in it the octets stand that are looked up, and its kind.
type textAt struct {
	text   string
	offset int
	kind   kinds
}

// newTextFinder makes a finder of the texts of each kind; empty texts are left out.
func newTextFinder(lists map[kinds][]string) *textFinder {
	shortest := 0
	for _, texts := range lists {
		for _, text := range texts {
			if len(text) >= lookedUp && (shortest == 0 || len(text) < shortest) {
				shortest = len(text)
			}
		}
	}
	f := &textFinder{step: max(shortest-lookedUp+1, 1), texts: map[uint16][]textAt{}}
	for kind, texts := range lists {
		for _, text := range texts {
			switch {
			case text == "":
				continue
			case len(text) < lookedUp:
				f.short = append(f.short, textAt{text, 0, kind})
				continue
			}
			for i := range f.step {
				s := slotOf(text[i], text[i+1], text[i+2])
				f.filter[s/64] |= 1 << (s % 64)
				f.texts[s] = append(f.texts[s], textAt{text, i, kind})
			}
		}
	}
	return f
}

// slotOf is the same for octets in either case.
func slotOf(a, b, c byte) uint16 { return uint16(a%32)<<10 | uint16(b%32)<<5 | uint16(c%32) }

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
		if s := slotOf(page[i], page[i+1], page[i+2]); f.filter[s/64]&(1<<(s%64)) != 0 {
			found |= f.at(page, i, s, found)
		}
	}
	return found
}

// at gives the kinds, but for those found, of the texts that stand where the octets of
// a slot do.
func (f *textFinder) at(page string, i int, slot uint16, found kinds) kinds {
	for _, at := range f.texts[slot] {
		if !found.has(at.kind) && i >= at.offset && hasPrefix(page[i-at.offset:], at.text) {
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
