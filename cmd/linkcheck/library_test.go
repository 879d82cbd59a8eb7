package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

// firstNight is day 0 of every test over some nights.
var firstNight = time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)

// library is what such a test begins with: documents, a store, and the names that
// lead to the servers of the test.
type library struct {
	t     *testing.T
	dir   string
	rules []string // --connect-to
}

func newLibrary(t *testing.T, files map[string]string) *library {
	l := &library{t: t, dir: t.TempDir()}
	for name, text := range files {
		l.write(name, text)
	}
	return l
}

// write puts a document into the library.
func (l *library) write(name, text string) {
	l.t.Helper()
	testdoc.Write(l.t, filepath.Join(l.dir, "docs", name), text)
}

func (l *library) docs() string  { return filepath.Join(l.dir, "docs") }
func (l *library) store() string { return filepath.Join(l.dir, "s.db") }

// route leads names, with their ports, to an address.
func (l *library) route(at net.Addr, names ...string) {
	for _, n := range names {
		l.rules = append(l.rules, n+":"+at.String())
	}
}

// result is what one call of the program gave.
type result struct {
	code     int
	out, err string
}

// call runs the program in process.
func call(ctx context.Context, stdin string, args ...string) result {
	var out, err bytes.Buffer
	code := run(ctx, nil, args, strings.NewReader(stdin), &out, &err)
	return result{code, out.String(), err.String()}
}

// netArgs are the arguments of every verb that dials, for a day.
func (l *library) netArgs(day float64) []string {
	at := firstNight.Add(time.Duration(day * float64(24*time.Hour)))
	args := []string{"--allow-private", "127.0.0.0/8", "--splay", "0", "--host-delay", "0", "--retry-delay", "0",
		"--timeout", "10s", "--now", at.Format(time.RFC3339)}
	for _, r := range l.rules {
		args = append(args, "--connect-to", r)
	}
	return args
}

// run is one `run --quiet`, as cron starts it.
func (l *library) run(day float64, more ...string) result {
	args := slices.Concat([]string{"run", "--quiet", "--store", l.store()}, l.netArgs(day), more, []string{l.docs()})
	return call(l.t.Context(), "", args...)
}

// runQuietly is a run that must print nothing.
func (l *library) runQuietly(day float64, more ...string) {
	l.t.Helper()
	if s := l.run(day, more...); s != (result{}) {
		l.t.Fatalf("day %v: not quiet: %+v", day, s)
	}
}

// runWell is a run that must end with exit code 0, with or without news.
func (l *library) runWell(day float64, more ...string) result {
	l.t.Helper()
	s := l.run(day, more...)
	if s.code != exit.OK || s.err != "" {
		l.t.Fatalf("day %v: %+v", day, s)
	}
	return s
}

// ok runs a verb over the store that must succeed, and gives what it printed.
func (l *library) ok(verb string, args ...string) string {
	l.t.Helper()
	s := call(l.t.Context(), "", slices.Concat(strings.Fields(verb), []string{"--store", l.store()}, args)...)
	if s.code != exit.OK {
		l.t.Fatalf("%s %q: %+v", verb, args, s)
	}
	return s.out
}

func day(n float64) string {
	return firstNight.Add(time.Duration(n * float64(24*time.Hour))).Format(time.RFC3339)
}

// link is the part of a row of `report --jsonl` that tests look at.
type link struct {
	URL, Host, State, Outcome, Reason, Action string
	RecordID                                  string `json:"record_id"`
	SuggestedURL                              string `json:"suggested_url"`
	LastOK                                    string `json:"last_ok"`
	LastChecked                               string `json:"last_checked"`
	NextCheck                                 string `json:"next_check"`
	FailingSince                              string `json:"failing_since"`
	FailStreak                                int    `json:"fail_streak"`
	ChecksTotal                               int    `json:"checks_total"`
	Changes                                   []string
	Message                                   string
	DuplicateGroup                            string `json:"duplicate_group"`
}

// links gives the links of the store by address, one row each.
func (l *library) links() map[string]link {
	l.t.Helper()
	found := map[string]link{}
	for line := range strings.Lines(l.ok("report", "--jsonl", "-", "--unique")) {
		var row link
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			l.t.Fatalf("%v in %s", err, line)
		}
		found[row.URL] = row
	}
	return found
}

// table gives the rows of `report --csv` by column; every row is complete.
func (l *library) table(args ...string) []map[string]string {
	l.t.Helper()
	all, err := csv.NewReader(strings.NewReader(l.ok("report", slices.Concat([]string{"--csv", "-"}, args)...))).ReadAll()
	if err != nil {
		l.t.Fatal(err)
	}
	var rows []map[string]string
	for i, cells := range all {
		if len(cells) != 40 {
			l.t.Fatalf("row %d has %d columns: %q", i, len(cells), cells)
		}
		row := map[string]string{}
		for k, c := range cells {
			row[all[0][k]] = c
		}
		if i > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// webServer serves web sites and remembers what it was asked.
type webServer struct {
	net.Addr
	mu     sync.Mutex
	asked  []string // "GET host/path", in order
	before func(*http.Request)
}

// serveWeb starts sites behind their names on port 80.
func (l *library) serveWeb(sites lab.Web) *webServer {
	w := &webServer{}
	handler := http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.asked = append(w.asked, r.Method+" "+r.Host+r.URL.Path)
		before := w.before
		w.mu.Unlock()
		if before != nil {
			before(r)
		}
		sites.ServeHTTP(out, r)
	})
	var names []string
	for name := range sites {
		names = append(names, name+":80")
	}
	w.Addr = l.serve(func(at net.Listener) error { return lab.HTTP(at, handler) }, names...)
	return w
}

// serve starts a server behind names ("host:port") for the time of the test.
func (l *library) serve(server func(net.Listener) error, names ...string) net.Addr {
	l.t.Helper()
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		l.t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := server(at); err != nil {
			l.t.Error(err)
		}
	})
	l.t.Cleanup(func() { at.Close(); wg.Wait() })
	l.route(at.Addr(), names...)
	return at.Addr()
}

// pages gives the requests, but for robots.txt, that came after the last call.
func (w *webServer) pages() []string {
	all := w.requests()
	return slices.DeleteFunc(all, func(s string) bool { return strings.HasSuffix(s, "/robots.txt") })
}

// requests is pages with robots.txt.
func (w *webServer) requests() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := w.asked
	w.asked = nil
	return list
}

// count says how often a list holds s.
func count(list []string, s string) (n int) {
	for _, x := range list {
		if x == s {
			n++
		}
	}
	return n
}

// check asks about one URI and gives the row of `check --json`.
func (l *library) check(uri string, more ...string) (row answerRow) {
	l.t.Helper()
	s := call(l.t.Context(), "", slices.Concat([]string{"check", "--json", "--fail-on", "never"}, l.netArgs(0), more, []string{"--", uri})...)
	if err := json.Unmarshal([]byte(s.out), &row); err != nil || s.code != exit.OK || s.err != "" {
		l.t.Fatalf("check %.200q: %v, %+v", uri, err, s)
	}
	return row
}

// decode reads one JSON object.
func decode[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %.300q", err, text)
	}
	return v
}

// newStore makes a folder with a small store, and goes there.
func newStore(t *testing.T) {
	t.Helper()
	l := newLibrary(t, map[string]string{"a.txt": "see http://a.test/ now"})
	t.Chdir(t.TempDir())
	if s := call(t.Context(), "", "run", "--store", "s.db", "--exclude", ".", l.docs()); s.code != exit.OK {
		t.Fatalf("%+v", s)
	}
}
