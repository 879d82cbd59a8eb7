package office

import (
	"slices"
	"strconv"
	"strings"

	table "linkcheck/extract/columns"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/lint"
)

// columns are those of a sheet that is read by what they hold (Options.Columns): a row is a
// record. Its links wait for its end; those of hyperlinks stand behind all rows.
type columns struct {
	want  *table.Columns
	hold  func(octets int) bool // whether so much more may be kept
	at    table.Layout
	found bool
	tried int      // rows without the heads
	first []string // the row that is most like theirs

	cells  []string           // of the row at hand
	waits  []doc.Found        // its links, with their columns
	under  []int              // columns of waits
	linked map[int]*doc.Found // what is known of rows with hyperlinks
}

const (
	maxNoted = 1000   // octets that are kept of a cell
	maxCells = 16_384 // of a row, ECMA-376 part 1 section 18.3.1.73
)

// noteCell keeps the text of the cell at hand, and says what is wrong with one that is meant for
// an address and has none; an empty one is none.
func (s *sheet) noteCell() {
	c := s.columns
	if c == nil || s.col < 1 || s.col > maxCells || c.found && !slices.Contains([]int{c.at.ID, c.at.Title, c.at.Owner}, s.col) && !slices.Contains(c.at.URL, s.col) {
		return
	}
	text := string(s.value[:min(len(s.value), maxNoted)])
	if s.kind == "s" {
		i, _ := strconv.Atoi(strings.TrimSpace(text))
		text = s.shared.text[i]
	}
	if c.found && slices.Contains(c.at.URL, s.col) {
		s.noteFault(strings.TrimSpace(text))
	}
	for len(c.cells) < s.col {
		c.cells = append(c.cells, "")
	}
	c.cells[s.col-1] = doc.OneLine(text)
}

func (s *sheet) noteFault(text string) {
	c := s.columns
	if n := len(c.under); !s.d.Options.Faults || text == "" || textscan.MayHold([]byte(text)) || n > 0 && c.under[n-1] == s.col || s.linked.has(s.cell) {
		return
	}
	fault := lint.WithoutAddress(text)
	s.place(doc.Found{Fault: fault.Code, Raw: fault.Value, Repair: fault.Repair, Locator: s.at(s.cell), Binary: true})
}

// place takes a link of the sheet.
func (s *sheet) place(f doc.Found) {
	c := s.columns
	col, row := cellOf(s.cell)
	switch known := c.linked[row]; {
	case f.How == howLink && known != nil:
		if c.takes(col) {
			s.d.Yield(c.of(f, known))
		}
	case f.How == howLink && c.want.URL == nil:
		s.d.Yield(f)
	case f.How != howLink:
		c.waits, c.under = append(c.waits, f), append(c.under, col)
	}
	if len(c.waits) >= maxLinks {
		s.flush()
	}
}

// takes says whether the links of a column are wanted.
func (c *columns) takes(col int) bool {
	if c.want.URL == nil {
		return true
	}
	return slices.Contains(c.at.URL, col)
}

// of is a link with what is known of its row.
func (c *columns) of(f doc.Found, row *doc.Found) doc.Found {
	f.Record, f.Title, f.Owner = row.Record, row.Title, row.Owner
	return f
}

// endRow gives out the links of the row at hand.
func (s *sheet) endRow() {
	c := s.columns
	if c == nil {
		return
	}
	if !c.found && c.tried < table.MaxHead && len(c.cells) > 0 {
		c.tried++
		if c.at, c.found = c.want.In(c.cells); c.found && c.want.Names(c.cells) {
			c.waits, c.under = nil, nil
		}
		c.first = c.want.Heads(c.first, slices.Clone(c.cells))
	}
	s.flush()
	if c.cells = c.cells[:0]; c.found {
		for range max(c.at.ID, c.at.Title, c.at.Owner) {
			c.cells = append(c.cells, "")
		}
	}
}

// flush gives out the links that wait, where it is known what the columns hold.
func (s *sheet) flush() {
	c := s.columns
	row := c.known()
	if c.found || c.want.URL == nil {
		for i, f := range c.waits {
			if c.takes(c.under[i]) {
				s.d.Yield(c.of(f, row))
			}
		}
		if s.linked.inRow(s.row) && c.hold(len(row.Record)+len(row.Title)+len(row.Owner)+200) {
			if c.linked == nil {
				c.linked = map[int]*doc.Found{}
			}
			c.linked[s.row] = row
		}
	}
	c.waits, c.under = c.waits[:0], c.under[:0]
}

// known is what is known of the row at hand.
func (c *columns) known() *doc.Found {
	value := func(col int) string {
		if !c.found || col == 0 || col > len(c.cells) {
			return ""
		}
		return c.cells[col-1]
	}
	f := &doc.Found{Record: value(c.at.ID), Title: value(c.at.Title), Owner: value(c.at.Owner)}
	f.Owner = f.Owner[:min(len(f.Owner), table.MaxOwner)]
	return f
}

// missing says which columns the sheet does not have, if they are wanted.
func (c *columns) missing() error {
	if c.found || !c.want.Wanted {
		return nil
	}
	return c.want.Missing(c.first)
}

// inRow says whether a cell of a row is a link as a whole.
func (r *ranges) inRow(row int) bool {
	if r == nil {
		return false
	}
	if r.rows == nil {
		r.rows = map[int]bool{}
		for cell := range r.cells {
			_, n := cellOf(cell)
			r.rows[n] = true
		}
		for _, a := range r.areas {
			r.rows[a[1]] = true
		}
	}
	return r.rows[row]
}
