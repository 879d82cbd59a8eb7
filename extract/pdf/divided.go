package pdf

import (
	"bytes"
	"slices"
	"strings"
)

const (
	maxLooked = 64 // words that are looked for on a page
	minPart   = 2  // letters of a word before and behind a hyphen that divides it
)

// endings are parts of words that are no words, nor parts of names that people put together.
var endings = strings.Fields("tion tions tional sion sions ment ments ness ing ings ity ities ical ically ally ously ious ance ances ence ences")

// hyphen says whether the hyphen between what is before it and what is after it divides a word
// at the end of a line, and is no part of an address: the whole word stands elsewhere on the
// page, where it never has a hyphen, or what is after it is the ending of a word.
func (t *blockText) hyphen(before string, after []byte) bool {
	left := before[len(strings.TrimRight(before, letters)):]
	right := after[:len(after)-len(bytes.TrimLeft(after, letters))]
	if len(left) < minPart || len(right) < minPart {
		return false
	}
	if slices.Contains(endings, string(right)) {
		return true
	}
	if t.looked += 2; t.looked > maxLooked {
		return false
	}
	return t.hasWord(left+string(right)) && !t.hasWord(left+"-"+string(right))
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// hasWord says whether a word stands on the page.
func (s *setting) hasWord(word string) bool {
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

// withNext gives the lines of a block, and those at the head of the next column where the last
// line ends within an address.
func (s *setting) withNext(block []int) []int {
	last := &s.lines[block[len(block)-1]]
	text := s.text[last.from:last.to]
	word := text[bytes.LastIndexByte(text, ' ')+1:]
	if !bytes.HasSuffix(word, []byte("://")) && !(bytes.HasSuffix(word, []byte("-")) && bytes.IndexByte(word, '/') >= 0) {
		return block
	}
	var next []int
	for _, b := range s.blocks {
		n := &s.lines[b[0]]
		if n.turn != last.turn || n.x0 < last.margin || n.y < last.y || n.size < 0.88*last.size || n.size > 1.14*last.size {
			continue
		}
		if next == nil || n.x0 < s.lines[next[0]].x0-n.size || n.x0 < s.lines[next[0]].x0+n.size && n.y > s.lines[next[0]].y {
			next = b
		}
	}
	return slices.Concat(block, next[:min(len(next), maxJoined)])
}
