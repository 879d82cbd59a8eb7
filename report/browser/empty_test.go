package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"linkcheck/report/sample"
)

// TestSmallStores opens the page of a store without links and of one with a
// single link: no complaint, nothing but words that fit.
func TestSmallStores(t *testing.T) {
	for name, n := range map[string]int{"empty": 0, "one": 1} {
		t.Run(name, func(t *testing.T) {
			p := newTab(t, 1240, 900)
			p.do(t, chromedp.Navigate(writePage(t, &sample.Source{N: n}, options())))
			if rows := eval[int](t, p, `document.querySelectorAll('#rows tr[data-g]').length`); rows != n {
				t.Errorf("%d rows, want %d", rows, n)
			}
			if dir := os.Getenv("LINKCHECK_PICTURES"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, name+".png"), run(t, p, chromedp.FullScreenshot(100)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			p.quiet(t)
		})
	}
}
