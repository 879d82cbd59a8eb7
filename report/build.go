package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/lint"
	"linkcheck/store"
	"linkcheck/store/facts"
)

const (
	maxTop     = 1000 // rows of the page without JavaScript (OUTCOMES.md section 2.3)
	maxOdd     = 200  // not checkable and invalid links listed one by one
	trendRuns  = 30   // runs in the trend
	stateCount = int(judge.Ignored) + 1
)

// MaxNews is how many changed rows of each kind of change a report holds.
const MaxNews = 16

// Report is the sum of a store at one moment.
type Report struct {
	*Scope

	Runs []store.Run // the last 30, oldest first
	Run  *store.Run  // the last one; nil: none yet
	Prev *store.Run  // the one compared with

	Links, Records int
	Of             int    // links from which Options.Only selected Links
	Part           string // says that the report is of a part of the store, and of which; "": it is of all
	Partial        bool   // sums are of that part: what runs recorded of the store is no figure of it
	Wanted         int    // links that its list is about, of which Top has the first
	NeedYou        int    // links in Fix, Update and Check
	Mentions       int
	ByState        [stateCount]int
	ByGroup        [GroupCount]int
	Changes        []Count // for each of ChangeOrder
	Causes         []Cause
	Rewrites       []Rewrite
	Top            []*Row   // the most urgent rows that need a person
	News           [][]*Row // the first changed rows, a list for each of ChangeOrder
	Changed        int      // links that changed
	Odd            []*Row   // invalid, then not checkable
	OddCount       []Count
	Skipped        []Count // reasons of skipped
	NotRead        []facts.Kind
	Unread         int  // sources that no run has found for 30 days
	Damaged        int  // sources of which something could not be read
	Never          int  // checkable links that were never probed
	LivingHosts    int  // that answered when they were last asked; no more are counted than tell our outage from theirs
	Silent         int  // failing and dead links of which no word came
	Oldest         *Row // the checkable link whose last probe is longest ago

	Due          int                         // links to be asked at once
	Waiting      time.Time                   // since when the link waits that waits longest; zero: none is ever asked
	Internal     int                         // links whose last result is a fault of our own
	Results      map[[2]string]int           // links by outcome and class of reason of their last result
	ByCollection map[string]*[GroupCount]int // links of each collection by group
	LastSuccess  time.Time                   // when the last run ended that did all it had to; zero: none did
	Unreadable   *int                        // sources that the last run which read any could not read; nil: none did
	RootRows     []RootRow                   // of the roots of the report
	Pinned       []uint64                    // links that a person's mark decides, by number
	Faults       *lint.List                  // of places for addresses; nil: they were not looked for
	OwnerRows    []ownerRow                  // who mends what stands in the report; none: nobody is known

	lapses      map[store.Pin]bool // decisions that lapse soon: their links and hosts
	page        pageLinks
	unread      map[string]readFiles // that no run has found for long, by their roots
	damaged     []string             // the first of them, and what is damaged
	collections []string             // sorted; more than maxNamed: some of them
}

// Count is a word and how many links it has.
type Count struct {
	Word string
	N    int
}

// Build reads the source once and sums it up. It is an error if the options or the
// source are not in order.
func Build(ctx context.Context, src Source, o Options) (*Report, error) {
	s, err := NewScope(ctx, src, o)
	if err != nil {
		return nil, err
	}
	b := &builder{
		Report: &Report{
			Scope: s, page: pageLinks{most: cmp.Or(max(o.MaxLinks, 0), DefaultMaxLinks)},
			lapses: map[store.Pin]bool{}, Results: map[[2]string]int{}, ByCollection: map[string]*[GroupCount]int{},
		},
		records: map[uint64]struct{}{}, causes: map[causeKey]*Cause{},
		skipped: map[string]int{}, odd: map[string]int{}, changes: map[judge.Change]int{}, living: map[string]bool{},
		dead: map[string]int{}, owners: map[string]*ownerRow{}, files: map[string]readFiles{},
	}
	b.setRuns(s.Nights)
	if err := b.read(ctx); err != nil {
		return nil, err
	}
	b.finish()
	if err := b.readSources(); err != nil {
		return nil, fmt.Errorf("report: read sources: %w", err)
	}
	b.setRootRows()
	b.setOwnerRows()
	return b.Report, nil
}

// setRuns finds the last run and the one it is compared with: the run before
// it, or with Since the last one before that point.
func (r *Report) setRuns(runs []store.Run) {
	if len(runs) == 0 {
		return
	}
	r.Run = &runs[len(runs)-1]
	r.setSuccess(runs)
	for i := range runs[:len(runs)-1] {
		if runs[i].ID < r.since {
			r.Prev = &runs[i]
		}
	}
	r.Runs = runs[max(0, len(runs)-trendRuns):]
}

// builder is a report in the making: what only the pass over the links needs.
type builder struct {
	*Report
	records map[uint64]struct{} // as store.Entry.Records
	causes  map[causeKey]*Cause
	moves   []move
	top     topRows
	news    [len(ChangeOrder)]topRows
	skipped map[string]int
	odd     map[string]int
	changes map[judge.Change]int
	living  map[string]bool      // hosts
	dead    map[string]int       // links of each collection
	owners  map[string]*ownerRow // by their names
	files   map[string]readFiles // of each collection
}

// read makes the one pass. What Options.Only does not select counts for nothing but how
// many links there are, and for whether our own network looks down.
func (b *builder) read(ctx context.Context) error {
	all := *b.Scope
	all.only = nil
	return all.EachRow(ctx, store.Pick{Most: 1}, func(r *Row) error {
		b.Of++
		b.countSilence(r)
		if len(b.Only) > 0 && !b.matches(r) {
			return nil
		}
		if r.Group.NeedsYou() {
			b.Describe(r)
		}
		c := b.causeOf(r)
		for _, name := range r.Collections {
			if name != "" && len(b.collections) <= maxNamed && !slices.Contains(b.collections, name) {
				b.collections = append(b.collections, name)
			}
		}
		for _, record := range r.Records {
			b.records[record] = struct{}{}
			if c != nil {
				c.records[record] = struct{}{}
			}
		}
		b.Mentions += r.Picked
		b.add(r, c)
		return nil
	})
}

// add counts one link.
func (b *builder) add(r *Row, c *Cause) {
	b.Links++
	if r.Pin != nil {
		b.Pinned = append(b.Pinned, r.ID)
	}
	b.watch(r)
	b.countOwners(r)
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
	if b.matches(r) {
		b.page.add(r)
		if r.Group.NeedsYou() || b.narrowed() {
			b.top.add(b.Scope, r, maxTop)
		}
		if len(r.Changed) > 0 {
			b.news[max(0, slices.Index(ChangeOrder[:], r.Changed[0]))].add(b.Scope, r, MaxNews)
		}
	}
	switch {
	case r.State == judge.Invalid || r.State == judge.NotCheckable:
		b.odd[r.State.String()+" "+string(r.Last.Reason)]++
		if len(b.Odd) < maxOdd {
			b.Odd = append(b.Odd, b.copyOf(r))
		}
	case r.Last.Outcome == check.Unknown:
		b.Never++
	case b.Oldest == nil || r.Last.At.Before(b.Oldest.Last.At):
		b.Oldest = b.copyOf(r)
	}
	if r.Last.Outcome == check.Skipped {
		b.skipped[string(r.Last.Reason)]++
	}
	if r.Group == Update && r.Suggested != "" && (r.Standing >= SiteMoved || r.Last.Outcome == check.Moved) {
		b.moves = append(b.moves, move{r.ID, r.Key, r.Suggested, r.Records, seenThere(&r.Link), r.siteMove.rule})
	}
}

// enoughHosts that live tell an outage of our own network from theirs (OUTCOMES section
// 5.1.6).
const enoughHosts = 5

// countSilence counts the hosts that live, up to enough, and the links that do not answer.
func (b *builder) countSilence(r *Row) {
	silent, lives := false, false
	switch r.Last.Outcome {
	case check.Temporary, check.Unreachable:
		silent = r.State == judge.Failing || r.State == judge.Dead
	case check.OK, check.Moved, check.Reachable, check.Suspect, check.Auth, check.Blocked, check.Undetermined, check.Gone:
		lives = r.Host != ""
	case check.Internal, check.Skipped:
		lives = r.HostLives && r.Host != ""
	}
	switch {
	case silent:
		b.Silent++
	case lives && len(b.living) < enoughHosts:
		b.living[r.Host] = true
		b.LivingHosts = len(b.living)
	}
}

// finish sorts what the pass gathered.
func (b *builder) finish() {
	r := b.Report
	slices.Sort(r.collections)
	r.Records = len(b.records)
	r.NeedYou = r.ByGroup[Fix] + r.ByGroup[Update] + r.ByGroup[Check]
	r.setPart()
	for _, c := range ChangeOrder {
		r.Changes = append(r.Changes, Count{string(c), b.changes[c]})
	}
	r.Rewrites = findRewrites(b.moves)
	r.Causes = b.sortedCauses()
	r.Top = b.top.sorted(maxTop)
	for i := range b.news {
		r.News = append(r.News, b.news[i].sorted(MaxNews))
	}
	r.Skipped, r.OddCount = counts(b.skipped), counts(b.odd)
	slices.SortStableFunc(r.Odd, func(x, y *Row) int {
		return cmp.Or(trueFirst(x.State == judge.Invalid, y.State == judge.Invalid), cmp.Compare(x.URL, y.URL), cmp.Compare(x.ID, y.ID))
	})
}
