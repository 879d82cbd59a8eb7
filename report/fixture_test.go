package report_test

import (
	"bytes"
	"flag"
	"io"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/sample"
	"linkcheck/store"
)

// The store of the program is a source.
var _ report.Source = (*store.Store)(nil)

var update = flag.Bool("update", false, "write the goldens anew")

// golden compares got with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from its golden (go test ./report -update writes it anew); got:\n%.3000s", name, got)
	}
}

// fixture is a small store given in full.
type fixture struct {
	sample.Source
	runs    []store.Run
	sources []store.Source
}

func (f *fixture) Runs() iter.Seq2[store.Run, error] {
	return func(yield func(store.Run, error) bool) {
		for _, r := range f.runs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

var now = time.Date(2026, time.November, 20, 7, 0, 0, 0, time.UTC)

func ago(days int) time.Time { return now.AddDate(0, 0, -days).Add(-5 * time.Hour) }

// options are those of the goldens.
func options() report.Options {
	return report.Options{Now: now, Version: "1.0", StorePath: "catalogue.db", RecordURL: "https://ils.example/bib/{id}", Title: "Small archive"}
}

// inRecord is a mention in the record bib of a catalogue.
func inRecord(url, bib string) store.Mention {
	return store.Mention{Collection: "Catalogue", Source: "cat.mrc", Record: bib, Locator: "856[1]$u", Raw: url, URL: url,
		Context: "Online: " + url, Title: "Title of " + bib}
}

// inFile is a mention on line n of a text.
func inFile(url, file string, n int) store.Mention {
	return store.Mention{Collection: "RFCs", Source: file, Line: n, Column: 7, Raw: url, URL: url, Context: "see <" + url + ">"}
}

// add gives the fixture a link with a history of good checks and then its own state.
func (f *fixture) add(url string, state judge.State, res check.Result, change judge.Change, places ...store.Mention) *store.Link {
	scheme, rest, _ := bytes.Cut([]byte(url), []byte(":"))
	host, _, _ := bytes.Cut(bytes.TrimPrefix(rest, []byte("//")), []byte("/"))
	if !bytes.HasPrefix(rest, []byte("//")) {
		host = nil
	}
	if i := bytes.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	l := store.Link{URL: url, Key: url, Scheme: string(scheme), Host: string(host), State: state, Last: res, FirstSeen: ago(90), FirstChecked: ago(90),
		LastOK: ago(30), Checks: 9, NextCheck: ago(-6)}
	l.Last.At, l.Last.Attempts = ago(0), 1
	if state == judge.Dead || state == judge.Failing {
		l.FailingSince, l.Strikes, l.Needed = ago(9), 3, 5
	}
	if change != judge.NoChange {
		l.Changes, l.ChangedRun = []judge.Change{change}, 2
	}
	e := store.Entry{Link: l, LiveMentions: places, History: []store.Event{
		{Run: 1, State: judge.Alive, Result: check.Result{Outcome: check.OK, Evidence: check.Strong, At: ago(30)}},
		{Run: 2, State: state, Result: l.Last}}}
	f.Extra = append(f.Extra, e)
	return &f.Extra[len(f.Extra)-1].Link
}

// smallArchive is the store behind the goldens: every group, a moved prefix,
// spellings, a password, a formula, a reply with control characters.
func smallArchive() *fixture {
	f := &fixture{runs: []store.Run{
		{ID: 1, Started: ago(1), Ended: ago(1).Add(20 * time.Minute), Checked: 15, States: map[string]int{"alive": 12, "failing": 2, "moved": 1}},
		{ID: 2, Started: ago(0), Ended: ago(0).Add(31 * time.Minute), Checked: 17, States: map[string]int{"alive": 5, "failing": 1, "dead": 3, "moved": 4}, Outages: []string{"ftp.down.example"}},
	}}
	gone := check.Result{Outcome: check.Gone, Reason: "gopher-error-item", Evidence: check.Strong, Reply: "3 '/a' does not exist"}
	f.add("gopher://gopher.old.example/00/a", judge.Dead, gone, judge.NewlyDead, inRecord("gopher://gopher.old.example/00/a", "b1"), inFile("gopher://gopher.old.example/00/a", "rfc1.txt", 12))
	f.add("gopher://gopher.old.example/00/b", judge.Dead, gone, judge.NoChange, inRecord("gopher://gopher.old.example/00/b", "b1"))
	f.add("http://gone.example/x", judge.Dead, check.Result{Outcome: check.Unreachable, Reason: "dns-nxdomain", Evidence: check.Strong, Reply: "=cmd|' /C calc'!A0"}, judge.NewlyDead, inRecord("http://gone.example/x", "b2"))
	for _, p := range []string{"/one", "/two", "/sub/three"} {
		url, to := "http://old.example"+p, "https://new.example/archive"+p
		f.add(url, judge.Moved, check.Result{Outcome: check.Moved, Reason: "http-301", Evidence: check.Strong, Reply: "301 Moved Permanently", FinalURL: to, SuggestedURL: to,
			Hops: []check.Hop{{Code: 301, URL: to}}}, judge.NewlyMoved, inRecord(url, "b3"))
	}
	f.add("http://doi.example/10.1/x", judge.Moved, check.Result{Outcome: check.Moved, Reason: "http-301", FinalURL: "https://p.example/x", SuggestedURL: "https://p.example/x", Flags: []string{"persistent-id"}}, judge.NoChange, inRecord("http://doi.example/10.1/x", "b4"))
	f.add("https://wall.example/a", judge.Restricted, check.Result{Outcome: check.Blocked, Reason: "challenge", Reply: "403 Forbidden, cf-mitigated: challenge"}, judge.NoChange, inRecord("https://wall.example/a", "b5"))
	f.add("ftp://user:secret@ftp.example/pub/f", judge.Restricted, check.Result{Outcome: check.Auth, Reason: "ftp-530", Reply: "530 no login for ftp://user:secret@ftp.example"}, judge.NoChange, inRecord("ftp://user:secret@ftp.example/pub/f", "b6"))
	f.add("http://soft.example/p", judge.Suspect, check.Result{Outcome: check.Suspect, Reason: "soft-404", Evidence: check.Weak, Reply: "200 OK"}, judge.NewlySuspect, inFile("http://soft.example/p", "rfc2.txt", 40))
	f.add("http://busy.example/", judge.Failing, check.Result{Outcome: check.Temporary, Reason: "http-503", Evidence: check.Weak, Reply: "503 Service Unavailable"}, judge.NoChange, inRecord("http://busy.example/", "b7"))
	f.add("http://back.example/", judge.Alive, check.Result{Outcome: check.OK, Reason: "http-200", Evidence: check.Strong, Reply: "200 OK"}, judge.Recovered, inRecord("http://back.example/", "b8"))
	f.add("http://case.example/~foo", judge.Alive, check.Result{Outcome: check.OK, Reason: "http-200", Evidence: check.Strong}, judge.NoChange,
		inRecord("http://case.example/~foo", "b8"), inRecord("HTTP://Case.Example:80/%7Efoo", "b9"))
	f.add("info:lccn/85000002", judge.NotCheckable, check.Result{Outcome: check.NotDereferenceable, Reason: "names-only"}, judge.NoChange, inRecord("info:lccn/85000002", "b9"))
	f.add("http:/ /broken.example/", judge.Invalid, check.Result{Outcome: check.Invalid, Reason: "uri-host-missing", SuggestedURL: "http://broken.example/"}, judge.NoChange, inRecord("http:/ /broken.example/", "b10"))
	pinned := f.add("http://pinned.example/", judge.PinnedAlive, check.Result{Outcome: check.Blocked, Reason: "http-403", Reply: "403 Forbidden"}, judge.NoChange, inRecord("http://pinned.example/", "b11"))
	pinned.Pin = &store.Pin{State: judge.PinnedAlive, By: "mk", Why: "+opens in the reading room", At: ago(3)}
	retired := inRecord("http://back.example/", "b99")
	retired.Retired = ago(2)
	f.Extra[11].LiveMentions = append(f.Extra[11].LiveMentions, retired)
	return f
}

func build(t *testing.T, src report.Source, o report.Options) *report.Report {
	t.Helper()
	r, err := report.Build(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func output(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Sources implements report.Source.
func (f *fixture) Sources() iter.Seq2[store.Source, error] {
	return func(yield func(store.Source, error) bool) {
		for _, src := range f.sources {
			if !yield(src, nil) {
				return
			}
		}
	}
}

// of binds a writer of plain text to a report.
func of(r *report.Report, write func(io.Writer, *report.Report) error) func(io.Writer) error {
	return func(w io.Writer) error { return write(w, r) }
}

func duplicates(t *testing.T, src report.Source, o report.Options) ([]report.Duplicate, error) {
	t.Helper()
	s, err := report.NewScope(t.Context(), src, o)
	if err != nil {
		return nil, err
	}
	return s.Duplicates(t.Context())
}
