package report_test

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/sample"
	"linkcheck/store"
)

// lived is a link of a host that was watched for so many years, and is dead if died.
func lived(f *fixture, host string, n, years int, died bool) {
	for i := range n {
		url := "http://" + host + "/" + strings.Repeat("x", i+1)
		e := store.Entry{Link: store.Link{ID: uint64(len(f.Extra)), URL: url, Key: url, Scheme: "http", Host: host, State: judge.Alive, Judged: judge.Alive,
			FirstChecked: now.AddDate(-years, 0, 0), LastOK: now, Last: check.Result{Outcome: check.OK, Reason: "http-200", At: now}},
			LiveMentions: []store.Mention{inRecord(url, "b1")}}
		if died {
			e.State, e.Judged, e.Last.Outcome, e.Last.Reason = judge.Dead, judge.Dead, check.Gone, "http-404"
		}
		f.Extra = append(f.Extra, e)
	}
}

// TestDirector: half-lives are those of the deaths and the years watched, marks count from
// their day on, and what left a record counts as mended.
func TestDirector(t *testing.T) {
	f := &fixture{}
	lived(f, "old.example", 4, 1, true)
	lived(f, "old.example", 4, 1, false) // 4 died in 8 link-years: ln 2 · 2 = 1.4
	lived(f, "few.example", 2, 1, true)
	for i, days := range []int{3, 2, 1} {
		f.runs = append(f.runs, store.Run{ID: uint64(i + 1), Started: ago(days), Ended: ago(days).Add(time.Hour), States: map[string]int{"dead": 6, "alive": 4}, Changes: map[string]int{"recovered": 1}})
	}
	pinned := &f.Extra[0] // marked alive before the second night
	pinned.State, pinned.Pin = judge.PinnedAlive, &store.Pin{Link: 0, State: judge.PinnedAlive, At: ago(3).Add(2 * time.Hour), By: "ann"}
	gone := &f.Extra[1] // its record was mended; it still stands in another
	retired := inRecord(gone.URL, "b2")
	retired.Retired = ago(10)
	old := inRecord(gone.URL, "b3")
	old.Retired = ago(60)
	gone.LiveMentions = append(gone.LiveMentions, retired, old)
	o := options()
	page := string(output(t, func(w io.Writer) error { return html.WriteDirector(t.Context(), w, f, o) }))
	flat := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(strings.ReplaceAll(page, "</t", " </t"), "")), " ")
	for _, want := range []string{
		"1 record or document changed", "3 links came back", "1 decision made by a person", "old.example 8 3 1.8 years", "few.example 2 2 too few died to say", "All hosts 10 5 1.4 years", "not known, for the store keeps no years",
	} {
		if !strings.Contains(flat, want) {
			t.Errorf("%q is not in\n%s", want, flat)
		}
	}
	edge := regexp.MustCompile(`class="edge g-fix" d="M0\.0 ([0-9.]+)L500\.0 ([0-9.]+)L1000\.0 ([0-9.]+)"`).FindStringSubmatch(page)
	if edge == nil || edge[1] != "9.0" || edge[2] == edge[1] || edge[2] != edge[3] { // 6 of 6, then 5
		t.Errorf("the course is %q", edge)
	}
}

// TestDirectorHostile: nothing that others wrote is markup there, and the page has no script.
func TestDirectorHostile(t *testing.T) {
	o := options()
	o.Title, o.StorePath, o.Only = evil, evil, []string{"fix"}
	for name, src := range map[string]report.Source{"hostile": hostile(), "empty": &sample.Source{}} {
		page := string(output(t, func(w io.Writer) error { return html.WriteDirector(t.Context(), w, src, o) }))
		if strings.Contains(page, "<b>&") || strings.Contains(page, "<script") || strings.ContainsAny(page, "\x00\x1b\u202e") || !strings.Contains(page, "</html>") {
			t.Errorf("%s:\n%.3000s", name, page)
		}
	}
}
