package html

import (
	"cmp"
	"context"
	"html/template"
	"strings"

	"linkcheck/report"
	"linkcheck/store"
	"linkcheck/uri"
)

// LinkRow is a row of a list of links.
type LinkRow struct {
	report.Row
	Record, RecordURL, Title, Locator string // of the first mention
	More                              int    // mentions
	Strip                             template.HTML
	Href                              string // of the link's own page; "" in a file
}

// NewLinkRow describes a row and adds what the page shows of its mentions and history.
func NewLinkRow(s *report.Scope, r *report.Row, past []store.Event) LinkRow {
	s.Describe(r)
	m := r.First()
	return LinkRow{Row: *r, Strip: strip(s, past), Record: s.Sanitize(report.NearName(m)), RecordURL: PlaceAddress(s, m),
		Title: s.Sanitize(m.Title), Locator: s.Sanitize(report.Locator(m)), More: r.Count - 1}
}

// PlaceAddress is where the place of a mention can be seen: its record, or else its
// document; "": nowhere.
func PlaceAddress(s *report.Scope, m *store.Mention) string {
	if m.Record != "" {
		return s.RecordAddress(m)
	}
	return DocumentAddress(s, m)
}

// DocumentAddress is the address of the document of a mention, where browsers open it.
func DocumentAddress(s *report.Scope, m *store.Mention) string {
	if address := s.SanitizeURL(m.Source); m.Member == "" && uri.Clickable(address) {
		return address
	}
	return ""
}

// duplicateCard is one group of spellings on the page.
type duplicateCard struct {
	Spellings []report.Spelling
	LevelWord string
	SureWord  string
	Reasons   string
}

const (
	maxCards         = 40
	maxCardSpellings = 12 // of one card
)

func (p *Page) setDuplicates(ctx context.Context) error {
	groups, err := p.Duplicates(ctx)
	if err != nil {
		return err
	}
	for _, g := range groups[:min(maxCards, len(groups))] {
		p.Dupes = append(p.Dupes, duplicateCard{g.Spellings[:min(maxCardSpellings, len(g.Spellings))], p.Words.Get(g.LevelKey()),
			p.Words.Get("sure." + g.Sure), strings.Join(g.Reasons, ", ")})
	}
	if n := len(groups) - maxCards; n > 0 {
		p.MoreDupes = p.Words.Get("more", "n", p.Words.Number(n)) + ": linkcheck dupes"
	}
	return nil
}

// coverage says what the report does not know.
func coverage(r *report.Report) (facts Facts) {
	w := r.Words
	facts.Add("coverage.checked", w.Number(r.Links-r.Never)+" / "+w.Number(r.Links))
	if r.Never > 0 {
		facts.Add("coverage.never", w.Number(r.Never))
	}
	for _, c := range r.Skipped {
		facts.Add("coverage.skipped", c.Word+": "+w.Number(c.N))
	}
	facts.Add("coverage.notread", r.NotReadLine())
	for _, s := range r.SourceLines() {
		facts.Add("coverage.sources", s)
	}
	if r.Oldest != nil {
		facts.Add("coverage.oldest", w.Day(r.Oldest.Last.At)+": "+r.Oldest.URL)
	}
	if r.Run != nil {
		facts.Add("coverage.outages", cmp.Or(r.Sanitize(strings.Join(r.Run.Outages, ", ")), w.Get("coverage.outages.none")))
		facts.Add("coverage.note", r.Sanitize(r.Run.Note))
	}
	for _, s := range r.Doubts() {
		facts.Add("coverage.doubts", s)
	}
	for _, s := range r.Settings {
		facts.Add("coverage.settings", r.Sanitize(s))
	}
	facts.Add("links", leftOut(r))
	facts.Add("coverage.version", r.Sanitize(r.Options.Version))
	facts.Add("places", w.Number(r.Mentions)+". "+w.Get("coverage.retired"))
	return facts
}

// leftOut says how many links the page leaves to linkcheck serve.
func leftOut(r *report.Report) string {
	links, fine := r.LeftOut()
	if links == 0 {
		return ""
	}
	key := "coverage.left.any"
	if links == fine {
		key = "coverage.left"
	}
	return r.Words.Count(key, links)
}
