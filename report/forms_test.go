package report_test

import (
	"bytes"
	"encoding/csv"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"

	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/report/sample"
	"linkcheck/report/table"
	"linkcheck/report/text"
	"linkcheck/store"
)

// rowsOf reads the rows of a CSV back as maps.
func rowsOf(t *testing.T, src report.Source, o report.Options) (rows []map[string]string) {
	t.Helper()
	text := output(t, func(w io.Writer) error { return table.WriteCSV(t.Context(), w, src, o) })
	all, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestChoices narrows the rows by collection, news, group and state, and names
// every record's address (OUTCOMES.md sections 2.2 and 3).
func TestChoices(t *testing.T) {
	src := smallArchive()
	for _, tt := range []struct {
		name   string
		change func(*report.Options)
		column string
		want   string // the values of the column, each once, sorted
		n      int
	}{
		{"all", func(*report.Options) {}, "collection", "Catalogue RFCs", 18},
		{"collection", func(o *report.Options) { o.Collections = []string{"RFCs"} }, "collection", "RFCs", 2},
		{"group", func(o *report.Options) { o.Only = []string{"update"} }, "group", "update", 4},
		{"state", func(o *report.Options) { o.Only = []string{"restricted", "failing"} }, "state", "failing restricted", 3},
		{"since a run", func(o *report.Options) { o.Since = "1" }, "changes", "newly-dead newly-moved newly-suspect recovered", 8},
		{"since now", func(o *report.Options) { o.Since = "2" }, "changes", "", 0},
		{"record address", func(o *report.Options) { o.Only = []string{"failing"} }, "record_url", "https://ils.example/bib/b7", 1},
		{"one row a link", func(o *report.Options) { o.Unique, o.Only = true, []string{"dead"} }, "occurrences", "1 2", 3},
	} {
		o := options()
		tt.change(&o)
		rows := rowsOf(t, src, o)
		var values []string
		for _, row := range rows {
			if !slices.Contains(values, row[tt.column]) {
				values = append(values, row[tt.column])
			}
		}
		slices.Sort(values)
		if got := strings.Join(values, " "); got != tt.want || len(rows) != tt.n {
			t.Errorf("%s: %d rows of %s %q, want %d of %q", tt.name, len(rows), tt.column, got, tt.n, tt.want)
		}
	}
}

// copies is an archive that knows one page.
type copies string

func (c copies) Copy(l *store.Link, _ *store.Mention) (url string, made time.Time) {
	if l.URL == string(c) {
		return "http://archive.example/2020/" + l.URL, made
	}
	return "", made
}

// TestArchivedCopies names the archived copy of a dead link.
func TestArchivedCopies(t *testing.T) {
	o := options()
	o.Archive, o.Only = copies("http://gone.example/x"), []string{"dead"}
	found := 0
	for _, row := range rowsOf(t, smallArchive(), o) {
		want := ""
		if row["url"] == "http://gone.example/x" {
			want = "http://archive.example/2020/http://gone.example/x"
			found++
		}
		if row["archive_url"] != want {
			t.Errorf("%s: copy %q, want %q", row["url"], row["archive_url"], want)
		}
	}
	if found != 1 {
		t.Errorf("%d rows have a copy", found)
	}
}

// TestMark begins CSV and TSV for Excel with a byte order mark, on demand only.
func TestMark(t *testing.T) {
	for _, write := range []func(io.Writer, report.Options) error{
		func(w io.Writer, o report.Options) error { return table.WriteCSV(t.Context(), w, smallArchive(), o) },
		func(w io.Writer, o report.Options) error { return table.WriteTSV(t.Context(), w, smallArchive(), o) },
	} {
		o := options()
		plain := output(t, func(w io.Writer) error { return write(w, o) })
		o.BOM = true
		marked := output(t, func(w io.Writer) error { return write(w, o) })
		if bytes.HasPrefix(plain, []byte("\ufeff")) || !bytes.Equal(marked, append([]byte("\ufeff"), plain...)) {
			t.Errorf("%.20q and %.20q", plain, marked)
		}
	}
}

// TestTextFits keeps the table inside every terminal, and colour out of those
// that want none.
func TestTextFits(t *testing.T) {
	src := &sample.Source{N: 3000}
	for _, width := range []int{0, 48, 80, 120, 200} {
		o := report.Options{Now: sample.Now(), Width: width}
		plain := string(output(t, of(build(t, src, o), text.Write)))
		o.Color = true
		painted := string(output(t, of(build(t, src, o), text.Write)))
		if strings.Contains(plain, "\x1b") || regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(painted, "") != plain || painted == plain {
			t.Errorf("width %d: colour", width)
		}
		if width == 0 {
			width = 80
		}
		for line := range strings.Lines(plain) {
			line = strings.TrimSuffix(line, "\n")
			if n := runewidth.StringWidth(line); n > width && !strings.Contains(line, ": linkcheck mark ") { // a command stays whole
				t.Errorf("%d of %d columns: %q", n, width, line)
			}
		}
	}
}

// TestPageOrder holds the page to the order of OUTCOMES.md section 2.1, and to
// asking for nothing.
func TestPageOrder(t *testing.T) {
	page := string(output(t, func(w io.Writer) error { return html.Write(t.Context(), w, build(t, smallArchive(), options())) }))
	rest := page
	for _, mark := range []string{"<header>", `class="headline"`, `id="changed"`, `class="share"`, `class="cards"`, `class="trend"`, "<details>", `id="dofirst"`,
		`id="rewrites"`, `id="links"`, `id="view"`, `id="dupes"`, `id="uncheckable"`, `id="coverage"`, `id="data"`, `id="dict"`} {
		_, after, ok := strings.Cut(rest, mark)
		if !ok {
			t.Fatalf("no %s, or not in its order", mark)
		}
		rest = after
	}
	for _, asset := range []string{" src=", "@import", "url(http", "<link rel=\"stylesheet\"", "<iframe", "<object", "fetch(", "XMLHttpRequest", "srcset="} {
		if strings.Contains(page, asset) {
			t.Errorf("the page holds %q", asset)
		}
	}
}
