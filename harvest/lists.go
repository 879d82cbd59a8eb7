package harvest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"linkcheck/check"
	"linkcheck/uri"
)

// mapAt is a sitemap that is to be read.
type mapAt struct {
	address string
	nesting int
}

// sitemaps reads those that are named, and those that they name, once a sweep: what they
// name is found.
func (r *reading) sitemaps(addresses []string) error {
	if string(r.known.Mark()) == sitemapsRead {
		return nil
	}
	var todo []mapAt
	for _, address := range addresses {
		if whole, err := uri.Resolve(r.scope.site()+"/", address); err == nil {
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
	if len(seen) == 0 || !whole {
		return nil
	}
	return r.tell(Item{Kind: Marked, Mark: []byte(sitemapsRead)})
}

// sitemap reads one, and gives the sitemaps that it names. It says whether there was an
// answer.
func (r *reading) sitemap(name string, nesting int) (more []mapAt, came bool, err error) {
	var s sitemap
	var fault error
	taken := false
	res, err := r.read(name, check.Wanted{MaxBytes: maxSitemap, Strict: true}, func(a *check.Answer) error {
		taken = true
		if s, fault = readSitemap(a.Body); fault == nil && a.Cut {
			fault = errLong
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
	if stop := r.sitemapStop(nesting, taken, len(s.locs), &res, away, fault); stop != nil {
		return nil, false, stop
	}
	if fault != nil {
		r.note("the sitemap %.200s: %.200s", name, fault)
	}
	if !s.index {
		return nil, taken || !isDown(&res), r.findLocs(s.locs)
	}
	if nesting == maxNesting {
		r.note("the sitemap %.200s: indexes lead to indexes", name)
		return nil, true, nil
	}
	for _, l := range s.locs {
		more = append(more, mapAt{l.address, nesting + 1})
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
func (r *reading) findLocs(locs []loc) error {
	for _, l := range locs {
		name, ours := r.scope.name(l.address)
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
	page, err := io.ReadAll(body)
	l, ok := readListing(page, d.Name, r.scope.name)
	if !ok {
		return r.tellRead(a, d, io.MultiReader(bytes.NewReader(page), failing{err}), answer)
	}
	now := answer.Date
	if now.IsZero() {
		now = r.Now()
	}
	if err := r.tellRows(l, l.whole && err == nil && !answer.Cut, d, now); err != nil {
		return err
	}
	d.Version = "" // a listing is always asked for whole: its validators are those of the folder
	return r.tellRead(a, d, io.MultiReader(bytes.NewReader(l.rest), failing{err}), answer)
}

// tellRows tells the entries of a listing, and which documents it names no more.
func (r *reading) tellRows(l listing, whole bool, folder Document, now time.Time) error {
	named := map[string]bool{}
	for _, row := range l.rows {
		named[row.name] = true
		if row.words != "" && isYoung(row.words, now) {
			row.words = ""
		}
		if err := r.tellRow(row, folder.Depth+1); err != nil {
			return err
		}
	}
	rows := r.rows[r.key(folder.Name)]
	delete(r.rows, r.key(folder.Name))
	if len(l.rows) == 0 && len(rows) > 0 {
		r.note("doubted: the listing %s is empty, and named %d documents", folder.Name, len(rows))
		return nil
	}
	for _, name := range rows {
		if named[name] || r.wasAsked(name) || !whole {
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
func (r *reading) tellRow(row listed, depth int) error {
	if !r.scope.holds(row.name) || !r.scope.fetchable(row.name) || r.wasAsked(row.name) {
		return nil
	}
	d, known := r.known.Document(row.name)
	switch {
	case !row.folder && known && d.Read && !d.Gone && row.words != "" && d.Version == row.words:
		r.see(row.name)
		r.askedFor(row.name)
		return r.tell(Item{Kind: Same, Doc: Document{Name: row.name, Depth: d.Depth}})
	case r.isSeen(row.name):
		if row.words != "" {
			r.words[r.key(row.name)] = row.words
		}
		return nil
	}
	return r.find(place{name: row.name, words: row.words, depth: uint8(min(depth, 255)), listed: true})
}
