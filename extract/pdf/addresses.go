package pdf

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
)

const (
	maxBlock  = 128 << 10 // octets of text that are searched together
	maxJoined = 4         // lines that are searched as one
	maxLooked = 128       // how often all of a page is looked at
	minPart   = 2         // letters of a word before and behind a hyphen that divides it
)

// textLine is lines of a block that are searched as one: no line of text ends behind "://".
type textLine struct {
	lines []int
	end   int // in the text
}

// blockText is the text of a block that is searched. Its memory is used again.
type blockText struct {
	*setting
	text  []byte
	of    []textLine
	over  map[int][]*link
	items *[]item
	page  int

	block   int // that is searched
	looked  int // how often all of the page was looked at
	divided int // 1: the page divides words, -1: it does not; 0: not known yet
}

// search looks for addresses in the lines of a block. What a link that stands there says is
// not said again.
func (w *pages) search(block []int) {
	t := &w.text
	t.text, t.of, t.block = t.text[:0], t.of[:0], t.lines[block[0]].block
	block = t.withNext(block)
	goesOn, inside := false, false
	for k, i := range block {
		n := &t.lines[i]
		if !goesOn {
			t.of = append(t.of, textLine{})
		}
		l := &t.of[len(t.of)-1]
		t.text, l.lines = append(t.text, t.setting.text[n.from:n.to]...), block[k-len(l.lines):k+1]
		l.end = len(t.text)
		inside = t.inside(n, inside)
		if k+1 < len(block) && len(l.lines) < maxJoined {
			next := &t.lines[block[k+1]]
			divides, hyphen := t.dividesScheme(next)
			if n.soft || divides && hyphen {
				t.text, n.shorter = t.text[:len(t.text)-1], 1
			}
			if goesOn = n.soft || divides || bytes.HasSuffix(t.text, []byte("://")) || t.mailBelow(next) || inside && t.pathBelow(block, k); goesOn {
				continue
			}
		}
		goesOn = false
		if t.text = append(t.text, '\n'); len(t.text) > maxBlock {
			w.searchText()
		}
	}
	w.searchText()
}

// inside says whether a line ends within an address: in a word with "://", or in the one word of
// a line below such.
func (t *blockText) inside(n *line, before bool) bool {
	text := t.setting.text[n.from:n.to]
	last := text[bytes.LastIndexByte(text, ' ')+1:]
	_, host, begins := bytes.Cut(last, []byte("://"))
	if !begins && (!before || len(last) < len(text)) || len(last) == 0 {
		return false
	}
	c := last[len(last)-1]
	return ascii.Alnum(c) || c == '/' || c == '.' && begins && bytes.IndexByte(host, '/') < 0
}

// pathBelow says whether an address that ends line k of a block goes on in the next one, which
// is one word, a path that had no room, as in a narrow cell: the lines near by that begin where
// it does are no longer.
func (t *blockText) pathBelow(block []int, k int) bool {
	n, next := &t.lines[block[k]], &t.lines[block[k+1]]
	word := t.setting.text[next.from:next.to]
	slash := bytes.IndexByte(word, '/')
	if t.text[len(t.text)-1] == '/' && slash < 0 && (bytes.HasSuffix(word, []byte("-")) || bytes.IndexByte(word, '_') > 0) {
		slash = len(word) // a name such as none but files have
	}
	if slash < 1 || bytes.ContainsAny(word, " @:") || bytes.IndexByte(word[:slash], '.') >= 0 || abs(next.x0-n.x0) > 0.6*n.size {
		return false
	}
	margin := n.x1
	for _, i := range block[max(0, k-maxJoined):min(len(block), k+maxJoined)] {
		if o := &t.lines[i]; abs(o.x0-n.x0) < 0.6*n.size {
			margin = max(margin, o.x1)
		}
	}
	return (!n.cut || t.text[len(t.text)-1] == '/') && next.x1-next.x0 > margin-n.x1+0.3*n.size
}

// mailBelow says whether "mailto:" ends the text, and a mail address begins the next line.
func (t *blockText) mailBelow(next *line) bool {
	word, _, _ := bytes.Cut(t.setting.text[next.from:next.to], []byte(" "))
	return bytes.HasSuffix(t.text, []byte("mailto:")) && bytes.IndexByte(word, '@') > 0
}

// dividesScheme says whether the end of the line divides the name of a scheme, of which the rest begins the
// next line; hyphen: with a hyphen.
func (t *blockText) dividesScheme(next *line) (divides, hyphen bool) {
	after := t.setting.text[next.from:next.to]
	after = after[:min(len(after), 16)]
	n := bytes.Index(after, []byte("://"))
	if n < 0 || n > 0 && textscan.IsScheme(string(after[:n])) {
		return false, false
	}
	head, hyphen := bytes.CutSuffix(t.text, []byte("-"))
	before := head[len(bytes.TrimRight(head, letters)):]
	return len(before) > 0 && len(before) < 16 && textscan.IsScheme(string(before)+string(after[:n])), hyphen
}

func (w *pages) searchText() {
	t := &w.text
	if textscan.MayHold(t.text) {
		w.feed.Add(t.text, 1, 1)
		w.feed.Flush()
	}
	t.text, t.of = t.text[:0], t.of[:0]
}

// address takes one that stands in the text.
func (w *pages) address(f doc.Found) bool {
	t := &w.text
	i, off := t.at(&t.of[f.Line-1], f.Column-1)
	n := &t.lines[i]
	if n.block != t.block {
		return true // it is found there
	}
	f.Locator, f.Line, f.Column = placeOf(t.page)+" line "+strconv.Itoa(n.row), 0, 0
	if off >= 0 && !said(t.over[i], n, float64(t.xs[off]), f.URI) {
		*t.items = append(*t.items, item{t.key(n, off), f})
	}
	return true
}

// room is how many letters of the next line would have fit on the line that ends at an offset; firm:
// another line goes as far as this one may.
func (t *blockText) room(eol int) (letters int, firm bool) {
	k, _ := slices.BinarySearchFunc(t.of, eol, func(l textLine, eol int) int { return cmp.Compare(l.end, eol) })
	if k >= len(t.of) {
		return 0, false
	}
	of := t.of[k].lines
	n := &t.lines[of[len(of)-1]]
	switch {
	case n.cut:
		return textscan.Cut, n.firm
	case k+1 < len(t.of):
		return t.fitting(n, &t.lines[t.of[k+1].lines[0]]), n.firm
	}
	return n.room(), n.firm
}

// at gives the line in which a column of a line of text stands, and its place in the text of
// the page.
func (s *setting) at(t *textLine, column int) (i, off int) {
	for _, i := range t.lines {
		n := &s.lines[i]
		if column < n.to-n.from-n.shorter {
			return i, n.from + column
		}
		column -= n.to - n.from - n.shorter
	}
	i = t.lines[len(t.lines)-1]
	return i, s.lines[i].to - 1
}

// endings are parts of words that are no words, nor parts of names that people put together.
var endings = strings.Fields("tion tions tional sion sions ment ments ness ing ings ity ities ical ically ally ously ious ance ances ence ences")

// hyphen says whether the hyphen between what is before it and what is after it divides a word
// at the end of a line, and is no part of an address: the whole word stands elsewhere on the
// page, where it never has a hyphen, or what is after it is the ending of a word.
func (t *blockText) hyphen(before string, after []byte) bool {
	left := before[len(strings.TrimRight(before, letters)):]
	right := string(after[:len(after)-len(bytes.TrimLeft(after, letters))])
	if len(left) == 0 || len(right) == 0 {
		return false
	}
	left, right = lastRun(left), firstRun(right)
	if t.divides() && (textscan.IsFragment(left) || textscan.IsFragment(right)) {
		return true
	}
	if len(left) < minPart || len(right) < minPart {
		return false
	}
	if slices.Contains(endings, right) {
		return true
	}
	if t.looked += 4; t.looked > maxLooked {
		return false
	}
	return t.hasWord(left+right) && !t.hasWord(left+"-"+right)
}

// lastRun and firstRun are the words of a name such as "ManuscriptsArchive" that end and begin it.
func lastRun(s string) string { return s[max(0, strings.LastIndexAny(s, capitals)):] }
func firstRun(s string) string {
	if i := strings.IndexAny(s[1:], capitals); i >= 0 {
		return s[:i+1]
	}
	return s
}

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

const dividing = 2 // words of a page that are divided, so that its program does so

// divides says whether the page divides words at the ends of lines: a line ends in letters and a hyphen, the
// next one begins with small letters, and neither of the words is an address.
func (t *blockText) divides() bool {
	if t.divided == 0 {
		t.divided = -1
		n := 0
		for _, b := range t.blocks {
			for k := range b[:len(b)-1] {
				if t.dividesWord(&t.lines[b[k]], &t.lines[b[k+1]]) {
					n++
				}
			}
		}
		if n >= dividing {
			t.divided = 1
		}
	}
	return t.divided > 0
}

func (s *setting) dividesWord(n, next *line) bool {
	text := s.text[n.from:n.to]
	last := text[bytes.LastIndexByte(text, ' ')+1:]
	first, _, _ := bytes.Cut(s.text[next.from:next.to], []byte(" "))
	part, ok := bytes.CutSuffix(last, []byte("-"))
	return ok && len(part) > 1 && len(first) > 1 && len(bytes.Trim(part, letters)) == 0 && 'a' <= first[0] && first[0] <= 'z' &&
		len(bytes.Trim(bytes.TrimRight(first, ".,;:)"), letters)) == 0
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// hasWord says whether a word stands on the page, or begins a sentence there.
func (s *setting) hasWord(word string) bool {
	return s.hasSpelling(word) || 'a' <= word[0] && word[0] <= 'z' && s.hasSpelling(string(word[0]-'a'+'A')+word[1:])
}

func (s *setting) hasSpelling(word string) bool {
	for i := range s.lines {
		text := s.text[s.lines[i].from:s.lines[i].to]
		for from := 0; ; {
			n := bytes.Index(text[from:], []byte(word))
			if n < 0 {
				break
			}
			n += from
			from = n + len(word)
			if (n == 0 || !isLetter(text[n-1])) && (from == len(text) || !isLetter(text[from])) {
				return true
			}
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|' ' && c|' ' <= 'z' }
