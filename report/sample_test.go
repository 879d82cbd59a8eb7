package report_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"linkcheck/report"
	"linkcheck/report/sample"
	"linkcheck/report/table"
)

// TestSample writes a report of the invented library in every format into the
// directory LINKCHECK_SAMPLE: make sample.
func TestSample(t *testing.T) {
	dir := os.Getenv("LINKCHECK_SAMPLE")
	if dir == "" {
		t.Skip("LINKCHECK_SAMPLE names no directory")
	}
	src := &sample.Source{N: 12_408}
	o := options()
	o.Now, o.Title, o.RecordURL = sample.Now(), "Catalogue & mail archive", "https://ils.campus.example/bib/{id}"
	o.Roots = sample.Roots()
	written := formats(t, src, o)
	written["xlsx"] = func(w io.Writer) error { return table.WriteXLSX(t.Context(), w, src, o) }
	for form, name := range map[string]string{"html": "report.html", "csv": "report.csv", "tsv": "report.tsv", "jsonl": "report.jsonl", "xlsx": "report.xlsx",
		"fixes": "fixes.tsv", "dupes": "duplicates.txt", "dupes.jsonl": "duplicates.jsonl", "summary": "summary.txt", "text": "report.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), output(t, written[form]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSampleIsWhole holds the invented library to what makes it a fair sample:
// every group, many schemes, links with several mentions, spellings, long and short.
func TestSampleIsWhole(t *testing.T) {
	r := build(t, &sample.Source{N: 5000}, report.Options{Now: sample.Now()})
	for g, n := range r.ByGroup {
		if n == 0 {
			t.Errorf("no link in %s", report.Group(g))
		}
	}
	if len(r.Causes) < 20 || len(r.Rewrites) == 0 || len(r.Odd) == 0 || r.Mentions <= r.Links || len(r.Runs) != 30 {
		t.Errorf("%d causes, %d rewrites, %d odd, %d places, %d runs", len(r.Causes), len(r.Rewrites), len(r.Odd), r.Mentions, len(r.Runs))
	}
	dups, err := duplicates(t, &sample.Source{N: 5000}, report.Options{Now: sample.Now()})
	if err != nil || len(dups) == 0 {
		t.Errorf("%d duplicates (%v)", len(dups), err)
	}
}
