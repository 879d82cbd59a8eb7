package browser

import (
	"regexp"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"linkcheck/report/sample"
)

// TestSources leads from the list of archives to their dead links, and from there to the
// pages and records in which these stand.
func TestSources(t *testing.T) {
	p := newTab(t, 1240, 1400)
	p.do(t, chromedp.Navigate(writePage(t, &sample.Source{N: 400}, options())))
	for _, tt := range []struct {
		archive, named string
		leads          *regexp.Regexp
	}{ // named: how the heads of its records begin
		{"Guides", `^[a-z]+/[a-z]+[.]html`, regexp.MustCompile(`^https://guides\.campus\.example/[a-z]+/[a-z]+\.html$`)},
		{"Catalogue", `^b[0-9]+`, regexp.MustCompile(`^https://catalogue\.campus\.example/bib/b\d+$`)}, // by the template of the root
		{"Mail archive", `^<9203`, regexp.MustCompile(`^https://ils\.campus\.example/bib/%3C9203`)},    // by that of the report
		{"RFCs", `^rfc[0-9]+[.]txt`, regexp.MustCompile(`^$`)},
	} {
		link := `[...document.querySelectorAll('.roots tbody tr')].find(r => r.querySelector('.rec').textContent === '` + tt.archive + `').querySelector('a[href$="state=dead"]')`
		dead := eval[string](t, p, link+`.textContent`)
		eval[chromedp.Void](t, p, link+`.click()`)
		if !eval[bool](t, p, waitFor(`document.getElementById('status').textContent.startsWith('`+dead+` link')`)) {
			t.Errorf("%s: the list has %s, not %s", tt.archive, eval[string](t, p, `document.getElementById('status').textContent`), dead)
		}
		eval[chromedp.Void](t, p, `document.getElementById('view').click()`)
		leads := eval[[]string](t, p, `[...document.querySelectorAll('#rows tr.rec')].filter(r => RegExp('`+tt.named+`').test(r.textContent)).map(r => r.querySelector('a')?.href || '')`)
		if len(leads) == 0 || slices.ContainsFunc(leads, func(href string) bool { return !tt.leads.MatchString(href) }) {
			t.Errorf("%s: its places lead to %q", tt.archive, leads)
		}
	}
	p.quiet(t)
}
