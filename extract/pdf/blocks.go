package pdf

import (
	"bytes"
	"math"
	"slices"
)

const (
	leading   = 1.9 // the most between two lines of a block, in parts of the size
	maxChains = 256 // blocks that may go on
)

// chained is a block whose lines are gathered.
type chained struct {
	lines int
	last  *line
	step  float64 // from the line before the last one down to that; 0 for none
}

// chain makes blocks: each line goes to the one whose last line is right above it.
func (s *setting) chain() {
	var open []int // blocks
	all := s.chained[:0]
	for i := range s.lines {
		n := &s.lines[i]
		best, score := -1, 0.0
		kept := open[:0]
		for _, b := range open {
			last := all[b].last
			down := last.y - n.y
			size := max(last.size, n.size)
			if last.turn != n.turn || down > 2*leading*size {
				continue
			}
			kept = append(kept, b)
			common := min(last.x1, n.x1) - max(last.x0, n.x0)
			if last.row == n.row || down > leading*size || down < 0.4*size || common <= 0 || min(last.size, n.size) < 0.75*size {
				continue
			}
			if step := all[b].step; step > 0 && down > 1.35*step && down > 1.35*size {
				continue // a paragraph ends
			}
			if v := common - 2*math.Abs(last.x0-n.x0); best < 0 || v > score {
				best, score = b, v
			}
		}
		if open = kept; best < 0 {
			best = len(all)
			all = append(all, chained{})
			if open = append(open, best); len(open) > maxChains {
				open = open[1:]
			}
		}
		n.block = best
		b := &all[best]
		if b.lines++; b.lines > 1 {
			b.step = b.last.y - n.y
		}
		b.last = n
	}
	s.chained = all
	s.gather()
}

// gather lists the lines of each block.
func (s *setting) gather() {
	left := slices.Grow(s.order[:0], len(s.lines))[:len(s.lines)]
	s.order, s.blocks = left, s.blocks[:0]
	for _, b := range s.chained {
		s.blocks, left = append(s.blocks, left[:0:b.lines]), left[b.lines:]
	}
	for i := range s.lines {
		b := &s.blocks[s.lines[i].block]
		*b = append(*b, i)
	}
}

// lineEnds are where the lines of a page end that begin at about one place, in order.
type lineEnds map[[2]int][]float64

func (e lineEnds) key(n *line, by int) [2]int {
	return [2]int{int(n.turn), int(max(-1e6, min(1e6, n.x0/8))) + by}
}

// within gives the farthest end of the lines that begin where n does, and the one before it, that
// are not beyond most.
func (e lineEnds) within(n *line, most float64) (far, before float64) {
	far, before = math.Inf(-1), math.Inf(-1)
	for by := -1; by <= 1; by++ {
		of := e[e.key(n, by)]
		i, _ := slices.BinarySearch(of, most)
		for _, x := range of[max(0, i-2):i] {
			far, before = max(far, x), max(before, min(far, x))
		}
	}
	return far, before
}

// endsOf gathers where the lines of a page end.
func (s *setting) endsOf() lineEnds {
	all := lineEnds{}
	for i := range s.lines {
		n := &s.lines[i]
		all[all.key(n, 0)] = append(all[all.key(n, 0)], n.x1)
	}
	for _, of := range all {
		slices.Sort(of)
	}
	return all
}

// margins finds out how far the lines of each column go: as far as the longest that begins
// where they do, and not into the text on their right.
func (s *setting) margins() {
	var all lineEnds
	for _, b := range s.blocks {
		most, second, right := math.Inf(-1), math.Inf(-1), math.Inf(1)
		for _, i := range b {
			n := &s.lines[i]
			most, second, right = max(most, n.x1), max(second, min(most, n.x1)), min(right, n.right-0.5*n.size)
		}
		margin := most
		if len(b) < 3 { // others say how far the lines of so short a block go
			if all == nil {
				all = s.endsOf()
			}
			for _, i := range b {
				far, before := all.within(&s.lines[i], right)
				margin, second = max(margin, far), max(second, before)
			}
		}
		firm := second > margin-s.lines[b[0]].size && (right < math.Inf(1) || !s.words(b))
		for _, i := range b {
			s.lines[i].margin, s.lines[i].firm = margin, firm
		}
		for k := range b[:len(b)-1] {
			n := &s.lines[b[k]]
			// a word that is longer than the lines around are fills its line as far as it can
			n.cut = n.room() <= 1 && n.margin > n.x1+0.01*n.size && s.isWord(n)
			for _, j := range []int{k - 1, k + 1} {
				if n.room() != 0 || j < 0 || j >= len(b)-1 || s.lines[b[j]].room() != 0 {
					continue
				}
				// justified lines end at one place, for there are blanks that are made wide
				n.cut = n.cut || math.Abs(n.x1-s.lines[b[j]].x1) > 0.01*n.size || s.isWord(n) && s.isWord(&s.lines[b[j]])
			}
		}
	}
}

// words says whether each line of a block is one word: of such nothing is known but that.
func (s *setting) words(block []int) bool {
	return !slices.ContainsFunc(block, func(i int) bool { return !s.isWord(&s.lines[i]) })
}

// isWord says whether no blank stands in a line.
func (s *setting) isWord(n *line) bool { return bytes.IndexByte(s.text[n.from:n.to], ' ') < 0 }

// room is how many letters more would have fit on a line.
func (n *line) room() int { return int(max(0, min(1000, (n.margin-n.x1)/(0.52*n.size)))) }

// fitting is how many octets of the next line would have fit on a line.
func (s *setting) fitting(n, next *line) int {
	xs := s.xs[next.from:next.to]
	if len(xs) == 0 {
		return 0
	}
	i, _ := slices.BinarySearch(xs, xs[0]+float32(n.margin-n.x1+0.02*n.size))
	return max(0, i-1)
}

// withNext gives the lines of a block, and those at the head of the next column where the last
// line ends within an address.
func (t *blockText) withNext(block []int) []int {
	last := &t.lines[block[len(block)-1]]
	text := t.setting.text[last.from:last.to]
	word := text[bytes.LastIndexByte(text, ' ')+1:]
	begun := bytes.Contains(word, []byte("://")) && bytes.LastIndexByte(word, '(') > bytes.LastIndexByte(word, ')')
	open := bytes.HasSuffix(word, []byte("://")) || bytes.HasSuffix(word, []byte("-")) && bytes.IndexByte(word, '/') >= 0 || last.firm && t.inside(last, false)
	if !open && !begun || t.looked >= maxLooked {
		return block
	}
	t.looked++
	var next []int
	for _, b := range t.blocks {
		n := &t.lines[b[0]]
		if n.turn != last.turn || n.x0 < last.margin || n.y < last.y || n.size < 0.88*last.size || n.size > 1.14*last.size {
			continue
		}
		if next == nil || n.x0 < t.lines[next[0]].x0-n.size || n.x0 < t.lines[next[0]].x0+n.size && n.y > t.lines[next[0]].y {
			next = b
		}
	}
	if !open && (next == nil || !t.closes(&t.lines[next[0]])) {
		return block
	}
	return slices.Concat(block, next[:min(len(next), maxJoined)])
}

// closes says whether the first word of a line ends a parenthesis that was begun before.
func (t *blockText) closes(n *line) bool {
	word, _, _ := bytes.Cut(t.setting.text[n.from:n.to], []byte(" "))
	return bytes.IndexByte(word, ')') > 0 && bytes.IndexByte(word, '(') < 0
}
