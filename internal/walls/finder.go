package walls

// textFinder finds texts in a page, ASCII letters in either case, and says of which
// kinds they are. It compares the page with the texts only where three octets, a step
// apart from the three before, stand in one of them: the step is so short that none
// begins and ends between.
type textFinder struct {
	size   int // octets that are looked up: 3, or fewer where a text has no more
	step   int
	filter [slots / 64]uint64 // a bit for each slot that has texts
	texts  map[uint16][]textAt
}

const slots = 1 << 15

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

// newTextFinder makes a finder of the texts of each kind; empty texts are left out. At
// least one is not.
func newTextFinder(lists map[kinds][]string) *textFinder {
	shortest := 0
	for _, texts := range lists {
		for _, text := range texts {
			if text != "" && (shortest == 0 || len(text) < shortest) {
				shortest = len(text)
			}
		}
	}
	f := &textFinder{size: min(shortest, 3), texts: map[uint16][]textAt{}}
	f.step = shortest - f.size + 1
	for kind, texts := range lists {
		for _, text := range texts {
			if text == "" {
				continue
			}
			for i := range f.step {
				s := f.slot(text[i:])
				f.filter[s/64] |= 1 << (s % 64)
				f.texts[s] = append(f.texts[s], textAt{text, i, kind})
			}
		}
	}
	return f
}

// slot is the same for octets in either case.
func (f *textFinder) slot(s string) (slot uint16) {
	if f.size == 3 {
		return uint16(s[0]%32)<<10 | uint16(s[1]%32)<<5 | uint16(s[2]%32)
	}
	for i := range f.size {
		slot = slot<<5 | uint16(s[i]%32)
	}
	return slot
}

// in gives the kinds of the texts that stand in a page.
func (f *textFinder) in(page string) (found kinds) {
	for i := 0; i+f.size <= len(page); i += f.step {
		s := f.slot(page[i:])
		if f.filter[s/64]&(1<<(s%64)) == 0 {
			continue
		}
		for _, at := range f.texts[s] {
			if !found.has(at.kind) && i >= at.offset && hasPrefix(page[i-at.offset:], at.text) {
				found |= at.kind
			}
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
