package web

// finder finds texts in one pass over a page, ASCII letters in either case (Wu and
// Manber 1994). A window as long as the shortest text moves along; by its last two
// octets it is known how far it may move before a text can begin in it. A search
// for each of the texts costs more than all else that is done with a page.
type finder struct {
	texts  []sought
	window int
	shift  [slots]uint8  // 0: a text may begin in this window; first tells which
	first  [slots]uint16 // 1 + index of a text; 0: none
}

// sought is a text in lower case.
type sought struct {
	text string
	set  sets
	next uint16 // as first
}

// sets are sets of texts, a bit each.
type sets uint8

const slots = 1 << 13

// slot is where two octets stand in the tables; some share one.
func slot(a, b byte) int { return int(a|0x20)<<5 ^ int(b|0x20) }

// newFinder makes a finder of texts, whose set has the bit of their index.
func newFinder(all ...[]string) *finder {
	f := &finder{}
	for i, texts := range all {
		for _, text := range texts {
			if text == "" {
				continue
			}
			f.texts = append(f.texts, sought{text: folded(text), set: 1 << i})
			if f.window == 0 || len(text) < f.window {
				f.window = min(len(text), 255)
			}
		}
	}
	for i := range f.shift {
		f.shift[i] = uint8(max(f.window-1, 1))
	}
	for i := range f.texts {
		t := &f.texts[i]
		for end := 1; end < f.window; end++ {
			s := slot(t.text[end-1], t.text[end])
			f.shift[s] = min(f.shift[s], uint8(f.window-1-end))
		}
		last := f.last(t.text, f.window-1)
		f.shift[last] = 0
		t.next, f.first[last] = f.first[last], uint16(i+1)
	}
	return f
}

// last is the slot of a window that ends at an octet.
func (f *finder) last(s string, at int) int {
	if f.window == 1 {
		return slot(0, s[at])
	}
	return slot(s[at-1], s[at])
}

// in says of which sets there is a text in a page.
func (f *finder) in(page string) (found sets) {
	if f.window == 0 {
		return 0
	}
	for i := f.window - 1; i < len(page); {
		s := f.last(page, i)
		if n := f.shift[s]; n > 0 {
			i += int(n)
			continue
		}
		for n := f.first[s]; n > 0; n = f.texts[n-1].next {
			if t := &f.texts[n-1]; found&t.set == 0 && begins(page[i+1-f.window:], t.text) {
				found |= t.set
			}
		}
		i++
	}
	return found
}

// begins says whether s begins with a text in either case.
func begins(s, text string) bool {
	if len(s) < len(text) {
		return false
	}
	for i := range len(text) {
		if lower(s[i]) != text[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// folded is s with its ASCII letters in lower case.
func folded(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}
