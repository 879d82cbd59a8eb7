package web

// finder finds texts in one pass over a page, ASCII letters in either case (Aho and
// Corasick 1975): a search for each of the texts costs more than all else that is
// done with a page.
type finder struct {
	class [256]uint8 // of an octet; 0: it stands in no text
	width int32      // classes
	next  []int32    // by state, which is where its row begins, and class: the next state; its complement where a text ends
	ends  []sets     // by number of state: the sets of the texts that end there
}

// sets are sets of texts, a bit each.
type sets uint8

func newFinder(all ...[]string) *finder {
	f := &finder{width: 1}
	for _, texts := range all {
		for _, text := range texts {
			for _, c := range folded(text) {
				if f.class[c] == 0 {
					f.class[c] = uint8(f.width)
					f.width++
				}
			}
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		f.class[c] = f.class[c|0x20]
	}
	f.state()
	for i, texts := range all {
		for _, text := range texts {
			if text != "" {
				f.add(text, 1<<i)
			}
		}
	}
	f.link()
	return f
}

// folded is s with its ASCII letters in lower case.
func folded(s string) []byte {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return b
}

// state makes a new one.
func (f *finder) state() int32 {
	f.next, f.ends = append(f.next, make([]int32, f.width)...), append(f.ends, 0)
	return int32(len(f.next)) - f.width
}

func (f *finder) add(text string, of sets) {
	at := int32(0)
	for _, c := range folded(text) {
		edge := at + int32(f.class[c])
		if f.next[edge] == 0 {
			s := f.state()
			f.next[edge] = s
		}
		at = f.next[edge]
	}
	f.ends[at/f.width] |= of
}

// link lets every state know where to go on with what is no way on in its own
// text: at the longest end of what was read that begins another.
func (f *finder) link() {
	queue, back := []int32{0}, map[int32]int32{}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		f.ends[at/f.width] |= f.ends[back[at]/f.width]
		for c := range f.width {
			other := int32(0)
			if at != 0 {
				other = f.next[back[at]+c]
			}
			if s := f.next[at+c]; s != 0 {
				back[s] = other
				queue = append(queue, s)
			} else {
				f.next[at+c] = other
			}
		}
	}
	for i, s := range f.next {
		if f.ends[s/f.width] != 0 {
			f.next[i] = ^s
		}
	}
}

// in says of which sets there is a text in b.
func (f *finder) in(b []byte) (found sets) {
	at := int32(0)
	for _, c := range b {
		if at = f.next[at+int32(f.class[c])]; at < 0 {
			at = ^at
			found |= f.ends[at/f.width]
		}
	}
	return found
}
