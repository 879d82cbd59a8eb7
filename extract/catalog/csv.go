package catalog

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

const maxCSVQuote = 64 << 10 // bytes after which an open quote is taken for a stray one

// SniffCSV recognises tables by their file's name, where nothing inside is sure, and lists of
// titles by their heads.
func SniffCSV(p doc.Peek) bool {
	return p.Named(".csv", ".tsv") || isKBART(p.Head)
}

// ReadCSV reads a table (RFC 4180, and tabs or semicolons for commas). Links are
// looked for in every cell, or in the column that Options.Input names by its
// head or its number from 1; then a cell is one reference, relative ones too.
func ReadCSV(d *doc.Document) error {
	_, want, chosen := strings.Cut(d.Options.Input, ":")
	column, _ := strconv.Atoi(want)
	if head, _ := d.In.Peek(doc.SniffSize); bytes.IndexByte(head, 0) >= 0 {
		d.SetCharset("") // UTF-16, as spreadsheets save "Unicode text"
	}
	t, owner := table{d: d, line: 1, sep: separator(d)}, 0
	if want := &d.Options.Columns; want.URL != nil {
		return t.readColumns(want)
	}
	if !chosen {
		if want := t.kbart(); want != nil {
			return t.readColumns(want)
		}
	}
	for number := 1; !d.Stopped(); number++ {
		at := t.line
		row, err := t.row()
		if number == 1 && d.Options.Columns.Owner != "" {
			owner = t.ownerColumn(row)
		}
		switch {
		case number == 1 && chosen && column == 0:
			if column = t.columnCalled(row, want); column == 0 && doc.IgnoreEOF(err) == nil {
				d.Damage(1, fmt.Errorf("no column %.200q in the first row", want))
				return nil
			}
		case chosen || textscan.MayHold(row):
			cursor, of := textscan.NewCursor(row, at, 1), doc.Found{Owner: t.ownerIn(row, owner)}
			for i, c := range t.cells(row) {
				if chosen && i == column || !chosen && textscan.MayHold(c.text) {
					c.line, c.column = cursor.At(c.off)
					of.Locator = "row " + strconv.Itoa(number) + " column " + strconv.Itoa(i)
					yieldCell(d, c, of, chosen)
				}
			}
		}
		if err != nil {
			return doc.IgnoreEOF(err)
		}
	}
	return nil
}

// columnCalled is the number of the column with a head; 0 for none.
func (t *table) columnCalled(row []byte, head string) (column int) {
	for i, c := range t.cells(row) {
		if strings.EqualFold(strings.TrimSpace(string(c.text)), head) {
			column = i // the last of several
		}
	}
	return column
}

// cell is one field of a table.
type cell struct {
	text         []byte
	off          int // in the row
	line, column int
}

// yieldCell gives out the links of a cell; of is what is known of its row.
func yieldCell(d *doc.Document, c cell, of doc.Found, whole bool) {
	text, f := bytes.TrimSpace(c.text), of
	f.Raw, f.Line, f.Column, f.How, f.Context = string(text), c.line, c.column, "cell", doc.Shown(text, doc.ContextSize)
	if len(text) > 0 && (textscan.IsURI(text) && !severalURIs.Match(text) || whole && bytes.IndexByte(text, ' ') < 0) {
		f.URI = doc.Resolve(d.Base, doc.WithoutControls(string(text)))
		d.Yield(f)
		return
	}
	textscan.Scan(d, c.text, c.line, c.column, func(f doc.Found) bool {
		f.Locator, f.Record, f.Title, f.Owner = of.Locator, of.Record, of.Title, of.Owner
		return d.Yield(f)
	})
}

// severalURIs recognises a cell with a list of them: a second one begins behind a mark that lists have.
var severalURIs = regexp.MustCompile(`[|;,](?:https?|ftp|gopher)://`)

// separator is the character that the first line has most of.
func separator(d *doc.Document) byte {
	head, _ := d.In.Peek(doc.SniffSize)
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	best, most := byte(','), 0
	for _, c := range []byte{',', '\t', ';', '|'} {
		if n := bytes.Count(line, []byte{c}); n > most {
			best, most = c, n
		}
	}
	return best
}

// table reads rows and notes where their cells stand. encoding/csv would read a
// quote that is never closed to the end of the file.
type table struct {
	d    *doc.Document
	sep  byte
	line int
	buf  []byte

	lines bool // a row is a line, whatever quotes are in it

	unclosed bool // no quote further on in the row closes a cell
}

// row reads one row, without its line end. A quoted cell may hold line breaks.
func (t *table) row() (row []byte, err error) {
	t.buf = t.buf[:0]
	for open := false; ; {
		piece, e := t.d.In.ReadSlice('\n')
		t.buf = append(t.buf, piece...)
		if e == nil {
			t.line++
		}
		open = open != (bytes.Count(piece, []byte{'"'})%2 == 1)
		if e == nil && (!open || t.lines) || e == io.EOF || len(t.buf) > maxCSVQuote {
			err = e
			break
		}
		if e != nil && e != bufio.ErrBufferFull {
			return nil, e
		}
	}
	if err != io.EOF {
		err = nil // a line longer than any buffer goes on as a row of its own
	}
	return doc.Chop(t.buf), err
}

// cells gives the cells of a row, numbered from 1.
func (t *table) cells(row []byte) iter.Seq2[int, cell] {
	return func(yield func(int, cell) bool) {
		t.unclosed = false
		for n, i := 1, 0; i <= len(row); n++ {
			text, next := t.cell(row, i)
			if !yield(n, cell{text: text, off: i}) {
				return
			}
			i = next
		}
	}
}

// cell is the text of the cell that begins at row[i], and where the next one does.
func (t *table) cell(row []byte, i int) ([]byte, int) {
	if t.lines {
		return t.lineCell(row, i)
	}
	if i < len(row) && row[i] == '"' && !t.unclosed {
		for j := i + 1; j < len(row); j++ {
			switch {
			case row[j] != '"':
			case j+1 < len(row) && row[j+1] == '"':
				j++
			case j+1 == len(row) || row[j+1] == t.sep || row[j+1] == '\n':
				return bytes.ReplaceAll(row[i+1:j], []byte(`""`), []byte(`"`)), j + 2
			}
		}
		t.unclosed = true
	}
	if n := bytes.IndexByte(row[i:], t.sep); n >= 0 {
		return row[i : i+n], i + n + 1
	}
	return row[i:], len(row) + 1
}
