package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"linkcheck/lint"
	"linkcheck/report"
	"linkcheck/report/sample"
)

// TestAccessible lets axe-core judge the page, light and dark, wide and narrow,
// with what lint lists, and rows opened of what is dead and of what moved with its proof: no
// violations.
func TestAccessible(t *testing.T) {
	judge := axe(t)
	r, err := report.Build(t.Context(), &sample.Source{N: 400}, options())
	if err != nil {
		t.Fatal(err)
	}
	r.Faults = &lint.List{}
	for i, code := range lint.Codes {
		at := lint.Place{Source: "catalogue.mrc", Record: fmt.Sprintf("oai:repository.campus.example:record-of-a-long-name-%d", i), Locator: "856[1]$u", Title: "On mills"}
		r.Faults.Rows = append(r.Faults.Rows, lint.Row{Place: at, Fault: lint.Fault{Code: code, Value: "http//www.mills.example/", Repair: "http://www.mills.example/"}})
	}
	url := writeReport(t, r)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int{1240, 390} {
			t.Run(fmt.Sprintf("%s %d", scheme, width), func(t *testing.T) {
				p := newTab(t, width, 1400)
				p.prefer(t, scheme)
				p.do(t, chromedp.Navigate(url+"#sort=state"))
				eval[bool](t, p, waitFor(`document.getElementById('rows').getAttribute('aria-busy') === 'false'`))
				eval[chromedp.Void](t, p, `for (const group of ['fix', 'update']) document.querySelector('[data-g=' + group + '] .more').click()`)
				proof := r.Words.Get("move.proof")
				if shown := eval[int](t, p, `[...document.querySelectorAll('.detail dt')].filter(e => e.textContent === '`+proof+`').length`); shown != 1 {
					t.Errorf("%d rows say what proves a move", shown)
				}
				eval[chromedp.Void](t, p, `document.querySelectorAll('details').forEach(d => d.open = true)`)
				eval[chromedp.Void](t, p, judge+"; 0")
				type finding struct {
					ID    string
					Nodes []string
				}
				found := eval[[]finding](t, p, `axe.run({resultTypes: ['violations']}).then(r => r.violations.map(v => ({ID: v.id, Nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' | ' + n.failureSummary)})))`)
				for _, f := range found {
					t.Errorf("%s: %q", f.ID, f.Nodes)
				}
				passes := eval[int](t, p, `axe.run({resultTypes: ['passes']}).then(r => r.passes.length)`)
				t.Logf("%d violations, %d rules passed", len(found), passes)
				if passes < 20 {
					t.Errorf("only %d rules passed: was the page judged at all?", passes)
				}
				p.quiet(t)
			})
		}
	}
}
