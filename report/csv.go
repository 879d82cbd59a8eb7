package report

import (
	"bufio"
	"context"
	"encoding/csv"
	"io"
	"strings"
)

// bom tells Excel that a file is UTF-8.
const bom = "\ufeff"

// header gives the names of the columns.
func header(unique bool) []string {
	if unique {
		return append(Columns[:len(Columns):len(Columns)], "occurrences")
	}
	return Columns[:]
}

// WriteCSV streams a row for every mention: RFC 4180, UTF-8, CRLF, with a header.
func WriteCSV(ctx context.Context, w io.Writer, src Source, o Options) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if o.BOM {
		out.WriteString(bom)
	}
	c := csv.NewWriter(out)
	c.UseCRLF = true
	if err := c.Write(header(o.Unique)); err != nil {
		return err
	}
	cells := make([]string, len(Columns)+1)
	err := streamRows(ctx, src, o, func(fields []field) error {
		for i := range fields {
			cells[i] = fields[i].cell(o.SpreadsheetSafe)
		}
		return c.Write(cells[:len(fields)])
	})
	if c.Flush(); err == nil {
		err = c.Error()
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// WriteTSV streams the rows of WriteCSV separated by tabs, one a line. Cells
// hold no tab and no line end, so nothing is quoted.
func WriteTSV(ctx context.Context, w io.Writer, src Source, o Options) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if o.BOM {
		out.WriteString(bom)
	}
	out.WriteString(strings.Join(header(o.Unique), "\t") + "\n")
	err := streamRows(ctx, src, o, func(fields []field) error {
		for i := range fields {
			if i > 0 {
				out.WriteByte('\t')
			}
			out.WriteString(fields[i].cell(o.SpreadsheetSafe))
		}
		return out.WriteByte('\n')
	})
	if err != nil {
		return err
	}
	return out.Flush()
}
