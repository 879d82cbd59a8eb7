package catalog

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"linkcheck/extract/columns"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

// readColumns reads a table by what its columns hold (Options.Columns): a row is a record. Above
// the heads of the columns other rows may stand.
func (t *table) readColumns(want *columns.Columns) error {
	var first []string
	var at columns.Layout
	for number, found := 1, false; !t.d.Stopped(); number++ {
		line := t.line
		row, err := t.row()
		cells := t.list(row)
		if !found {
			heads := texts(cells)
			if at, found = want.In(heads); found && want.Names(heads) {
				cells = nil
			}
			first = want.Heads(first, heads)
		}
		if found {
			t.record(row, cells, at, number, line)
		}
		if err != nil || !found && number == columns.MaxHead {
			if !found {
				t.d.Damage(1, want.Missing(first))
			}
			return doc.IgnoreEOF(err)
		}
	}
	return nil
}

// record gives out the links of a row.
func (t *table) record(row []byte, cells []cell, at columns.Layout, number, line int) {
	value := func(column int) string {
		if column == 0 || column > len(cells) {
			return ""
		}
		return doc.OneLine(string(cells[column-1].text))
	}
	of := doc.Found{Title: value(at.Title), Owner: value(at.Owner)}
	id := value(at.ID)
	for _, column := range at.ElseID {
		id = cmp.Or(id, value(column))
	}
	of.Record, _ = t.d.Cut(line, "id of a record", id)
	of.Owner = of.Owner[:min(len(of.Owner), columns.MaxOwner)]
	cursor := textscan.NewCursor(row, line, 1)
	last := 0
	for _, column := range at.URL {
		if column > len(cells) {
			continue
		}
		c := cells[column-1]
		if c.off < last { // columns may be named in any order
			cursor = textscan.NewCursor(row, line, 1)
		}
		last = c.off
		c.line, c.column = cursor.At(c.off)
		of.Locator = "row " + strconv.Itoa(number) + " column " + strconv.Itoa(column)
		yieldValue(t.d, c, of)
	}
}

// yieldValue gives out the links of a cell that is meant for one.
func yieldValue(d *doc.Document, c cell, of doc.Found) {
	text := bytes.TrimSpace(c.text)
	f := of
	f.Raw, f.Line, f.Column, f.How, f.Context = string(text), c.line, c.column, "cell", doc.Shown(text, doc.ContextSize)
	switch {
	case len(text) == 0:
	case textscan.IsURI(text) || d.Base != "" && bytes.IndexByte(text, ' ') < 0:
		f.URI = doc.Resolve(d.Base, doc.WithoutControls(string(text)))
		d.Yield(f)
	case !bytes.HasPrefix(text, []byte("www.")) && faulty("856", string(text)):
		f.Faulty = true
		d.Yield(f)
	default:
		yieldCell(d, c, of, false)
		cellFault(d, c, of)
	}
}

// list gives all cells of a row.
func (t *table) list(row []byte) (list []cell) {
	for _, c := range t.cells(row) {
		if len(list) == maxColumns {
			break
		}
		list = append(list, c)
	}
	return list
}

// maxColumns is how many cells of a row are looked at by their columns: spreadsheets have 16,384.
const maxColumns = 16_384

func texts(cells []cell) []string {
	list := make([]string, len(cells))
	for i, c := range cells {
		list[i] = strings.TrimPrefix(doc.OneLine(string(c.text)), "\ufeff")
	}
	return list
}

// ownerColumn is the column that says who mends the links of a row, by the first row; 0: none.
func (t *table) ownerColumn(row []byte) int {
	want := columns.Columns{Owner: t.d.Options.Columns.Owner}
	at, _ := want.In(texts(t.list(row)))
	return at.Owner
}

// ownerIn is the value of that column in a row.
func (t *table) ownerIn(row []byte, column int) string {
	if column == 0 {
		return ""
	}
	for i, c := range t.cells(row) {
		if i == column {
			text := doc.OneLine(string(c.text))
			return text[:min(len(text), columns.MaxOwner)]
		}
	}
	return ""
}
