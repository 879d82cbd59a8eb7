package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"linkcheck/store/facts"
)

const (
	unreadAfter = 30 * 24 * time.Hour
	maxSources  = 5 // that are named, of each kind
)

// readFiles are sources on this disk.
type readFiles struct {
	n    int
	last time.Time // when one of them was found
}

// found counts one.
func (f readFiles) found(at time.Time) readFiles {
	if f.n++; at.After(f.last) {
		f.last = at
	}
	return f
}

// readSources sums up the sources of the collections of the report.
func (b *builder) readSources() error {
	kinds := map[string]int{}
	b.unread = map[string]readFiles{}
	for src, err := range b.src.Sources() {
		if err != nil {
			return err
		}
		if !src.Gone.IsZero() || !b.holds(src.Collection) {
			continue
		}
		for _, k := range src.NotRead {
			kinds[k.Name] += k.N
		}
		if src.Remote == 0 { // RootRows tell of the others
			root := cmp.Or(src.Root, src.Path)
			b.unread[root] = b.unread[root].found(src.LastSeen)
			b.files[src.Collection] = b.files[src.Collection].found(src.LastSeen)
		}
		if src.Problems > 0 {
			if b.Damaged++; len(b.damaged) < maxSources {
				b.damaged = append(b.damaged, cmp.Or(src.Name, src.Path)+": "+cmp.Or(src.Damage, "damaged"))
			}
		}
	}
	maps.DeleteFunc(b.unread, func(_ string, of readFiles) bool { return b.Now.Sub(of.last) < unreadAfter })
	for _, of := range b.unread {
		b.Unread += of.n
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		b.NotRead = append(b.NotRead, facts.Kind{Name: name, N: kinds[name]})
	}
	return nil
}

// SourceLines are sentences about archives that were not read whole, about sources that no
// run reads any more, whose links are asked about and reported all the same, and about
// those that are damaged.
func (r *Report) SourceLines() []string {
	list := r.rootLines()
	roots := slices.SortedFunc(maps.Keys(r.unread), func(x, y string) int {
		return cmp.Or(r.unread[x].last.Compare(r.unread[y].last), strings.Compare(x, y))
	})
	w := r.Words
	for _, root := range roots[:min(len(roots), maxSources)] {
		list = append(list, r.Sanitize(root)+": "+w.Get("source.unread", "day", r.unread[root].last.UTC().Format(time.DateOnly))+" "+
			r.Sanitize("linkcheck store forget "+r.storeFlag()+ShellWord(root)))
	}
	if n := len(roots) - maxSources; n > 0 {
		list = append(list, w.Get("source.more", "n", w.Number(n)))
	}
	for _, what := range r.damaged {
		list = append(list, w.Get("source.damaged")+": "+r.Sanitize(what))
	}
	if n := r.Damaged - len(r.damaged); n > 0 {
		list = append(list, w.Get("source.more", "n", w.Number(n)))
	}
	return list
}

// NotReadLine lists the formats that nothing reads, each with its number of
// documents; "" if there are none.
func (r *Report) NotReadLine() string {
	var list []string
	for _, k := range r.NotRead {
		list = append(list, k.Name+": "+r.Words.Number(k.N))
	}
	return strings.Join(list, ", ")
}
