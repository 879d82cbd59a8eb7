package ingest

import (
	"iter"

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
	return k.shown(&src), found
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
		for src, err := range k.st.Under(k.root.Number) {
			if k.broken(err) || !yield(k.shown(&src)) {
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
		Read: src.Read != 0, Asked: src.Asked >= k.root.Sweep, Gone: !src.Gone.IsZero(), Hash: src.Hash}
	if d.Read && src.Options != k.fingerprint {
		d.Version = ""
	}
	return d
}
