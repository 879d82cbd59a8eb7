package html

import (
	"html/template"

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
