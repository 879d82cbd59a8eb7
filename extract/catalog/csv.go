package catalog

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

const maxCSVQuote = 64 << 10 // bytes after which an open quote is taken for a stray one

// SniffCSV recognises tables by their file's name; nothing inside is sure.
func SniffCSV(p doc.Peek) bool {
	return p.Named(".csv", ".tsv")
}

// cell is one field of a table.
type cell struct {
	text         []byte
	line, column int
}

// ReadCSV reads a table (RFC 4180, and tabs or semicolons for commas). Links are
// looked for in every cell, or in the column that Options.Input names by its
// head or its number from 1; then a cell is one reference, relative ones too.
func ReadCSV(d *doc.Document) error {
	_, want, chosen := strings.Cut(d.Options.Input, ":")
	column, _ := strconv.Atoi(want)
	t := table{d: d, line: 1, sep: separator(d)}
	for row := 1; !d.Stopped(); row++ {
		cells, err := t.row()
		if row == 1 && chosen && column == 0 {
			for i, c := range cells {
				if strings.EqualFold(strings.TrimSpace(string(c.text)), want) {
					column = i + 1 // the last of several
				}
			}
			if column == 0 && len(cells) > 0 {
				d.Damage(1, fmt.Errorf("no column %.200q in the first row", want))
				return nil
			}
			continue
		}
		for i, c := range cells {
			if !chosen || i+1 == column {
				yieldCell(d, c, "row "+strconv.Itoa(row)+" column "+strconv.Itoa(i+1), chosen)
			}
		}
		if err != nil {
			return doc.IgnoreEOF(err)
		}
	}
	return nil
}

func yieldCell(d *doc.Document, c cell, locator string, whole bool) {
	text := bytes.TrimSpace(c.text)
	f := doc.Found{Raw: string(text), Line: c.line, Column: c.column, How: "cell", Locator: locator, Context: doc.Shown(text, doc.ContextSize)}
	if len(text) > 0 && (textscan.IsURI(text) || whole && bytes.IndexByte(text, ' ') < 0) {
		f.URI = d.Resolve(doc.WithoutControls(string(text)))
		d.Yield(f)
		return
	}
	textscan.Scan(c.text, c.line, c.column, func(f doc.Found) bool {
		f.Locator = locator
		return d.Yield(f)
	})
}

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

	unclosed bool // no quote further on in the row closes a cell
}

// row reads one row. A quoted cell may hold line breaks.
func (t *table) row() (cells []cell, err error) {
	t.buf = t.buf[:0]
	line, col, last := t.line, 1, 0
	for open := false; ; {
		piece, e := t.d.In.ReadSlice('\n')
		t.buf = append(t.buf, piece...)
		if e == nil {
			t.line++
		}
		open = open != (bytes.Count(piece, []byte{'"'})%2 == 1)
		if e == nil && !open || e == io.EOF || len(t.buf) > maxCSVQuote {
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
	row := doc.Chop(t.buf)
	t.unclosed = false
	for i := 0; i <= len(row); {
		line, col = doc.Advance(row[last:i], line, col)
		last = i
		text, next := t.cell(row, i)
		cells = append(cells, cell{text, line, col})
		i = next
	}
	return cells, err
}

// cell is the text of the cell that begins at row[i], and where the next one does.
func (t *table) cell(row []byte, i int) ([]byte, int) {
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
