// Package columns says what the columns of tables hold: which is the id of a row's record, which
// its title, which hold links, which says who mends them.
package columns

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Columns say which columns of a table hold what, each by its head, its letters (C) or its
// number from 1. The zero value says nothing.
type Columns struct {
	ID, Title string
	ElseID    []string // stand in for ID in rows that have none
	URL       []string // each cell is one reference; none: links are looked for in every cell
	Owner     string   // who mends the links of the row
	Wanted    bool     // a table without one of them is at fault; else that is as if it were not named
}

// Parse reads words such as "id=BibID", "title=Title", "url=URL" and "owner=Branch".
func Parse(words []string) (c Columns, err error) {
	c.Wanted = len(words) > 0
	for _, w := range words {
		what, column, _ := strings.Cut(w, "=")
		column = strings.TrimSpace(column)
		one := map[string]*string{"id": &c.ID, "title": &c.Title, "owner": &c.Owner}[what]
		switch {
		case column == "":
			return c, fmt.Errorf("%.200q is not WHAT=COLUMN, such as url=URL", w)
		case what == "url":
			c.URL = append(c.URL, column)
		case one == nil:
			return c, fmt.Errorf("%.200q: there are id, title, url and owner", what)
		case *one != "":
			return c, fmt.Errorf("%q is given twice; url alone may be", what)
		default:
			*one = column
		}
	}
	if c.Wanted && c.URL == nil {
		return c, errors.New("url=COLUMN is missing: where the links stand")
	}
	return c, nil
}

// String tells columns from others; "" is the zero value.
func (c Columns) String() string {
	if c.none() {
		return ""
	}
	return fmt.Sprintf("%s %s %q %s %t", c.ID, c.Title, c.URL, c.Owner, c.Wanted)
}

func (c *Columns) none() bool { return c.ID == "" && c.Title == "" && c.URL == nil && c.Owner == "" }

// Layout is where the columns are in one table, by numbers from 1; 0: nowhere.
type Layout struct {
	ID, Title, Owner int
	ElseID, URL      []int
}

// MaxOwner is how many octets are kept of who mends a link.
const MaxOwner = 200

// MaxHead is how many rows are looked at for the heads of columns.
const MaxHead = 20

// In finds the columns in a row of heads. all says that each of them was found.
func (c *Columns) In(heads []string) (l Layout, all bool) {
	all = true
	find := func(column string) int {
		if column == "" {
			return 0
		}
		n := columnIn(heads, column)
		all = all && n > 0
		return n
	}
	l = Layout{ID: find(c.ID), Title: find(c.Title), Owner: find(c.Owner)}
	for _, id := range c.ElseID {
		if n := columnIn(heads, id); n > 0 {
			l.ElseID = append(l.ElseID, n)
		}
	}
	for _, u := range c.URL {
		if n := find(u); n > 0 {
			l.URL = append(l.URL, n)
		}
	}
	return l, all
}

// Heads gives the row that has more of the columns, that of a if both have as many: it is
// meant for the row of heads where none has all.
func (c *Columns) Heads(a, b []string) []string {
	count := func(row []string) (n int) {
		for _, column := range append([]string{c.ID, c.Title, c.Owner}, c.URL...) {
			if column != "" && columnIn(row, column) > 0 {
				n++
			}
		}
		return n
	}
	if strings.TrimSpace(strings.Join(b, "")) != "" && (a == nil || count(b) > count(a)) {
		return b
	}
	return a
}

// Names says that one of the heads is a name of the columns: the row holds no values.
func (c *Columns) Names(heads []string) bool {
	return slices.ContainsFunc(heads, func(head string) bool {
		is := func(column string) bool { return column != "" && strings.EqualFold(strings.TrimSpace(head), column) }
		return is(c.ID) || is(c.Title) || is(c.Owner) || slices.ContainsFunc(c.URL, is)
	})
}

// columnIn is the number of a column: that with this head, else what is meant by letters or a
// number; 0: none is.
func columnIn(heads []string, column string) int {
	for i, h := range heads {
		if strings.EqualFold(strings.TrimSpace(h), column) {
			return i + 1
		}
	}
	n, err := strconv.Atoi(column)
	if err != nil {
		n = letters(column)
	}
	if n < 1 || n > len(heads) {
		return 0
	}
	return n
}

// letters is the number of a column by its letters in capitals, as spreadsheets have them.
func letters(column string) (n int) {
	if len(column) > 3 {
		return 0
	}
	for i := range len(column) {
		c := column[i]
		if c < 'A' || c > 'Z' {
			return 0
		}
		n = 26*n + int(c-'A') + 1
	}
	return n
}

// Missing says which columns a table does not have, whose row of heads is this, and which it has.
func (c *Columns) Missing(heads []string) error {
	var lost, there []string
	for _, column := range append([]string{c.ID, c.Title, c.Owner}, c.URL...) {
		if column != "" && columnIn(heads, column) == 0 {
			lost = append(lost, strconv.Quote(column))
		}
	}
	for _, h := range heads {
		if h = strings.TrimSpace(h); h != "" && len(there) < maxNamed {
			there = append(there, strconv.Quote(h[:min(len(h), maxColumnName)]))
		}
	}
	return fmt.Errorf("no column %.400s; there are: %s", strings.Join(slices.Compact(lost), ", "), cmp.Or(strings.Join(there, ", "), "none"))
}

const (
	maxNamed      = 40 // columns in an error
	maxColumnName = 60 // octets of each
)
