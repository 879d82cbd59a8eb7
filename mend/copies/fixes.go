package copies

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"linkcheck/extract"
	"linkcheck/mend"
	"linkcheck/report"
	"linkcheck/store"
)

// FixRow is a row of a table of fixes, as `report --fixes` writes it and a person may have
// edited it.
type FixRow struct {
	Record, Locator, Old, New, Reason string

	Used bool // a place was found for it
}

// fixColumns are those that a table of fixes must have.
var fixColumns = []string{"record_id", "locator", "old_url", "new_url"}

// undoReason begins the reason of rows that restore what stood there; what is more than
// another value follows it, "undo add" (mend.Way).
const undoReason = "undo"

// undoes says whether a reason is that of a row that restores, and which way was gone.
func undoes(reason string) (way mend.Way, ok bool) {
	word, rest, _ := strings.Cut(reason, " ")
	return mend.Way(rest), word == undoReason && (rest == "" || slices.Contains(mend.Ways, mend.Way(rest)))
}

// ParseFixes reads a table of fixes: in the order that its head says, separated by tabs or
// as a spreadsheet separates, in quotes or not, with the guard against formulas taken off.
// masked is how many rows hold a secret that is hidden, and are left out.
func ParseFixes(text []byte) (rows []FixRow, masked int, err error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	head, _, _ := bytes.Cut(text, []byte("\n"))
	in := csv.NewReader(bytes.NewReader(text))
	in.LazyQuotes, in.FieldsPerRecord = true, -1
	for _, c := range "\t;," {
		if in.Comma = c; bytes.ContainsRune(head, c) {
			break
		}
	}
	table, err := in.ReadAll()
	if err != nil {
		return nil, 0, fmt.Errorf("no table of fixes: %w", err)
	}
	var names []string
	if len(table) > 0 {
		names = table[0]
	}
	for _, name := range fixColumns {
		if !slices.Contains(names, name) {
			return nil, 0, fmt.Errorf("no table of fixes: it has no column %s", name)
		}
	}
	for _, cells := range table[1:] {
		cell := func(name string) string {
			if i := slices.Index(names, name); i >= 0 && i < len(cells) {
				return cells[i]
			}
			return ""
		}
		bare := func(name string) string {
			if slices.Contains(strings.Fields(cell("guarded")), name) {
				return unguarded(cell(name))
			}
			return cell(name)
		}
		r := FixRow{Record: bare("record_id"), Locator: bare("locator"), Old: bare("old_url"), New: bare("new_url"), Reason: strings.TrimSpace(cell("reason"))}
		way, undo := undoes(r.Reason)
		if !undo { // blanks at the ends are what is restored
			r.New = strings.TrimSpace(r.New)
		}
		switch {
		case strings.Contains(r.Old, "***") || strings.Contains(r.New, "***"):
			masked++
		case r.Old != "" && (r.New != "" || way != ""):
			rows = append(rows, r)
		}
	}
	return rows, masked, nil
}

// unguarded takes the "'" off that keep a cell from being a formula (report/table).
func unguarded(cell string) string {
	var out []byte
	for i := range len(cell) {
		if cell[i] != '\'' || i > 0 && strings.IndexByte(",;|\t", cell[i-1]) < 0 {
			out = append(out, cell[i])
		}
	}
	return string(out)
}

// Wanted gives the fixes that the rows want in a source, which they may call by either of
// its names, in the order of its places.
func Wanted(rows []FixRow, names [2]string, founds []extract.Found) (fixes []Fix) {
	type key struct{ record, locator, old string }
	by := map[key]*FixRow{}
	for i := range rows {
		r := &rows[i]
		by[key{r.Record, r.Locator, r.Old}] = r
	}
	for _, f := range founds {
		var r *FixRow
		for _, m := range []store.Mention{{Source: names[0]}, {Source: names[1]}, {Source: names[0], Member: f.Member}, {Source: names[1], Member: f.Member}} {
			m.Record, m.Locator, m.Line, m.Column = f.Record, f.Locator, f.Line, f.Column
			r = cmp.Or(r, by[key{report.RecordOf(&m), report.Locator(&m), f.Raw}])
			if f.Raw == "" || strings.ContainsAny(f.Raw, "\t\r\n") { // as WriteFixes has it
				r = cmp.Or(r, by[key{report.RecordOf(&m), report.Locator(&m), f.URI}])
			}
		}
		if r == nil {
			continue
		}
		r.Used = true
		fixes = append(fixes, Fix{Change: changeOf(&f, r), Why: "by --fixes: " + r.Reason})
	}
	return fixes
}

// ChangeAt is the change of a place that extract found.
func ChangeAt(f *extract.Found, to string) mend.Change {
	return mend.Change{Record: f.Record, Locator: f.Locator, Line: f.Line, Column: f.Column, Old: f.Raw, New: to}
}

// changeOf is the change that a row wants. What restores an old value need be no address.
func changeOf(f *extract.Found, r *FixRow) mend.Change {
	c := ChangeAt(f, r.New)
	if way, undo := undoes(r.Reason); undo {
		c.Way, c.Restore = way, way != "" || !mend.Address(r.New)
	}
	return c
}

// undoRow is a change of a copy as a row of a table of fixes that takes it back. Blanks that
// stood at the ends of a value are a part of what it restores.
func undoRow(s Source, f Fix) []string {
	m := store.Mention{Source: s.Name, Record: f.Record, Locator: f.Locator, Line: f.Line, Column: f.Column}
	was, reason := f.New, undoReason
	if f.Way != "" {
		reason += " " + string(f.Way)
	} else {
		bare := strings.TrimLeft(f.Spelled, " \t")
		was = f.Spelled[:len(f.Spelled)-len(bare)] + was + bare[len(strings.TrimRight(bare, " \t")):]
	}
	return []string{report.RecordOf(&m), report.Locator(&m), f.Old, was, reason}
}
