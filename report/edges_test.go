package report_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/sample"
	"linkcheck/report/table"
	"linkcheck/report/text"
	"linkcheck/store"
	"linkcheck/uri/equal"
)

// TestEdges writes every format over stores that have broken reports before.
func TestEdges(t *testing.T) {
	empty := &fixture{}
	midRun := smallArchive()
	midRun.runs[1].Ended = time.Time{}
	one := &fixture{}
	one.add("http://only.example/", judge.New, check.Result{}, judge.NoChange, inRecord("http://only.example/", "b1"))
	one.Extra[0].Link.Last, one.Extra[0].History = check.Result{}, nil
	bare := &fixture{}
	bare.add("x", judge.Undetermined, check.Result{}, judge.NoChange, store.Mention{})
	long := &fixture{}
	long.add("http://long.example/"+strings.Repeat("%E2%82%AC/", 900), judge.Dead, check.Result{Outcome: check.Gone, Reason: "http-404", Reply: strings.Repeat("very ", 100)},
		judge.NewlyDead, inRecord("http://long.example/"+strings.Repeat("%E2%82%AC/", 900), strings.Repeat("b", 5000)))
	dirty := &fixture{}
	dirty.add("http://\xff\xfe.example/\x00\r\n", judge.Invalid, check.Result{Outcome: check.Invalid, Reason: "uri-\xff", Reply: "\x1b[2J\xff"}, judge.NoChange,
		store.Mention{Collection: "\xff", Source: "a\nforged", Record: "\u202e", Title: "كتاب 书 📚 \xff", URL: "http://\xff\xfe.example/\x00\r\n", Context: "\x00\t\n"})
	for _, url := range []string{"http://twice.example/", "HTTP://twice.example:80/"} {
		dirty.add(url, judge.Dead, check.Result{Outcome: check.Gone, Flags: []string{"f\nforged"}}, judge.NewlyDead,
			store.Mention{Source: "a\nforged", Record: "\u202er\nforged", Locator: "l\nforged", Title: "t\u2066\nforged", URL: url, Context: "c\nforged"})
	}
	for name, src := range map[string]*fixture{"empty": empty, "mid-run": midRun, "one": one, "bare": bare, "long": long, "dirty": dirty} {
		for form, write := range formats(t, src, options()) {
			text := output(t, write)
			if form != "fixes" && form != "dupes.jsonl" && form != "jsonl" && len(text) == 0 {
				t.Errorf("%s of %s is empty", form, name)
			}
			if bytes.ContainsAny(text, "\x00\x1b") || bytes.Contains(text, []byte("\u202e")) {
				t.Errorf("%s of %s lets control characters through", form, name)
			}
			if bytes.Contains(text, []byte("\nforged")) {
				t.Errorf("%s of %s has a line that a stranger began", form, name)
			}
			if !bytes.Equal(text, bytes.ToValidUTF8(text, nil)) {
				t.Errorf("%s of %s is not UTF-8", form, name)
			}
		}
	}
	if text := output(t, of(build(t, midRun, options()), text.WriteSummary)); !bytes.Contains(text, []byte("still going or interrupted")) {
		t.Error("a report in the middle of a run does not say so")
	}
}

// TestCells keeps every CSV row of strange text one row of 40 cells.
func TestCells(t *testing.T) {
	src := &fixture{}
	m := inRecord("http://x.example/\"a\",b", "b\"1\"\r\n,")
	m.Title, m.Context = "\"quoted\", and\r\ntwo lines", ",,,\t;"
	src.add("http://x.example/\"a\",b", judge.Dead, check.Result{Outcome: check.Gone, Reply: "a\tb"}, judge.NoChange, m)
	rows, err := csv.NewReader(bytes.NewReader(output(t, func(w io.Writer) error { return table.WriteCSV(t.Context(), w, src, options()) }))).ReadAll()
	if err != nil || len(rows) != 2 || len(rows[1]) != 40 {
		t.Fatalf("%d rows (%v)", len(rows), err)
	}
	tsv := output(t, func(w io.Writer) error { return table.WriteTSV(t.Context(), w, src, options()) })
	if n := bytes.Count(tsv, []byte("\t")); n != 2*39 || bytes.Count(tsv, []byte("\n")) != 2 {
		t.Errorf("TSV has %d tabs, want 78, in\n%s", n, tsv)
	}
}

// popular is a source with one link that has very many mentions.
type popular struct {
	*fixture
	places int
}

func (p *popular) Scan(pick store.Pick) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for e := range p.fixture.Scan(pick) {
			e.Mentions = p.places
			for i := range p.places {
				sample.Add(&e, inRecord("http://popular.example/", fmt.Sprintf("b%d", i)), pick)
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// TestPopular: a link with 100,000 mentions has as many rows, and a page of normal size.
func TestPopular(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100,000 rows in each form")
	}
	src := &popular{&fixture{}, 100_000}
	src.add("http://popular.example/", judge.Dead, check.Result{Outcome: check.Gone, Reason: "http-404"}, judge.NewlyDead)
	sizes := map[string][2]int{"csv": {20 << 20, 60 << 20}, "html": {20 << 10, 200 << 10}, "text": {100, 10 << 10}, "summary": {100, 10 << 10}, "dupes": {1, 10 << 10}}
	written := formats(t, src, options())
	for form, size := range sizes {
		text := output(t, written[form])
		if len(text) < size[0] || len(text) > size[1] {
			t.Errorf("%s has %d bytes, want %d to %d", form, len(text), size[0], size[1])
		}
		if form == "csv" && bytes.Count(text, []byte("\r\n")) != 100_001 {
			t.Error("want a row for every place")
		}
	}
	if r := build(t, src, options()); r.Records != 100_000 || r.Causes[0].Records != 100_000 {
		t.Errorf("%d records", r.Records)
	}
}

// TestLeftOut: a page that cannot hold all links keeps those that need a person and
// says what it left out.
func TestLeftOut(t *testing.T) {
	o := options()
	o.MaxLinks = 1000
	r := build(t, &sample.Source{N: 2000}, o)
	text := string(output(t, func(w io.Writer) error { return html.Write(t.Context(), w, r) }))
	if n := strings.Count(text[strings.Index(text, `id="data"`):], "\n["); n < 1000 || n > 1000+700 {
		t.Errorf("%d rows", n)
	}
	const left = "1,000 fine links are left out of this page to keep it light; linkcheck serve shows all."
	if n := strings.Count(text, left); n != 2 {
		t.Errorf("the page says %d times what it left out; want above the links and under coverage", n)
	}
}

// TestSizes measures the page of 100,000 links (OUTCOMES.md story 8). Its time,
// most of which is spent on inventing the links, and memory are printed only.
func TestSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	begun := time.Now()
	w := &counter{}
	r := build(t, &sample.Source{N: 100_000}, options())
	if err := html.Write(t.Context(), w, r); err != nil {
		t.Fatal(err)
	}
	t.Logf("page of 100,000 links: %.1f of 25 MB, %.1f of 5 s, %d of 300 MB", float64(w.n)/1e6, time.Since(begun).Seconds(), resident()>>20)
	if w.n > 25_000_000 {
		t.Errorf("%d bytes", w.n)
	}
}

// TestDuplicatesBy keeps what is the same by spelling apart from what ended at
// one address (OUTCOMES.md section 2.1).
func TestDuplicatesBy(t *testing.T) {
	src := smallArchive()
	for _, p := range []string{"/p", "/q"} {
		src.add("http://two.example"+p, judge.Alive, check.Result{Outcome: check.OK, FinalURL: "http://two.example/home"}, judge.NoChange, inRecord("http://two.example"+p, "b20"))
	}
	for by, want := range map[string]map[bool]int{report.BySpelling: {false: 1}, report.ByFinal: {true: 1}, "": {false: 1, true: 1}} {
		o := options()
		o.By = by
		groups, err := duplicates(t, src, o)
		if err != nil {
			t.Fatal(err)
		}
		got := map[bool]int{}
		for _, g := range groups {
			got[g.Level == equal.Observed]++
		}
		if !maps.Equal(got, want) {
			t.Errorf("by %q: %v, want %v", by, got, want)
		}
	}
}

// TestSummaryNamesEveryKind: many deaths hide no recovery and no move.
func TestSummaryNamesEveryKind(t *testing.T) {
	r := build(t, &sample.Source{N: 12_408}, report.Options{Now: sample.Now()})
	summary := string(output(t, of(r, text.WriteSummary)))
	for _, c := range r.Changes {
		if want := strings.ReplaceAll(c.Word, "-", " ") + ": "; c.N > 0 && strings.Count(summary, want) < 2 {
			t.Errorf("no %q in\n%s", want, summary)
		}
	}
	if n := strings.Count(summary, "\n"); n > text.MaxSummaryLines {
		t.Errorf("%d lines", n)
	}
}

// TestStrikes says how often a link failed of how many times (OUTCOMES.md section 1.2).
func TestStrikes(t *testing.T) {
	for _, tt := range []struct {
		strikes, needed int
		want            string
	}{
		{2, 3, "Wait: failure 2 of 3 before it is called dead; next look on 26 November 2026."},
		{3, 3, "Wait: 3 failures, but not for long enough to be called dead; next look on 26 November 2026."},
		{1, 0, "Wait: 1 failure so far; next look on 26 November 2026."},
	} {
		src := &fixture{}
		l := src.add("http://busy.example/", judge.Failing, check.Result{Outcome: check.Temporary, Reason: "http-503"}, judge.NoChange, inRecord("http://busy.example/", "b1"))
		l.Strikes, l.Needed = tt.strikes, tt.needed
		o := options()
		o.Only = []string{"wait"}
		r := build(t, src, o)
		if len(r.Top) != 1 || r.Top[0].Step != tt.want {
			t.Errorf("%+v: %+v", tt, r.Top)
		}
	}
}

// brokenStore fails in the method that where names.
type brokenStore struct {
	*fixture
	where string
}

var errBroken = errors.New("broken")

func (b brokenStore) Scan(pick store.Pick) iter.Seq2[store.Entry, error] {
	if b.where != "scan" {
		return b.fixture.Scan(pick)
	}
	return func(yield func(store.Entry, error) bool) { yield(store.Entry{}, errBroken) }
}

func (b brokenStore) Runs() iter.Seq2[store.Run, error] {
	if b.where != "runs" {
		return b.fixture.Runs()
	}
	return func(yield func(store.Run, error) bool) { yield(store.Run{}, errBroken) }
}

func (b brokenStore) Sources() iter.Seq2[store.Source, error] {
	if b.where != "sources" {
		return b.fixture.Sources()
	}
	return func(yield func(store.Source, error) bool) { yield(store.Source{}, errBroken) }
}

// A store that cannot be read whole gives no report at all.
func TestBrokenStore(t *testing.T) {
	for _, where := range []string{"", "runs", "scan", "sources"} {
		_, err := report.Build(t.Context(), brokenStore{smallArchive(), where}, options())
		if errors.Is(err, errBroken) != (where != "") || where == "" && err != nil {
			t.Errorf("%q: %v", where, err)
		}
	}
}
