package likeness

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	bins         = 128
	shingleWords = 4
	mainBlock    = 5  // words of a stretch of text that is more than a label
	mainShingles = 12 // of a main text; a page with fewer is taken whole
)

// Kind says what a look saw. It is stored: append only.
type Kind uint8

const (
	Nothing Kind = iota
	Main         // the main text of a page
	Whole        // all text of a page, which has no main text to speak of
	File         // what is no text
	Again        // the server says that nothing has changed since the last look
	Sized        // a file of which the size alone is known
)

// Look is what one probe saw of a text, as octets; nil: nothing. It is made by
// [Maker.Look], [LookAtText], [LookAtFile], [LookAtSize] and [SameAsBefore].
type Look []byte

// How many octets of a memory tell a text, and a file or its size.
const (
	TextSize = bins
	FileSize = 8
)

const (
	siteAt   = 1          // the site that showed it (4 octets)
	sizeAt   = siteAt + 4 // how many shingles all its text has, about (4 octets); of a file, its hash or size (8 octets)
	binsAt   = sizeAt + 4 // the values of all text
	lookSize = binsAt + bins
	mainSize = lookSize + 4 + bins // size and values of the main text follow
)

// SameAsBefore is the look of an answer that says only that nothing has changed.
func SameAsBefore() Look { return newLook(Again, binsAt) }

// LookAtFile is the look at what is no text.
func LookAtFile(body string) Look {
	l, h := newLook(File, sizeAt+8), fnv.New64a()
	h.Write([]byte(body))
	binary.BigEndian.PutUint64(l[sizeAt:], h.Sum64())
	return l
}

// LookAtSize is the look at a file of so many octets, which was not read.
func LookAtSize(octets int64) Look {
	l := newLook(Sized, sizeAt+8)
	binary.BigEndian.PutUint64(l[sizeAt:], uint64(octets))
	return l
}

// LookAtText is the look at a text without markup, in which blank lines part paragraphs.
func LookAtText(body string) Look {
	var m Maker
	for line := range strings.Lines(body) {
		words := 0
		for word := range strings.FieldsSeq(line) {
			m.Add(word, false)
			words++
		}
		if words == 0 {
			m.EndBlock()
		}
	}
	return m.Look()
}

func newLook(k Kind, size int) Look {
	l := make(Look, size)
	l[0] = byte(k)
	return l
}

// Kind is Nothing also for octets that are no look.
func (l Look) Kind() Kind {
	switch {
	case len(l) == mainSize && Kind(l[0]) == Main, len(l) == lookSize && Kind(l[0]) == Whole, len(l) == sizeAt+8 && (Kind(l[0]) == File || Kind(l[0]) == Sized), len(l) == binsAt && Kind(l[0]) == Again:
		return Kind(l[0])
	}
	return Nothing
}

// At returns l as seen at a site other than the link's own, which is named as its owner
// registered it; "": at its own.
func (l Look) At(site string) Look {
	if l.Kind() != Nothing && site != "" {
		h := fnv.New32a()
		h.Write([]byte(site))
		binary.BigEndian.PutUint32(l[siteAt:], max(h.Sum32(), 1))
	}
	return l
}

func (l Look) site() uint32 { return binary.BigEndian.Uint32(l[siteAt:]) }

// text gives the size and the values of the main text where that is wanted and there is
// one, else of all text.
func (l Look) text(k Kind) (size uint32, values []byte) {
	if k == Main && l.Kind() == Main {
		l = l[lookSize-sizeAt:]
	}
	return binary.BigEndian.Uint32(l[sizeAt:]), l[binsAt:][:bins]
}

// Maker makes the look at a page of the words that are added to it, block by block. The
// zero value is ready.
type Maker struct {
	block         []uint64
	last          [shingleWords]uint64 // hashes of the last words, the newest at the end
	run           int                  // words since a sentence began
	words, linked int                  // of the block
	main, whole   least
}

// Add adds a word of the block at hand; one in a link counts less.
func (m *Maker) Add(word string, linked bool) {
	hash, end := uint64(offset64), false
	letters, foreign, other := 0, 0, uint64(offset64)
	for i := 0; i < len(word); {
		c := word[i]
		end = c == '.' || c == '!' || c == '?'
		switch {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(word[i:])
			i += n
			if unicode.IsLetter(r) {
				if foreign++; !spaced(r) {
					m.word(fold(offset64, r), linked)
					foreign = 0
					continue
				}
				other = fold(other, unicode.ToLower(r))
			}
			continue
		case '0' <= c && c <= '9': // counters and dates
			m.endSentence(end)
			return
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z':
			letters++
			hash = (hash ^ uint64(c|0x20)) * prime64
		}
		i++
	}
	switch {
	case letters > 0: // ASCII alone: the rest depends on how the page names its charset
		m.word(hash, linked)
	case foreign > 0:
		m.word(other, linked)
	}
	m.endSentence(end)
}

// spaced says whether the script of a letter puts spaces between its words.
func spaced(r rune) bool { return r < 0x0e00 || r > 0x0eff && r < 0x2e80 || r >= 0xac00 }

const (
	offset64 = 14695981039346656037 // of FNV-1a
	prime64  = 1099511628211
)

func fold(h uint64, r rune) uint64 { return (h ^ uint64(r)) * prime64 }

// word takes the hash of a word.
func (m *Maker) word(hash uint64, linked bool) {
	if m.words++; linked {
		m.linked++
	}
	m.last = [...]uint64{m.last[1], m.last[2], m.last[3], hash}
	if m.run++; m.run >= shingleWords {
		m.block = append(m.block, hashOf(m.last[:]))
	}
}

func (m *Maker) endSentence(end bool) {
	if !end {
		return
	}
	if 0 < m.run && m.run < shingleWords {
		m.block = append(m.block, hashOf(m.last[shingleWords-m.run:]))
	}
	m.run = 0
}

func hashOf(words []uint64) (h uint64) {
	for _, w := range words {
		h = (bits.RotateLeft64(h, 23) ^ w) * 0x9e3779b97f4a7c15
	}
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return h ^ h>>29
}

// EndBlock ends a stretch of text. What is a label, or mostly links, is not of the main
// text.
func (m *Maker) EndBlock() {
	if m.words == 0 {
		return
	}
	m.endSentence(true)
	main := m.words >= mainBlock && 2*m.linked <= m.words
	for _, h := range m.block {
		if main {
			m.main.add(h)
		}
		m.whole.add(h)
	}
	m.block, m.words, m.linked = m.block[:0], 0, 0
}

// Look is what was seen, nil if there were no words.
func (m *Maker) Look() Look {
	m.EndBlock()
	switch {
	case m.main.n >= mainShingles:
		return m.main.appendTo(m.whole.appendTo(newLook(Main, sizeAt)))
	case m.whole.n > 0:
		return m.whole.appendTo(newLook(Whole, sizeAt))
	}
	return nil
}

// least holds the smallest hash of each bin, inverted: 0 is none.
type least struct {
	n    int // hashes added
	most [bins]uint64
}

func (s *least) add(h uint64) {
	s.n++
	i := h % bins
	s.most[i] = max(s.most[i], h|1)
}

// appendTo appends size and values to a look.
func (s *least) appendTo(l Look) Look {
	var values [bins]byte
	empty, sum := 0, 0.0
	for i, h := range s.most {
		sum += 1 - float64(h)/math.MaxUint64
		if h == 0 {
			empty++
			continue
		}
		values[i] = byte(h>>8%255) + 1
	}
	size := bins * (bins/sum - 1)
	if empty > bins/20 { // few shingles: linear counting (Whang 1990)
		size = bins * math.Log(bins/float64(max(empty, 1)))
	}
	return append(binary.BigEndian.AppendUint32(l, uint32(min(max(size, 1), 1<<20))), values[:]...)
}
