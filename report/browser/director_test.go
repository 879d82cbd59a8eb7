package browser

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/sample"
	"linkcheck/report/words"
)

// papers are sizes of paper in inches.
var papers = map[string][2]float64{"A4": {8.27, 11.69}, "Letter": {8.5, 11}}

// TestDirectorIsOnePage prints the page for the director on both papers, in each language,
// of a store with 30 runs, many hosts, and roots that want a look.
func TestDirectorIsOnePage(t *testing.T) {
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		missing(t, "pdftotext (Debian: poppler-utils)")
	}
	for _, lang := range words.Languages() {
		p := newTab(t, 1240, 1400)
		o := options()
		o.Lang = lang
		file := filepath.Join(t.TempDir(), "director.html")
		var text bytes.Buffer
		if err := html.WriteDirector(t.Context(), &text, &sample.Source{N: 3000}, o); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		p.do(t, chromedp.Navigate("file://"+file))
		for name, size := range papers {
			yes := true
			pdf := call(t, p, page.PrintToPDF, page.PrintToPDFParams{PrintBackground: &yes, PaperWidth: size[0], PaperHeight: size[1]}).Data
			cmd := exec.CommandContext(t.Context(), tool, "-layout", "-", "-")
			cmd.Stdin = bytes.NewReader(pdf)
			said, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if sheets := strings.Count(string(said), "\f"); sheets != 1 || !regexp.MustCompile(`Half-life|Halbwertszeit`).Match(said) {
				t.Errorf("%s, %s: %d sheets\n%s", lang, name, sheets, said)
			}
			if to := os.Getenv("LINKCHECK_PICTURES"); to != "" {
				if err := os.WriteFile(filepath.Join(to, "director."+lang+"."+name+".pdf"), pdf, 0o600); err != nil {
					t.Error(err)
				}
			}
		}
		p.quiet(t)
	}
}

// TestPrintHasAllCauses: paper cannot be opened, so that nothing waits behind a summary.
func TestPrintHasAllCauses(t *testing.T) {
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		missing(t, "pdftotext (Debian: poppler-utils)")
	}
	src, o := &sample.Source{N: 3000}, options()
	r, err := report.Build(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	p := newTab(t, 1240, 1400)
	p.do(t, chromedp.Navigate(writePage(t, src, o)))
	cmd := exec.CommandContext(t.Context(), tool, "-layout", "-", "-")
	cmd.Stdin = bytes.NewReader(p.printed(t))
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, causes, _ := strings.Cut(string(text), r.Words.Get("dofirst"))
	flat := strings.Join(strings.Fields(causes), "")
	missed, looked := 0, min(len(r.Causes), 100)
	for _, c := range r.Causes[:looked] {
		if !strings.Contains(flat, strings.ReplaceAll(c.Name(), " ", "")) {
			missed++
		}
	}
	if looked < 20 || missed > 0 {
		t.Errorf("of %d causes %d are not on paper", looked, missed)
	}
}
