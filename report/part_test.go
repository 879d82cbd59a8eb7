package report_test

import (
	"io"
	"strings"
	"testing"

	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/sample"
	"linkcheck/report/table"
	"linkcheck/report/text"
)

// TestParts: a report of a part says so, in every form for people, and its sums are those of
// the rows that it lists. One of the whole store says nothing.
func TestParts(t *testing.T) {
	src := &sample.Source{N: 2000}
	whole := report.Options{Now: sample.Now(), Title: "Sample"}
	for _, tt := range []struct {
		name   string
		change func(*report.Options)
		says   []string
	}{
		{"all", func(*report.Options) {}, nil},
		{"group", func(o *report.Options) { o.Only = []string{"fix"} }, []string{"Only fix: ", " of 2,000."}},
		{"words", func(o *report.Options) { o.Only = []string{"moved", "restricted"} }, []string{"Only moved, restricted: "}},
		{"news", func(o *report.Options) { o.Only = []string{"new"} }, []string{"Only new: "}},
		{"collection", func(o *report.Options) { o.Collections = []string{"RFCs"} }, []string{"only what stands in RFCs"}},
		{"both", func(o *report.Options) { o.Collections, o.Only = []string{"RFCs"}, []string{"fine"} }, []string{"only what stands in RFCs", "Only fine: "}},
		{"since", func(o *report.Options) { o.Since = "1" }, []string{"The lists show only what changed: "}},
	} {
		o := whole
		tt.change(&o)
		r := build(t, src, o)
		sum := 0
		for _, n := range r.ByGroup {
			sum += n
		}
		rows := o
		rows.Unique = true
		listed := strings.Count(string(output(t, func(w io.Writer) error { return table.WriteJSONL(t.Context(), w, src, rows) })), "\n")
		if sum != r.Links || o.Since == "" && listed != r.Links || o.Since != "" && listed != r.Wanted || listed == 0 {
			t.Errorf("%s: %d links, %d in groups, %d listed, %d wanted", tt.name, r.Links, sum, listed, r.Wanted)
		}
		caused := 0
		for _, c := range r.Causes {
			caused += c.Links
		}
		if caused > r.NeedYou || (r.Part == "") != (tt.says == nil) {
			t.Errorf("%s: %d links of causes, %d need a person; it says %q", tt.name, caused, r.NeedYou, r.Part)
		}
		page := string(output(t, func(w io.Writer) error { return html.Write(t.Context(), w, r) }))
		for form, text := range map[string]string{
			"page": page, "text": strings.Join(strings.Fields(string(output(t, of(r, text.Write)))), " "), "summary": string(output(t, of(r, text.WriteSummary))), "Markdown": string(inForm(t, "md", src, o)),
		} {
			for _, want := range tt.says {
				if !strings.Contains(text, want) {
					t.Errorf("%s: the %s does not say %q", tt.name, form, want)
				}
			}
		}
		if trend := strings.Contains(page, `class="trend"`); trend == r.Partial { // runs count the whole store
			t.Errorf("%s: trend %v", tt.name, trend)
		}
	}
}

// TestPartInGerman: a part names its words in the language of the report, and its headline does
// not say of chosen links how many of them need somebody.
func TestPartInGerman(t *testing.T) {
	for _, c := range []struct{ lang, only, part, headline string }{
		{"de", "fix", "Nur Reparieren: ", "Datensätzen."},
		{"de", "moved,newly-dead", "Nur umgezogen, neu tot: ", "Datensätzen."},
		{"en", "fix", "Only fix: ", "records."},
		{"en", "fine", "Only fine: ", "records."},
	} {
		r := build(t, &sample.Source{N: 2000}, report.Options{Now: sample.Now(), Lang: c.lang, Only: strings.Split(c.only, ",")})
		if !strings.HasPrefix(r.Part, c.part) || !strings.HasSuffix(r.Headline(), c.headline) || strings.Count(r.Headline(), ".") != 1 {
			t.Errorf("%s %s: %q %q", c.lang, c.only, r.Part, r.Headline())
		}
	}
}

// TestCourseHonoursMarks: the last figures of the course are those of the cards, marks and all.
func TestCourseHonoursMarks(t *testing.T) {
	r := build(t, smallArchive(), options())
	if len(r.Pinned) == 0 {
		t.Fatal("no link of the fixture is marked")
	}
	page := string(output(t, func(w io.Writer) error { return html.Write(t.Context(), w, r) }))
	_, figures, _ := strings.Cut(page, `<table class="figures">`)
	figures, _, _ = strings.Cut(figures, "</table>")
	last := figures[strings.LastIndex(figures, "<tr>"):]
	for g, n := range r.ByGroup {
		if !strings.Contains(last, ">"+r.Words.Number(n)+"</td>") {
			t.Errorf("group %d: %d is not in %s", g, n, last)
		}
	}
}
