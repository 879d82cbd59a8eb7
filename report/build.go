package report

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
)

const (
	maxTop     = 1000 // rows of the page without JavaScript (OUTCOMES.md section 2.3)
	maxOdd     = 200  // not checkable and invalid links listed one by one
	trendRuns  = 30   // runs in the trend
	stateCount = int(judge.Ignored) + 1
)

// Report is the sum of a store at one moment.
type Report struct {
	*scope
	src Source

	Runs []store.Run // the last 30, oldest first
	Run  *store.Run  // the last one; nil: none yet
	Prev *store.Run  // the one compared with

	Links, Records int
	NeedYou        int // links in Fix, Update and Check
	Places         int
	ByState        [stateCount]int
	ByGroup        [groupCount]int
	Changes        []Count // newly-dead ... in fixed order, none left out
	Causes         []Cause
	Rewrites       []Rewrite
	Top            []Row   // the first rows that need a hand
	News           [][]Row // the first changed rows, a list a change in fixed order
	Changed        int     // links that changed
	Odd            []Row   // invalid, then not checkable
	OddCount       []Count
	Skipped        []Count // reasons of skipped
	NotRead        []store.Kind
	Never          int  // links never asked
	Oldest         *Row // checkable link that was not looked at for longest

	hash    maphash.Seed
	records distinct
	links   pageLinks
	named   []string // collections, in the order of their first links; more than maxNamed: some
}

// Count is a word and how many links it has.
type Count struct {
	Word string
	N    int
}

// Build reads the source once and sums it up.
func Build(ctx context.Context, src Source, o Options) (*Report, error) {
	s, runs, err := prepare(src, o)
	if err != nil {
		return nil, err
	}
	r := &Report{scope: s, src: src, hash: maphash.MakeSeed(), links: pageLinks{room: o.maxLinks()}}
	r.setRuns(runs)
	b := &builder{Report: r, causes: map[causeKey]*Cause{}, skipped: map[string]int{}, odd: map[string]int{}, changes: map[judge.Change]int{}}
	if err := b.read(ctx); err != nil {
		return nil, err
	}
	b.finish()
	if r.NotRead, err = src.NotRead(); err != nil {
		return nil, fmt.Errorf("report: read sources: %w", err)
	}
	return r, nil
}

// setRuns finds the last run and the one it is compared with: the run before
// it, or with Since the last one before that point.
func (r *Report) setRuns(runs []store.Run) {
	if len(runs) == 0 {
		return
	}
	r.Run = &runs[len(runs)-1]
	for i := range runs[:len(runs)-1] {
		if runs[i].ID < r.since {
			r.Prev = &runs[i]
		}
	}
	r.Runs = runs[max(0, len(runs)-trendRuns):]
}

// builder holds what only the pass over the links needs.
type builder struct {
	*Report
	causes  map[causeKey]*Cause
	moves   []move
	top     topRows
	news    [len(changeOrder)]topRows
	skipped map[string]int
	odd     map[string]int
	changes map[judge.Change]int
	inCause map[uint64]struct{}
}

func (b *builder) read(ctx context.Context) error {
	b.inCause = map[uint64]struct{}{}
	all := *b.scope
	all.rows = nil
	return all.eachRow(ctx, b.src, store.Pick{}, func(r *Row) error {
		if r.Group.NeedsYou() {
			b.tell(r)
		}
		c := b.causeOf(r)
		var records []uint64 // of a moved link, for its rewrite
		for i := range r.Places {
			b.name(r.Places[i].Collection)
			rec := b.recordHash(&r.Places[i])
			b.records.add(rec)
			if r.State == judge.Moved {
				records = append(records, rec)
			}
			if c != nil {
				b.addRecord(c, rec)
			}
		}
		b.Places += len(r.Places)
		b.add(r, c, records)
		return nil
	})
}

// name notes a collection.
func (b *builder) name(collection string) {
	if collection != "" && len(b.named) <= maxNamed && !slices.Contains(b.named, collection) {
		b.named = append(b.named, collection)
	}
}

// recordHash names the record of a mention, or its document where there is none.
func (b *builder) recordHash(m *store.Mention) uint64 {
	var h maphash.Hash
	h.SetSeed(b.hash)
	h.WriteString(m.Collection)
	h.WriteByte(0)
	if m.Record != "" {
		h.WriteString(m.Record)
	} else {
		h.WriteByte(1)
		h.WriteString(m.Source)
		h.WriteByte(0)
		h.WriteString(m.Member)
	}
	return h.Sum64()
}

// add counts one link that has at least one live mention.
func (b *builder) add(r *Row, c *Cause, records []uint64) {
	b.Links++
	b.ByState[r.State]++
	b.ByGroup[r.Group]++
	for _, ch := range r.Changed {
		b.changes[ch]++
	}
	if c != nil {
		c.Links++
	}
	if len(r.Changed) > 0 {
		b.Changed++
	}
	if b.wants(r) {
		b.links.add(r)
	}
	if b.wants(r) && (r.Group.NeedsYou() || len(b.rows) > 0) {
		b.top.add(b.scope, r, maxTop)
	}
	if b.wants(r) && len(r.Changed) > 0 {
		b.news[max(0, slices.Index(changeOrder[:], r.Changed[0]))].add(b.scope, r, summaryNews)
	}
	switch {
	case r.State == judge.Invalid || r.State == judge.NotCheckable:
		b.odd[r.State.String()+" "+string(r.Last.Reason)]++
		if len(b.Odd) < maxOdd {
			b.Odd = append(b.Odd, b.kept(r))
		}
	case r.Last.Outcome == check.Unknown:
		b.Never++
	case b.Oldest == nil || r.Last.At.Before(b.Oldest.Last.At):
		old := b.kept(r)
		b.Oldest = &old
	}
	if r.Last.Outcome == check.Skipped {
		b.skipped[string(r.Last.Reason)]++
	}
	if r.State == judge.Moved && r.Suggested != "" && r.Last.Outcome == check.Moved {
		b.moves = append(b.moves, move{r.Key, r.Suggested, records})
	}
}
