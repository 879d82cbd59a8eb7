package report_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/xuri/excelize/v2"

	"linkcheck/report"
	"linkcheck/report/sample"
	"linkcheck/report/table"
)

// TestXLSX reads the workbook back: a sheet a group, the rows, a filter, links, no formula.
func TestXLSX(t *testing.T) {
	data := output(t, func(w io.Writer) error { return table.WriteXLSX(t.Context(), w, smallArchive(), options()) })
	f, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := []struct {
		sheet string
		rows  int
	}{{"Fix", 6}, {"Update", 5}, {"Check by hand", 4}, {"Wait", 2}, {"Fine", 6}}
	if len(f.GetSheetList()) != len(want) {
		t.Fatalf("sheets %q", f.GetSheetList())
	}
	for _, w := range want {
		rows, err := f.GetRows(w.sheet)
		if err != nil || len(rows) != w.rows {
			t.Errorf("sheet %q has %d rows (%v), want %d", w.sheet, len(rows), err, w.rows)
		}
		tables, err := f.GetTables(w.sheet)
		if err != nil || len(tables) != 1 {
			t.Errorf("sheet %q has %d filters (%v)", w.sheet, len(tables), err)
		}
	}
	if opens, to, err := f.GetCellHyperLink("Update", "A2"); err != nil || !opens || to != "http://old.example/one" {
		t.Errorf("the first moved link opens %q (%v)", to, err)
	}
	if opens, to, _ := f.GetCellHyperLink("Fix", "A2"); opens {
		t.Errorf("a gopher address opens %q", to)
	}
	if shown, _ := f.GetCellValue("Update", "A2"); shown != "http://old.example/one" {
		t.Errorf("the first moved link shows %q", shown)
	}
	if formula, _ := f.GetCellFormula("Fix", "L4"); formula != "" {
		t.Errorf("a server's words became the formula %q", formula)
	}
	if reply, _ := f.GetCellValue("Fix", "L5"); reply != "'=cmd|' /C calc'!A0" {
		t.Errorf("reply %q", reply)
	}
	if bytes.Contains(data, []byte("secret")) {
		t.Error("a password")
	}
}

// BenchmarkXLSX writes a workbook of 100,000 links.
func BenchmarkXLSX(b *testing.B) {
	for b.Loop() {
		w := &counter{}
		if err := table.WriteXLSX(b.Context(), w, &sample.Source{N: 100_000}, report.Options{Now: sample.Now()}); err != nil {
			b.Fatal(err)
		}
		b.Logf("%.1f MB written, %d MB resident", float64(w.n)/(1<<20), resident()>>20)
	}
}
