package ingest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"linkcheck/check"
	"linkcheck/extract"
	"linkcheck/harvest"
	"linkcheck/store"
	"linkcheck/store/facts"
)

// What a root may cost in a run where its own bounds are 0 (HARVEST section 9).
const (
	rootTime   = time.Hour
	rootOctets = 2 << 30
)

// rootReading is the reading of one root.
type rootReading struct {
	*harvesting
	given       *harvest.Root
	options     extract.Options
	fingerprint string
	sum         *RootSummary
	root        *store.Root    // its row, in sum
	inner       []uint32       // the roots inside it
	behind      []*rootReading // those that are read before it
	done        chan struct{}  // closed when it is read

	began   time.Time
	stepped time.Time       // when the last step was
	step    pending         // what waits for the next one
	marked  bool            // it ends with a mark
	open    bool            // it ends with a document, and what was found in it
	fresh   map[string]bool // documents in it that the store does not know
	last    lookedUp        // since the last step
	told    int             // documents of which something was heard
	noted   bool            // some documents are noted as gone or left out
	whole   bool            // the sweep has ended
	state   string          // how it stands with the root; "": under way
}

// read reads the root as far as it comes, behind those inside it.
func (r *rootReading) read(ctx context.Context) error {
	defer close(r.done)
	for _, inner := range r.behind {
		<-inner.done
	}
	r.began = r.o.Now()
	r.stepped, r.fresh = r.began, map[string]bool{}
	if err := r.look(); err != nil {
		return err
	}
	known := &known{rootReading: r, mark: r.root.Mark}
	h, err := r.o.Harvester(*r.given)
	if err == nil {
		for item, failed := range h.Harvest(ctx, known) {
			if failed != nil {
				err = failed
				break
			}
			if err = cmp.Or(r.take(ctx, &item), ctx.Err()); err != nil || known.err != nil {
				return errors.Join(err, known.err)
			}
		}
	}
	if known.err != nil {
		return known.err
	}
	return r.end(ctx, err)
}

// look counts what is known of the root.
func (r *rootReading) look() error {
	r.root.Documents = 0
	for src, err := range r.st.Under(r.root.Number) {
		if err != nil {
			return err
		}
		if !src.Gone.IsZero() {
			continue
		}
		r.sum.Known++
		if src.Read != 0 {
			r.root.Documents++
		}
		if src.Asked >= r.root.Sweep {
			r.sum.Asked++
		}
		r.noted = r.noted || src.Noted == notedGone || src.Noted == notedLeft
	}
	return nil
}

// take does what an item tells. What is Found behind a Read is in its step, and so is what is kept of
// its answer: the steps end before what is neither.
func (r *rootReading) take(ctx context.Context, item *harvest.Item) (err error) {
	if !r.open || item.Kind != harvest.Found && item.Kind != harvest.Heard && item.Keep == nil {
		if err := r.commitMuch(); err != nil {
			return err
		}
	}
	r.open = item.Kind == harvest.Read || r.open && item.Kind == harvest.Found
	if item.Keep != nil {
		r.step.step.Kept = append(r.step.step.Kept, facts.Kept{Remote: r.root.Number, Name: item.Doc.Name, Value: item.Keep})
		r.step.octets += len(item.Keep)
	}
	group := item.Kind == harvest.Read || item.Kind == harvest.Found // it goes on
	if item.Mark != nil && !group {
		r.root.Mark = slices.Clone(item.Mark)
	}
	if err := r.tell(ctx, item); err != nil {
		return err
	}
	if item.Heard.Outcome != check.Unknown && r.o.Heard != nil {
		r.o.Heard(r.root.URI, item.Doc.Name, item.Heard)
		r.step.step.Heard = append(r.step.step.Heard, facts.Heard{URL: item.Doc.Name, Result: item.Heard})
	}
	switch {
	case item.Mark == nil || item.Kind == harvest.Window || item.Kind == harvest.Whole:
	case group:
		r.root.Mark, r.marked = slices.Clone(item.Mark), true
	default:
		err = r.commit()
	}
	return err
}

// over says that the run has cost what it may.
func (r *rootReading) over() bool {
	most, octets := cmp.Or(r.given.Time, rootTime), cmp.Or(r.given.Bytes, rootOctets)
	return r.o.Now().Sub(r.began) >= most || r.sum.Octets >= octets
}

func (r *rootReading) tell(ctx context.Context, item *harvest.Item) error {
	if item.Note != "" {
		r.note(item)
	}
	switch item.Kind {
	case harvest.Found:
		return r.found(&item.Doc)
	case harvest.Window, harvest.Whole:
		return r.listed(item.Kind == harvest.Whole)
	case harvest.Read, harvest.Same, harvest.Gone, harvest.Missed, harvest.Failed, harvest.Left, harvest.Expired:
	default:
		return nil
	}
	before, found, err := r.lookUp(item.Doc.Name)
	if err != nil {
		return err
	}
	if !found {
		before = store.Source{Remote: r.root.Number, Path: item.Doc.Name, Depth: item.Doc.Depth}
		r.count(item.Doc.Name)
	}
	if before.Asked < r.root.Sweep {
		r.sum.Asked++
	}
	r.sum.Last = item.Doc.Name
	r.told++
	switch item.Kind {
	case harvest.Read:
		return r.document(ctx, item, &before)
	case harvest.Same:
		before.Version, before.Media = keep(item.Doc.Version, before.Version), keep(item.Doc.Media, before.Media)
		if before.Read != 0 && before.Gone.IsZero() {
			r.same(before)
			return nil
		}
		r.failed(&before, "it was never read, and is the same", &item.Heard)
		return nil
	case harvest.Failed:
		what := string(item.Heard.Reason)
		if item.Note != "" {
			what = "" // it is told
		}
		r.failed(&before, what, &item.Heard)
		return nil
	}
	if item.Doc.Version != "" {
		before.Version = item.Doc.Version
		r.step.step.Found = append(r.step.step.Found, before)
	}
	r.noteGone(&before, item.Kind)
	return nil
}

func keep(given, known string) string {
	if given != "" {
		return given
	}
	return known
}
