package report_test

import (
	"os"
	"testing"

	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/sample"
)

// BenchmarkHTML writes a page of 100,000 links. OUTCOMES.md asks for under 25 MB,
// 5 s and 300 MB.
func BenchmarkHTML(b *testing.B) {
	src := &sample.Source{N: 100_000}
	for b.Loop() {
		r, err := report.Build(b.Context(), src, report.Options{Now: sample.Now(), Title: "Catalogue & mail archive", Version: "1.0", StorePath: "catalogue.db", RecordURL: "https://ils.campus.example/bib/{id}"})
		if err != nil {
			b.Fatal(err)
		}
		w := &counter{}
		if err := html.Write(b.Context(), w, r); err != nil {
			b.Fatal(err)
		}
		if name := os.Getenv("REPORT_HTML"); name != "" {
			f, _ := os.Create(name)
			html.Write(b.Context(), f, r)
			f.Close()
		}
		b.Logf("%.1f MB written, %d MB resident", float64(w.n)/(1<<20), resident()>>20)
	}
}
