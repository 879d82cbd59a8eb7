package likeness

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
)

const (
	sameFrom   = 1. / 3 // of a text is left where it is the same one
	provenFrom = 1. / 2 // of a text is left where its new address is proposed
	keptTwice  = 2      // looks that confirmed what counts as kept from look to look
	mostKept   = 3

	// KnownWell is how many looks at a text it takes to say that another one drifted.
	KnownWell = 5
	// ToldFrom is how many looks at another text in a row make a drift.
	ToldFrom = 3

	turnsFrom  = 2  // changes of text that make a page one that always changes
	fewBins    = 3  // with fewer there is nothing to compare
	titleBytes = 64 // octets of a title that are remembered
	lookEvery  = 20 * time.Hour
)

// Memory is what is kept of a text from look to look. The zero value knows nothing. Its
// fields are stored, and exported as JSON.
type Memory struct {
	Kind   Kind      `json:"kind,omitempty"`
	Values []byte    `json:"values,omitempty"` // of the last look at the text; of a file, its hash or its size
	Kept   []byte    `json:"kept,omitempty"`   // looks that confirmed each of them, at most 3
	Size   uint32    `json:"size,omitempty"`   // shingles of that look
	Site   uint32    `json:"site,omitempty"`   // that showed it; 0: the link's own
	Looks  uint8     `json:"looks,omitempty"`  // at this text, on different nights
	Others uint8     `json:"others,omitempty"` // looks in a row at something else
	Moved  bool      `json:"moved,omitempty"`  // the last of these at another site
	Turns  uint8     `json:"turns,omitempty"`  // how often the text became another before it was known well
	Title  string    `json:"title,omitempty"`
	Seen   time.Time `json:"seen,omitzero"` // the last look at this text
	Last   time.Time `json:"last,omitzero"` // the last look that counted
}

// Degree is how a look compares with a memory.
type Degree uint8

const (
	Unclear Degree = iota // nothing is known that could be compared
	Same
	Other
)

// Valid says whether m knows something, and holds it in the one way.
func (m *Memory) Valid() bool {
	switch m.Kind {
	case Main, Whole:
		return m.Looks > 0 && len(m.Values) == bins && len(m.Kept) == bins
	case File, Sized:
		return m.Looks > 0 && len(m.Values) == FileSize && len(m.Kept) == 0
	}
	return false
}

// Compare says whether a look, at a page of this title, shows the text that is known.
func (m *Memory) Compare(l Look, title string) Degree {
	switch kind := l.Kind(); {
	case !m.Valid() || kind == Nothing:
		return Unclear
	case kind == Again && m.Others == 0:
		return Same
	case kind == Again:
		return Other
	case m.Kind == Sized && kind == Sized:
		return sizesAlike(m.Values, l[sizeAt:])
	case m.Kind == Sized || kind == Sized:
		return Unclear
	case m.Kind == File && kind == File && bytes.Equal(m.Values, l[sizeAt:]):
		return Same
	case m.Kind == File && kind != File:
		return Other
	case m.Kind == File || kind == File || filled(m.Values) < fewBins:
		return Unclear
	case max(m.left(l, 0), m.left(l, keptTwice)) >= sameFrom:
		return Same
	case (m.Looks < ToldFrom || m.Changing()) && titlesAlike(m.Title, title):
		return Same
	}
	return Other
}

// Proves says whether a look, at a page of this title, shows so much of the text that is
// known that the address of the page may be proposed for it.
func (m *Memory) Proves(l Look, title string) bool {
	switch {
	case m.Compare(l, title) != Same:
		return false
	case m.Kind == Sized:
		return bytes.Equal(m.Values, l[sizeAt:])
	case m.Kind == File || l.Kind() == Again:
		return true
	}
	left := max(m.left(l, 0), m.left(l, keptTwice))
	return left >= provenFrom || left >= sameFrom && m.Title != "" && m.Title == shortTitle(title)
}

// sizesAlike compares the sizes of two files by the rule for texts: a revision is no
// other file.
func sizesAlike(a, b []byte) Degree {
	x, y := float64(binary.BigEndian.Uint64(a)), float64(binary.BigEndian.Uint64(b))
	if min(x, y) < sameFrom*max(x, y) {
		return Other
	}
	return Same
}

// left estimates which part of what at least so many looks confirmed is left in a look.
func (m *Memory) left(l Look, confirmed byte) float64 {
	all, shared := 0, 0
	size, values := l.text(m.Kind)
	for i, v := range values {
		if m.Values[i] != 0 && m.Kept[i] >= confirmed {
			if all++; m.Values[i] == v {
				shared++
			}
		}
	}
	if confirmed > 0 && !m.enough(all) {
		return 0
	}
	return contained(float64(shared)/float64(max(all, 1)), float64(m.Size), float64(size))
}

// enough says whether so many bins are enough of a text to know it by.
func (m *Memory) enough(n int) bool { return n >= max(fewBins, filled(m.Values)/4) }

// contained estimates which part of a text of some size stands in another one, where a
// part of its smallest hashes are those of the other too. What the other text has
// besides puts its own hashes before them.
func contained(same, size, other float64) float64 {
	part := 1.0
	for range 8 {
		ours := size / bins
		both := ours + max(0, other-part*size)/bins
		stays := ours / both * (1 - math.Exp(-both)) / (1 - math.Exp(-ours))
		part = min(1, same/stays)
	}
	return part
}

func filled(values []byte) int { return len(values) - bytes.Count(values, []byte{0}) }

// Changing says whether the text changes so much from look to look that nothing can be
// said of it.
func (m *Memory) Changing() bool {
	if m.Kind != Main && m.Kind != Whole {
		return false
	}
	core := 0
	for _, n := range m.Kept {
		if n >= keptTwice {
			core++
		}
	}
	return m.Looks >= ToldFrom && !m.enough(core) || m.Looks < KnownWell && m.Turns >= turnsFrom
}

// Watched says whether looks at another text are counted: the known one is known well, or
// the other one stands at another site.
func (m *Memory) Watched() bool {
	return m.Others > 0 && (m.Moved || m.Looks >= KnownWell && !m.Changing())
}

// Drifted says whether another text has taken the place of the known one.
func (m *Memory) Drifted() bool { return m.Others >= ToldFrom && m.Watched() }

// After is the memory that follows m when a look at a page of this title was had at some
// time. It shares no memory with m or l.
func (m Memory) After(l Look, title string, at time.Time) Memory {
	kind := l.Kind()
	if kind == Nothing || kind == Again && !m.Valid() {
		return m
	}
	m.Values, m.Kept = slices.Clone(m.Values), slices.Clone(m.Kept)
	counts := m.Last.IsZero() || at.Sub(m.Last) >= lookEvery || at.Before(m.Last)
	alike := m.Compare(l, title)
	switch {
	case alike == Unclear && m.Looks > 0 && kind == File && m.Kind != File:
		return m // a text and a file cannot be compared
	case alike == Unclear:
		m.learn(l, title, at)
	case alike == Same && m.Site == 0 && l.site() != 0 && !m.Proves(l, title):
		m.Others, m.Moved, m.Seen = 0, false, at // met again, and not to be learned from there
	case alike == Same:
		m.confirm(l, title, at, counts)
	default:
		m.meetOther(l, title, at, counts)
	}
	if counts {
		m.Last = at
	}
	return m
}

// learn takes the look for the text from now on.
func (m *Memory) learn(l Look, title string, at time.Time) {
	*m = Memory{Kind: l.Kind(), Looks: 1, Turns: m.Turns, Site: l.site(), Title: shortTitle(title), Seen: at, Last: m.Last}
	if m.Kind == File || m.Kind == Sized {
		m.Values = bytes.Clone(l[sizeAt:])
		return
	}
	size, values := l.text(m.Kind)
	m.Values, m.Kept, m.Size = bytes.Clone(values), make([]byte, bins), size
}

// confirm notes what of the text is still there.
func (m *Memory) confirm(l Look, title string, at time.Time, counts bool) {
	m.Others, m.Moved, m.Seen = 0, false, at
	if counts && m.Looks < math.MaxUint8 {
		m.Looks++
	}
	switch l.Kind() {
	case File:
		return
	case Sized:
		m.Values = bytes.Clone(l[sizeAt:])
	case Again:
		for i := range m.Kept {
			m.confirmBin(i, m.Values[i], counts)
		}
	default:
		size, values := l.text(l.Kind())
		for i, v := range values {
			m.confirmBin(i, v, counts)
		}
		m.Kind, m.Size = l.Kind(), size
		if title != "" {
			m.Title = shortTitle(title)
		}
	}
	if m.Looks >= KnownWell {
		m.Turns = 0
	}
}

func (m *Memory) confirmBin(i int, v byte, counts bool) {
	switch {
	case m.Values[i] != v:
		m.Values[i], m.Kept[i] = v, 0
	case counts && v != 0:
		m.Kept[i] = min(m.Kept[i]+1, mostKept)
	}
}

// meetOther counts a look at another text. One that is not known well gives way to it on
// the second look, unless it stands at another site than before.
func (m *Memory) meetOther(l Look, title string, at time.Time, counts bool) {
	if l.Kind() != Again {
		m.Moved = l.site() != 0 && m.Site == 0
	}
	if counts && m.Others < math.MaxUint8 {
		m.Others++
	}
	if !m.Watched() && m.Others > 1 && l.Kind() != Again {
		if m.Turns < math.MaxUint8 {
			m.Turns++
		}
		m.learn(l, title, at)
	}
}

// shortTitle is what is remembered of a title.
func shortTitle(title string) string {
	return strings.ToValidUTF8(title[:min(len(title), titleBytes)], "")
}

// titlesAlike says whether two titles share most of their words, two at least.
func titlesAlike(a, b string) bool {
	x, y := titleWords(a), titleWords(shortTitle(b))
	shared := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			shared++
		}
	}
	return shared >= 2 && 3*shared >= 2*len(x)
}

func titleWords(title string) []string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) })
	slices.Sort(words)
	return slices.DeleteFunc(slices.Compact(words), func(w string) bool { return len(w) < 3 })
}
