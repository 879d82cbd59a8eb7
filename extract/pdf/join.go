package pdf

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
)

// joined is the streams of a page's contents, one behind the other: no token goes on from one
// to the next (ISO 32000-1 table 30).
type joined struct {
	f       *file
	streams array
	r       io.Reader
	done    func()
}

func (j *joined) Read(p []byte) (int, error) {
	for {
		if j.r != nil {
			n, err := j.r.Read(p)
			if n > 0 {
				return n, nil
			}
			if err == nil {
				continue
			}
			j.close()
			if err != io.EOF {
				j.f.contentError(err)
			}
			p[0] = '\n'
			return 1, nil
		}
		if len(j.streams) == 0 || j.f.d.Stopped() {
			return 0, io.EOF
		}
		s, ok := j.f.get(j.streams[0]).(*stream)
		if j.streams = j.streams[1:]; ok {
			j.r, j.done = j.f.open(s)
		}
	}
}

func (j *joined) close() {
	if j.r != nil {
		j.done()
		j.r, j.done = nil, nil
	}
}

var errContent = errors.New("pdf: the contents of a page are damaged: what stands before that is read")

// contentError tells that some contents cannot be read whole.
func (f *file) contentError(err error) {
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errImage) && f.d.Budget.Err() == nil {
		f.tell(errContent)
	}
}

const maxEnding = 16 // links of a page that may go on on the next one

// join makes one of links that go on in the next annotation.
func (w *pages) join(s *setting, links []link) (joined []link) {
	whole := s.unfinished(links)
	for i, l := range links {
		n := len(joined) - 1
		if k, ok := whole[l.found.URI]; ok && k >= 0 {
			joined[k].areas = append(joined[k].areas, l.areas...)
			continue
		} else if ok {
			whole[l.found.URI] = n + 1
		}
		switch {
		case i == 0 && len(l.areas) > 0 && slices.Contains(w.ending, l.found.URI) && s.begins(l.areas[0]):
			joined = append(joined, l)
			joined[0].found.Raw = "" // it was given out with the page before
			continue
		case n >= 0 && joined[n].found.URI == l.found.URI && s.goesOn(joined[n].areas, l.areas):
			joined[n].areas = append(joined[n].areas, l.areas...)
			continue
		}
		if k := s.partOf(joined, l); k >= 0 {
			joined[k].areas = append(joined[k].areas, l.areas...)
			continue
		}
		joined = append(joined, l)
	}
	if len(joined)+len(s.lines) > 0 {
		w.ending = w.ending[:0]
	}
	for i := range joined {
		if len(w.ending) < maxEnding && s.ends(joined[i].areas) {
			w.ending = append(w.ending, joined[i].found.URI)
		}
	}
	return joined
}

const maxParts = 8 // links before one that are looked at for its other part

// partOf gives the link of which another is a part: one shows how the address begins, the other
// how it goes on; -1 for none.
func (s *setting) partOf(joined []link, l link) int {
	for k := len(joined) - 1; k >= max(0, len(joined)-maxParts); k-- {
		if joined[k].found.URI != l.found.URI || len(joined[k].areas) == 0 || len(l.areas) == 0 {
			continue
		}
		a, b := s.shown(joined[k].areas), s.shown(l.areas)
		if strings.HasPrefix(l.found.URI, b) {
			a, b = b, a
		}
		if strings.IndexByte(a, ':') > 0 && len(a)+len(b) <= len(l.found.URI) && strings.HasPrefix(l.found.URI, a) && strings.LastIndex(l.found.URI, b) >= len(a) && len(b) > 1 {
			return k
		}
	}
	return -1
}

// shown is the text in areas without blanks and the stop behind it.
func (s *setting) shown(areas []rect) string {
	return strings.TrimRight(strings.Join(strings.Fields(string(s.under(areas))), ""), ".,;)")
}

// widest is how wide the area over the scheme of an address is at most, in parts of its height.
const widest = 6

// unfinished gives what those links lead to that show the scheme of their own address and
// nothing else, and are linked thrice at least, with -1: all annotations of the page that link the same are parts of one.
// A program that sets lines makes them of what stands between the columns, too.
func (s *setting) unfinished(links []link) map[string]int {
	var of map[string]int
	times := make(map[string]int, len(links))
	for _, l := range links {
		times[l.found.URI]++
	}
	for _, l := range links {
		if times[l.found.URI] < 3 || len(l.areas) == 0 || l.areas[0].x1-l.areas[0].x0 > widest*l.areas[0].height() {
			continue
		}
		text := bytes.TrimSpace(s.under(l.areas[:1]))
		if bytes.HasSuffix(text, []byte(":")) && strings.HasPrefix(l.found.URI, string(text)) {
			if of == nil {
				of = map[string]int{}
			}
			of[l.found.URI] = -1
		}
	}
	return of
}

// goesOn says whether a link that ends in the last of its areas goes on in those of the next
// annotation: beside it; or in the next line of the text, where the one ends its line and the
// other begins one. Where there is no text the places alone say it.
func (s *setting) goesOn(before, areas []rect) bool {
	if len(before) == 0 || len(areas) == 0 {
		return false
	}
	a, b := before[len(before)-1], areas[0]
	h := min(a.height(), b.height())
	if a == b {
		return true
	}
	i, j := s.first(a), s.first(b)
	if i < 0 || j < 0 {
		beside := abs(a.y0-b.y0) < h/2 && b.x0 > a.x0 && b.x0-a.x1 < 0.15*h
		return beside || b.y1 < a.y1-h/2 && a.y0-b.y1 < 1.2*h && b.x0 < a.x0-h
	}
	m, n := &s.lines[i], &s.lines[j]
	a, b = a.turned(m.turn), b.turned(n.turn)
	if i == j {
		return b.x0 > a.x0 && b.x0-a.x1 < 0.15*m.size
	}
	if a.x1 < m.x1-0.3*m.size || b.x0 > n.x0+0.3*n.size {
		return false
	}
	if m.block == n.block {
		lines := s.blocks[m.block]
		k, _ := slices.BinarySearch(lines, i)
		return k+1 < len(lines) && lines[k+1] == j && string(s.text[m.from:m.to]) != string(s.text[n.from:n.to])
	}
	// from the foot of a column to the head of the next
	return s.last(i) && s.head(j) && n.x0 > m.x1 && n.y > m.y
}

// first is the line that goes through an area; -1 for none.
func (s *setting) first(a rect) int {
	at := -1
	s.in(a, func(i int, _ rect) bool {
		at = i
		return false
	})
	return at
}

// last and head say whether a line ends or begins its block.
func (s *setting) last(i int) bool { b := s.blocks[s.lines[i].block]; return b[len(b)-1] == i }
func (s *setting) head(i int) bool { return s.blocks[s.lines[i].block][0] == i }

// ends says whether a link ends the last line of a block, so that it may go on on the next page.
func (s *setting) ends(areas []rect) bool {
	if len(areas) == 0 {
		return false
	}
	i := s.first(areas[len(areas)-1])
	if i < 0 || !s.last(i) {
		return false
	}
	n := &s.lines[i]
	return areas[len(areas)-1].turned(n.turn).x1 > n.x1-0.3*n.size && n.room() < 12
}

// begins says whether a link begins the first line of a block.
func (s *setting) begins(a rect) bool {
	i := s.first(a)
	return i >= 0 && s.head(i) && a.turned(s.lines[i].turn).x0 < s.lines[i].x0+0.3*s.lines[i].size
}
