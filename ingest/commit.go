package ingest

import (
	"context"
	"fmt"
	"time"

	"linkcheck/store"
)

const (
	commitMentions = 5000            // mentions in a transaction
	commitOctets   = 8 << 20         // of mentions in a transaction
	commitSources  = 2000            // finished sources in a transaction
	racyAge        = 2 * time.Second // a file as new as this may change again at the same time stamp
)

// pending gathers batches and finished sources until they fill a transaction.
type pending struct {
	step     store.Step
	mentions int
	octets   int // of the mentions
}

func (p *pending) add(of part) {
	p.step.Batches = append(p.step.Batches, of.batch)
	p.mentions += of.mentions
	p.octets += of.octets
}

// keep takes what a reader hands over.
func (r *reading) keep(ctx context.Context, p part) error {
	switch {
	case p.err != nil:
		return p.err
	case p.document != nil:
		return r.finish(ctx, p.document)
	}
	r.pending.add(p)
	if r.pending.mentions < commitMentions && r.pending.octets < commitOctets {
		return nil
	}
	return r.commit()
}

// finish takes the end of a source, whose mentions have all been taken.
func (r *reading) finish(ctx context.Context, d *document) error {
	if err := ctx.Err(); err != nil {
		return err // it may not have been read whole
	}
	r.sum.Sources++
	if old := d.before.Root; old != "" && old != d.src.Root {
		r.moved[old]++
	}
	if d.same {
		r.sum.Unchanged++
		r.pending.step.Same = append(r.pending.step.Same, d.src)
		return r.commitMuch()
	}
	if d.emptied > 0 { // a file cut short by a full disk or a broken export (OUTCOMES 5.1.10)
		r.sum.Unreadable++
		r.sum.OutOfReach++
		r.sum.addProblem(fmt.Errorf("%q is empty now, and held %s before: they stay as they are", shown(&d.src), plural(d.emptied, "link", "links")))
		return r.in.Add(store.Step{Failed: []store.Source{d.src}})
	}
	if d.before.Problems == d.src.Problems && d.before.Damage == d.src.Damage {
		r.sum.KnownDamages += d.src.Problems // told before (OUTCOMES 5.1.10a)
	} else {
		r.sum.Damages += d.src.Problems
		r.sum.addProblems(&d.damages)
	}
	for _, n := range d.foreign {
		r.sum.NotRead += n
	}
	if d.err != nil {
		r.sum.Unreadable++
		r.sum.addProblem(d.err)
		return r.in.Add(store.Step{Failed: []store.Source{d.src}})
	}
	r.sum.Read++
	if time.Since(d.src.ModTime).Abs() < racyAge { // by the clock of the file system, which Options.Now need not follow
		d.src.ModTime = time.Time{}
	}
	r.pending.step.Whole = append(r.pending.step.Whole, d.src)
	return r.commitMuch()
}

func (r *reading) commitMuch() error {
	if len(r.pending.step.Whole) < commitSources && len(r.pending.step.Same) < commitSources {
		return nil
	}
	return r.commit()
}

// commit writes what was gathered.
func (r *reading) commit() error {
	st := &r.pending.step
	changes := len(st.Batches)+len(st.Whole) > 0
	if !changes && len(st.Same) == 0 {
		return nil
	}
	if changes && !r.copied { // before the first change
		r.copied, r.release = true, r.st.KeepSnapshot()
	}
	err := r.in.Add(*st)
	r.pending = pending{}
	if changes && r.o.Progress != nil && err == nil {
		r.sum.IngestCounts = r.in.Counts
		r.o.Progress(r.sum)
	}
	return err
}
