package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"linkcheck/report/sample"
)

// TestPictures takes the pictures of the README, and others to look at, into the
// directory LINKCHECK_PICTURES.
func TestPictures(t *testing.T) {
	dir := os.Getenv("LINKCHECK_PICTURES")
	if dir == "" {
		t.Skip("LINKCHECK_PICTURES names no directory")
	}
	url := writePage(t, &sample.Source{N: 12_408}, options())
	const openRow = `document.querySelectorAll('#rows .more')[0].click()`
	shots := []struct {
		name, scheme, hash, js string
		width                  int
	}{
		{"light", "light", "", ``, 1240},
		{"dark", "dark", "", ``, 1240},
		{"row", "light", "#group=update", openRow, 1240},
		{"row-dark", "dark", "#scheme=gopher", openRow, 1240},
		{"record", "light", "#view=record", ``, 1240},
		{"narrow", "light", "", ``, 390},
		{"narrow-row", "light", "#group=fix", openRow, 390},
		{"narrow-dark", "dark", "", ``, 390},
	}
	for _, s := range shots {
		t.Run(s.name, func(t *testing.T) {
			p := newTab(t, s.width, 1600)
			js := s.js + `; [...document.querySelectorAll('#rows tr[data-g]')].slice(` + rowsOf(s.name) + `).forEach(r => { if (r.nextSibling?.classList?.contains('detail')) r.nextSibling.remove(); r.remove(); }); 0`
			p.prefer(t, s.scheme)
			p.do(t, chromedp.Navigate(url+s.hash))
			eval[bool](t, p, waitFor(`document.getElementById('rows').getAttribute('aria-busy') === 'false'`))
			eval[chromedp.Void](t, p, js)
			png := run(t, p, chromedp.FullScreenshot(100))
			if err := os.WriteFile(filepath.Join(dir, s.name+".png"), png, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	t.Run("print", func(t *testing.T) {
		p := newTab(t, 1240, 1600)
		p.do(t, chromedp.Navigate(url))
		if err := os.WriteFile(filepath.Join(dir, "print.pdf"), p.printed(t), 0o644); err != nil {
			t.Fatal(err)
		}
	})
}

// TestPicturesOfDocs takes those that docs/LIBRARIANS.md shows, as large as a window, into the same directory:
// a link with its history, and a decision about one.
func TestPicturesOfDocs(t *testing.T) {
	dir := os.Getenv("LINKCHECK_PICTURES")
	if dir == "" {
		t.Skip("LINKCHECK_PICTURES names no directory")
	}
	keep := func(name string, p *tab) {
		if err := os.WriteFile(filepath.Join(dir, name), run(t, p, chromedp.CaptureScreenshot()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := newTab(t, 1240, 640)
	p.do(t, chromedp.Navigate(writePage(t, &sample.Source{N: 300}, options())+"#group=update"))
	eval[bool](t, p, waitFor(`document.getElementById('rows').getAttribute('aria-busy') === 'false'`))
	eval[chromedp.Void](t, p, `document.querySelector('#rows .more').click(); 0`)
	for range 2 { // what comes into view for the first time gets its true height
		eval[chromedp.Void](t, p, `document.querySelector('#rows').closest('table').scrollIntoView({behavior: 'instant'}); 0`)
	}
	keep("link.png", p)

	_, at := desk(t)
	p = newTab(t, 1240, 640)
	p.do(t, chromedp.Navigate(at+"/?token="+deskToken), chromedp.Navigate(at+"/links"), chromedp.KeyEvent("k"), chromedp.KeyEvent("m"))
	keep("decide.png", p)
}

func rowsOf(shot string) string {
	if shot == "narrow" || shot == "narrow-dark" {
		return "5"
	}
	return "12"
}
