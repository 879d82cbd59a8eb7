package harvest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"time"

	"linkcheck/harvest/records"
)

const (
	mostGaps  = 20     // places of a sweep that are not well formed
	mostStale = 3      // portions in a row without a new record
	roundFrom = 10_000 // a count of whole thousands from here on may be the server's limit
)

// searcher asks for what a query finds: a list of records that have places in it, but no
// names that last. Each sweep lists all.
type searcher interface {
	// portion asks for the records from the mark's place on, and tells of them.
	portion(s *resultSet) (portion, error)
	// otherwise says whether the records are to be had in another form, in which the mark
	// has them asked for then.
	otherwise(m *setMark, faults []records.Fault) bool
	// isEnd says whether that is the answer to a place behind the last.
	isEnd(f records.Fault) bool
}

// portion is a part of a result set. One that broke off has what came before.
type portion struct {
	Count  int // of all that is found
	Came   int // records, those too that are passed over
	Faults []records.Fault
}

// setMark is how far a sweep has come.
type setMark struct {
	Start int  `json:"start,omitempty"` // of the next portion, from 1; 0: none has begun
	Count int  `json:"count,omitempty"` // of the first
	Other bool `json:"other,omitempty"` // the usual form of records is not there
	Gaps  int  `json:"gaps,omitempty"`  // places that could not be read

	Cut time.Time `json:"cut,omitzero"` // since when the next portion breaks off
}

// resultSet is one reading.
type resultSet struct {
	*catalogue
	searcher
	session
	mark    setMark
	resumed bool // the sweep was begun by an earlier run
	full    bool // the bound of documents is reached
	stale   int  // portions in a row that brought nothing new

	ahead   portion // that came before the list was begun again, and need not be asked for twice
	aheadAt int     // its place
}

// search reads what a searcher finds.
func search(ctx context.Context, c *catalogue, by searcher, known Known) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		s := &resultSet{catalogue: c, searcher: by, session: session{ctx: ctx, known: known, yield: yield}}
		if octets := known.Mark(); len(octets) > maxMark || json.Unmarshal(octets, &s.mark) != nil || s.mark.Start < 0 {
			s.mark = setMark{}
		}
		s.resumed = s.mark.Start > 1
		if err := s.harvest(); err != nil && err != errEnded {
			yield(Item{}, err)
		}
	}
}

func (s *resultSet) markBytes() []byte {
	octets, _ := json.Marshal(&s.mark) // numbers have a form
	return octets
}

// harvest reads portion by portion. Where the next begins follows from what came:
// nextRecordPosition is missing in the answers of some servers.
func (s *resultSet) harvest() error {
	m := &s.mark
	m.Start = max(m.Start, 1)
	for {
		if s.known.Enough() {
			return errEnded
		}
		before := len(s.seen)
		page, err := s.next()
		if broken := (torn{}); errors.As(err, &broken) {
			if done, err := s.gap(page, broken); done {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if len(page.Faults) > 0 && page.Came == 0 {
			if again, err := s.diagnosed(page); !again {
				return err
			}
			continue
		}
		if s.resumed && page.Count != m.Count { // another set of results
			s.anew(page, before == 0)
			continue
		}
		if m.Start == 1 {
			m.Count = page.Count
		}
		m.Start, m.Cut = m.Start+page.Came, time.Time{}
		if s.stale++; len(s.seen) > before {
			s.stale = 0
		}
		switch {
		case page.Came == 0, m.Start > page.Count, s.full:
			return s.finish(page.Count)
		case s.stale >= mostStale:
			return s.stop(Broken, "the same records come again")
		}
		if err := s.tell(Item{Kind: Marked, Mark: s.markBytes()}); err != nil {
			return err
		}
	}
}

// gap passes over what is not well formed in a portion; done: the run has ended. A portion
// that was cut is asked for in another night.
func (s *resultSet) gap(page portion, broken torn) (done bool, err error) {
	m := &s.mark
	if broken.cut && (s.isPatient(&m.Cut) || page.Count < m.Start) {
		return true, cmp.Or[error](s.tell(Item{Kind: Marked, Mark: s.markBytes()}), broken.stop())
	}
	m.Cut = time.Time{}
	if m.Gaps++; m.Gaps > mostGaps || page.Count < m.Start {
		return true, s.stop(Broken, quoted(broken.Error()))
	}
	if m.Start == 1 {
		m.Count = page.Count
	}
	m.Start += page.Came + 1
	if err := s.mishap(&s.root, fmt.Sprintf("record %s: %s", thousands(m.Start-1), quoted(broken.Error()))); err != nil {
		return true, err
	}
	if m.Start > page.Count {
		return true, s.finish(page.Count)
	}
	err = s.tell(Item{Kind: Marked, Mark: s.markBytes()})
	return err != nil, err
}

// diagnosed is what an answer without records means; again: it is to be asked otherwise.
func (s *resultSet) diagnosed(page portion) (again bool, err error) {
	m := &s.mark
	end := s.isEnd(page.Faults[0])
	switch {
	case s.otherwise(m, page.Faults):
		return true, nil
	case m.Start == 1:
		return false, &Stop{Why: NotThis, Text: faultWords(page.Faults)}
	case end && s.resumed: // another set of results, with fewer records
		s.anew(portion{}, false)
		return true, nil
	case end:
		return false, s.finish(max(page.Count, m.Count))
	}
	return false, s.stop(Incomplete, fmt.Sprintf("%s of %s: %s", thousands(m.Start-1), thousands(m.Count), faultWords(page.Faults)))
}

// next is the next portion.
func (s *resultSet) next() (portion, error) {
	if p := s.ahead; p.Came > 0 && p.Count == s.mark.Count && s.aheadAt == s.mark.Start {
		s.ahead = portion{}
		return p, nil
	}
	return s.portion(s)
}

// anew begins the list again behind a portion, be it the first of this run.
func (s *resultSet) anew(page portion, first bool) {
	if s.resumed = false; first {
		s.ahead, s.aheadAt = page, s.mark.Start
	} else {
		s.seen = nil
	}
	s.mark = setMark{Start: 1, Other: s.mark.Other}
}

// stop ends the sweep, which is not whole: the next begins anew.
func (s *resultSet) stop(why Reason, text string) error {
	s.mark = setMark{Other: s.mark.Other}
	return cmp.Or[error](s.tell(Item{Kind: Marked, Mark: s.markBytes()}), &Stop{Why: why, Text: text})
}

// finish ends the sweep. What is not in the list is gone if the list is whole: as many
// different records came as were counted at its begin and its end, and the count is none
// that looks like a limit.
func (s *resultSet) finish(counted int) error {
	m := s.mark
	came := m.Start - 1
	switch {
	case s.full:
		s.mark = setMark{Other: m.Other}
		return s.tell(Item{Kind: Whole, Mark: s.markBytes()})
	case m.Count == 0 && standing(s.known):
		return s.stop(Broken, "no record is found, where there were some")
	case m.Gaps > 0:
		return s.stop(Broken, fmt.Sprintf("%d records of %s are not well formed", m.Gaps, thousands(m.Count)))
	case counted != m.Count:
		return s.stop(Incomplete, fmt.Sprintf("%s records were counted at first, and %s at the end", thousands(m.Count), thousands(counted)))
	case came == 0 && counted > 0:
		return s.stop(Broken, fmt.Sprintf("%s records are counted, and none is given", thousands(counted)))
	case came < counted:
		return s.stop(Incomplete, fmt.Sprintf("%s of %s: make the query narrower", thousands(came), thousands(counted)))
	case counted >= roundFrom && counted%1000 == 0:
		return s.stop(Incomplete, fmt.Sprintf("%s may be the limit of the server: make the query narrower", thousands(counted)))
	case s.resumed: // where records were added and taken away in between, some were passed over
		if err := s.note("the list was read in several runs: nothing of it is taken for gone"); err != nil {
			return err
		}
	case len(s.seen) != counted:
		return s.stop(Incomplete, fmt.Sprintf("%s different records of %s came", thousands(len(s.seen)), thousands(counted)))
	default:
		for _, name := range s.unlisted() {
			if err := s.tell(Item{Kind: Gone, Doc: Document{Name: name}}); err != nil {
				return err
			}
		}
	}
	s.mark = setMark{Other: m.Other}
	return s.tell(Item{Kind: Whole, Mark: s.markBytes()})
}

// record tells of the record at a place of the list.
func (s *resultSet) record(r *records.Record, media string, place int) error {
	switch {
	case r.Fault != "":
		s.mark.Gaps++
		return s.left(&s.root, place, r)
	case r.Body == nil:
		return s.note("records that the server does not give are passed over")
	}
	sum := sha256.Sum256(r.Body)
	doc := Document{Version: hex.EncodeToString(sum[:12]), Media: media, Record: cmp.Or(r.Control, r.Own, r.ID), Title: r.Title}
	id := cmp.Or(doc.Record, doc.Version)
	if r.Control != "" && r.Agency != "" {
		id = "(" + r.Agency + ")" + r.Control
	}
	doc.Name = s.root.URI + "#" + url.QueryEscape(id)
	wanted, err := s.wants(&doc)
	if !wanted || err != nil {
		return err
	}
	return s.tell(Item{Kind: Read, Doc: doc, Body: bytes.NewReader(r.Body)})
}

// wants counts a document of the list, and says whether it is to be read: else it is told, or
// it was.
func (s *resultSet) wants(doc *Document) (wanted bool, err error) {
	if len(doc.Name) > maxName {
		return false, s.note("records with a long identifier are passed over")
	}
	known, ok := s.known.Document(doc.Name)
	told := s.seen.has(doc.Name)
	if !told && !ok && len(s.seen) >= s.most() {
		s.full = true
		return false, s.note(fmt.Sprintf("%s documents are the bound", thousands(s.most())))
	}
	s.seen.add(doc.Name)
	same := ok && known.Read && !known.Gone && known.Version == doc.Version
	switch {
	case told, same && known.Asked:
		return false, nil
	case same:
		return false, s.tell(Item{Kind: Same, Doc: *doc})
	}
	return true, nil
}
