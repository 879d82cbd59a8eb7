package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"linkcheck/report/sample"
)

// TestAccessible lets axe-core judge the page, light and dark, wide and narrow,
// with a row and the help opened: no violations.
func TestAccessible(t *testing.T) {
	judge := axe(t)
	url := writePage(t, &sample.Source{N: 400}, options())
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int{1240, 390} {
			t.Run(fmt.Sprintf("%s %d", scheme, width), func(t *testing.T) {
				p := newTab(t, width, 1400)
				p.prefer(t, scheme)
				p.do(t, chromedp.Navigate(url+"#group=fix"))
				eval[chromedp.Void](t, p, `document.querySelector('.more').click(); document.querySelectorAll('details').forEach(d => d.open = true)`)
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
