package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/sample"
)

// missing skips a test for want of a tool, or fails it where the tools must be there.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("LINKCHECK_CHROMIUM") == "require" {
		t.Fatalf("%s is missing and LINKCHECK_CHROMIUM=require", what)
	}
	t.Skipf("%s is missing", what)
}

func chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing(t, "chromium")
	return ""
}

func axe(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		missing(t, "axe-core (run report/browser/install.sh)")
	}
	return string(data)
}

// tab is a page in a browser of its own, with all it asked for and complained of.
type tab struct {
	context.Context
	mu         sync.Mutex
	requests   []string
	complaints []string
}

func newTab(t testing.TB, width, height int) *tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.WindowSize(width, height))
	alloc, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(func() { cancel(); stop() })
	p := &tab{Context: ctx}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatal(err)
	}
	call(t, p, network.Enable, network.EnableParams{})
	call(t, p, log.Enable, cdp.Empty{})
	p.do(t, chromedp.EmulateViewport(int64(width), int64(height)))
	return p
}

func (p *tab) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "data:") {
			p.requests = append(p.requests, e.Request.URL)
		}
	case *runtime.EventExceptionThrown:
		p.complaints = append(p.complaints, fmt.Sprint(e.ExceptionDetails))
	case *log.EventEntryAdded:
		p.complaints = append(p.complaints, e.Entry.Text)
	}
}

// patience bounds one action in the browser.
const patience = 2 * time.Minute

func (p *tab) do(t testing.TB, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(p, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// run gives the value of an action.
func run[T any](t testing.TB, p *tab, a chromedp.Action[T]) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(p, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// call sends a protocol command.
func call[P, R any](t testing.TB, p *tab, c cdp.Command[P, R], params P) R {
	t.Helper()
	return run(t, p, func(ctx context.Context, target *chromedp.Target) (R, error) { return cdp.Call(ctx, target, c, params) })
}

// eval gives the value of an expression in the page, or of its promise.
func eval[T any](t testing.TB, p *tab, js string) T {
	t.Helper()
	return run(t, p, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
}

// prefer sets the colour scheme that the reader likes.
func (p *tab) prefer(t testing.TB, scheme string) {
	t.Helper()
	call(t, p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// printed prints the page on A4.
func (p *tab) printed(t testing.TB) []byte {
	t.Helper()
	yes := true
	return call(t, p, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: &yes, PrintBackground: &yes, PaperWidth: 8.27, PaperHeight: 11.69}).Data
}

// quiet fails the test if the page asked for anything but itself or complained.
func (p *tab) quiet(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.requests) != 1 || !strings.HasPrefix(p.requests[0], "file://") {
		t.Errorf("the page asked for %q, want itself only", p.requests)
	}
	if len(p.complaints) > 0 {
		t.Errorf("the browser complained: %q", p.complaints)
	}
}

// options are those of the sample report.
func options() report.Options {
	return report.Options{Now: sample.Now(), Title: "Catalogue & mail archive", Version: "1.0", StorePath: "catalogue.db",
		RecordURL: "https://ils.campus.example/bib/{id}", Roots: sample.Roots(), Settings: []string{"nightly at 02:00 UTC, 4 hours at most, one connection a host, 2 s apart"}}
}

// writePage writes a report and gives its address.
func writePage(t testing.TB, src report.Source, o report.Options) string {
	t.Helper()
	r, err := report.Build(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	return writeReport(t, r)
}

func writeReport(t testing.TB, r *report.Report) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := html.Write(t.Context(), f, r); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return "file://" + name
}
