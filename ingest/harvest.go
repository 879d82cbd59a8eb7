package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"linkcheck/check"
	"linkcheck/extract"
	"linkcheck/harvest"
	"linkcheck/internal/fault"
	"linkcheck/store"
	"linkcheck/store/facts"
)

// HarvestOptions are those of Harvest. Harvester must be there; else the zero value works.
type HarvestOptions struct {
	// Options: of them Edition, Owners, AllowEmpty and Now count, whose clock the bounds of a run
	// are measured by too, and Extract where ExtractOf is nil.
	Options
	Workers   int                                           // roots that are read at a time; 0: 4
	Harvester func(harvest.Root) (harvest.Harvester, error) // that reads a root
	ExtractOf func(harvest.Root) extract.Options            // how its documents are read
	Heard     func(root, name string, answer check.Result)  // what a document's address answered; several roots at a time; nil: not
	Linked    func(address string) (bool, error)            // whether a document that stands, in any shard, holds a link to it; nil: the store knows
	Progress  func(root *store.Root, reading HarvestCounts) // after each step; of one root at a time; nil: not
}

// HarvestCounts counts what one reading of a root did.
type HarvestCounts struct {
	Known, Asked       int // documents that are not gone; those among them that were asked in this sweep
	Read, Same, Failed int // in this reading
	Gone               int // in this reading
	Octets             int64
	Last               string // the document that was asked last
}

// HarvestSummary says what one Harvest did.
type HarvestSummary struct {
	Roots []RootSummary // in the order in which they were given
	facts.IngestCounts
}

// RootSummary says what one reading of a root did.
type RootSummary struct {
	Root store.Root // as it is kept
	HarvestCounts
	Err      error // why it is not whole, or in doubt; nil: it is whole, or a bound of the run ended it (Sweep is then not 0)
	Problems []error
	Untold   int // problems beyond the first 100
	Notes    []string
}

// ErrDoubted: so much of a root is missing at once that nothing of it was retired
// (HARVEST section 5).
var ErrDoubted = errors.New("doubted")

// Harvest reads roots, no two of one URI, into the store, side by side, and retires what is gone from them.
// Which of them are due its caller decides. Where there are none it ends what a run left
// that was cut off. The error wraps ErrUnreadable where some are not whole or doubted,
// and the summary says which; other errors (of the store, of ctx) end the reading, and
// what was committed before stays.
func Harvest(ctx context.Context, st *store.Store, roots []harvest.Root, o HarvestOptions) (HarvestSummary, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	in, err := st.BeginIngest(o.Now())
	if err != nil {
		return HarvestSummary{}, err
	}
	h := &harvesting{st: st, in: in, o: o, release: func() {}}
	defer func() { h.release() }()
	sum := HarvestSummary{Roots: make([]RootSummary, len(roots))}
	if err := h.roots(ctx, roots, sum.Roots); err != nil {
		sum.IngestCounts = in.Counts
		return sum, err
	}
	if sum.IngestCounts, err = in.Finish(); err != nil {
		return sum, err
	}
	failed := 0
	for i := range sum.Roots {
		if sum.Roots[i].Err != nil {
			failed++
		}
	}
	if failed > 0 {
		err = fmt.Errorf("%w: %d", ErrUnreadable, failed)
	}
	return sum, err
}

// harvesting is one Harvest under way.
type harvesting struct {
	st      *store.Store
	in      *store.Ingest
	o       HarvestOptions
	mu      sync.Mutex // held for copying and by Progress
	copied  bool       // store.KeepSnapshot was called
	release func()     // ends it
}

const rootsAtOnce = 4

// roots reads the roots; those that the store does not know yet get their numbers in
// order.
func (h *harvesting) roots(ctx context.Context, roots []harvest.Root, sums []RootSummary) error {
	known, err := h.st.Roots()
	if err != nil {
		return err
	}
	list := make([]*rootReading, len(roots))
	for i := range roots {
		if list[i], err = h.begin(ctx, &roots[i], known, &sums[i]); err != nil {
			return err
		}
	}
	nest(list, known)
	var workers errgroup.Group
	workers.SetLimit(max(h.o.Workers, 0))
	if h.o.Workers <= 0 {
		workers.SetLimit(rootsAtOnce)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	for _, r := range list {
		workers.Go(func() (err error) {
			defer fault.Catch(&err)
			if err = r.read(ctx); err != nil {
				cancel(err)
			}
			return err
		})
	}
	err = workers.Wait()
	if caught, ok := errors.AsType[*fault.Error](err); ok {
		panic(caught)
	}
	return err
}

// nest puts roots behind those inside them, each of which is in the store by now.
func nest(list []*rootReading, known []store.Root) {
	slices.SortStableFunc(list, func(a, b *rootReading) int { return cmp.Compare(len(a.given.Inner), len(b.given.Inner)) })
	for i, r := range list {
		r.done = make(chan struct{})
		for _, k := range known { // those too that are not read now
			if slices.Contains(r.given.Inner, k.URI) {
				r.inner = append(r.inner, k.Number)
			}
		}
		for _, before := range list[:i] {
			if !slices.Contains(r.given.Inner, before.root.URI) {
				continue
			}
			if r.behind = append(r.behind, before); !slices.Contains(r.inner, before.root.Number) {
				r.inner = append(r.inner, before.root.Number)
			}
		}
	}
}

// begin finds or makes the row of a root. Another name of it is another collection of what
// it holds.
func (h *harvesting) begin(ctx context.Context, root *harvest.Root, known []store.Root, sum *RootSummary) (*rootReading, error) {
	r := &rootReading{harvesting: h, given: root, sum: sum, root: &sum.Root, options: h.o.Extract}
	if h.o.ExtractOf != nil {
		r.options = h.o.ExtractOf(*root)
	}
	r.options.Names, r.options.Leads = true, true
	r.fingerprint = fingerprint(Options{Extract: r.options, Owners: h.o.Owners, Edition: h.o.Edition})
	row := r.root
	for i := range known {
		if known[i].URI == root.URI {
			*row = known[i]
		}
	}
	if row.Number != 0 && row.Name != root.Name {
		_, err := h.in.Move(ctx, func(src *store.Source) bool {
			src.Collection = root.Name
			return src.Remote == row.Number
		})
		if err != nil {
			return nil, err
		}
	}
	row.URI, row.Name, row.Kind, row.Owner, row.RecordURL = root.URI, root.Name, string(root.Kind), root.Owner, root.RecordURL
	if row.Sweep == 0 {
		row.Sweep, row.First = h.in.Reading, 0
		row.New, row.Changed, row.Gone, row.Refused, row.Failed, row.Empty, row.Notes = 0, 0, 0, 0, 0, 0, nil
	}
	return r, h.in.Add(store.Step{Root: row})
}
