package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// A night of many deaths still fits into a mail, and more serious exit codes come
// before --fail-on (OUTCOMES sections 2.2, 5.1.11).
func TestManyDeadLinksFitOneMail(t *testing.T) {
	var text strings.Builder
	for i := range 80 {
		fmt.Fprintf(&text, "http://h%d.mill.test/x\n", i%20)
		fmt.Fprintf(&text, "http://h%d.mill.test/%d\n", i%20, i)
	}
	l := newLibrary(t, map[string]string{"a.txt": text.String(), "b/b.txt": "http://h0.mill.test/"})
	sites := lab.Web{}
	for i := range 20 {
		sites[fmt.Sprintf("h%d.mill.test", i)] = lab.Site{}
	}
	l.serveWeb(sites)
	for _, night := range []float64{0, 1, 4} {
		l.runQuietly(night, "--fail-on", "newly-dead")
	}
	s := l.run(7, "--fail-on", "newly-dead", filepath.Join(l.dir, "missing"))
	if n := strings.Count(s.out, "\n"); s.code != exit.Partial || n < 20 || n > 40 || !strings.Contains(s.out, "101 newly dead") || !strings.Contains(s.err, "missing") {
		t.Errorf("exit %d, %d lines:\n%s%s", s.code, n, s.out, s.err)
	}
	for line := range strings.Lines(s.out) {
		if len(line) > 400 {
			t.Errorf("a line of %d octets: %s", len(line), line)
		}
	}
}

// What a person may choose: links by state, host or age; decisions about hosts.
func TestCheckSelectedLinks(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://one.test/ok http://one.test/gone http://two.test/ok http://two.test/gone"})
	site := lab.Site{"/ok": lab.Text("text/plain", "here")}
	web := l.serveWeb(lab.Web{"one.test": site, "two.test": site})
	ask := func(day float64, flags ...string) []string {
		t.Helper()
		s := call(t.Context(), "", slices.Concat([]string{"check", "--quiet", "--fail-on", "never", "--store", l.store()}, l.netArgs(day), flags)...)
		if s.code != exit.OK {
			t.Fatalf("%q: %+v", flags, s)
		}
		got := web.pages()
		slices.Sort(got)
		return got
	}
	l.runQuietly(0)
	web.requests()
	for _, row := range []struct {
		flags []string
		want  []string
	}{
		{[]string{"--new"}, nil},
		{nil, nil},
		{[]string{"--state", "failing"}, []string{"GET one.test/gone", "GET two.test/gone"}},
		{[]string{"--host", "two.test"}, []string{"GET two.test/gone", "GET two.test/ok"}},
		{[]string{"--host", "two.test", "--state", "alive"}, []string{"GET two.test/ok"}},
		{[]string{"--all", "--exclude", "gone$"}, []string{"GET one.test/ok", "GET two.test/ok"}},
		{[]string{"--state", "dead,suspect"}, nil},
	} {
		if got := ask(0.1, row.flags...); !slices.Equal(got, row.want) {
			t.Errorf("%q: asked %q, want %q", row.flags, got, row.want)
		}
	}
	l.ok("mark", "--why", "kept as history", "--now", day(1), "two.test", "ignore")
	if got := ask(2, "--all"); !slices.Equal(got, []string{"GET one.test/gone", "GET one.test/ok"}) {
		t.Errorf("an ignored host was asked: %q", got)
	}
	l.ok("mark", "--remove", "two.test")
	if got := ask(3, "--all"); len(got) != 4 {
		t.Errorf("the decision was taken back: %q", got)
	}
}

// Figures that cannot be written cost neither the news nor the work.
func TestUnwritableMetrics(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/old"})
	l.serveWeb(lab.Web{"www.mill.test": {"/old": lab.Redirect(301, "/new"), "/new": lab.Text("text/plain", "here")}})
	s := l.run(0, "--metrics", filepath.Join(l.dir, "missing", "m.prom"))
	if s.code != exit.Partial || !strings.Contains(s.out, "newly moved: http://www.mill.test/old") || !strings.Contains(s.err, "metrics") {
		t.Errorf("%+v", s)
	}
	file := filepath.Join(l.dir, "m.prom")
	l.runQuietly(1, "--metrics", file)
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "linkcheck_links") {
		t.Errorf("%v: %s", err, text)
	}
}

// A record that is gone from its source leaves the report and is asked no more;
// when it comes back its history is there (sections 4, 5.1.10).
func TestRetiredLinks(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/a", "b.txt": "http://www.mill.test/b"})
	web := l.serveWeb(lab.Web{"www.mill.test": {"/a": lab.Text("text/plain", "here"), "/b": lab.Text("text/plain", "here")}})
	l.runQuietly(0)
	if err := os.Remove(filepath.Join(l.docs(), "b.txt")); err != nil {
		t.Fatal(err)
	}
	l.runQuietly(1)
	if got := l.links(); len(got) != 1 {
		t.Errorf("still there: %v", got)
	}
	web.requests()
	l.runQuietly(20)
	if got := web.pages(); !slices.Equal(got, []string{"GET www.mill.test/a"}) {
		t.Errorf("asked %q", got)
	}
	l.write("b.txt", "http://www.mill.test/b and more")
	l.runQuietly(21)
	if got := l.links()["http://www.mill.test/b"]; got.ChecksTotal != 2 || got.State != "alive" {
		t.Errorf("back again: %+v", got)
	}
}

// Two reports on one store are the same to the byte, in every form (DESIGN law 8),
// and explain names a rule for every state.
func TestReportsAreDeterministic(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": strings.Join([]string{"http://www.mill.test/ok", "http://www.mill.test/gone", "http://www.mill.test/old",
		"http://www.mill.test/no", "http://www.mill.test/empty", "http://www.mill.test/odd", "http://www.mill.test/busy", "info:lccn/85000002",
		"HTTP://WWW.mill.test/ok", "<ftp://256.0.0.1/>"}, "\n")})
	l.serveWeb(lab.Web{"www.mill.test": {"/ok": lab.Page("Mill", "The mill."), "/old": lab.Redirect(301, "/ok"), "/no": lab.Status(403),
		"/empty": lab.Status(204), "/odd": lab.Status(400), "/busy": lab.Status(503)}})
	for _, night := range []float64{0, 1, 4, 7} {
		l.runWell(night)
	}
	states := map[string]bool{}
	for url, got := range l.links() {
		states[got.State] = true
		if said := l.ok("explain", url); !strings.Contains(said, "\n  rule ") || !strings.Contains(said, "state     "+got.State) {
			t.Errorf("%s (%s): no rule in\n%s", url, got.State, said)
		}
	}
	for _, s := range []string{"alive", "dead", "moved", "restricted", "suspect", "undetermined", "failing", "not-checkable", "invalid"} {
		if !states[s] {
			t.Errorf("no link is %s: %v", s, states)
		}
	}
	for _, args := range [][]string{{"report"}, {"report", "--csv", "-"}, {"report", "--jsonl", "-"}, {"report", "--html", "-"}, {"report", "--summary"},
		{"report", "--xlsx", "-"}, {"report", "--fixes", "-"}, {"dupes"}, {"dupes", "--json"}, {"dupes", "--by", "final"}} {
		now := []string{"--now", day(8)}
		first := l.ok(args[0], append(args[1:], now...)...)
		for range 3 {
			if again := l.ok(args[0], append(args[1:], now...)...); again != first {
				t.Errorf("%q differs from itself", args)
			}
		}
		if len(first) == 0 {
			t.Errorf("%q is empty", args)
		}
	}
}
