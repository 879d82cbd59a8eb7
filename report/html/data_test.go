package html

import (
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/store"
)

// TestPastChecks packs equal checks at equal distances into one.
func TestPastChecks(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, time.November, n, 2, 0, 0, 0, time.UTC) }
	event := func(n int, state judge.State, o check.Outcome) store.Event {
		return store.Event{State: state, Result: check.Result{Outcome: o, At: day(n)}}
	}
	var nightly []store.Event
	for n := range 20 {
		nightly = append(nightly, event(1+n, judge.Alive, check.OK))
	}
	for _, tt := range []struct {
		events []store.Event
		want   string
	}{
		{nil, ""},
		{nightly[:1], "bb"},
		{nightly[:3], "bb bb1*2"},
		{nightly, "bb bb1*11"}, // the last twelve
		{[]store.Event{event(1, judge.Alive, check.OK), event(8, judge.Alive, check.OK), event(9, judge.Failing, check.Temporary), event(10, judge.Failing, check.Temporary)}, "bb bb7 di1*2"},
	} {
		if got := pastChecks(tt.events); got != tt.want {
			t.Errorf("%d events: %q, want %q", len(tt.events), got, tt.want)
		}
	}
}

// TestBreakable lets an address break behind its marks only, and escapes it.
func TestBreakable(t *testing.T) {
	for url, want := range map[string]string{
		"http://h.example/a/b": "http://<wbr>h.example/<wbr>a/<wbr>b",
		"?q=<x>&y":             "?<wbr>q=<wbr>&lt;x&gt;&amp;<wbr>y",
		"":                     "",
	} {
		if got := string(breakable(url)); got != want {
			t.Errorf("%q: %q, want %q", url, got, want)
		}
	}
}

// TestChain names every redirect of a link that needs a person, and its end once.
func TestChain(t *testing.T) {
	r := &report.Row{Group: report.Update}
	r.Last.FinalURL = "http://c.example/"
	r.Last.Hops = []check.Hop{{Code: 302, URL: "http://b.example/"}, {Code: 301, URL: "http://c.example/"}}
	if got, want := Chain(&report.Scope{}, r), "302 http://b.example/\n301"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if r.Group = report.Fine; Chain(&report.Scope{}, r) != "" {
		t.Error("a link that is fine shows its redirects")
	}
}

// TestDayNumber: days change at midnight in UTC, before 1970 as well.
func TestDayNumber(t *testing.T) {
	for at, want := range map[time.Time]int{
		time.Unix(0, 0):     0,
		time.Unix(86399, 0): 0,
		time.Unix(86400, 0): 1,
		time.Unix(-1, 0):    -1,
		time.Date(2026, time.November, 20, 0, 30, 0, 0, time.FixedZone("", 3600)): 20776,
	} {
		if got := dayNumber(at); got != want {
			t.Errorf("%s: %d, want %d", at, got, want)
		}
	}
}
