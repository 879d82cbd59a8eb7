package browser

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/serve"
	"linkcheck/store"
)

const deskToken = "0123456789abcdef0123"

// desk serves a store of 50 links for editing: each fifth has moved, the others are gone.
func desk(t *testing.T) (st *store.Store, at string) {
	t.Helper()
	now := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	st, err := store.Open(filepath.Join(t.TempDir(), "s.db"), &store.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	var mentions []store.Mention
	var answers []store.Checked
	for i := range 50 {
		url := fmt.Sprintf("http://www%d.campus.example/maps/%d", i%7, i)
		mentions = append(mentions, store.Mention{Collection: "Maps", Record: fmt.Sprintf("b10%02d", i/2), Locator: "856[1]$u", Title: "An atlas", Raw: url, URL: url})
		r := check.New(check.Gone, check.ReasonHTTP(404), "404 Not Found")
		if i%5 == 0 {
			r = check.New(check.Moved, check.ReasonHTTP(301), "301 Moved Permanently")
			r.FinalURL = strings.Replace(url, "http:", "https:", 1)
			r.SuggestedURL = r.FinalURL
		}
		r.At = now.Add(-8 * time.Hour)
		answers = append(answers, store.Checked{Result: r})
	}
	in, err := st.BeginIngest(now.Add(-9 * time.Hour))
	if err == nil {
		err = in.Add(store.Step{Batches: []*store.Batch{store.Prepare("maps.mrc", mentions, nil)}, Whole: []store.Source{{Path: "maps.mrc", Collection: "Maps", Mentions: 50}}})
	}
	if err == nil {
		_, err = in.Finish()
	}
	var run uint64
	for i := range answers {
		l, found, ferr := st.Find(mentions[i].URL)
		if answers[i].ID = l.ID; ferr != nil || !found {
			t.Fatal(mentions[i].URL, ferr)
		}
	}
	if err == nil {
		run, err = st.StartRun(store.Run{Started: now.Add(-8 * time.Hour)})
	}
	if err == nil {
		err = st.Record(run, judge.Policy{}, answers)
	}
	if err == nil {
		err = st.EndRun(store.Run{ID: run, Started: now.Add(-8 * time.Hour), Ended: now.Add(-7 * time.Hour), Checked: 50})
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := serve.NewEditing(t.Context(), st, report.Options{Now: now, Version: "1.0"}, deskToken)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	web := httptest.NewServer(&serve.Editor{Pages: s, Token: deskToken, By: "ann", Now: func() time.Time { return now }, Write: func(ctx context.Context, f func(*store.Store) error) error {
		mu.Lock()
		defer mu.Unlock()
		if err := f(st); err != nil {
			return err
		}
		return s.Refresh(ctx)
	}})
	t.Cleanup(web.Close)
	return st, web.URL
}

// keys sends keys, and waits until the page says that something was done.
func (p *tab) keys(t *testing.T, keys ...string) {
	t.Helper()
	eval[int](t, p, `(() => { document.getElementById('said').textContent = ''; return 0; })()`)
	for _, k := range keys {
		p.do(t, chromedp.KeyEvent(k))
	}
	if !eval[bool](t, p, waitFor(`document.getElementById('said').textContent !== '' && !document.getElementById('form').open`)) {
		t.Fatalf("after %q nothing was said: %s", keys, eval[string](t, p, `document.getElementById('fault').textContent`))
	}
	if eval[bool](t, p, `document.getElementById('said').classList.contains('bad')`) {
		t.Fatalf("after %q: %s", keys, eval[string](t, p, `document.getElementById('said').textContent`))
	}
}

// TestEditByKeyboard: the librarian works a list of 50 with the keyboard alone.
func TestEditByKeyboard(t *testing.T) {
	if testing.Short() {
		t.Skip("a story in a browser")
	}
	st, at := desk(t)
	p := newTab(t, 1240, 1400)
	p.do(t, chromedp.Navigate(at+"/links?token="+deskToken))
	if n := eval[int](t, p, `document.querySelectorAll('tr[data-link]').length`); n != 50 {
		t.Fatalf("%d rows", n)
	}
	p.do(t, chromedp.KeyEvent("k")) // the first row
	verbs := map[string]int{}
	var want []string
	for i := range 50 {
		row := eval[[]string](t, p, `(r => [r.dataset.link, r.dataset.new])(document.activeElement.closest('tr'))`)
		if row[0] == "" || len(want) > 0 && strings.HasPrefix(want[len(want)-1], row[0]+" ") {
			t.Fatalf("row %d: %q", i, row)
		}
		verb := []string{"mark", "note", "assign", "check"}[i%4]
		if row[1] != "" {
			verb = "fix"
		}
		switch verb {
		case "fix":
			p.keys(t, []string{"a", "x"}[i%2])
		case "mark":
			p.keys(t, "m", kb.ArrowDown, kb.Tab, "g", "o", "n", "e", kb.Enter)
		case "note":
			p.keys(t, "n", "o", "k", kb.Enter)
		case "assign":
			p.keys(t, "o", "m", "a", "p", "s", kb.Enter)
		case "check":
			p.keys(t, "r")
		}
		verbs[verb]++
		want = append(want, row[0]+" "+verb)
		p.do(t, chromedp.KeyEvent("j"))
	}
	log, err := st.Log()
	if err != nil || len(log) != 50 {
		t.Fatalf("%d lines in the log, %v", len(log), err)
	}
	for i, l := range log {
		verb := l.Verb
		if verb == "" {
			verb = "mark"
			if l.State != judge.PinnedDead || l.Why != "gone" {
				t.Errorf("line %d: %+v", i, l)
			}
		}
		if got := strconv.FormatUint(l.Link, 10) + " " + verb; got != want[i] || l.From != "browser" || l.By != "ann" {
			t.Errorf("line %d: %s from %s by %s, want %s", i, got, l.From, l.By, want[i])
		}
	}
	if len(verbs) != 5 {
		t.Errorf("done: %v", verbs)
	}
	p.keys(t, "u")
	p.keys(t, "u")
	if log, err = st.Log(); err != nil || len(log) != 52 || log[50].Undoes != 50 || log[51].Undoes != 49 {
		t.Errorf("%d lines after undoing two, %v", len(log), err)
	}
	// A form ends with Esc and leaves the row where it was; Enter opens the link, Esc leads back.
	p.do(t, chromedp.KeyEvent("n"), chromedp.KeyEvent(kb.Escape))
	if eval[bool](t, p, `document.getElementById('form').open || document.activeElement.closest('tr[aria-current]') === null`) {
		t.Error("Esc did not lead back to the row")
	}
	p.do(t, chromedp.KeyEvent(kb.Enter))
	if !eval[bool](t, p, waitFor(`location.pathname.startsWith('/link/') && document.readyState === 'complete'`)) {
		t.Error("Enter opens no link")
	}
	p.do(t, chromedp.KeyEvent(kb.Escape))
	if !eval[bool](t, p, waitFor(`location.pathname === '/links' && document.readyState === 'complete'`)) {
		t.Error("Esc does not lead back")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.complaints) > 0 {
		t.Errorf("the browser complained: %q", p.complaints)
	}
}

// TestEditAccessible lets axe-core judge the pages from which a store is changed, with forms
// open and closed.
func TestEditAccessible(t *testing.T) {
	if testing.Short() {
		t.Skip("a story in a browser")
	}
	judge := axe(t)
	_, at := desk(t)
	for _, page := range []struct{ name, path, keys string }{
		{"list", "/links?owner=&host=www1.campus.example", ""}, {"mark", "/links", "km"}, {"assign", "/links", "jo"}, {"link", "/link/1", "a"}, {"log", "/log", ""}, {"noted", "/links", "jr"},
	} {
		for i, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{1240, 390}[i : i+1] {
				t.Run(fmt.Sprintf("%s %s %d", page.name, scheme, width), func(t *testing.T) {
					p := newTab(t, int(width), 1400)
					p.prefer(t, scheme)
					p.do(t, chromedp.Navigate(at+"/?token="+deskToken), chromedp.Navigate(at+page.path))
					for _, k := range page.keys {
						p.do(t, chromedp.KeyEvent(string(k)))
					}
					if strings.ContainsAny(page.keys, "ar") && !eval[bool](t, p, waitFor(`document.getElementById('said').textContent !== ''`)) {
						t.Error("nothing was said")
					}
					eval[chromedp.Void](t, p, judge+"; 0")
					for _, f := range eval[[]string](t, p, `axe.run({resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.nodes[0].html.slice(0, 300) + v.nodes[0].failureSummary))`) {
						t.Error(f)
					}
					if dir := os.Getenv("LINKCHECK_PICTURES"); dir != "" {
						name := fmt.Sprintf("edit-%s-%s-%d.png", page.name, scheme, width)
						if err := os.WriteFile(filepath.Join(dir, name), run(t, p, chromedp.FullScreenshot(100)), 0o644); err != nil {
							t.Fatal(err)
						}
					}
				})
			}
		}
	}
}
