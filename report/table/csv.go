package table

import (
	"context"
	"encoding/csv"
	"io"
	"strings"

	"linkcheck/report"
	"linkcheck/store"
)

// WriteCSV streams a row for every mention: RFC 4180, UTF-8, CRLF, with a header.
func WriteCSV(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	c := csv.NewWriter(newWriter(w, o.BOM))
	c.UseCRLF = true
	if err := eachCells(ctx, src, o, c.Write); err != nil {
		return err
	}
	c.Flush()
	return c.Error()
}

// WriteTSV streams the rows of WriteCSV separated by tabs, one a line. Cells
// hold no tab and no line end, so nothing is quoted.
func WriteTSV(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	out := newWriter(w, o.BOM)
	err := eachCells(ctx, src, o, func(cells []string) error {
		_, err := out.WriteString(strings.Join(cells, "\t") + "\n")
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// eachCells calls f with the names of the columns and then with the cells of every
// mention.
func eachCells(ctx context.Context, src report.Source, o report.Options, f func([]string) error) error {
	names := header(o.Unique)
	if err := f(append(names[:len(names):len(names)], guardedColumn)); err != nil {
		return err
	}
	s, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	cells := make([]string, 0, len(Columns)+2)
	return eachFields(ctx, s, store.Pick{}, func(_ *report.Row, _ *store.Mention, fields []field) error {
		cells = cells[:0]
		for i := range fields {
			cells = append(cells, fields[i].plain())
		}
		return f(guardText(cells, names, o.Raw))
	})
}
