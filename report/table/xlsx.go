package table

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"

	"github.com/xuri/excelize/v2"

	"linkcheck/report"
	"linkcheck/report/words"
	"linkcheck/store"
	"linkcheck/uri"
)

const (
	maxSheetRows = 1_048_576 // of one sheet, by the file format
	maxCell      = 32_000    // bytes of one cell; the format allows 32,767 characters
	maxClickable = 2000      // bytes of an address that opens: Excel allows 2,079
	maxLinks     = 2000      // addresses of a sheet that open: each makes adding the next slower
)

// sheetColumns are the columns of a sheet: what a reader works with, by name of
// [Columns], and how wide.
var sheetColumns = [...]struct {
	name  string
	width float64
}{{"url", 60}, {"state", 13}, {"message", 48}, {"step", 48}, {"suggested_url", 48}, {"archive_url", 30}, {"record_id", 16}, {"record_title", 36},
	{"source", 20}, {"locator", 16}, {"collection", 14}, {"reply", 36}, {"reason", 18}, {"host", 24}, {"changes", 14},
	{"last_ok", 21}, {"last_checked", 21}, {"failing_since", 21}, {"fail_days", 9}, {"next_check", 21}, {"duplicate_group", 20}, {"note", 30}, {"link_id", 9}, {"root", 20}, {"owner", 24}, {guardedColumn, 16}}

// sheetIndex gives the index in [Columns] of each of sheetColumns; -1: the step and what
// is guarded, which are not there.
var sheetIndex = func() (index [len(sheetColumns)]int) {
	for i, c := range sheetColumns {
		index[i] = slices.Index(Columns[:], c.name)
	}
	return index
}()

// sheetNames are the names of sheetColumns.
var sheetNames = func() (names [len(sheetColumns)]string) {
	for i, c := range sheetColumns {
		names[i] = c.name
	}
	return names
}()

// WriteXLSX writes a workbook with one sheet a group, a row for every mention
// (with Options.Unique every link), a filter in the header, and addresses that open in
// the first rows of each. No cell is a formula. excelize keeps rows in temporary files; only the packed workbook is held.
func WriteXLSX(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	s, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	book, err := newBook(s)
	if err != nil {
		return err
	}
	defer book.file.Close()
	err = eachFields(ctx, s, store.Pick{}, func(r *report.Row, _ *store.Mention, fields []field) error {
		return book.sheets[r.Group].add(r, fields)
	})
	if err != nil {
		return err
	}
	return book.write(w)
}

type book struct {
	file   *excelize.File
	sheets [report.GroupCount]*sheet
}

type sheet struct {
	file     *excelize.File
	name     string
	out      *excelize.StreamWriter
	link     int  // style of a clickable address
	raw      bool // Options.Raw
	rows     int
	overflow int   // rows more than the format can hold
	cells    []any // of the row being written
}

func newBook(s *report.Scope) (*book, error) {
	b := &book{file: excelize.NewFile()}
	head, err := b.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"F2EFE6"}}})
	link, linkErr := b.file.NewStyle(&excelize.Style{Font: &excelize.Font{Color: "0B5C6B", Underline: "single"}})
	if err := errors.Join(err, linkErr); err != nil {
		return nil, fmt.Errorf("report: workbook: %w", err)
	}
	for g := range report.GroupCount {
		sh := &sheet{file: b.file, name: s.Words.Get("group." + g.String()), link: link, raw: s.Raw}
		if g == 0 {
			err = b.file.SetSheetName("Sheet1", sh.name)
		} else {
			_, err = b.file.NewSheet(sh.name)
		}
		if err == nil {
			err = sh.begin(head)
		}
		if err != nil {
			return nil, fmt.Errorf("report: sheet %q: %w", sh.name, err)
		}
		b.sheets[g] = sh
	}
	return b, nil
}

// begin writes the header row, which does not scroll.
func (sh *sheet) begin(style int) (err error) {
	if sh.out, err = sh.file.NewStreamWriter(sh.name); err != nil {
		return err
	}
	for i, c := range sheetColumns {
		if err := sh.out.SetColWidth(i+1, i+1, c.width); err != nil {
			return err
		}
		sh.cells = append(sh.cells, excelize.Cell{StyleID: style, Value: c.name})
	}
	if err := sh.out.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	sh.rows = 1
	return sh.out.SetRow("A1", sh.cells)
}

func (sh *sheet) add(r *report.Row, fields []field) error {
	if sh.rows == maxSheetRows {
		sh.overflow++
		return nil
	}
	sh.rows++
	texts := make([]string, len(sheetColumns)-1, len(sheetColumns))
	for i, at := range sheetIndex[:len(texts)] {
		if texts[i] = r.Step; at >= 0 {
			texts[i] = fields[at].plain()
		}
	}
	for i, text := range guard(texts, sheetNames[:], sh.raw) {
		// A cell of type string is never read as a formula.
		sh.cells[i] = excelize.Cell{Value: words.Shorten(text, maxCell)}
		if at := sheetIndex[i]; at >= 0 && fields[at].kind == number {
			sh.cells[i] = excelize.Cell{Value: fields[at].n}
		}
	}
	if address := texts[0]; sh.rows <= maxLinks && opens(address) {
		sh.cells[0] = excelize.Cell{StyleID: sh.link, Value: address}
		if err := sh.file.SetCellHyperLink(sh.name, fmt.Sprintf("A%d", sh.rows), address, "External"); err != nil {
			return err
		}
	}
	return sh.out.SetRow(fmt.Sprintf("A%d", sh.rows), sh.cells)
}

// opens reports whether an address may be a link of a workbook: one that every browser can
// open, and a URI in every letter, or else Excel calls the workbook damaged.
func opens(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.String() == address && uri.Clickable(address) && len(address) <= maxClickable
}

// write ends the sheets and writes the workbook.
func (b *book) write(w io.Writer) error {
	for g, sh := range b.sheets {
		last, err := excelize.CoordinatesToCellName(len(sheetColumns), max(2, sh.rows))
		if err != nil {
			return err
		}
		if sh.overflow > 0 {
			return fmt.Errorf("report: sheet %q has no room for %d rows: write CSV, or choose with --only or --unique", sh.name, sh.overflow)
		}
		if err := sh.out.AddTable(&excelize.Table{Range: "A1:" + last, Name: "links_" + report.Group(g).String(), StyleName: "TableStyleLight1"}); err != nil {
			return fmt.Errorf("report: sheet %q: %w", sh.name, err)
		}
		if err := sh.out.Flush(); err != nil {
			return fmt.Errorf("report: sheet %q: %w", sh.name, err)
		}
	}
	return writeSorted(w, b.file)
}

// writeSorted writes the archive of a workbook with its entries in the order of their
// names: excelize writes the sheets in random order, and two reports of one store
// must be equal to the byte.
func writeSorted(w io.Writer, file *excelize.File) error {
	packed, err := file.WriteToBuffer()
	if err != nil {
		return fmt.Errorf("report: write workbook: %w", err)
	}
	in, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		return fmt.Errorf("report: write workbook: %w", err)
	}
	slices.SortFunc(in.File, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	out := zip.NewWriter(w)
	for _, entry := range in.File {
		if err := out.Copy(entry); err != nil {
			return fmt.Errorf("report: write workbook: %w", err)
		}
	}
	return out.Close()
}
