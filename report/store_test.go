package report_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/sample"
	"linkcheck/report/table"
	"linkcheck/store"
)

// fill puts an invented library into a real store: two readings of its sources,
// two nights of answers.
func fill(t testing.TB, n int) *store.Store {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "s.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	src := &sample.Source{N: n}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	in, err := st.BeginIngest(ago(2))
	must(err)
	bySource := map[string][]store.Mention{}
	var order []string
	for e := range src.Scan(store.Pick{Mentions: true}) {
		for _, m := range e.LiveMentions {
			if bySource[m.Source] == nil {
				order = append(order, m.Source)
			}
			bySource[m.Source] = append(bySource[m.Source], m)
		}
	}
	for _, name := range order {
		list := bySource[name]
		must(in.Add(store.Step{Whole: []store.Source{{Path: name, Collection: list[0].Collection, Mentions: len(list)}}, Batches: []*store.Batch{store.Prepare(name, list, nil)}}))
	}
	_, err = in.Finish()
	must(err)
	for night := range 2 {
		at := ago(2 - night)
		run, err := st.StartRun(store.Run{Started: at, Version: "test"})
		must(err)
		var batch []store.Checked
		for l := range src.Scan(store.Pick{}) {
			if found, ok, err := st.Find(l.URL); err == nil && ok {
				l.Last.At = at.Add(time.Minute)
				batch = append(batch, store.Checked{ID: found.ID, Result: l.Last})
			}
		}
		must(st.Record(run, judge.Policy{}, batch))
		must(st.EndRun(store.Run{ID: run, Started: at, Ended: at.Add(time.Hour), Checked: len(batch)}))
	}
	return st
}

// TestStore reports on a real store in every format, and serves it.
func TestStore(t *testing.T) {
	st := fill(t, 400)
	for name, write := range formats(t, st, options()) {
		if text := output(t, write); len(text) < 40 {
			t.Errorf("%s has only %d bytes", name, len(text))
		}
	}
	r := build(t, st, options())
	if r.Links < 380 || r.Records < 100 || r.ByState[judge.Moved] == 0 || r.Run == nil || r.Prev == nil {
		t.Errorf("%d links, %d records, states %v", r.Links, r.Records, r.ByState)
	}
	text := string(output(t, func(w io.Writer) error { return table.WriteCSV(t.Context(), w, st, options()) }))
	if strings.Count(text, "\r\n")-1 != r.Mentions {
		t.Errorf("%d rows, want %d", strings.Count(text, "\r\n")-1, r.Mentions)
	}
	h := server(t, st, options())
	for _, at := range []string{"/", "/links?group=update", "/metrics"} {
		if code, _, _ := ask(t, h, "GET", at, "localhost"); code != 200 {
			t.Errorf("%s answers %d", at, code)
		}
	}
}

// BenchmarkStore reads a real store of 100,000 links in the costly formats.
func BenchmarkStore(b *testing.B) {
	st := fill(b, 100_000)
	for b.Loop() {
		begun := time.Now()
		w := &counter{}
		if err := table.WriteCSV(b.Context(), w, st, options()); err != nil {
			b.Fatal(err)
		}
		csv := time.Since(begun)
		r, err := report.Build(b.Context(), st, options())
		if err != nil {
			b.Fatal(err)
		}
		if err := html.Write(b.Context(), w, r); err != nil {
			b.Fatal(err)
		}
		b.Logf("csv %.1f s, page %.1f s, %d MB resident", csv.Seconds(), (time.Since(begun) - csv).Seconds(), resident()>>20)
	}
}
