package browser

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report/sample"
	"linkcheck/store"
)

// TestPrint prints to PDF: only what must be fixed, its header on every page.
func TestPrint(t *testing.T) {
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		missing(t, "pdftotext (Debian: poppler-utils)")
	}
	p := newTab(t, 1240, 1400)
	p.do(t, chromedp.Navigate(writePage(t, &sample.Source{N: 600}, options())))
	cmd := exec.CommandContext(t.Context(), tool, "-layout", "-", "-")
	cmd.Stdin = bytes.NewReader(p.printed(t))
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	withRows, listed := 0, false // causes, which stand before the list, name reasons too
	for n, sheet := range strings.Split(string(text), "\f") {
		head := strings.Contains(sheet, "What happened") && strings.Contains(sheet, "Where")
		if listed = listed || head; listed && strings.Contains(sheet, "no such host") {
			withRows++
			if !head {
				t.Errorf("sheet %d has rows and no header", n+1)
			}
		}
	}
	if withRows < 3 {
		t.Errorf("%d sheets with rows seen, want several", withRows)
	}
	if strings.Contains(string(text), "It has moved for good.") {
		t.Error("a moved link was printed in the Fix list")
	}
	p.quiet(t)
}

// hostile are strings that have broken pages before.
var hostile = []string{
	`</script><img src=x onerror="window.broken=1">`,
	`<!--<script>window.broken=1</script>`,
	`"><svg onload=window.broken=1>`,
	`javascript:window.broken=1`,
	"\xff\xfe\x00 not UTF-8",
	"\u202egnirts desrever\u2028line\u2029paragraph",
	`{{.}} ${window.broken=1} %s`,
	strings.Repeat("a/", 4096),
	"كتاب 书 📚",
}

// TestHostile gives the page titles, addresses, replies and sources that attack it.
func TestHostile(t *testing.T) {
	src := &sample.Source{}
	for i, text := range hostile {
		for _, state := range []judge.State{judge.Dead, judge.Moved, judge.Invalid} {
			outcome := map[judge.State]check.Outcome{judge.Dead: check.Gone, judge.Moved: check.Moved, judge.Invalid: check.Invalid}[state]
			src.Extra = append(src.Extra, store.Entry{
				Link: store.Link{URL: "http://host.example/" + text, Key: text, Scheme: "http", Host: text, State: state,
					Last: check.Result{Outcome: outcome, Reason: "http-404", Reply: text, FinalURL: text, SuggestedURL: text, Flags: []string{text}, At: sample.Now()}, Checks: i},
				LiveMentions: []store.Mention{{Collection: text, Source: text, Member: text, Record: text, Locator: text, Raw: text, URL: text, Context: text, Title: text}},
				History:      []store.Event{{State: state, Result: check.Result{Outcome: outcome, Reply: text, At: sample.Now()}}},
			})
		}
	}
	p := newTab(t, 1240, 1400)
	o := options()
	o.Title, o.StorePath, o.Settings = hostile[0], hostile[0], hostile[:3]
	url := writePage(t, src, o)
	p.do(t, chromedp.Navigate(url))
	eval[chromedp.Void](t, p, `document.querySelectorAll('.more').forEach(b => b.click())`)
	if eval[bool](t, p, `'broken' in window`) {
		t.Error("a string of the store ran as a script")
	}
	if n := eval[int](t, p, `document.querySelectorAll('img, svg[onload], iframe, object').length`); n != 0 {
		t.Errorf("%d elements came out of strings", n)
	}
	if n := eval[int](t, p, `[...document.querySelectorAll('a[href]')].filter(a => !/^(#|https?:|ftp:)/.test(a.getAttribute('href'))).length`); n != 0 {
		t.Errorf("%d links lead out of the web", n)
	}
	if text := eval[string](t, p, `document.body.innerText`); !strings.Contains(text, hostile[0]) || !strings.Contains(text, hostile[8]) {
		t.Error("the strings are not shown as they are")
	}
	if wide := eval[int](t, p, `document.documentElement.scrollWidth`); wide > 1240 {
		t.Errorf("the page became %d pixels wide", wide)
	}
	p.quiet(t)
}
