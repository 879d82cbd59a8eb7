// Package sources looks after what a store knows of its sources: it lists them, finds
// those that a person names, forgets them, and gives them other names. The store is all
// that it reads and writes; whether a file is there it does not ask.
package sources

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"linkcheck/judge"
	"linkcheck/store"
)

// Row is what one path of a run gave, or one file.
type Row struct {
	Source     string    `json:"source"` // whole
	Name       string    `json:"name"`   // as a run named it
	Collection string    `json:"collection"`
	LastRead   time.Time `json:"last_read"` // when a run found it last, changed or not
	Documents  int       `json:"documents"`
	Links      int       `json:"links"`
	Dead       int       `json:"dead"`
	Damaged    int       `json:"damaged"`          // documents
	Damage     string    `json:"damage,omitempty"` // the first of them
}

type rowKey struct{ source, collection string }

// place is what a source is known by.
type place struct {
	remote uint32
	path   string
}

// List sums up the sources that are there by the path of the run that gave them, and by
// collection; with files, each by itself. The order is that of paths.
func List(ctx context.Context, st *store.Store, files bool) ([]Row, error) {
	var rows []Row
	index, of := map[rowKey]int{}, map[place]int{}
	for src, err := range present(st.Sources()) {
		if err != nil {
			return nil, err
		}
		key := rowKey{cmp.Or(src.Root, src.Path), src.Collection}
		if files {
			key.source = src.Path
		}
		i, known := index[key]
		if !known {
			i = len(rows)
			index[key], rows = i, append(rows, Row{Source: key.source, Name: key.source, Collection: key.collection})
		}
		of[place{src.Remote, src.Path}] = i
		r := &rows[i]
		if r.Documents++; files {
			r.Name = shown(&src)
		}
		if src.LastSeen.After(r.LastRead) {
			r.LastRead = src.LastSeen
		}
		if src.Problems > 0 {
			r.Damaged++
			r.Damage = cmp.Or(r.Damage, src.Damage)
		}
	}
	err := eachLink(ctx, st, func(e *store.Entry) {
		var in []int
		for i := range e.LiveMentions {
			m := &e.LiveMentions[i]
			if n, ok := of[place{m.Remote, m.Path}]; ok && !slices.Contains(in, n) {
				in = append(in, n)
			}
		}
		for _, n := range in {
			if rows[n].Links++; dead(&e.Link) {
				rows[n].Dead++
			}
		}
	})
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Collection, b.Collection))
	})
	return rows, err
}

func dead(l *store.Link) bool { return l.State == judge.Dead || l.State == judge.PinnedDead }

func shown(src *store.Source) string { return cmp.Or(src.Name, src.Path) }

// present leaves out the sources that are gone.
func present(all iter.Seq2[store.Source, error]) iter.Seq2[store.Source, error] {
	return func(yield func(store.Source, error) bool) {
		for src, err := range all {
			if (err != nil || src.Gone.IsZero()) && !yield(src, err) {
				return
			}
		}
	}
}

func eachLink(ctx context.Context, st *store.Store, f func(*store.Entry)) error {
	for e, err := range st.Scan(store.Pick{Mentions: true}) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		f(&e)
	}
	return nil
}
