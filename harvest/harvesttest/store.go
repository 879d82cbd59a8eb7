package harvesttest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/harvest"
)

// Store keeps what harvests tell of one root, in memory. Its zero value knows nothing.
type Store struct {
	Lead func(d harvest.Document, body []byte) []harvest.Lead // what a document leads to; nil: nothing does

	Items int                     // told in all runs
	Wrong []string                // what broke the rules of harvest.Item
	Notes []string                // of the last run
	Heard map[string]check.Result // by name, of the last answer
	Told  map[harvest.Kind]int    // items of the last run

	mark   []byte
	kept   map[string]kept
	runs   int
	open   bool // what is told belongs to the document that was read
	rows   map[string]*row
	clock  int // of what was asked and found
	sweep  int
	whole  bool // the sweep has ended
	doubts int
}

// row is what is kept of a document.
type row struct {
	doc            harvest.Document
	body           string
	links          []string
	before         *before // what was known before an answer was kept
	found, foundIn int     // in which sweep, and run
	asked          int     // in which sweep; 0: in none
	turn           int     // when it was asked or found
	missed         int     // in which sweep it was first missed; 0: it was not
	noted          bool
}

// kept is what is kept of an answer, and in which run that was.
type kept struct {
	text []byte
	run  int
}

// before is a document as it was before a sweep.
type before struct {
	sweep int
	doc   harvest.Document
	turn  int
	asked bool
}

// Run lets h read its root. It ends behind stop items, where stop is not 0, as if the
// program had been killed. lag says that h is shown what was known at its begin.
func (s *Store) Run(ctx context.Context, h harvest.Harvester, stop int, lag bool) (err error) {
	if s.rows == nil {
		s.rows, s.Heard = map[string]*row{}, map[string]check.Result{}
	}
	if s.whole || s.sweep == 0 {
		s.sweep, s.whole, s.kept = s.sweep+1, false, map[string]kept{}
	}
	s.runs, s.open = s.runs+1, false
	s.Notes, s.Told = nil, map[harvest.Kind]int{}
	var step []told // a document, and what was found in it
	var k harvest.Known = known{s, s.rows}
	if lag {
		k = known{s, s.snapshot()}
	}
	n := 0
	for item, e := range h.Harvest(ctx, k) {
		if e != nil {
			err = e
			continue
		}
		if err != nil {
			s.wrong("an item behind the error")
		}
		n++
		s.Items++
		s.Told[item.Kind]++
		if !s.open || item.Kind != harvest.Found && item.Kind != harvest.Heard && item.Keep == nil {
			s.keep(step)
			step = nil
		}
		s.open = item.Kind == harvest.Read || s.open && item.Kind == harvest.Found
		step = append(step, s.take(item))
		if n == stop {
			if !s.open {
				s.keep(step)
			}
			return nil
		}
	}
	s.keep(step)
	return err
}

// told is an item whose body was read.
type told struct {
	harvest.Item
	body   string
	broken error
	links  []string
}

// take reads the body of an item while there is one.
func (s *Store) take(item harvest.Item) (t told) {
	t.Item = item
	if item.Kind != harvest.Read {
		return t
	}
	if item.Body == nil || item.Doc.Name == "" {
		s.wrong("a document is read without name or body: " + item.Doc.Name)
		return t
	}
	octets, err := io.ReadAll(item.Body)
	t.body, t.broken = string(octets), err
	if s.Lead == nil || item.Leads == nil {
		return t
	}
	for _, l := range s.Lead(item.Doc, octets) {
		item.Leads(l)
		t.links = append(t.links, l.URI)
	}
	return t
}

// keep is a transaction.
func (s *Store) keep(step []told) {
	for _, t := range step {
		if t.Keep == nil {
			continue
		}
		s.kept[t.Doc.Name] = kept{t.Keep, s.runs}
		if r := s.rows[t.Doc.Name]; r != nil {
			r.before = &before{s.sweep, r.doc, r.turn, r.asked != 0}
		}
	}
	for _, t := range step {
		if t.Mark != nil {
			s.mark = t.Mark
		}
		if t.Note != "" {
			s.Notes = append(s.Notes, strings.TrimSpace(t.Doc.Name+" "+t.Note))
		}
		if t.Doc.Name != "" && t.Heard.Outcome != check.Unknown {
			s.Heard[t.Doc.Name] = t.Heard
		}
		switch t.Kind {
		case harvest.Read, harvest.Same, harvest.Gone, harvest.Missed, harvest.Failed, harvest.Left, harvest.Expired:
			s.asked(t)
		case harvest.Found:
			if s.rows[t.Doc.Name] == nil {
				s.clock++
				s.rows[t.Doc.Name] = &row{doc: t.Doc, turn: s.clock, found: s.sweep, foundIn: s.runs}
			}
		case harvest.Window, harvest.Whole:
			s.retire()
			s.whole = s.whole || t.Kind == harvest.Whole
		case harvest.Marked, harvest.Note, harvest.Heard:
		default:
			s.wrong(fmt.Sprintf("kind %d", t.Kind))
		}
	}
}

// asked keeps what was heard of one document.
func (s *Store) asked(t told) {
	r := s.rows[t.Doc.Name]
	if r == nil {
		r = &row{doc: harvest.Document{Name: t.Doc.Name, Depth: t.Doc.Depth}, found: s.sweep, foundIn: s.runs}
		s.rows[t.Doc.Name] = r
	}
	if r.asked == s.sweep && !r.noted && r.missed != s.sweep && !r.doc.Gone && t.Kind != harvest.Gone && t.Kind != harvest.Expired {
		s.wrong("asked twice in a sweep: " + t.Doc.Name)
	}
	s.clock++
	r.asked, r.turn = s.sweep, s.clock
	switch t.Kind {
	case harvest.Read:
		if r.noted, r.missed, r.doc.Gone = false, 0, false; t.broken != nil {
			if r.doc.Version = ""; t.Doc.Short {
				r.doc.Version = t.Doc.Version
			}
			return
		}
		r.doc, r.body, r.links = t.Doc, t.body, t.links
		sum := sha256.Sum256([]byte(t.body))
		r.doc.Read, r.doc.Hash = true, sum[:16]
	case harvest.Same:
		if !r.doc.Read {
			s.wrong("the same, and never read: " + t.Doc.Name)
		}
		if r.noted, r.missed, r.doc.Gone = false, 0, false; t.Doc.Version != "" {
			r.doc.Version = t.Doc.Version
		}
	case harvest.Gone:
		r.noted = true
	case harvest.Missed:
		if t.Doc.Version != "" && (!r.doc.Read || r.doc.Gone) {
			r.doc.Version = t.Doc.Version
		}
		r.noted = r.noted || r.missed != 0 && r.missed != s.sweep
		r.missed = cmp.Or(r.missed, s.sweep)
	case harvest.Left, harvest.Expired:
		r.doc.Gone = true
	}
}

// retire is done where a sweep or a list has ended, but for the brake: a quarter of all
// documents and more than 20 do not go at once.
func (s *Store) retire() {
	var noted, all int
	for _, r := range s.rows {
		if !r.doc.Gone {
			all++
			if r.noted {
				noted++
			}
		}
	}
	if noted > 20 && 4*noted > all {
		s.doubts++
		return
	}
	for _, r := range s.rows {
		if r.noted {
			r.doc.Gone, r.noted = true, false
		}
	}
}

func (s *Store) wrong(what string) { s.Wrong = append(s.Wrong, what) }

// Whole says whether the last sweep has ended, and how often the brake held.
func (s *Store) Whole() (ended bool, doubts int) { return s.whole, s.doubts }

// Standing are the names of the documents that were read and are not gone, sorted.
func (s *Store) Standing() (names []string) {
	for name, r := range s.rows {
		if r.doc.Read && !r.doc.Gone {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Document is what is known of a document.
func (s *Store) Document(name string) (harvest.Document, bool) {
	return known{s, s.rows}.Document(name)
}

// Report is what a reader sees of the store: the documents that stand, and their text.
func (s *Store) Report() string {
	var b strings.Builder
	for _, name := range s.Standing() {
		r := s.rows[name]
		fmt.Fprintf(&b, "%s media=%q record=%q title=%q base=%q %q\n", name, r.doc.Media, r.doc.Record, r.doc.Title, r.doc.Base, r.body)
	}
	return b.String()
}
