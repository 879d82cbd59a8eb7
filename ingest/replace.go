package ingest

import (
	"fmt"
	"slices"

	"linkcheck/store"
)

// holds sums up what a collection holds.
type holds struct{ documents, links, damages int }

func (h *holds) add(src *store.Source) {
	h.documents++
	h.links += src.Mentions
	h.damages += src.Problems
}

// replace retires what the collection held beside what this reading found: it was made
// anew, under another name perhaps. Not so where the new one may be broken
// (OUTCOMES 5.1.10).
func (r *reading) replace() error {
	var before, now holds
	var old []store.Source
	for src, err := range r.missing(r.ofCollection) {
		if err != nil {
			return err
		}
		old = append(old, src)
		before.add(&src)
	}
	if len(old) == 0 {
		return nil
	}
	for src, err := range r.st.Sources() {
		if err != nil {
			return err
		}
		if src.Gone.IsZero() && r.ofCollection(&src) {
			now.add(&src)
		}
	}
	now = holds{now.documents - before.documents, now.links - before.links, now.damages - before.damages}
	if why := r.whyNotReplaced(before, now); why != "" {
		r.sum.Unreadable++
		r.sum.OutOfReach++
		r.sum.addProblem(fmt.Errorf("collection %q is not replaced: %s; what it held before stays: %s", r.o.Collection, why, plural(before.documents, "document", "documents")))
		return nil
	}
	for part := range slices.Chunk(old, goneAtOnce) {
		if err := r.in.Add(store.Step{Gone: part}); err != nil {
			return err
		}
	}
	r.sum.Gone += len(old)
	r.sum.Notes = append(r.sum.Notes, fmt.Sprintf("collection %q is replaced: %s with %s of before retired", r.o.Collection,
		plural(before.documents, "document", "documents"), plural(before.links, "link", "links")))
	return nil
}

func (r *reading) ofCollection(src *store.Source) bool {
	return src.Remote == 0 && src.Collection == r.o.Collection
}

// whyNotReplaced says why what was read may not be the whole collection; "": it is.
func (r *reading) whyNotReplaced(before, now holds) string {
	switch {
	case r.o.AllowEmpty:
		return ""
	case r.sum.Unreadable > 0:
		return "not everything could be read"
	case now.documents == 0:
		return "nothing was read"
	case now.damages > 0:
		return "what was read is damaged"
	case 2*now.documents < before.documents:
		return fmt.Sprintf("%s now, where there were %d", plural(now.documents, "document", "documents"), before.documents)
	case 2*now.links < before.links:
		return fmt.Sprintf("%s now, where there were %d", plural(now.links, "link", "links"), before.links)
	}
	return ""
}
