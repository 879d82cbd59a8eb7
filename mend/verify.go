package mend

import (
	"regexp"
	"slices"
	"strings"

	"linkcheck/extract"
)

// placeNow is where a change stands in a copy: the place, and which one it is of its piece.
type placeNow struct {
	extract.Found
	nth int // -1: nothing stands there
}

// settle makes the copy of a piece with the jobs that can be done, and leaves the others.
// The places are those of the jobs that are done.
func (d *document) settle(p *piece) (made []byte, places []placeNow) {
	slices.SortStableFunc(p.jobs, func(a, b job) int {
		if a.at.from == b.at.from && a.field != b.field { // what belongs into a field stands before the next one
			if a.field {
				return 1
			}
			return -1
		}
		return a.at.from - b.at.from
	})
	for i := 1; i < len(p.jobs); i++ {
		if p.jobs[i].at.from < p.jobs[i-1].at.to {
			d.leave(p.jobs[i].change, errTwice)
			p.jobs = slices.Delete(p.jobs, i, i+1)
			i--
		}
	}
	p.jobs = d.keep(p, p.jobs)
	if len(p.jobs) == 0 {
		return nil, nil
	}
	d.tries = 0
	made, places, _ = d.try(p, p.jobs)
	return made, places
}

// maxTries bounds how often a document is read again to find the changes that are at fault.
const maxTries = 400

// keep gives those of the jobs that can be done together. Where all cannot, each half is
// tried by itself, so that one that is at fault leaves the others.
func (d *document) keep(p *piece, jobs []job) []job {
	if len(jobs) == 0 {
		return nil
	}
	_, _, err := d.try(p, jobs)
	switch {
	case err == nil:
		return jobs
	case len(jobs) == 1:
		d.leave(jobs[0].change, err)
		return nil
	}
	first, second := d.keep(p, jobs[:len(jobs)/2]), d.keep(p, jobs[len(jobs)/2:])
	both := slices.Concat(first, second)
	if len(first) == 0 || len(second) == 0 {
		return both
	}
	if _, _, err := d.try(p, both); err != nil {
		for _, j := range second {
			d.leave(j.change, err)
		}
		return first
	}
	return both
}

// wanted is what has to be found at one place of a copy: the place that was, or what a
// change put there.
type wanted struct {
	was *extract.Found // nil: it was not there
	job int            // -1: none
}

// expected gives what has to be found in the copy of a piece, in its order. What is put
// behind a field is found behind all that was found in it.
func (d *document) expected(p *piece, jobs []job) (list []wanted, gone map[int]bool) {
	at, behind := map[int]int{}, map[int][]int{} // by place: its job, the jobs that put something behind it
	gone = map[int]bool{}
	for n, j := range jobs {
		switch c := &d.changes[j.change]; {
		case c.adds() && c.Restore && !d.isPage():
			gone[n], at[j.found] = true, n
		case c.adds() && !d.isPage():
			last := j.found
			for last+1 < len(p.founds) && sameField(&p.founds[last+1], &p.founds[j.found]) {
				last++
			}
			behind[last] = append(behind[last], n)
		default:
			at[j.found] = n
		}
	}
	for i := range p.founds {
		switch n, ok := at[i]; {
		case ok && !gone[n]:
			list = append(list, wanted{&p.founds[i], n})
		case !ok:
			list = append(list, wanted{&p.founds[i], -1})
		}
		for _, n := range behind[i] {
			list = append(list, wanted{nil, n})
		}
	}
	return list, gone
}

// sameField says whether two places stand in one field of MARC.
func sameField(a, b *extract.Found) bool {
	field, _, _ := strings.Cut(a.Locator, "$")
	other, _, _ := strings.Cut(b.Locator, "$")
	return field == other && a.Record == b.Record
}

// try makes the copy of a piece, and reads it again: it holds what it held, in the same
// places, and the new addresses in theirs.
func (d *document) try(p *piece, jobs []job) (made []byte, places []placeNow, err error) {
	if d.tries++; d.tries > maxTries && d.Format != "marc" {
		return nil, nil, errTries
	}
	if made, err = p.apply(jobs); err != nil {
		return nil, nil, err
	}
	list, gone := d.expected(p, jobs)
	now, damages := read(d.name, made, d.o)
	if len(now) != len(list) || damages > p.damages {
		return nil, nil, errReread
	}
	// Where fields and subfields come and go, those behind them have other numbers.
	numbers := slices.ContainsFunc(jobs, func(j job) bool { return d.changes[j.change].Way != "" })
	places = make([]placeNow, len(jobs))
	for n := range gone {
		places[n].nth = -1
	}
	for i := range now {
		w := list[i]
		var c *Change
		if w.job >= 0 {
			c, places[w.job] = &d.changes[jobs[w.job].change], placeNow{now[i], i}
		}
		if !p.free && w.was != nil && now[i].Record != w.was.Record || !stands(&now[i], w.was, c, numbers) {
			return nil, nil, errReread
		}
	}
	return made, places, nil
}

// stands says whether a place is where it was, and has what it had or a change wants there.
func stands(now, was *extract.Found, c *Change, numbers bool) bool {
	switch {
	case was == nil:
		return now.URI == c.New
	case c != nil && c.unchecks(): // in text an address may end sooner than where it is a value
		long, short := was.Raw, now.Raw
		if c.Restore {
			long, short = short, long
		}
		return short != "" && strings.HasPrefix(long, short)
	case now.Locator != was.Locator && !(numbers && unnumbered(now.Locator) == unnumbered(was.Locator)):
		return false
	case c == nil:
		return now.Raw == was.Raw && now.URI == was.URI
	case c.Restore:
		return strings.TrimSpace(now.Raw) == strings.TrimSpace(c.New)
	}
	return now.URI == c.New && !now.Faulty
}

// ordinal is the number of a field or subfield in a locator.
var ordinal = regexp.MustCompile(`\[\d+\]`)

func unnumbered(locator string) string { return ordinal.ReplaceAllString(locator, "") }
