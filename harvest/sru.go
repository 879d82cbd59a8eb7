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
	"strconv"
	"time"

	"linkcheck/check"
	"linkcheck/harvest/records"
)

const (
	usualVersion = "1.1"
	usualQuery   = "cql.allRecords=1"
	usualSchema  = "marcxml"
	usualPortion = "50"

	mostGaps     = 20     // places of a sweep that are not well formed
	mostStale    = 3      // portions in a row without a new record
	roundFrom    = 10_000 // a count of whole thousands from here on may be the server's limit
	noSuchSchema = "66"   // diagnostics of SRU 1.1
	pastTheEnd   = "61"
)

// NewSRU makes the harvester of what a query finds on a server of SRU 1.1, 1.2 or 2.0. The
// query of the root's URI may name version, query, recordSchema and maximumRecords; its
// other parameters are sent as they are.
func NewSRU(root Root, r check.Reader, o Options) Harvester {
	if o.Now == nil {
		o.Now = time.Now
	}
	base, given := address(&root, "version", "operation", "query", "recordSchema", "startRecord", "maximumRecords")
	return &sru{catalogue: catalogue{root: root, reader: r, now: o.Now, protocol: "SRU"}, base: base,
		version: cmp.Or(given["version"], usualVersion), query: cmp.Or(root.Query, given["query"], usualQuery),
		schema: cmp.Or(root.Format, given["recordSchema"]), portion: cmp.Or(given["maximumRecords"], usualPortion)}
}

type sru struct {
	catalogue
	base, version, query string
	schema               string // "": the usual one, where there is one
	portion              string // records of a page
}

// sruMark is how far a sweep has come.
type sruMark struct {
	Start    int  `json:"start,omitempty"`     // of the next portion, from 1; 0: none has begun
	Count    int  `json:"count,omitempty"`     // numberOfRecords of the first
	NoSchema bool `json:"no_schema,omitempty"` // the usual schema is not there
	Gaps     int  `json:"gaps,omitempty"`      // places that are not well formed
}

// sruRun is one reading.
type sruRun struct {
	*sru
	session
	mark    sruMark
	resumed bool // the sweep was begun by an earlier run
	full    bool // the bound of documents is reached
	stale   int  // portions in a row that brought nothing new
}

// Harvest implements [Harvester].
func (s *sru) Harvest(ctx context.Context, known Known) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		run := &sruRun{sru: s, session: session{ctx: ctx, known: known, yield: yield}}
		if octets := known.Mark(); len(octets) > maxMark || json.Unmarshal(octets, &run.mark) != nil || run.mark.Start < 0 {
			run.mark = sruMark{}
		}
		run.resumed = run.mark.Start > 0
		if err := run.harvest(); err != nil && err != errEnded {
			yield(Item{}, err)
		}
	}
}

func (s *sruRun) markBytes() []byte {
	octets, _ := json.Marshal(&s.mark) // numbers have a form
	return octets
}

// harvest reads portion by portion. Where the next begins follows from what came:
// nextRecordPosition is missing in the answers of some servers.
func (s *sruRun) harvest() error {
	m := &s.mark
	m.Start = max(m.Start, 1)
	for {
		before := len(s.seen)
		page, err := s.get()
		if broken := (torn{}); errors.As(err, &broken) {
			if err := s.gap(page, broken); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if len(page.Diagnostics) > 0 && page.Records == 0 {
			if again, err := s.diagnosed(page); !again {
				return err
			}
			continue
		}
		if s.resumed && page.Count != m.Count { // another set of results
			s.resumed, s.seen = false, nil
			*m = sruMark{Start: 1, NoSchema: m.NoSchema}
			continue
		}
		if m.Start == 1 {
			m.Count = page.Count
		}
		m.Start += page.Records
		if s.stale++; len(s.seen) > before {
			s.stale = 0
		}
		switch {
		case page.Records == 0, m.Start > page.Count, s.full:
			return s.finish(page.Count)
		case s.stale >= mostStale:
			return s.stop(Broken, "the same records come again")
		}
		if err := s.tell(Item{Kind: Marked, Mark: s.markBytes()}); err != nil {
			return err
		}
	}
}

// get asks for the next portion.
func (s *sruRun) get() (page *records.SRU, err error) {
	schema := s.schema
	if schema == "" && !s.mark.NoSchema {
		schema = usualSchema
	}
	err = s.ask(s.ctx, request(s.base, "version", s.version, "operation", "searchRetrieve", "query", s.query,
		"startRecord", strconv.Itoa(s.mark.Start), "maximumRecords", s.portion, "recordSchema", schema), func(a *check.Answer) (err error) {
		var told error
		page, err = records.ReadSRU(a.Body, func(r *records.Record) bool {
			told = s.record(r)
			return told == nil
		})
		if err == nil && page.Count < 0 && len(page.Diagnostics) == 0 {
			err = errors.New("it has no numberOfRecords")
		}
		return cmp.Or(told, err)
	})
	return page, err
}

// gap passes over what is not well formed in a portion.
func (s *sruRun) gap(page *records.SRU, broken torn) error {
	m := &s.mark
	if m.Gaps++; m.Gaps > mostGaps || page == nil || page.Count < m.Start {
		*m = sruMark{NoSchema: m.NoSchema}
		return s.stop(Broken, quoted(broken.Error()))
	}
	if m.Start == 1 {
		m.Count = page.Count
	}
	m.Start += page.Records + 1
	if err := s.note(fmt.Sprintf("record %s: %s", thousands(m.Start-1), quoted(broken.Error()))); err != nil {
		return err
	}
	if m.Start > page.Count {
		return s.finish(page.Count)
	}
	return s.tell(Item{Kind: Marked, Mark: s.markBytes()})
}

// diagnosed is what an answer without records means; again: it is to be asked otherwise.
func (s *sruRun) diagnosed(page *records.SRU) (again bool, err error) {
	code := page.Diagnostics[0].Code
	switch {
	case code == noSuchSchema && s.schema == "" && !s.mark.NoSchema:
		s.mark.NoSchema = true
		return true, nil
	case s.mark.Start == 1:
		return false, &Stop{Why: NotThis, Text: faultWords(page.Diagnostics)}
	case code == pastTheEnd && s.resumed: // another set of results, with fewer records
		s.resumed, s.seen = false, nil
		s.mark = sruMark{Start: 1, NoSchema: s.mark.NoSchema}
		return true, nil
	case code == pastTheEnd:
		return false, s.finish(max(page.Count, s.mark.Count))
	}
	return false, s.stop(Incomplete, fmt.Sprintf("%s of %s: %s", thousands(s.mark.Start-1), thousands(s.mark.Count), faultWords(page.Diagnostics)))
}

// stop ends the sweep, which is not whole: the next begins anew.
func (s *sruRun) stop(why Reason, text string) error {
	s.mark = sruMark{NoSchema: s.mark.NoSchema}
	return cmp.Or[error](s.tell(Item{Kind: Marked, Mark: s.markBytes()}), &Stop{Why: why, Text: text})
}

// finish ends the sweep. What is not in the list is gone if the list is whole: as many
// different records came as were counted at its begin and its end, and the count is none
// that looks like a limit.
func (s *sruRun) finish(counted int) error {
	m := s.mark
	came := m.Start - 1
	switch {
	case s.full:
		s.mark = sruMark{NoSchema: m.NoSchema}
		return s.tell(Item{Kind: Whole, Mark: s.markBytes()})
	case m.Count == 0 && standing(s.known):
		return s.stop(Broken, "no record is found, where there were some")
	case m.Gaps > 0:
		return s.stop(Broken, fmt.Sprintf("%d records of %s are not well formed", m.Gaps, thousands(m.Count)))
	case counted != m.Count:
		return s.stop(Incomplete, fmt.Sprintf("%s records were counted at first, and %s at the end", thousands(m.Count), thousands(counted)))
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
	s.mark = sruMark{NoSchema: m.NoSchema}
	return s.tell(Item{Kind: Whole, Mark: s.markBytes()})
}

// record tells of one record.
func (s *sruRun) record(r *records.Record) error {
	if r.Body == nil {
		return s.note("records that the server does not give, or of more than 16 MiB, are passed over")
	}
	sum := sha256.Sum256(r.Body)
	doc := Document{Version: hex.EncodeToString(sum[:12]), Media: recordMedia, Record: cmp.Or(r.Control, r.Own, r.ID), Title: r.Title}
	id := cmp.Or(doc.Record, doc.Version)
	if r.Control != "" && r.Agency != "" {
		id = "(" + r.Agency + ")" + r.Control
	}
	doc.Name = s.root.URI + "#" + url.QueryEscape(id)
	if len(doc.Name) > maxName {
		return s.note("records with a long identifier are passed over")
	}
	known, ok := s.known.Document(doc.Name)
	told := s.seen.has(doc.Name)
	if !told && !ok && len(s.seen) >= s.most() {
		s.full = true
		return s.note(fmt.Sprintf("%s documents are the bound", thousands(s.most())))
	}
	s.seen.add(doc.Name)
	same := ok && known.Read && !known.Gone && known.Version == doc.Version
	switch {
	case told, same && known.Asked:
		return nil
	case same:
		return s.tell(Item{Kind: Same, Doc: doc})
	}
	return s.tell(Item{Kind: Read, Doc: doc, Body: bytes.NewReader(r.Body)})
}
