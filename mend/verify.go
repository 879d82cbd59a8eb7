package mend

import (
	"slices"

	"linkcheck/extract"
)

// settle makes the copy of a piece with the jobs that can be done, and leaves the others.
func (d *document) settle(p *piece) (made []byte, now []extract.Found) {
	slices.SortFunc(p.jobs, func(a, b job) int { return a.at.from - b.at.from })
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
	made, now, _ = d.try(p, p.jobs)
	return made, now
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

// try makes the copy of a piece, and reads it again: it holds what it held, in the same
// places, and the new addresses in theirs.
func (d *document) try(p *piece, jobs []job) (made []byte, now []extract.Found, err error) {
	if d.tries++; d.tries > maxTries && d.Format != "marc" {
		return nil, nil, errTries
	}
	if made, err = p.apply(jobs); err != nil {
		return nil, nil, err
	}
	was := p.founds
	now, damages := read(d.name, made, d.o)
	if len(now) != len(was) || damages > p.damages {
		return nil, nil, errReread
	}
	at := make(map[int]*Change, len(jobs)) // by place
	for _, j := range jobs {
		at[j.found] = &d.changes[j.change]
	}
	for i := range now {
		if now[i].Locator != was[i].Locator || now[i].Record != was[i].Record && !p.free {
			return nil, nil, errReread
		}
		c := at[i]
		if c == nil && (now[i].Raw != was[i].Raw || now[i].URI != was[i].URI) || c != nil && !holds(&now[i], c) {
			return nil, nil, errReread
		}
	}
	return made, now, nil
}

// holds says whether a place has what a change wants there.
func holds(f *extract.Found, c *Change) bool {
	if c.Restore {
		return f.Raw == c.New
	}
	return f.URI == c.New && !f.Faulty
}
