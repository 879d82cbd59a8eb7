package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/facts"
	"linkcheck/store/internal/backoff"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/heard"
	"linkcheck/store/internal/linkkey"
	"linkcheck/store/internal/pending"
	"linkcheck/store/internal/recall"
)

const day = 24 * time.Hour

// StartRun begins a run and gives its number. Runs that were interrupted stay
// without an end.
func (s *Store) StartRun(r Run) (id uint64, err error) {
	err = s.emit(func() (Change, error) {
		return &begun{&r}, s.file.View(func(tx *boltfile.Tx) error {
			r.ID = tx.Bucket(bucketRun).Sequence() + 1
			return nil
		})
	})
	return r.ID, err
}

// EndRun writes the summary of a run, and drops what has lapsed of what probers keep. A run
// whose summary has no end is forgotten: it ended in order before it asked anything.
func (s *Store) EndRun(r Run) error {
	if err := s.keepNotes(); err != nil {
		return err
	}
	return s.emit(func() (Change, error) {
		return &ended{&r}, s.file.View(func(tx *boltfile.Tx) error {
			if tx.Bucket(bucketRun).Get(codec.Key(r.ID)) == nil {
				return fmt.Errorf("run %d: %w", r.ID, ErrNotFound)
			}
			return nil
		})
	})
}

// keepNotes writes what probers keep, where no Record follows.
func (s *Store) keepNotes() error {
	if len(s.cache.Waiting()) == 0 {
		return nil
	}
	return s.Record(0, judge.Policy{}, nil)
}

// begun is the change that StartRun makes, ended that of EndRun.
type (
	begun struct{ *Run }
	ended struct{ *Run }
)

func (c *begun) apply(_ *Store, last func(func(*boltfile.Tx) error) error) error {
	return last(func(tx *boltfile.Tx) error {
		b := tx.Bucket(bucketRun)
		if b.Get(codec.Key(c.ID)) != nil { // it was told twice
			return nil
		}
		return errors.Join(b.RaiseSequence(c.ID), putRun(b, c.Run))
	})
}

func (c *ended) apply(_ *Store, last func(func(*boltfile.Tx) error) error) error {
	return last(func(tx *boltfile.Tx) error {
		b := tx.Bucket(bucketRun)
		if c.Ended.IsZero() {
			return b.Delete(codec.Key(c.ID))
		}
		var err error
		if c.Note != facts.Interrupted { // else the next run goes on
			err = heard.EndNight(tx.Bucket(bucketCache))
		}
		return errors.Join(err, recall.DropLapsed(tx.Bucket(bucketCache), c.Ended), putRun(b, c.Run))
	})
}

const runFill = 0.95 // of a page: rows come in order, and only the last one grows

func putRun(b *boltfile.Bucket, r *Run) error {
	v, err := json.Marshal(r)
	if err != nil {
		return err
	}
	b.FillPercent = runFill
	return b.Put(codec.Key(r.ID), v)
}

func readRun(v []byte) (r Run, err error) {
	if err := json.Unmarshal(v, &r); err != nil {
		return r, fmt.Errorf("%w: run: %w", ErrCorrupt, err)
	}
	return r, nil
}

// Runs yields the runs, oldest first.
func (s *Store) Runs() iter.Seq2[Run, error] {
	if s.ofFleet() {
		return s.runsOfFleet()
	}
	return boltfile.Pages(s.file.View, bucketRun, nil, func(_ *boltfile.Tx, _, v []byte) (r Run, ok bool, err error) {
		r, err = readRun(v)
		return r, true, err
	})
}

// Tally reads all states once.
func (s *Store) Tally(run uint64) (t Tally, err error) {
	t = Tally{Outcomes: map[string]int{}, States: map[string]int{}, Changes: map[string]int{}, Last: map[check.Outcome]int{}}
	var mu sync.Mutex
	err = s.sideBySide(func(at *Store) error {
		part, err := at.tally(run)
		mu.Lock()
		defer mu.Unlock()
		for _, sums := range [][2]map[string]int{{t.Outcomes, part.Outcomes}, {t.States, part.States}, {t.Changes, part.Changes}} {
			for word, n := range sums[1] {
				sums[0][word] += n
			}
		}
		for outcome, n := range part.Last {
			t.Last[outcome] += n
		}
		return err
	})
	return t, err
}

// tally is Tally for one file.
func (s *Store) tally(run uint64) (t Tally, err error) {
	t = Tally{Outcomes: map[string]int{}, States: map[string]int{}, Changes: map[string]int{}, Last: map[check.Outcome]int{}}
	var states, lasts, outcomes [256]int // by number
	err = s.pending.View(func(tx *boltfile.Tx) error {
		links, now := boltfile.Follow(tx.Bucket(bucketLink)), s.now()
		return boltfile.Each(tx.Bucket(bucketState), func(k, v []byte) error {
			row, err := readTallied(v)
			if err != nil {
				return err
			}
			if row.live > 0 {
				states[row.state]++
			}
			if row.probed && row.live > 0 {
				lasts[row.outcome]++
			}
			if row.probed && row.lastRun == run {
				outcomes[row.outcome]++
			}
			if row.changedRun != run || row.changes == 0 {
				return nil
			}
			id := codec.Number(k)
			if !links.To(k) {
				return fmt.Errorf("link %d: %w", id, ErrNotFound)
			}
			_, parts, err := readLinkParts(links.V)
			if err != nil {
				return fmt.Errorf("link %d: %w", id, err)
			}
			if s.holding(id, parts.host, now) == nil { // what is marked does not change
				for _, c := range row.changes.List() {
					t.Changes[string(c)]++
				}
			}
			return nil
		})
	})
	for i := range 256 {
		if states[i] > 0 {
			t.States[judge.State(i).String()] = states[i]
		}
		if lasts[i] > 0 {
			t.Last[check.Outcome(i)] = lasts[i]
		}
		if outcomes[i] > 0 {
			t.Outcomes[check.Outcome(i).String()] = outcomes[i]
		}
	}
	return t, err
}

// tallied is what Tally counts of a link.
type tallied struct {
	stateHead
	probed     bool
	outcome    check.Outcome // of the last probe
	lastRun    uint64
	changes    judge.Changes
	changedRun uint64
}

// readTallied reads it from a state row, of which it makes nothing else.
func readTallied(row []byte) (t tallied, err error) {
	if t.stateHead, err = readStateHead(row); err != nil || len(row) == headLen {
		return t, err
	}
	r := codec.Reader{Buf: row[headLen:]}
	t.probed = true
	t.lastRun, _ = t.readLastRun(&r)
	t.outcome = check.Outcome(r.Byte())
	var last check.Result
	r.Timing(&last)
	r.Uint() // stateRow.EventRun, VerdictHash, MetadataHash
	r.U64()
	r.U64()
	t.changes, t.changedRun = judge.Changes(r.Byte()), r.Uint() // codec.Writer.Judgement begins so
	if t.outcome > check.Internal || !t.state.Known() {
		r.Fail()
	}
	return t, r.Err()
}

// BackOff is the time until which a host asks to be left alone; zero: it does not. What an
// answer of the host that is of no link says about that is kept before; nil: none.
func (s *Store) BackOff(host string, answer *check.Result) (until time.Time, err error) {
	host = strings.ToLower(host)
	if answer != nil && s.backOffs.Concerns(answer) {
		r := asKept(answer)
		err = s.emit(func() (Change, error) { return &rest{host, s.backOffs.Of(host).After(&r)}, nil })
	}
	return s.backOffs.Of(host).Until, err
}

// rest is the change that an answer makes which is of no link.
type rest struct {
	host    string
	backOff judge.BackOff
}

func (c *rest) apply(s *Store, last func(func(*boltfile.Tx) error) error) error {
	changed := map[string]judge.BackOff{c.host: c.backOff}
	err := last(func(tx *boltfile.Tx) error { return backoff.Write(tx.Bucket(bucketHost), changed) })
	if err == nil {
		s.backOffs.Change(changed)
	}
	return err
}

// backOffsAfter gives those that results change (backOffsOf).
func (s *Store) backOffsAfter(list []pending.Result) (changed map[string]judge.BackOff, err error) {
	if !slices.ContainsFunc(list, func(r pending.Result) bool { return s.backOffs.Concerns(r.Result) }) {
		return nil, nil
	}
	view := func(at *Store, read func(*boltfile.Tx) error) error { return at.file.View(read) }
	err = s.views(view, func(of func(uint64) *boltfile.Tx) error {
		changed, err = s.backOffsOf(of, list)
		return err
	})
	return changed, err
}

// backOffsOf gives the back-offs that results begin, change or end; one that ended is zero.
// A result of a host that asked to be left alone gets that time as its NotBefore.
func (s *Store) backOffsOf(of func(link uint64) *boltfile.Tx, results []pending.Result) (changed map[string]judge.BackOff, err error) {
	changed = map[string]judge.BackOff{}
	for i := range results {
		item := &results[i]
		if !s.backOffs.Concerns(item.Result) {
			continue
		}
		row := of(item.Link).Bucket(bucketLink).Get(codec.Key(item.Link))
		if row == nil {
			continue
		}
		_, parts, err := readLinkParts(row)
		if err != nil {
			return nil, fmt.Errorf("link %d: %w", item.Link, err)
		}
		host, r := parts.host, asKept(item.Result)
		if final := linkkey.HostOf(r.FinalURL); final != "" && judge.AsksBackOff(&r) {
			host = final // the one that asks, not the one that redirected to it
		}
		backOff := s.backOffs.Of(host)
		item.NotBefore = backOff.NextCheck(&r)
		if host == "" {
			continue
		}
		if before, ok := changed[host]; ok {
			backOff = before
		}
		changed[host] = backOff.After(&r)
	}
	maps.DeleteFunc(changed, func(host string, b judge.BackOff) bool { return b == s.backOffs.Of(host) })
	return changed, nil
}
