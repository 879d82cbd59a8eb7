package mend

import (
	"bytes"
	"slices"
	"strings"

	"linkcheck/extract"
)

// placeKey is what a place keeps when lines are added to its document.
type placeKey struct{ record, locator, raw string }

// match gives each change the place that it is for, in the piece where that stands.
func (d *document) match(pieces []*piece) {
	places := map[placeKey][]int{}
	for i, f := range d.founds {
		k := placeKey{f.Record, f.Locator, f.Raw}
		places[k] = append(places[k], i)
	}
	wanted := map[placeKey]int{}
	for _, c := range d.changes {
		wanted[placeKey{c.Record, c.Locator, c.Old}]++
	}
	taken := map[int]bool{}
	for i, c := range d.changes {
		k := placeKey{c.Record, c.Locator, c.Old}
		n, err := d.choose(places[k], c, wanted[k], taken)
		if err == nil && !c.Restore && !c.unchecks() && !Address(c.New) {
			err = errNoAddress
		}
		if err == nil {
			err = d.place(pieces, i, n)
		}
		if err != nil {
			if !c.OnlyTrims() {
				d.leave(i, err)
			}
			continue
		}
		taken[n] = true
	}
}

// choose is the place of a change among those that have its record, locator and spelling:
// the one at its line and column; where that stands nowhere, the next, if as many are left
// as are asked for.
func (d *document) choose(of []int, c Change, wanted int, taken map[int]bool) (int, error) {
	if len(of) == 0 {
		return 0, errGone
	}
	at := slices.IndexFunc(of, func(n int) bool {
		f := &d.founds[n]
		return !f.Binary && c.Line > 0 && f.Line == c.Line && f.Column == c.Column
	})
	if at >= 0 {
		if taken[of[at]] {
			return 0, errTwice
		}
		return of[at], nil
	}
	if len(of) != wanted {
		if len(of) < wanted {
			return 0, errTwice
		}
		return 0, errUnsure
	}
	for _, n := range of {
		if !taken[n] {
			return n, nil
		}
	}
	return 0, errTwice
}

// place adds the job of a change for a place that was found.
func (d *document) place(pieces []*piece, change, n int) error {
	f := &d.founds[n]
	if f.Member != "" && d.book == nil {
		return ErrWitness
	}
	if d.isPage() && slices.Contains(shownHows, f.How) {
		return errShown
	}
	p := pieceOf(pieces, n)
	if p.err != nil {
		return p.err
	}
	j, err := d.jobFor(p, f, d.changes[change])
	if err == nil && j != nil {
		j.change, j.found = change, n-p.nth
		p.jobs = append(p.jobs, *j)
	}
	return err
}

// jobFor gives the job of a change for a place; none where there is nothing to be done.
func (d *document) jobFor(p *piece, f *extract.Found, c Change) (*job, error) {
	if d.book != nil {
		if c.Way != "" {
			return nil, errOnlyMARC
		}
		j, err := d.book.place(f, &c)
		return &j, err
	}
	locate := d.locateInText
	if d.Format == "marc" {
		locate = locateInRecord
	}
	at, ok := locate(p, f)
	if !ok {
		return nil, errSpelled
	}
	if c.Way != "" {
		j, err := d.around(p, f, at, &c)
		return &j, err
	}
	narrow := at
	if c.Trim && f.How == "$u" {
		at = d.trimmed(p.text, at)
	}
	if at == narrow && c.OnlyTrims() {
		return nil, nil
	}
	value := c.New
	if !c.Restore {
		if before, after, ok := besides(f); ok && !(d.isPage() && strings.Contains(before+after, "&")) {
			value = before + value + after
		}
	}
	switch {
	case c.Restore && c.Spelled != "":
		value = c.Spelled
	case !c.Restore || !d.isPage(): // of which extract gives the octets
		value = spellings[d.Format].write(p.text[:at.from], value)
	}
	return &job{at: at, value: value}, nil
}

// trimmed is the place of a value with the blanks between it and what parts values. A line
// end is none of them: in XML it is layout.
func (d *document) trimmed(text []byte, at span) span {
	from, to := len(bytes.TrimRight(text[:at.from], " \t")), at.to
	for to < len(text) && (text[to] == ' ' || text[to] == '\t') {
		to++
	}
	var front, behind string // what parts values
	switch d.Format {
	case "marc":
		front, behind = "\x1fu", "\x1f\x1e"
	case "mrk":
		front, behind = "$u", "$\r\n"
	case "xml":
		front, behind = ">", "<"
		if bytes.HasSuffix(text[:from], []byte(section)) {
			front, behind = section, "]"
		}
	default:
		return at
	}
	if !bytes.HasSuffix(text[:from], []byte(front)) {
		from = at.from
	}
	if to < len(text) && strings.IndexByte(behind, text[to]) < 0 {
		to = at.to
	}
	return span{from, to}
}

// shownHows are the ways in which extract finds what a page shows or comments.
var shownHows = []string{"text", "hostpath", "www", "comment"}

// besides gives what stands in a value around its address, as it stands.
func besides(f *extract.Found) (before, after string, ok bool) {
	if f.URI == "" || strings.Count(f.Raw, f.URI) != 1 {
		return "", "", false
	}
	return strings.Cut(f.Raw, f.URI)
}

// pieceOf is the piece in which a place stands.
func pieceOf(pieces []*piece, n int) *piece {
	i, _ := slices.BinarySearchFunc(pieces, n, func(p *piece, n int) int {
		if n < p.nth+len(p.founds) {
			return 1
		}
		return -1
	})
	return pieces[i]
}
