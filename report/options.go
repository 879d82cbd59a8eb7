package report

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/judge"
	"linkcheck/report/words"
	"linkcheck/store"
	"linkcheck/uri/equal"
)

// DefaultMaxLinks is how many links one HTML file holds: 100,000 open in a
// browser in a third of a second (OUTCOMES.md section 0.4); more belong to serve.
const DefaultMaxLinks = 100_000

// What Options.By may be.
const (
	BySpelling = "normal" // the same by their spelling
	ByFinal    = "final"  // redirects that ended at the same address
)

// Options says what a report is about and how it is written. The zero value works but for Now.
type Options struct {
	Now         time.Time // the date of the report; required
	Title       string    // heading; "": the collections, or a plain word
	Collections []string  // only mentions in these; empty: all
	// Roots are the archives that were read, those of kind "path" files and folders on this
	// disk. The name of each is the collection of its mentions; its RecordURL takes the
	// place of RecordURL for them.
	Roots     []store.Root
	RootNames []string // only mentions in roots of these names; empty: all
	Owners    []string // only mentions that these mend; empty: all
	// Since is a run number, a date (2006-01-02), an RFC 3339 time, or so many hours, days or weeks
	// before Now (36h, 7d, 2w): changes are
	// counted from there instead of over the last run. Formats with a row for
	// every mention then contain changed links only, unless Only is set.
	Since string
	// Only selects links by these words: groups (fix update check wait fine), states,
	// changes (newly-dead ...), or "new" for any change. State new is "unchecked". Sums are
	// of the links selected too; Since alone narrows the lists only.
	Only        []string
	RecordURL   string // template of a record's address: "https://ils/bib/{id}"; "": that of the last run
	Lang        string // "en" or "de"; "": en
	Raw         bool   // do not guard cells against formulas: for programs
	BOM         bool   // begin CSV and TSV with a byte order mark, for Excel
	Unique      bool   // one row a link instead of one a mention
	ShowSecrets bool   // do not mask the passwords of addresses
	Folder      string // to which builds want the paths of documents relative; "": as they are
	Version     string // of linkcheck
	StorePath   string
	StoreBytes  int64       // size of the store; 0: not known
	Store       string      // the file as --store names it, for commands to paste; "": the usual one
	Settings    []string    // schedule and limits, one plain line each, for the coverage section
	MaxLinks    int         // of one HTML file; 0: DefaultMaxLinks
	Width       int         // of the terminal for text.Write, in columns; 0: 80
	Color       bool        // text.Write may use colour
	Resolvers   []string    // hosts whose redirects are their service: a move to one is proven
	Rules       equal.Rules // of a librarian's own registry, for duplicates
	Archive     Archive     // looks up archived copies; nil: none are suggested
	By          string      // which duplicates: BySpelling or ByFinal; "": both
}

// Archive knows archived copies of addresses.
type Archive interface {
	// Copy gives the address of the archived copy for a place of a link, and when that was made;
	// "" if none is known.
	Copy(l *store.Link, m *store.Mention) (url string, made time.Time)
}

// Scope is the part of a source that a report shows, and the language it is in:
// Source and Options, checked and ready to make rows of links.
type Scope struct {
	Options
	Words  *words.Catalogue
	Exact  bool        // text is for JSON, which escapes it: Sanitize hides passwords only
	Nights []store.Run // all runs of the source, oldest first

	src   Source
	since uint64   // changes count in runs with at least this number
	only  []string // words that a row must match one of; empty: all rows

	siteMoves map[uint64]siteMove   // by number of the link
	roots     map[string]store.Root // by their collections
}

// NewScope reads the runs of a source, finds the sites that moved as a whole and checks the
// options.
func NewScope(ctx context.Context, src Source, o Options) (*Scope, error) {
	w, err := words.Open(o.Lang)
	if err != nil {
		return nil, err
	}
	s := &Scope{Options: o, Words: w, src: src, only: o.Only}
	for r, err := range src.Runs() {
		if err != nil {
			return nil, fmt.Errorf("report: read runs: %w", err)
		}
		s.Nights, s.since = append(s.Nights, r), r.ID
	}
	if o.Since != "" {
		if s.since, err = s.sinceRun(o.Since); err != nil {
			return nil, err
		}
		if len(o.Only) == 0 {
			s.only = []string{"new"}
		}
	}
	for _, w := range o.Only {
		if !slices.Contains(OnlyWords(), w) {
			return nil, fmt.Errorf("report: unknown word %q: want one of %s", w, strings.Join(OnlyWords(), " "))
		}
	}
	if err := validTemplate(o.RecordURL); err != nil {
		return nil, fmt.Errorf("report: record address %q %w", o.RecordURL, err)
	}
	for _, r := range slices.Backward(s.Nights) { // the last that was told one
		if s.RecordURL == "" && validTemplate(r.RecordURL) == nil {
			s.RecordURL = r.RecordURL
		}
	}
	s.setRoots()
	return s, s.findMovedSites(ctx)
}

// sinceRun gives the first run whose changes count: the one after run N, or the
// first that began at or after a point in time.
func (s *Scope) sinceRun(since string) (uint64, error) {
	last := uint64(0)
	if len(s.Nights) > 0 {
		last = s.Nights[len(s.Nights)-1].ID
	}
	if n, err := strconv.ParseUint(since, 10, 64); err == nil && len(since) < 8 {
		switch {
		case n > 0 && len(s.Nights) == 0:
			return 0, fmt.Errorf("report: there is no run %d: none is recorded yet", n)
		case n > 0 && n > last:
			return 0, fmt.Errorf("report: there is no run %d yet: the last is %d", n, last)
		}
		return n + 1, nil
	}
	t, ok := before(s.Now, since)
	if ok {
		s.Since = clock(t) // as people are told it
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if day, err := time.Parse(layout, since); err == nil {
			t, ok = day, true
		}
	}
	if !ok {
		return 0, fmt.Errorf("report: since %q is no run number, date (2006-01-02), RFC 3339 time, or time ago (36h, 7d, 2w)", since)
	}
	for _, r := range s.Nights {
		if !r.Started.Before(t) {
			return r.ID, nil
		}
	}
	return last + 1, nil
}

// before is the point in time so many hours, days or weeks before now (36h, 7d, 2w).
func before(now time.Time, ago string) (t time.Time, ok bool) {
	unit := ago[max(0, len(ago)-1):]
	n, err := strconv.ParseUint(strings.TrimSuffix(ago, unit), 10, 16)
	switch {
	case err != nil:
	case unit == "h":
		return now.Add(-time.Duration(n) * time.Hour), true
	case unit == "d":
		return now.AddDate(0, 0, -int(n)), true
	case unit == "w":
		return now.AddDate(0, 0, -7*int(n)), true
	}
	return t, false
}

// OnlyWords lists the words that Options.Only knows.
func OnlyWords() []string {
	words := []string{"new", "unchecked"}
	for g := range GroupCount {
		words = append(words, g.String())
	}
	for st := judge.Alive; st <= judge.Ignored; st++ {
		words = append(words, st.String())
	}
	for s := Drift; s < StandingCount; s++ {
		words = append(words, s.String())
	}
	for _, c := range ChangeOrder {
		words = append(words, string(c))
	}
	return words
}

// matches reports whether a row is one that Options.Only and Since ask for.
func (s *Scope) matches(r *Row) bool {
	return len(s.only) == 0 || slices.ContainsFunc(s.only, func(w string) bool {
		return w == r.Group.String() || w == "new" && len(r.Changed) > 0 || w == "unchecked" && r.State == judge.New ||
			r.State != judge.New && w == r.State.String() || w == r.Standing.String() && r.Standing >= Drift || slices.Contains(r.Changed, judge.Change(w))
	})
}

// narrowed reports whether Options.Only or Since leave links out of the lists.
func (s *Scope) narrowed() bool { return len(s.only) > 0 }

// RecordAddress gives the address of the record of a mention by the template of its root,
// or that of Options; "" without template or record.
func (s *Scope) RecordAddress(m *store.Mention) string {
	if m.Record == "" {
		return ""
	}
	return strings.Replace(s.RootOf(m.Collection).RecordURL, "{id}", url.PathEscape(m.Record), 1)
}
