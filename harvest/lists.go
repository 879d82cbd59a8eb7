package harvest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"linkcheck/check"
	"linkcheck/harvest/kept"
	"linkcheck/harvest/webpage"
	"linkcheck/uri"
)

const (
	maxNesting  = 3    // indexes of sitemaps that lead to each other
	maxSitemaps = 1000 // read in a sweep
)

// mapAt is a sitemap that is to be read.
type mapAt struct {
	address string
	nesting int
}

// sitemaps reads those that are named, and those that they name, once a sweep: what they
// name is found.
func (r *reading) sitemaps(addresses []string) error {
	if !r.keeps() && string(r.known.Mark()) == sitemapsRead {
		return nil
	}
	var todo []mapAt
	for _, address := range addresses {
		if whole, err := uri.Resolve(r.web.site()+"/", address); err == nil {
			address = whole
		}
		todo = append(todo, mapAt{address, 1})
	}
	seen := map[string]bool{}
	whole := true
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		name, ours := r.scope.name(at.address)
		if seen[name] {
			continue
		}
		if seen[name] = true; !ours {
			r.note("not read: the sitemap %.200s of another site", at.address)
			continue
		}
		if len(seen) > maxSitemaps {
			r.note("%d sitemaps are the bound", maxSitemaps)
			break
		}
		more, came, err := r.sitemap(name, at.nesting)
		if err != nil {
			return err
		}
		whole = whole && came
		todo = append(todo, more...)
	}
	if len(seen) == 0 || !whole || r.keeps() {
		return nil
	}
	return r.tell(Item{Kind: Marked, Mark: []byte(sitemapsRead)})
}

// sitemap reads one, and gives the sitemaps that it names. It says whether there was an
// answer.
func (r *reading) sitemap(name string, nesting int) (more []mapAt, came bool, err error) {
	r.askedFor(name) // a list, and no document of this sweep
	if k := r.keptOf(name); k != nil {
		r.quiet = true
		defer func() { r.quiet = false }()
		return r.locs(nesting, k)
	}
	var s webpage.Sitemap
	var fault error
	taken := false
	res, err := r.read(name, check.Wanted{MaxBytes: webpage.MaxSitemap, Strict: true, Shared: true}, func(a *check.Answer) error {
		taken = true
		if s, fault = webpage.ReadSitemap(a.Body); fault == nil && a.Cut {
			fault = webpage.ErrLong
		}
		return nil
	})
	var away *check.Elsewhere
	switch {
	case r.ctx.Err() != nil:
		return nil, false, r.ctx.Err()
	case errors.As(err, &away):
		fault = away
	case err != nil:
		return nil, false, err
	case !taken && isResting(&res):
		return nil, false, r.resting(&res)
	case !taken:
		fault = errors.New(words(&res))
	}
	if stop := r.sitemapStop(nesting, taken, len(s.Locs), &res, away, fault); stop != nil {
		return nil, false, stop
	}
	if fault != nil {
		r.note("the sitemap %.200s: %.200s", name, fault)
	}
	if !taken && isDown(&res) {
		return nil, false, nil
	}
	k := &kept.Answer{Index: s.Index}
	for _, l := range s.Locs {
		k.Locs = append(k.Locs, l.Address)
	}
	if more, came, err = r.locs(nesting, k); err != nil {
		return nil, false, err
	}
	if s.Index && nesting == maxNesting {
		r.note("the sitemap %.200s: indexes lead to indexes", name)
	}
	return more, came, r.tell(Item{Kind: Heard, Doc: Document{Name: name}, Keep: r.keep(&answered{kept: *k})})
}

// locs finds what a sitemap names: documents, or sitemaps.
func (r *reading) locs(nesting int, k *kept.Answer) (more []mapAt, came bool, err error) {
	if !k.Index {
		return nil, true, r.findLocs(k.Locs)
	}
	for _, address := range k.Locs {
		if nesting < maxNesting {
			more = append(more, mapAt{address, nesting + 1})
		}
	}
	return more, true, nil
}

// sitemapStop is why a root that is a sitemap cannot be read; nil: it can.
func (r *reading) sitemapStop(nesting int, taken bool, locs int, res *check.Result, away *check.Elsewhere, fault error) error {
	switch {
	case r.root.Kind != Sitemap || nesting > 1:
		return nil
	case away != nil:
		return &Stop{Why: Moved, Text: away.Error()}
	case !taken:
		return rootStop(res)
	case locs == 0 && fault != nil:
		return &Stop{Why: NotThis, Text: fmt.Sprintf("%.200s", fault)}
	}
	return nil
}

// findLocs finds the documents that a sitemap names.
func (r *reading) findLocs(locs []string) error {
	for _, address := range locs {
		name, ours := r.scope.name(address)
		if !ours || !r.scope.holds(name) || !r.scope.fetchable(name) {
			continue
		}
		if err := r.find(place{name: name, depth: 1, listed: true}); err != nil {
			return err
		}
	}
	return nil
}

// takeFolder tells a listing, or the page of a folder that only looks like one.
func (r *reading) takeFolder(a *answered, d Document, body io.Reader, answer *check.Answer) error {
	if err := r.up(); err != nil {
		return err
	}
	page, err := io.ReadAll(body)
	l, ok := webpage.ReadListing(page, d.Name, r.scope.name)
	if !ok {
		return r.tellRead(a, d, io.MultiReader(bytes.NewReader(page), failing{err}), answer)
	}
	now := answer.Date
	if now.IsZero() {
		now = r.Now()
	}
	a.kept.Up, a.kept.Listed = true, listedBy(&l, l.Whole && err == nil && !answer.Cut, now)
	if err := r.tellRows(a.kept.Listed, d); err != nil {
		return err
	}
	d.Version = "" // a listing is always asked for whole: its validators are those of the folder
	return r.tellRead(a, d, io.MultiReader(bytes.NewReader(l.Rest), failing{err}), answer)
}

// listedBy is what the rows of a listing say. Words that are young may stand for more than one state.
func listedBy(l *webpage.Listing, whole bool, now time.Time) *kept.Listed {
	k := &kept.Listed{Whole: whole}
	for _, row := range l.Rows {
		if row.Words != "" && webpage.IsYoung(row.Words, now) {
			row.Words = ""
		}
		k.Rows = append(k.Rows, kept.Row(row))
	}
	return k
}

// tellRows tells the entries of a listing, and which documents it names no more.
func (r *reading) tellRows(l *kept.Listed, folder Document) error {
	named := map[string]bool{}
	for _, row := range l.Rows {
		named[row.Name] = true
		if err := r.tellRow(row, folder.Depth+1); err != nil {
			return err
		}
	}
	rows := r.rows[r.key(folder.Name)]
	delete(r.rows, r.key(folder.Name))
	if len(l.Rows) == 0 && len(rows) > 0 {
		r.note("doubted: the listing %s is empty, and named %s", folder.Name, number(len(rows), "document"))
		return nil
	}
	for _, name := range rows {
		if named[name] || r.wasAsked(name) || !l.Whole {
			continue
		}
		r.askedFor(name)
		if err := r.tell(Item{Kind: Gone, Doc: Document{Name: name}, Note: "the listing names it no more"}); err != nil {
			return err
		}
	}
	return nil
}

// tellRow tells an entry: it is the same where what stands behind its name is the same.
func (r *reading) tellRow(row kept.Row, depth int) error {
	if !r.scope.holds(row.Name) || !r.scope.fetchable(row.Name) || r.wasAsked(row.Name) {
		return nil
	}
	d, known := r.known.Document(row.Name)
	switch {
	case !row.Folder && known && d.Read && !d.Gone && row.Words != "" && d.Version == row.Words:
		r.see(row.Name)
		if r.askedFor(row.Name); d.Asked {
			return nil
		}
		return r.tell(Item{Kind: Same, Doc: Document{Name: row.Name, Depth: d.Depth}})
	case r.isSeen(row.Name):
		if row.Words != "" {
			r.words[r.key(row.Name)] = row.Words
		}
		return nil
	}
	return r.find(place{name: row.Name, words: row.Words, depth: uint8(min(depth, 255)), listed: true})
}
