package browser

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"linkcheck/report/sample"
	"linkcheck/report/serve"
)

// TestServeAccessible lets axe-core judge the pages of the server, and takes
// their pictures where LINKCHECK_PICTURES asks for them.
func TestServeAccessible(t *testing.T) {
	judge := axe(t)
	h, err := serve.New(t.Context(), &sample.Source{N: 3000}, options())
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	for _, page := range []struct{ name, path string }{{"index", "/"}, {"links", "/links?group=fix"}, {"link", "/link/3"}} {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(page.name+" "+scheme, func(t *testing.T) {
				p := newTab(t, 1240, 1400)
				p.prefer(t, scheme)
				p.do(t, chromedp.Navigate(s.URL+page.path))
				eval[chromedp.Void](t, p, judge+"; 0")
				for _, f := range eval[[]string](t, p, `axe.run({resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.nodes[0].html.slice(0, 200)))`) {
					t.Error(f)
				}
				if dir := os.Getenv("LINKCHECK_PICTURES"); dir != "" && scheme == "light" {
					if err := os.WriteFile(filepath.Join(dir, "serve-"+page.name+".png"), run(t, p, chromedp.FullScreenshot(100)), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				p.mu.Lock()
				defer p.mu.Unlock()
				if len(p.complaints) > 0 {
					t.Errorf("the browser complained: %q", p.complaints)
				}
			})
		}
	}
}
