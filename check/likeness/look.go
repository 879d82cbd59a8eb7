package likeness

import (
	"encoding/binary"
	"hash/fnv"
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
		if m.AddText(line, false); strings.TrimSpace(line) == "" {
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
	x, y, z       uint64 // hashes of the last words, z of the newest
	run           int    // words since a sentence began
	words, linked int    // of the block
	main, rest    least  // of main texts, and of what is none
}

// Reset makes m as good as new.
func (m *Maker) Reset() { *m = Maker{block: m.block[:0]} }

// AddText adds all words of a text.
func (m *Maker) AddText(text string, linked bool) {
	for word, hash := range Words(text) {
		m.Add(word, hash, linked)
	}
}

// Add adds a word of the block at hand, as [Words] gives it; one in a link counts less.
func (m *Maker) Add(word string, h Hash, linked bool) {
	switch {
	case h.has&foreign != 0:
		m.addForeign(word, linked)
		return
	case h.has&digit != 0: // counters and dates
		return
	case h.has&letter != 0:
		m.word(h.letters, linked)
	}
	switch word[len(word)-1] {
	case '.', '!', '?':
		m.endSentence()
	}
}

// addForeign adds a word that is not ASCII alone.
func (m *Maker) addForeign(word string, linked bool) {
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
		case '0' <= c && c <= '9':
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
	if end {
		m.endSentence()
	}
}

// spaced says whether the script of a letter puts spaces between its words.
func spaced(r rune) bool { return r < 0x0e00 || r > 0x0eff && r < 0x2e80 || r >= 0xac00 }

func fold(h uint64, r rune) uint64 { return (h ^ uint64(r)) * prime64 }

// word takes the hash of a word.
func (m *Maker) word(hash uint64, linked bool) {
	if m.words++; linked {
		m.linked++
	}
	if m.run++; m.run >= shingleWords {
		m.block = append(m.block, mixed(with(with(with(with(0, m.x), m.y), m.z), hash)))
	}
	m.x, m.y, m.z = m.y, m.z, hash
}

// endSentence takes a sentence that is shorter than a shingle as one.
func (m *Maker) endSentence() {
	switch m.run {
	case 1:
		m.block = append(m.block, mixed(with(0, m.z)))
	case 2:
		m.block = append(m.block, mixed(with(with(0, m.y), m.z)))
	case 3:
		m.block = append(m.block, mixed(with(with(with(0, m.x), m.y), m.z)))
	}
	m.run = 0
}

// with adds a word to the hash of a shingle, and mixed ends it.
func with(h, word uint64) uint64 { return (bits.RotateLeft64(h, 23) ^ word) * 0x9e3779b97f4a7c15 }

func mixed(h uint64) uint64 {
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return h ^ h>>29
}

// EndBlock ends a stretch of text. What is a label, or mostly links, is not of the main
// text.
func (m *Maker) EndBlock() {
	if m.words == 0 {
		return
	}
	m.endSentence()
	to := &m.rest
	if m.words >= mainBlock && 2*m.linked <= m.words {
		to = &m.main
	}
	for _, h := range m.block {
		to.add(h)
	}
	m.block, m.words, m.linked = m.block[:0], 0, 0
}

// Look is what was seen, nil if there were no words.
func (m *Maker) Look() Look {
	m.EndBlock()
	m.rest.addAll(&m.main) // it is the whole text from here on
	switch {
	case m.main.n >= mainShingles:
		return m.main.appendTo(m.rest.appendTo(newLook(Main, mainSize)[:sizeAt]))
	case m.rest.n > 0:
		return m.rest.appendTo(newLook(Whole, lookSize)[:sizeAt])
	}
	return nil
}
