package store

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"time"

	"linkcheck/judge"
	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// Filter chooses links to probe. The zero value means those that are due. Links
// without a live mention, ignored ones, and those of hosts that asked to be left
// alone are never chosen.
type Filter struct {
	All     bool          // whatever their date
	States  []judge.State // only these states, whatever their date
	Host    string        // only this host, whatever their date
	Version string        // of the program: links judged by another one without a probe are due again
}

// Turn is one link that is to be probed.
type Turn struct {
	ID        uint64
	URL       string // as first written
	Host      string // "" if none
	State     judge.State
	Next      time.Time // when it was due; zero for new ones
	HostLives bool      // its host answered at the last telling check
}

// Due yields the links to probe now, by number. No transaction is open while the
// caller works.
func (s *Store) Due(now time.Time, f Filter) iter.Seq2[Turn, error] {
	return func(yield func(Turn, error) bool) {
		d := dueScan{s: s, now: now, f: f}
		d.f.Host = strings.ToLower(f.Host)
		err := d.readRuns()
		for next := []byte{}; next != nil && err == nil; {
			var page []Turn
			page, next, err = d.page(next)
			for _, t := range page {
				if !yield(t, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(Turn{}, err)
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
func (d *dueScan) readRuns() error {
	d.same = map[uint64]bool{}
	for r, err := range d.s.Runs() {
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

// page scans the heads of state rows from a key on until it has a page of turns.
func (d *dueScan) page(from []byte) (page []Turn, next []byte, err error) {
	view := d.s.file.View // what came since the first page was yielded before
	if len(from) == 0 {
		view = d.s.view
	}
	err = view(func(tx *bolt.Tx) error {
		links := tx.Bucket(bucketLink)
		c := tx.Bucket(bucketState).Cursor()
		for k, v := c.Seek(from); k != nil; k, v = c.Next() {
			if len(v) < stateHead {
				return codec.ErrShort
			}
			h := readHead(v)
			if !d.wants(&h, v) {
				continue
			}
			if len(page) == pageRows {
				next = bytes.Clone(k)
				return nil
			}
			t, ok, err := d.turn(&h, k, links.Get(k))
			if err != nil {
				return err
			}
			if ok {
				page = append(page, t)
			}
		}
		return nil
	})
	return page, next, err
}

// wants judges by the head alone.
func (d *dueScan) wants(h *head, v []byte) bool {
	switch {
	case h.live == 0:
		return false
	case len(d.f.States) > 0:
		return slices.Contains(d.f.States, h.state)
	case d.f.All, d.f.Host != "", judge.Due(h.state, h.next, d.now):
		return true
	case h.next.IsZero() && d.f.Version != "" && (h.state == judge.Invalid || h.state == judge.NotCheckable):
		r := codec.Reader{Buf: v[stateHead:]}
		return !d.same[r.Uint()]
	case d.ahead && !h.next.IsZero():
		return h.lastProbe(v).Sub(d.now) > judge.DueSlack // and so its date means nothing
	}
	return false
}

func (d *dueScan) turn(h *head, key, row []byte) (t Turn, ok bool, err error) {
	l, err := decodeLink(row)
	if err != nil {
		return t, false, err
	}
	t = Turn{ID: codec.Number(key), State: h.state, Next: h.next, HostLives: h.flags&flagHostLives != 0, URL: l.url}
	keyURL, _, host, err := readForm(l.form)
	if err != nil {
		return t, false, err
	}
	if t.Host = host; l.host != "" {
		t.Host = l.host
	}
	if t.URL == "" {
		t.URL = keyURL
	}
	if d.f.Host != "" && t.Host != d.f.Host || t.Host != "" && d.s.ram.host(t.Host).Holds(d.now) {
		return t, false, nil
	}
	p := d.s.ram.pin(t.ID, t.Host, d.now)
	return t, p == nil || p.State != judge.Ignored, nil
}
