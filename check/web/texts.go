package web

import "slices"

// textFinder finds texts in a page, ASCII letters in either case. It compares the
// page with the texts only where two octets, a step apart from the two before, stand
// in one of them: the step is so short that none begins and ends between.
type textFinder struct {
	size  int // octets that are looked up: 2, or 1 where a text has no more
	step  int
	texts [32 * 32][]textAt // by slot
}

// textAt is a text, and where in it the octets stand that are looked up.
type textAt struct {
	text   string
	offset int
}

// newTextFinder makes a finder of the texts of all lists but empty ones.
func newTextFinder(lists ...[]string) *textFinder {
	texts := slices.DeleteFunc(slices.Concat(lists...), func(text string) bool { return text == "" })
	shortest := len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
	f := &textFinder{size: min(shortest, 2)}
	f.step = shortest - f.size + 1
	for _, text := range texts {
		for i := range f.step {
			s := f.slot(text[i:])
			f.texts[s] = append(f.texts[s], textAt{text, i})
		}
	}
	return f
}

// slot is the same for octets in either case.
func (f *textFinder) slot(s string) int {
	if f.size == 1 {
		return int(s[0] % 32)
	}
	return int(s[0]%32)*32 + int(s[1]%32)
}

// in says whether one of the texts stands in a page.
func (f *textFinder) in(page string) bool {
	for i := 0; i+f.size <= len(page); i += f.step {
		for _, at := range f.texts[f.slot(page[i:])] {
			if i >= at.offset && hasPrefix(page[i-at.offset:], at.text) {
				return true
			}
		}
	}
	return false
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
