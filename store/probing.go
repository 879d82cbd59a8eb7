package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/backoff"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
	"linkcheck/store/internal/pending"
	"linkcheck/store/internal/recall"
)

// isDate says whether the filter chooses by date alone.
func (f *Filter) isDate() bool { return !f.All && len(f.States) == 0 && f.Host == "" }

// Due yields the links to probe now, by number. No transaction is open while the
// caller works.
func (s *Store) Due(now time.Time, f Filter) iter.Seq2[DueLink, error] {
	return func(yield func(DueLink, error) bool) {
		d := dueScan{now: now, f: f}
		d.f.Host = strings.ToLower(f.Host)
		if err := cmp.Or(s.flush(context.Background()), d.readRuns(s)); err != nil {
			yield(DueLink{}, err)
			return
		}
		for _, d.s = range s.shards {
			for l, err := range boltfile.Pages(d.s.file.View, bucketState, nil, d.read) {
				if !yield(l, err) || err != nil {
					return
				}
			}
		}
	}
}

type dueScan struct {
	s    *Store
	now  time.Time
	f    Filter
	same map[uint64]bool // runs of this version
	// ahead: a run was made under a clock that was ahead of now.
	ahead bool
}

// readRuns notes what the runs so far mean for this one.
func (d *dueScan) readRuns(s *Store) error {
	d.same = map[uint64]bool{}
	for r, err := range s.Runs() {
		if err != nil {
			return err
		}
		if d.f.Version != "" && r.Version == d.f.Version {
			d.same[r.ID] = true
		}
		if r.Started.Sub(d.now) > judge.DueSlack {
			d.ahead = true
		}
	}
	return nil
}

// wants judges by the state row alone.
func (d *dueScan) wants(h *stateHead, row []byte) bool {
	switch {
	case h.live == 0:
		return false
	case len(d.f.States) > 0:
		return slices.Contains(d.f.States, h.state)
	case d.f.All, d.f.Host != "", judge.Due(h.state, h.next, d.now):
		return true
	case h.next.IsZero() && d.f.Version != "" && (h.state == judge.Invalid || h.state == judge.NotCheckable):
		lastRun, _ := h.readLastRun(&codec.Reader{Buf: row[headLen:]})
		return !d.same[lastRun]
	case d.ahead && !h.next.IsZero():
		return h.lastProbe(row).Sub(d.now) > judge.DueSlack // and so its date means nothing
	}
	return false
}

// read makes a due link of a state row and the row of its link; ok says that it is due.
func (d *dueScan) read(tx *boltfile.Tx, key, state []byte) (l DueLink, ok bool, err error) {
	h, err := readStateHead(state)
	if err != nil {
		return l, false, err
	}
	_, _, _, again := d.s.pins.Besides(codec.Number(key), h.lastProbe(state))
	wanted := again != nil && h.live > 0 && d.f.isDate() || !d.f.Wished && d.wants(&h, state)
	early := !wanted && !d.f.Wished && d.f.Failing && d.f.isDate() && h.live > 0 && h.state == judge.Failing && h.flags&flagHostLives == 0
	if !wanted && !early {
		return l, false, nil
	}
	_, p, err := readLinkParts(tx.Bucket(bucketLink).Get(key))
	if err != nil {
		return l, false, err
	}
	l = DueLink{ID: codec.Number(key), URL: p.url, Target: p.target, Host: p.host, Relative: strings.HasPrefix(p.key, linkkey.RelativeMark), State: h.state, Next: h.next, HostLives: h.flags&flagHostLives != 0, Early: early, Again: again != nil}
	if d.f.Host != "" && l.Host != d.f.Host || l.Host != "" && d.s.home.backOffs.Of(l.Host).Holds(d.now) {
		return l, false, nil
	}
	if h.state == judge.Failing {
		row, err := decodeState(state)
		if err != nil {
			return l, false, err
		}
		if !row.LastOK.IsZero() {
			l.FailingSince = row.FailingSince
		}
		l.DeadByNext = diesByNext(&row.Judgement, d.now.Add(time.Hour)) // about when it is asked
		if early && d.now.Sub(row.Last.At) < day-judge.DueSlack {
			return l, false, nil // it was asked in the last night
		}
	}
	pin := d.s.holding(l.ID, l.Host, d.now)
	return l, pin == nil || pin.State != judge.Ignored, nil
}

// diesByNext says whether a failing link would be dead by one more failure like the last.
func diesByNext(j *judge.Judgement, at time.Time) bool {
	failure := check.New(check.Unreachable, check.ReasonDNSNXDomain, "")
	if n := len(j.Strikes); n > 0 && j.Strikes[n-1].Kind == judge.Gone410 {
		failure = check.New(check.Gone, check.ReasonHTTP(http.StatusGone), "")
	} else if n > 0 && j.Strikes[n-1].Kind == judge.Strong {
		failure.Evidence = check.Strong
	}
	failure.At = at
	return j.DiesBy(&failure)
}

// Checked is one link and what a probe learned of it.
type Checked struct {
	ID     uint64
	Result check.Result
}

// Record writes the results of a run in one transaction: when it returns nil they
// survive a crash. Batches of some thousand are quick. A link that was removed
// meanwhile is passed over. Of two results for one link in a run, history keeps
// the later.
func (s *Store) Record(run uint64, p judge.Policy, batch []Checked) error {
	return s.emit(func() (Change, error) {
		c := &results{run, p, batch, s.cache.Waiting()}
		return c, s.tellRests(c.pending())
	})
}

// results is the change that Record makes.
type results struct {
	run    uint64
	policy judge.Policy
	list   []Checked
	notes  recall.Rows // that probers made meanwhile
}

func (c *results) apply(s *Store, last func(func(*boltfile.Tx) error) error) error {
	list := c.pending()
	backOffs, err := s.backOffsAfter(list)
	if err == nil && len(s.shards) > 1 && len(backOffs) > 0 { // first of all, so that a host is left alone whatever comes
		err = s.file.Update(func(tx *boltfile.Tx) error { return backoff.Write(tx.Bucket(bucketHost), backOffs) })
	}
	if err != nil {
		return err
	}
	parts := s.spread(list)
	err = s.sideBySide(func(at *Store) error {
		part := parts[at.place]
		if at == s || len(part) == 0 {
			return nil
		}
		return at.add(func(tx *boltfile.Tx) error { return at.pending.Append(tx, c.run, c.policy, part) })
	})
	if err != nil {
		return err
	}
	err = last(func(tx *boltfile.Tx) error {
		return errors.Join(s.pending.Append(tx, c.run, c.policy, parts[0]), backoff.Write(tx.Bucket(bucketHost), backOffs), c.notes.Put(tx.Bucket(bucketCache)))
	})
	if err == nil {
		s.backOffs.Change(backOffs)
		s.cache.Written(c.notes)
	}
	return err
}

// spread gives each file the results of its links.
func (s *Store) spread(list []pending.Result) [][]pending.Result {
	if len(s.shards) == 1 {
		return [][]pending.Result{list}
	}
	parts := make([][]pending.Result, len(s.shards))
	for _, r := range list {
		n := s.number(r.Link)
		parts[n] = append(parts[n], r)
	}
	return parts
}

// judger judges links by results of the journal, by the rows of one transaction.
type judger struct {
	states, links boltfile.Follower
	last          pending.Judged
}

func newJudge(tx *boltfile.Tx) func(*pending.Entry) (pending.Judged, error) {
	j := judger{states: boltfile.Follow(tx.Bucket(bucketState)), links: boltfile.Follow(tx.Bucket(bucketLink))}
	return j.judge
}

// judge judges a link by a result.
func (j *judger) judge(e *pending.Entry) (to pending.Judged, err error) {
	key := codec.Key(e.Link)
	last := j.last.State
	if e.Link != j.last.Link {
		if !j.states.To(key) {
			return to, nil
		}
		last = j.states.V
	}
	row, err := decodeState(last)
	if err != nil {
		return to, err
	}
	r, parts, err := codec.SplitResult(e.Result)
	if err != nil {
		return to, err
	}
	seed, err := j.seed(key)
	if err != nil {
		return to, err
	}
	to.Link, to.First = e.Link, row.EventRun == 0
	was := row.State
	row.Judgement = row.After(&r, e.Run)
	if row.Next = e.Policy.NextCheck(&row.Judgement, &r, seed); row.Next.Before(e.NotBefore) {
		row.Next = e.NotBefore
	}
	verdictHash, metadataHash := xxhash.Sum64(parts.Verdict), xxhash.Sum64(parts.Metadata)
	if verdictHash != row.VerdictHash || was != row.State || to.First {
		row.EventRun = e.Run
		to.Event = append([]byte{byte(row.State)}, parts.Event...)
	} else if metadataHash != row.MetadataHash {
		to.Metadata = bytes.Clone(parts.Metadata)
	}
	row.VerdictHash, row.MetadataHash, row.LastRun, row.Last = verdictHash, metadataHash, e.Run, r
	if row.FinalHash = 0; r.FinalURL != "" {
		row.FinalHash = xxhash.Sum64String(linkkey.SchemeKey(r.FinalURL))
	}
	row.addVisit(visit{e.Run, r.At})
	to.Run, to.State = row.EventRun, row.encode()
	j.last = to
	return to, nil
}

// seed seeds the splay of a link by its key: its number hangs on the order in which links
// came.
func (j *judger) seed(link []byte) (uint64, error) {
	if !j.links.To(link) {
		return 0, codec.ErrShort
	}
	identity, err := linkIdentity(j.links.V)
	return pending.Hash(identity), err
}
