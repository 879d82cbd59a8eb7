package report_test

import (
	"io"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/table"
	"linkcheck/store"
)

// A link that leads where a proven rewrite says is proposed with it, in all forms, if all
// that is known of its site agrees; else in none. OUTCOMES section 1.5.
func TestMovedAsAWhole(t *testing.T) {
	known := func(others uint8, at int) likeness.Memory {
		return likeness.Memory{Kind: likeness.Main, Looks: 6, Others: others, Seen: ago(at)}
	}
	link := func(f *fixture, url, to string, state judge.State, outcome check.Outcome, flags ...string) *store.Link {
		r := check.Result{Outcome: outcome, Reason: "http-200", FinalURL: to, Flags: flags}
		if to != "" {
			r.Hops = []check.Hop{{Code: 301, URL: to}}
		}
		if outcome == check.Moved {
			r.SuggestedURL = to
		}
		return f.add(url, state, r, judge.NoChange, inRecord(url, "b1"))
	}
	moved := func(f *fixture, paths ...string) {
		for _, p := range paths {
			link(f, "http://old.test"+p, "https://new.test/x"+p, judge.Moved, check.Moved).Text = known(0, 0)
		}
	}
	// other is a link that leads to another site, with nothing known of its own text.
	other := func(f *fixture, url, to string) *store.Link {
		l := link(f, url, to, judge.Alive, check.OK, string(check.FlagOtherSite))
		l.PageDoubt, l.Changes, l.ChangedRun = check.FlagOtherSite, []judge.Change{judge.NewlyDrifted}, 2
		return l
	}
	front := func(f *fixture) *store.Link { return other(f, "http://old.test/", "https://new.test/x/") }
	three := []string{"/a", "/b", "/c/d"}
	tests := []struct {
		name string
		make func(f *fixture)
		also int
	}{
		{"three and one", func(f *fixture) { moved(f, three...); front(f) }, 1},
		{"an index page of another host of the site", func(f *fixture) {
			moved(f, three...)
			other(f, "http://old.test/c/index.html", "https://new.test/x/c/index.html")
			link(f, "http://www.old.test/z", "https://www.new.test/z", judge.Moved, check.Moved)
		}, 1},
		{"a text of the new site is known", func(f *fixture) {
			moved(f, three...)
			l := front(f)
			l.Text = known(0, 0)
			l.Text.Site = 7
		}, 1},
		{"what is gone says nothing", func(f *fixture) {
			moved(f, three...)
			front(f)
			link(f, "http://old.test/gone", "", judge.Dead, check.Gone)
		}, 1},
		{"two and one", func(f *fixture) { moved(f, three[:2]...); front(f) }, 0},
		{"three by their names, two by their texts", func(f *fixture) {
			moved(f, three[:2]...)
			link(f, "http://old.test/n", "https://new.test/x/n", judge.Moved, check.Moved)
			front(f)
		}, 0},
		{"a text that was not met again", func(f *fixture) {
			moved(f, three[:2]...)
			link(f, "http://old.test/n", "https://new.test/x/n", judge.Moved, check.Moved).Text = known(0, 9)
			front(f)
		}, 0},
		{"another path", func(f *fixture) { moved(f, three...); other(f, "http://old.test/", "https://new.test/") }, 0},
		{"all to one page", func(f *fixture) { moved(f, three...); other(f, "http://old.test/q/", "https://new.test/x/a") }, 0},
		{"a temporary redirect", func(f *fixture) { moved(f, three...); front(f).Last.Hops[0].Code = 302 }, 0},
		{"its own text is known, and met again in part", func(f *fixture) { moved(f, three...); front(f).Text = known(0, 0) }, 1},
		{"a front page that asks for a password", func(f *fixture) { moved(f, three...); front(f).Last.Outcome = check.Auth }, 0},
		{"marked by a person", func(f *fixture) {
			moved(f, three...)
			l := front(f)
			l.Pin, l.State, l.PageDoubt = &store.Pin{State: judge.PinnedAlive}, judge.PinnedAlive, ""
		}, 0},
		{"its own text is known", func(f *fixture) { moved(f, three...); front(f).Text = known(1, 9) }, 0},
		{"its own text is known and cannot be compared", func(f *fixture) { moved(f, three...); front(f).Text = known(0, 9) }, 0},
		{"a third site", func(f *fixture) {
			moved(f, three...)
			front(f)
			other(f, "http://old.test/y", "http://casino.test/y")
		}, 0},
		{"a third site, from another host", func(f *fixture) {
			moved(f, three...)
			front(f)
			for _, host := range strings.Fields("w1. w2. w3. w4. w5. w6. w7.") {
				link(f, "http://"+host+"old.test/y", "http://new.test/", judge.Suspect, check.Suspect)
			}
			link(f, "http://www.old.test/y", "http://casino.test/", judge.Suspect, check.Suspect)
		}, 0},
		{"still there", func(f *fixture) {
			moved(f, three...)
			front(f)
			link(f, "http://old.test/y", "", judge.Alive, check.OK)
		}, 0},
		{"another text there", func(f *fixture) {
			moved(f, three...)
			front(f)
			other(f, "http://old.test/y", "https://new.test/x/y").Text = known(1, 9)
		}, 0},
		{"another text there, for one night", func(f *fixture) {
			moved(f, three...)
			front(f)
			link(f, "http://old.test/y", "https://new.test/x/y", judge.Alive, check.OK).Text = known(1, 9)
		}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fixture{}
			tt.make(f)
			checkWhole(t, f, tt.also)
		})
	}
}

// What is proposed by the name of its page alone is not, once a page of the same site has
// another text where it leads. OUTCOMES section 1.5.
func TestMovedAgainstTheSite(t *testing.T) {
	for _, tt := range []struct {
		name   string
		others uint8
		leads  string
		want   report.Group
	}{
		{"another text", 1, "http://new.test/", report.Check},
		{"the text", 0, "http://new.test/", report.Update},
		{"another text of a third site", 1, "http://third.test/", report.Update},
	} {
		f := &fixture{}
		named := f.add("http://old.test/a", judge.Moved, check.Result{Outcome: check.Moved, Reason: "http-200", SuggestedURL: "http://new.test/a",
			FinalURL: "http://new.test/a", Hops: []check.Hop{{Code: 301, URL: "http://new.test/a"}}}, judge.NoChange, inRecord("http://old.test/a", "b1"))
		named.Text = likeness.Memory{Kind: likeness.Main, Looks: 1, Site: 9, Seen: ago(0)}
		other := f.add("http://www.old.test/b", judge.Alive, check.Result{Outcome: check.OK, Reason: "http-200", FinalURL: tt.leads,
			Hops: []check.Hop{{Code: 302, URL: tt.leads}}}, judge.NoChange, inRecord("http://www.old.test/b", "b1"))
		other.Text = likeness.Memory{Kind: likeness.Main, Looks: 6, Others: tt.others, Seen: ago(int(tt.others))}
		other.PageDoubt = check.FlagOtherSite
		r := build(t, f, options())
		fixes := string(output(t, func(w io.Writer) error { return table.WriteFixes(t.Context(), w, f, options()) }))
		if r.ByGroup[tt.want] == 0 || r.ByGroup[report.Update]+r.ByGroup[report.Check] != 2 || strings.Contains(fixes, "new.test") != (tt.want == report.Update) {
			t.Errorf("%s: %v, %s", tt.name, r.ByGroup, fixes)
		}
	}
}

// checkWhole compares the forms of a report in which so many links follow their site.
func checkWhole(t *testing.T, f *fixture, want int) {
	t.Helper()
	const sentence = "The whole site moved: 3 pages are alike"
	r := build(t, f, options())
	also, said := 0, false
	for _, w := range r.Rewrites {
		if also += w.Also; len(w.AlsoLike) != w.Also || w.Links > w.Of {
			t.Errorf("examples %+v", w)
		}
	}
	for _, c := range r.Causes {
		said = said || c.Move != nil && strings.Contains(c.Message, "1 of them is known by the rule alone")
	}
	if also != want || said != (want > 0) {
		t.Errorf("%d, want %d, said %v: %+v", also, want, said, r.Rewrites)
	}
	page := string(output(t, func(w io.Writer) error { return html.Write(t.Context(), w, r) }))
	if strings.Contains(page, `<p class="small">1 of them is known`) != (want > 0) || strings.Contains(page, sentence) != (want > 0) {
		t.Error("the page says another thing")
	}
	n := want
	for _, e := range f.Extra {
		if e.State == judge.Moved {
			n++
		}
	}
	fixes := string(output(t, func(w io.Writer) error { return table.WriteFixes(t.Context(), w, f, options()) }))
	if got := strings.Count(fixes, "\n") - 1; got != n || n < 2 || strings.Contains(fixes, "casino") || strings.Count(fixes, "\tsite-moved\t") != want {
		t.Errorf("%d fixes, want %d: %s", got, n, fixes)
	}
	if r.ByGroup[report.Update] != n {
		t.Errorf("%d to update, want %d", r.ByGroup[report.Update], n)
	}
	lines := string(output(t, func(w io.Writer) error { return table.WriteJSONL(t.Context(), w, f, options()) }))
	if strings.Count(lines, `"action":"update-url"`) != n || strings.Count(lines, sentence) != want || strings.Count(lines, `"newly-moved"`) != want {
		t.Errorf("JSON: %s", lines)
	}
	o := options()
	o.Only = []string{"site-moved"}
	cells := string(output(t, func(w io.Writer) error { return table.WriteCSV(t.Context(), w, f, o) }))
	if got := strings.Count(cells, "\r\n") - 1; got != want || want > 0 && !strings.Contains(cells, ",update,alive,update-url,") {
		t.Errorf("CSV: %s", cells)
	}
}

// A DOI that is alive at an old address of its resolver is proposed with the new one, as it
// is written; nothing else of a persistent identifier is.
func TestOldResolver(t *testing.T) {
	for _, tt := range []struct {
		url  string
		make func(l *store.Link)
		want string
	}{
		{"http://dx.doi.org/10.1000/ABC%2Fd?x#f", nil, "https://doi.org/10.1000/ABC%2Fd?x#f"},
		{"https://dx.doi.org/10.1/x", nil, "https://doi.org/10.1/x"},
		{"HTTP://DX.doi.org/10.1/x", func(l *store.Link) { l.Host = "dx.doi.org" }, "https://doi.org/10.1/x"},
		{"http://dx.doi.org/10.1/reg", func(l *store.Link) { l.Last.Outcome = check.Reachable }, "https://doi.org/10.1/reg"},
		{"http://dx.doi.org/10.1/gone", func(l *store.Link) { l.State, l.Last.Outcome = judge.Dead, check.Gone }, ""},
		{"http://dx.doi.org/10.1/tonight", func(l *store.Link) { l.Last.Outcome = check.Blocked }, ""},
		{"http://dx.doi.org/10.1/drifted", func(l *store.Link) { l.PageDoubt = check.FlagDrift }, ""},
		{"http://dx.doi.org/10.1/marked", func(l *store.Link) { l.State = judge.PinnedAlive }, ""},
		{"http://dx.doi.org/10.1/proxied", func(l *store.Link) { l.Via = "https://proxy.test/login?url=" }, ""},
		{"http://dx.doi.org/help", nil, ""},
		{"http://dx.doi.org:8080/10.1/x", nil, ""},
		{"https://doi.org/10.1/x", nil, ""},
		{"http://hdl.handle.net/10.1/x", nil, ""},
		{"ftp://dx.doi.org/10.1/x", nil, ""},
	} {
		f := &fixture{}
		to := "https://publisher.test/x"
		l := f.add(tt.url, judge.Alive, check.Result{Outcome: check.OK, Reason: "http-200", FinalURL: to, Flags: []string{"persistent-id"},
			Hops: []check.Hop{{Code: 302, URL: to}}}, judge.NoChange, inRecord(tt.url, "b1"))
		if tt.make != nil {
			tt.make(l)
		}
		fixes := string(output(t, func(w io.Writer) error { return table.WriteFixes(t.Context(), w, f, options()) }))
		_, row, _ := strings.Cut(fixes, "\n")
		if (row != "") != (tt.want != "") || row != "" && !strings.Contains(row, "\t"+tt.url+"\t"+tt.want+"\told-resolver\t") || strings.Contains(row, "publisher") {
			t.Errorf("%s: %q", tt.url, fixes)
		}
		if r := build(t, f, options()); (r.ByGroup[report.Update] == 1) != (tt.want != "") {
			t.Errorf("%s: %v", tt.url, r.ByGroup)
		}
	}
}
