package ingest

import (
	"cmp"
	"iter"
	"slices"

	"linkcheck/harvest"
	"linkcheck/store"
)

// known shows a harvester what the store knows of its root, but for what waits for the
// next step.
type known struct {
	*rootReading
	mark []byte
	err  error // of the store: the reading ends
}

func (k *known) Mark() []byte { return k.mark }

func (k *known) Document(name string) (harvest.Document, bool) {
	src, found, err := k.lookUp(name)
	k.broken(err)
	if before, kept := k.before(&src); kept {
		return k.shownBefore(&before, k.isOld(&src)), found
	}
	return k.shown(&src), found
}

// inTurn is the order of Under.
func inTurn(a, b store.Source) int {
	return cmp.Or(cmp.Compare(a.Asked-1, b.Asked-1), cmp.Compare(a.Number, b.Number))
}

// goesOn says that the sweep began in an earlier run.
func (k *known) goesOn() bool { return k.root.Sweep < k.in.Reading }

func (k *known) Kept(name string) []byte {
	if !k.goesOn() {
		return nil
	}
	_, value, _, err := k.in.Kept(k.root.Number, name)
	k.broken(err)
	return value
}

// before gives a document of which an answer is kept as it was before the sweep, and yet asked for in
// it; false: none is.
func (k *known) before(src *store.Source) (before store.Source, kept bool) {
	if src.Asked < k.root.Sweep {
		return before, false
	}
	before, _, kept, err := k.in.Kept(k.root.Number, src.Path)
	k.broken(err)
	if before.Number = src.Number; before.Path == "" {
		before.Path, before.Depth = src.Path, src.Depth
	}
	return before, kept
}

// lookedUp is the document that was looked up last: a harvester asks what is known of one
// before it tells of it.
type lookedUp struct {
	src   store.Source
	found bool
	name  string // "": none
}

// lookUp gives what the store knows of a document.
func (r *rootReading) lookUp(name string) (store.Source, bool, error) {
	if r.last.name != name || name == "" {
		src, found, err := r.in.Known(r.root.Number, name)
		if err != nil {
			return src, false, err
		}
		r.last = lookedUp{src, found, name}
	}
	return r.last.src, r.last.found, nil
}

func (k *known) Documents() iter.Seq[harvest.Document] {
	return func(yield func(harvest.Document) bool) {
		var back []store.Source    // as they were before the sweep, in their places of then
		moved := map[uint32]bool{} // by number; true: lost
		for src, err := range k.st.Under(k.root.Number) {
			if k.broken(err) || !k.goesOn() {
				break
			}
			if before, kept := k.before(&src); kept {
				back = append(back, before)
				moved[src.Number] = k.isOld(&src)
			}
		}
		slices.SortFunc(back, inTurn)
		for src, err := range k.st.Under(k.root.Number) {
			if k.broken(err) {
				return
			}
			if _, is := moved[src.Number]; is {
				continue
			}
			for len(back) > 0 && inTurn(back[0], src) < 0 {
				if !yield(k.shownBefore(&back[0], moved[back[0].Number])) {
					return
				}
				back = back[1:]
			}
			if !yield(k.shown(&src)) {
				return
			}
		}
		for i := range back {
			if !yield(k.shownBefore(&back[i], moved[back[i].Number])) {
				return
			}
		}
	}
}

func (k *known) Linked(name string) bool {
	if k.o.Linked != nil {
		linked, err := k.o.Linked(name)
		return !k.broken(err) && linked
	}
	l, found, err := k.st.Find(name)
	return !k.broken(err) && found && l.Mentions > 0
}

// Elsewhere: what this root has read stays until the one inside it has read it too.
func (k *known) Elsewhere(name string) bool {
	for _, number := range k.inner {
		src, found, err := k.in.Known(number, name)
		if k.broken(err) || !found {
			continue
		}
		own, _, err := k.lookUp(name)
		if !k.broken(err) && (src.Read != 0 || own.Read == 0 || !own.Gone.IsZero()) {
			return true
		}
	}
	return false
}

func (k *known) MetSince(name, own string) bool {
	before, _, err := k.lookUp(own)
	k.broken(err)
	for _, number := range k.inner {
		src, found, err := k.in.Known(number, name)
		if !k.broken(err) && found && src.LastSeen.After(before.LastSeen) {
			return true
		}
	}
	return false
}

// Enough: one document at least is asked for in each run.
func (k *known) Enough() bool { return k.told > 0 && k.over() }

func (k *known) broken(err error) bool {
	if k.err == nil {
		k.err = err
	}
	return err != nil
}

// shown is a document as a harvester knows it: one that is to be read again, for it would
// be read in another way now, has no version.
func (k *known) shown(src *store.Source) harvest.Document {
	d := harvest.Document{Name: src.Path, Version: src.Version, Media: src.Media, Depth: src.Depth,
		Read: src.Read != 0, Asked: src.Asked >= k.root.Sweep, Gone: !src.Gone.IsZero(), Hash: src.Hash,
		New: k.goesOn() && k.root.First != 0 && src.Number >= k.root.First, Lost: src.Asked >= k.root.Sweep && k.isOld(src)}
	if d.Read && src.Options != k.fingerprint {
		d.Version = ""
	}
	return d
}

// shownBefore is one as it was before the sweep, in which it was asked for.
func (k *known) shownBefore(src *store.Source, lost bool) harvest.Document {
	d := k.shown(src)
	d.Asked, d.Lost = true, lost
	return d
}

// isOld says that a document of a walk was found to be gone on another night: it may be back, and is asked
// for again before it is retired.
func (r *rootReading) isOld(src *store.Source) bool {
	return r.given.Walks() && src.Noted == notedGone && src.Gone.IsZero() && r.o.Now().Sub(src.NotedAt) >= goneAgain
}
