package report_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"linkcheck/report"
	"linkcheck/report/sample"
	"linkcheck/report/table"
	"linkcheck/store"
)

// BenchmarkMillion streams a million links in every format with a row for each.
// OUTCOMES.md asks for under 10 s and 100 MB.
func BenchmarkMillion(b *testing.B) {
	src := &sample.Source{N: 1_000_000}
	o := report.Options{Now: sample.Now()}
	forms := []struct {
		name  string
		write func(context.Context, io.Writer, report.Source, report.Options) error
	}{{"csv", table.WriteCSV}, {"jsonl", table.WriteJSONL}, {"source", readOnly}}
	for _, f := range forms {
		b.Run(f.name, func(b *testing.B) {
			for b.Loop() {
				begun := time.Now()
				w := &counter{}
				if err := f.write(b.Context(), w, src, o); err != nil {
					b.Fatal(err)
				}
				b.Logf("%s: %.1f s, %d MB written, %d MB resident", f.name, time.Since(begun).Seconds(), w.n>>20, resident()>>20)
			}
		})
	}
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

// readOnly is the cost of the invented source itself.
func readOnly(_ context.Context, _ io.Writer, src report.Source, _ report.Options) error {
	for range src.Scan(store.Pick{Mentions: true}) {
	}
	return nil
}

// resident gives the peak resident memory of this process in bytes; 0 if unknown.
func resident() int64 {
	data, err := os.ReadFile(filepath.Join("/proc", "self", "status"))
	if err != nil {
		return 0
	}
	return peak(string(data))
}
