package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/sample"
	"linkcheck/report/table"
	"linkcheck/report/text"
	"linkcheck/report/words"
	"linkcheck/store"
)

// TestGoldens compares every format byte for byte, in both languages where it has words.
func TestGoldens(t *testing.T) {
	src := smallArchive()
	o := options()
	rows := func(f func(context.Context, io.Writer, report.Source, report.Options) error, o report.Options) []byte {
		return output(t, func(w io.Writer) error { return f(t.Context(), w, src, o) })
	}
	golden(t, "small.csv", rows(table.WriteCSV, o))
	golden(t, "small.tsv", rows(table.WriteTSV, o))
	golden(t, "small.jsonl", rows(table.WriteJSONL, o))
	golden(t, "fixes.tsv", rows(table.WriteFixes, o))
	golden(t, "dupes.txt", rows(text.WriteDuplicates, o))
	golden(t, "dupes.jsonl", rows(table.WriteDuplicates, o))
	unique := o
	unique.Unique, unique.Only = true, []string{"new", "invalid"}
	golden(t, "unique.csv", rows(table.WriteCSV, unique))
	for _, lang := range words.Languages() {
		o.Lang, o.Width = lang, 100
		r := build(t, src, o)
		golden(t, "summary."+lang+".txt", output(t, of(r, text.WriteSummary)))
		golden(t, "text."+lang+".txt", output(t, of(r, text.Write)))
		golden(t, "page."+lang+".html", bare(output(t, func(w io.Writer) error { return html.Write(t.Context(), w, r) })))
	}
}

// bare leaves out of a page what has files of its own: style, script, their sums.
func bare(page []byte) []byte {
	for _, re := range []string{`(?s)<style>.*?</style>`, `(?s)<script>.*?</script>`, `&#39;sha256-.*?&#39;`} {
		page = regexp.MustCompile(re).ReplaceAll(page, nil)
	}
	return page
}

// TestRepeatable makes the page twice: equal bytes (DESIGN.md law 8).
func TestRepeatable(t *testing.T) {
	src := &sample.Source{N: 2000}
	o := options()
	for range 2 {
		first := output(t, func(w io.Writer) error { return html.Write(t.Context(), w, build(t, src, o)) })
		again := output(t, func(w io.Writer) error { return html.Write(t.Context(), w, build(t, src, o)) })
		if !bytes.Equal(first, again) {
			t.Fatal("two pages of one store differ")
		}
	}
}

// TestCSV reads the rows back: 39 columns each, one row a live mention (OUTCOMES.md section 2.2).
func TestCSV(t *testing.T) {
	text := output(t, func(w io.Writer) error { return table.WriteCSV(t.Context(), w, smallArchive(), options()) })
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 19 {
		t.Errorf("%d rows, want a header and 18 live mentions", len(rows))
	}
	for i, row := range rows {
		if len(row) != 40 {
			t.Errorf("row %d has %d columns, want 40", i, len(row))
		}
	}
	if !bytes.HasSuffix(text, []byte("\r\n")) || bytes.Contains(text, []byte("b99")) {
		t.Error("want CRLF at the end and no retired mention")
	}
}

// TestGuard keeps spreadsheets from running a stranger's words, in any column, and says
// which cells are altered.
func TestGuard(t *testing.T) {
	src := &fixture{}
	src.add("@sum.example", judge.Dead, check.Result{Outcome: check.Gone, Reply: "=cmd|' /C calc'!A0", Flags: []string{"+flag\nx"}}, judge.NoChange, inRecord("@sum.example", " \"-1"))
	o := options()
	for _, raw := range []bool{false, true} {
		o.Raw = raw
		text := output(t, func(w io.Writer) error { return table.WriteCSV(t.Context(), w, src, o) })
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatal(rows, err)
		}
		quote, guarded := "'", "record_id url url_normalized scheme reply flags"
		if raw {
			quote, guarded = "", ""
		}
		for i, want := range map[int]string{2: quote + ` "-1`, 8: quote + "@sum.example", 18: quote + "=cmd|' /C calc'!A0", 22: quote + `+flag\nx`, 39: guarded} {
			if got := rows[1][i]; got != want {
				t.Errorf("raw %v: column %s is %q, want %q", raw, rows[0][i], got, want)
			}
		}
	}
}

// TestSecrets looks for a password in every format.
func TestSecrets(t *testing.T) {
	src := smallArchive()
	for name, write := range formats(t, src, options()) {
		if text := output(t, write); bytes.Contains(text, []byte("secret")) {
			t.Errorf("%s shows a password", name)
		}
	}
	o := options()
	o.ShowSecrets = true
	text := output(t, func(w io.Writer) error { return table.WriteCSV(t.Context(), w, src, o) })
	if !bytes.Contains(text, []byte("user:secret@")) {
		t.Error("ShowSecrets hides the password")
	}
}

// formats gives the writers of all formats of a report.
func formats(t *testing.T, src report.Source, o report.Options) map[string]func(io.Writer) error {
	bind := func(f func(context.Context, io.Writer, report.Source, report.Options) error) func(io.Writer) error {
		return func(w io.Writer) error { return f(t.Context(), w, src, o) }
	}
	r := build(t, src, o)
	return map[string]func(io.Writer) error{
		"csv": bind(table.WriteCSV), "tsv": bind(table.WriteTSV), "jsonl": bind(table.WriteJSONL), "fixes": bind(table.WriteFixes),
		"dupes": bind(text.WriteDuplicates), "dupes.jsonl": bind(table.WriteDuplicates),
		"summary": of(r, text.WriteSummary), "text": of(r, text.Write), "html": func(w io.Writer) error { return html.Write(t.Context(), w, r) },
	}
}

// TestJSONL reads every line back as JSON with the columns in order.
func TestJSONL(t *testing.T) {
	src := &fixture{}
	src.add("http://x.example/\u2028</script>\xff", judge.Dead, check.Result{Outcome: check.Gone, Reply: "a\tb\"\\\x01"}, judge.NoChange, inRecord("http://x.example/", "b\n1"))
	text := output(t, func(w io.Writer) error { return table.WriteJSONL(t.Context(), w, src, options()) })
	d := json.NewDecoder(bytes.NewReader(text))
	d.Token()
	var names []string
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name.(string))
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
	}
	if want := "schema " + strings.Join(table.Columns[:], " "); strings.Join(names, " ") != want {
		t.Errorf("fields %q, want %q", names, want)
	}
	if bytes.ContainsAny(text, "<>") {
		t.Error("a raw angle bracket in JSON")
	}
}

// TestSummaryIsShort holds the mail to its lines even when everything is news.
func TestSummaryIsShort(t *testing.T) {
	src := &fixture{runs: []store.Run{{ID: 2, Started: ago(0), Ended: ago(0), Outages: strings.Fields(strings.Repeat("h.example ", 50))}}}
	for i := range 300 {
		url := "http://h" + strings.Repeat("x", i%90) + ".example/" + strings.Repeat("y", i)
		src.add(url, judge.Dead, check.Result{Outcome: check.Gone, Reason: "http-404"}, judge.NewlyDead, inRecord(url, "b"))
	}
	summary := output(t, of(build(t, src, options()), text.WriteSummary))
	if n := bytes.Count(summary, []byte("\n")); n > text.MaxSummaryLines || n < 20 {
		t.Errorf("%d lines, want at most %d", n, text.MaxSummaryLines)
	}
}
