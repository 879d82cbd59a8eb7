package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
	"linkcheck/store"
)

// figure gives the value of a line of a file of figures; "" if it is not there.
func figure(t *testing.T, file, name string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// A library with enough hosts that our own outage can be told.
func newWatched(t *testing.T) (l *library, file string, sites lab.Web) {
	l, sites = newLibrary(t, nil), lab.Web{}
	var text strings.Builder
	for i := range 6 {
		host := fmt.Sprintf("h%d.test", i)
		fmt.Fprintf(&text, "http://%s/\n", host)
		sites[host] = lab.Site{"/": lab.Text("text/plain", "here")}
	}
	l.write("a.txt", text.String())
	return l, filepath.Join(l.dir, "m.prom"), sites
}

// TestMetricsHoweverItEnds: every end of a run is told with its exit code, and only a run
// that did all it had to is a success (OUTCOMES section 3).
func TestMetricsHoweverItEnds(t *testing.T) {
	l, file, sites := newWatched(t)
	l.serveWeb(sites)
	succeeded := firstNight.Unix()
	held := func() func() {
		st, err := store.Open(l.store(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return func() { st.Close() }
	}
	damaged := func() func() {
		whole, err := os.ReadFile(l.store())
		if err != nil {
			t.Fatal(err)
		}
		testdoc.Write(t, l.store(), string(whole[:4096])+strings.Repeat("x", len(whole)-4096))
		return func() { testdoc.Write(t, l.store(), string(whole)) }
	}
	missing := func() func() {
		was := l.rules
		l.rules = nil
		for i := range 6 {
			l.rules = append(l.rules, fmt.Sprintf("h%d.test:80:127.0.0.1:1", i))
		}
		return func() { l.rules = was }
	}
	tests := []struct {
		name   string
		args   []string
		before func() (after func())
		code   int
		store  bool // it is told of
	}{
		{"well", nil, nil, exit.OK, true},
		{"usage", []string{"--max-duration", "-5s"}, nil, exit.BadUsage, false},
		{"bad flag", []string{"--no-such-flag"}, nil, exit.BadUsage, false},
		{"in use", nil, held, exit.InUse, false},
		{"damaged", nil, damaged, exit.Distrusted, false},
		{"own outage", []string{"--all"}, missing, exit.Distrusted, true},
		{"no time", []string{"--all", "--max-duration", "1ns"}, nil, exit.Partial, true},
		{"no source", []string{filepath.Join(l.dir, "nowhere")}, nil, exit.Partial, true},
	}
	for i, tt := range tests {
		after := func() {}
		if tt.before != nil {
			after = tt.before()
		}
		s := l.run(float64(i), slices.Concat([]string{"--metrics", file}, tt.args)...)
		after()
		if s.code != tt.code {
			t.Errorf("%s: %+v, want %d", tt.name, s, tt.code)
		}
		if got := figure(t, file, "linkcheck_run_exit_code"); got != fmt.Sprint(tt.code) {
			t.Errorf("%s: exit code %s is told", tt.name, got)
		}
		if got := figure(t, file, "linkcheck_run_last_success_timestamp_seconds"); len(got) < 7 || got[:7] != fmt.Sprint(succeeded)[:7] {
			t.Errorf("%s: the last success was at %s, want %d", tt.name, got, succeeded)
		}
		if got := figure(t, file, `linkcheck_group_links{group="fine"}`); (got != "") != tt.store {
			t.Errorf("%s: %q links are fine", tt.name, got)
		}
		switch tt.name {
		case "own outage":
			if figure(t, file, "linkcheck_run_distrusted") != "1" || figure(t, file, "linkcheck_run_outages") != "" || figure(t, file, "linkcheck_internal_results") != "6" {
				t.Errorf("%s: not told", tt.name)
			}
		case "no source":
			if got := figure(t, file, "linkcheck_unreadable_sources"); got != "1" {
				t.Errorf("%s: %s sources", tt.name, got)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	args := slices.Concat([]string{"run", "--quiet", "--store", l.store(), "--metrics", file}, l.netArgs(9), []string{l.docs()})
	if s := call(ctx, "", args...); s.code != exit.Interrupted || figure(t, file, "linkcheck_run_exit_code") != "130" {
		t.Errorf("interrupted: %+v, %s is told", s, figure(t, file, "linkcheck_run_exit_code"))
	}
	l.runQuietly(10, "--metrics", file, "--all", "--fail-on", "never")
	if got := figure(t, file, "linkcheck_run_last_success_timestamp_seconds"); got[:6] == fmt.Sprint(succeeded)[:6] {
		t.Errorf("a run that went well is no success: %s", got)
	}
	report := l.ok("report", "--metrics", "-")
	for _, name := range []string{"linkcheck_run_exit_code 0", "linkcheck_run_last_success_timestamp_seconds " + figure(t, file, "linkcheck_run_last_success_timestamp_seconds"),
		"linkcheck_unreadable_sources 0", "linkcheck_due_links ", `linkcheck_collection_links{collection="docs",group="fine"} 6`, "linkcheck_store_bytes "} {
		if !strings.Contains(report, name) {
			t.Errorf("report does not tell %s", name)
		}
	}
}

// TestAlertsNameFigures: each figure that docs/OPERATIONS.md names, in its rules too, is one
// that a run writes, under that name and with those labels.
func TestAlertsNameFigures(t *testing.T) {
	paper, err := os.ReadFile(filepath.Join("..", "..", "docs", "OPERATIONS.md"))
	if err != nil {
		t.Fatal(err)
	}
	l, file, sites := newWatched(t)
	l.serveWeb(sites)
	l.runQuietly(0, "--metrics", file)
	l.serveWeb(lab.Web{"guides.mill-library.org": lab.Site{"/": lab.Text("text/html", "<title>Guides</title>")}, "lost.mill-library.org": lab.Site{"*": lab.Status(http.StatusBadGateway)}})
	for root, code := range map[string]int{"guides": exit.OK, "lost": exit.Partial} { // one is read whole, one fails
		if s := l.readRoot(1, "http://"+root+".mill-library.org/", "--metrics", file); s.code != code {
			t.Errorf("%s: %+v", root, s)
		}
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`linkcheck_[a-z_]+(?:\{[^}]*\})?`).FindAllString(string(paper), -1)
	for _, name := range named {
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + `(?: |\{)`).Match(written) {
			t.Errorf("docs/OPERATIONS.md names %s, and a run does not write it", name)
		}
	}
	if rules := strings.Count(string(paper), "\n        expr: "); len(named) < 10 || rules < 8 {
		t.Errorf("%d figures and %d rules were found", len(named), rules)
	}
}

// TestMetricsReplaceFiguresOnly: a name that stands behind --metrics by mistake costs no
// file its content, and neither do help and questions about URIs given.
func TestMetricsReplaceFiguresOnly(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "info:lccn/1"})
	catalogue := filepath.Join(l.dir, "catalogue.mrc")
	testdoc.Write(t, catalogue, "00714cam a2200205 a 4500")
	for _, args := range [][]string{{"run", "--store", l.store(), "--metrics", catalogue}, {"run", "--store", l.store(), "--metrics", catalogue, l.docs()},
		{"run", "--store", l.store(), "--metrics", l.store(), l.docs()}} {
		if s := call(t.Context(), "", args...); s.code != exit.BadUsage && s.code != exit.Partial || !strings.Contains(s.err, "left as it is") {
			t.Errorf("%v: %+v", args, s)
		}
	}
	if text, err := os.ReadFile(catalogue); err != nil || string(text) != "00714cam a2200205 a 4500" {
		t.Errorf("the catalogue holds %q, %v", text, err)
	}
	l.ok("store verify")
	none := filepath.Join(l.dir, "none.prom")
	for _, args := range [][]string{{"run", "--metrics", none, "--help"}, {"check", "--metrics", none, "info:lccn/1"}} {
		call(t.Context(), "", args...)
		if _, err := os.Stat(none); err == nil {
			t.Errorf("%v wrote figures", args)
		}
	}
}
