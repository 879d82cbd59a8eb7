package html

import (
	"context"
	"html/template"
	"strings"

	"linkcheck/report"
	"linkcheck/store"
)

// LinkRow is a row of a list of links.
type LinkRow struct {
	report.Row
	Icon        string
	StateWord   string
	ChangeWords []string
	Reply       string
	Record      string
	RecordURL   string
	Title       string
	Locator     string
	More        string
	Strip       template.HTML
	Href        string // of the link's own page; "" in a file
}

// NewLinkRow describes a row and adds what the page shows of its mentions and history.
func NewLinkRow(s *report.Scope, r *report.Row, past []store.Event) LinkRow {
	s.Describe(r)
	t := LinkRow{Row: *r, Icon: StateIcon(r.State.String()), StateWord: s.Words.Get("state." + r.State.String()), Reply: r.ServerReply()}
	for _, c := range r.Changed {
		t.ChangeWords = append(t.ChangeWords, s.Words.Get("change."+string(c)))
	}
	t.Strip = strip(s, past)
	m := r.First()
	t.Record, t.RecordURL = s.Sanitize(report.NearName(m)), s.RecordAddress(m.Record)
	t.Title, t.Locator = s.Sanitize(m.Title), s.Sanitize(report.Locator(m))
	if r.Count > 1 {
		t.More = "+" + s.Words.Number(r.Count-1)
	}
	return t
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
		p.Dupes = append(p.Dupes, duplicateCard{g.Spellings[:min(maxCardSpellings, len(g.Spellings))], p.Words.Get("level." + g.Level.String()),
			p.Words.Get("sure." + g.Sure), strings.Join(g.Reasons, ", ")})
	}
	if n := len(groups) - maxCards; n > 0 {
		p.MoreDupes = p.Words.Get("more", "n", p.Words.Number(n)) + ": linkcheck dupes"
	}
	return nil
}

// coverage says what the report does not know.
func coverage(r *report.Report) []Fact {
	w := r.Words
	facts := []Fact{{w.Get("coverage.checked"), w.Number(r.Links-r.Never) + " / " + w.Number(r.Links)}}
	if r.Never > 0 {
		facts = append(facts, Fact{w.Get("coverage.never"), w.Number(r.Never)})
	}
	for _, c := range r.Skipped {
		facts = append(facts, Fact{w.Get("coverage.skipped"), c.Word + ": " + w.Number(c.N)})
	}
	if kinds := r.NotReadLine(); kinds != "" {
		facts = append(facts, Fact{w.Get("coverage.notread"), kinds})
	}
	if r.Oldest != nil {
		facts = append(facts, Fact{w.Get("coverage.oldest"), w.Day(r.Oldest.Last.At) + ": " + r.Oldest.URL})
	}
	if r.Run != nil {
		out := w.Get("coverage.outages.none")
		if len(r.Run.Outages) > 0 {
			out = r.Sanitize(strings.Join(r.Run.Outages, ", "))
		}
		facts = append(facts, Fact{w.Get("coverage.outages"), out})
		if r.Run.Note != "" {
			facts = append(facts, Fact{w.Get("coverage.note"), r.Sanitize(r.Run.Note)})
		}
	}
	for _, s := range r.Settings {
		facts = append(facts, Fact{w.Get("coverage.settings"), r.Sanitize(s)})
	}
	if left := leftOut(r); left != "" {
		facts = append(facts, Fact{w.Get("links"), left})
	}
	if r.Options.Version != "" {
		facts = append(facts, Fact{w.Get("coverage.version"), r.Sanitize(r.Options.Version)})
	}
	return append(facts, Fact{w.Get("places"), w.Number(r.Mentions) + ". " + w.Get("coverage.retired")})
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
	return r.Words.Get(key, "n", r.Words.Number(links))
}
