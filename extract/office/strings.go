package office

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/extract/xmltoken"
)

// sharedStrings are the strings of a workbook that have links: cells name them by number.
// The many others are not kept.
type sharedStrings struct {
	links map[int][]doc.Found
	given map[int]bool // those of more than maxRepeated links that a cell has had
	cut   bool         // damage was told
	texts bool         // the strings are wanted too
	text  map[int]string
}

// maxRepeated is how many links of a shared string its second cell and those behind it
// give, so that rows grow with the octets of a workbook and not with their product.
const maxRepeated = 100

// of gives the links of a string, for a cell of d.
func (h *sharedStrings) of(d *doc.Document, number int) []doc.Found {
	links := h.links[number]
	if len(links) <= maxRepeated {
		return links
	}
	if !h.given[number] {
		h.given[number] = true
		return links
	}
	if !h.cut {
		h.cut = true
		d.Damage(0, fmt.Errorf("a string of more than %d links in several cells: the rest is told of the first", maxRepeated))
	}
	return links[:maxRepeated]
}

// wholeText marks a link that is all of the text of its cell, in Column.
const wholeText = -1

// scan looks for links in a text that stands alone; they are in w.seen.
func (w *flow) scan(text []byte) bool {
	if !textscan.MayHold(text) {
		return false
	}
	w.feed.Add(plainString(text), 1, 1)
	w.feed.Flush()
	return true
}

// plainString undoes the escapes of a string of a workbook: _x000D_ is the character of that
// number (ECMA-376 part 1 section 22.9.2.19).
func plainString(text []byte) []byte {
	if !bytes.Contains(text, []byte("_x")) {
		return text
	}
	return stringEscape.ReplaceAllFunc(text, func(escape []byte) []byte {
		n, err := strconv.ParseUint(string(escape[2:6]), 16, 16)
		if err != nil {
			return escape
		}
		return utf8.AppendRune(nil, rune(n))
	})
}

var stringEscape = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// shownIn notes whether a link is all of a text.
func shownIn(f doc.Found, text []byte) doc.Found {
	if f.Column = 0; string(bytes.TrimSpace(text)) == f.Raw {
		f.Column = wholeText
	}
	return f
}

// read finds the links of each string once, whatever number of cells has it.
func (h *sharedStrings) read(p *parts, part string) {
	h.links, h.given, h.text = map[int][]doc.Found{}, map[int]bool{}, map[int]string{}
	var w *flow
	var text []byte
	number, leaf, phonetic := -1, false, 0
	p.xml(part, func(d *doc.Document, t *xmltoken.Tokens) {
		if w == nil {
			w = newFlow(d)
		}
		name := ""
		if t.Kind != xmltoken.Text {
			name = xmltoken.Local(t.Name)
		}
		switch {
		case t.Kind == xmltoken.Start && name == "si":
			number, text = number+1, text[:0]
		case name == "t":
			leaf = t.Kind == xmltoken.Start && !t.Empty
		case t.Kind == xmltoken.Start && name == "rPh" && !t.Empty:
			phonetic++
		case t.Kind == xmltoken.End && name == "rPh":
			phonetic--
		case t.Kind == xmltoken.Text && leaf && phonetic <= 0:
			piece := t.Text
			if !t.Literal {
				piece = xmltoken.Unentity(piece)
			}
			text = append(text, piece[:min(len(piece), max(0, maxCell-len(text)))]...)
		case t.Kind == xmltoken.End && name == "si":
			w.seen = w.seen[:0]
			if h.texts && p.hold(len(text)+64) {
				h.text[number] = string(text[:min(len(text), maxNoted)])
			}
			if !w.scan(text) {
				return
			}
			for _, f := range w.seen {
				if p.hold(len(f.URI) + len(f.Raw) + len(f.Context) + 400) {
					h.links[number] = append(h.links[number], shownIn(f, text))
				}
			}
		}
	})
}

// ranges are the cells of a sheet that are links as a whole.
type ranges struct {
	cells map[string]bool
	areas [][4]int     // columns and rows, from and to
	rows  map[int]bool // in which they begin; nil: not asked yet
}

// maxAreas bounds the ranges of more than one cell that are kept: each cell with links is
// compared with all of them.
const maxAreas = 1000

// readRanges finds the links of a sheet, which stand behind its cells, before these are read.
func readRanges(p *parts, part string) *ranges {
	r := &ranges{cells: map[string]bool{}}
	d, done := p.open(part)
	if d == nil {
		return r
	}
	defer done()
	if !toHyperlinks(d.In) {
		return r
	}
	for t := xmltoken.New(d.In); !d.Stopped() && t.Next(); {
		if t.Kind == xmltoken.End && xmltoken.Local(t.Name) == "hyperlinks" {
			break
		}
		if t.Kind != xmltoken.Start || xmltoken.Local(t.Name) != "hyperlink" || relationID(t) == "" {
			continue
		}
		first, last, several := strings.Cut(attr(t, "ref"), ":")
		switch {
		case !several || first == last:
			if p.hold(len(first) + 64) {
				r.cells[first] = true
			}
		case len(r.areas) < maxAreas:
			a, b := cellOf(first)
			c, e := cellOf(last)
			r.areas = append(r.areas, [4]int{a, b, c, e})
		}
	}
	return r
}

// toHyperlinks goes to where the links of a sheet begin.
func toHyperlinks(in *bufio.Reader) bool {
	for {
		if _, err := in.ReadSlice('<'); err == io.EOF || err != nil && err != bufio.ErrBufferFull {
			return false
		}
		head, _ := in.Peek(32)
		name, _, _ := bytes.Cut(head, []byte{'>'})
		if name, _, _ := bytes.Cut(name, []byte{' '}); xmltoken.Local(string(name)) == "hyperlinks" {
			return true
		}
	}
}

func (r *ranges) has(cell string) bool {
	if r == nil {
		return false
	}
	if r.cells[cell] {
		return true
	}
	col, row := cellOf(cell)
	return slices.ContainsFunc(r.areas, func(a [4]int) bool { return a[0] <= col && col <= a[2] && a[1] <= row && row <= a[3] })
}

// cellOf reads a reference such as B12: column and row, from 1; 0 for what is missing.
func cellOf(ref string) (col, row int) {
	for _, c := range []byte(ref) {
		switch {
		case 'A' <= c && c <= 'Z' && row == 0 && col < math.MaxInt32/26:
			col = 26*col + int(c-'A') + 1
		case '0' <= c && c <= '9' && row < math.MaxInt32/10:
			row = 10*row + int(c-'0')
		case c != '$':
			return 0, 0
		}
	}
	return col, row
}

// columnName is the letters of a column, from 1.
func columnName(col int) string {
	name := ""
	for ; col > 0; col = (col - 1) / 26 {
		name = fmt.Sprintf("%c", 'A'+(col-1)%26) + name
	}
	return name
}
