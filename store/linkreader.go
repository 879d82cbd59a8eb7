package store

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// linkReader reads links and what stands around them in one transaction. It is quick
// when they come in the order of their numbers.
type linkReader struct {
	*Store
	sources                          sourceReader
	links, states, history, mentions follower
	most                             int       // mentions of one link
	retired                          bool      // retired mentions too
	now                              time.Time // at which pins are to hold
}

func (s *Store) reader(tx *boltfile.Tx) *linkReader {
	return &linkReader{Store: s, sources: sourceReader{tx: tx}, most: math.MaxInt, now: s.now(), links: follow(tx, bucketLink),
		states: follow(tx, bucketState), history: follow(tx, bucketHistory), mentions: follow(tx, bucketMention)}
}

// read reads a link with its last result, the pin that holds now, and what is picked.
func (r *linkReader) read(id uint64, pick *Pick) (e Entry, state stateRow, err error) {
	key := codec.Key(id)
	if !r.links.to(key) || !r.states.to(key) {
		return e, state, fmt.Errorf("link %d: %w", id, ErrNotFound)
	}
	if state, err = decodeState(r.states.v); err != nil {
		return e, state, fmt.Errorf("state of link %d: %w", id, err)
	}
	if pick.Doubt != "" && state.PageDoubt() != pick.Doubt {
		return e, state, nil
	}
	if e.Link, err = r.assemble(id, r.links.v, &state); err != nil {
		return e, state, err
	}
	if state.EventRun != 0 {
		if err := r.readHistory(&e, key, &state, pick.History); err != nil {
			return e, state, fmt.Errorf("history of link %d: %w", id, err)
		}
	}
	if pick.Mentions && (state.Live > 0 || r.retired) {
		if err := r.readMentions(&e, key, pick); err != nil {
			return e, state, fmt.Errorf("mention of link %d: %w", id, err)
		}
	}
	return e, state, nil
}

// assemble makes a link of its rows, without its last result.
func (r *linkReader) assemble(id uint64, link []byte, state *stateRow) (l Link, err error) {
	row, p, err := readLinkParts(link)
	if err != nil {
		return l, fmt.Errorf("link %d: %w", id, err)
	}
	l = Link{
		ID: id, Key: p.key, URL: p.url, Scheme: p.scheme, Host: p.host, Target: row.Target, Via: row.Via, Relative: strings.HasPrefix(p.key, relativeMark),
		FirstSeen: row.FirstSeen, Mentions: int(state.Live), Variants: state.Variants,
		State: state.State, Judged: state.State, Changes: state.Changes.List(), ChangedRun: state.ChangedRun,
		FirstChecked: state.FirstChecked, LastOK: state.LastOK, FailingSince: state.FailingSince,
		Strikes: state.Streak, Needed: state.Needed(), Checks: state.Checks,
		NextCheck: state.Next, LastRun: state.LastRun, HostLives: state.HostLives,
		Text: state.Text, PageDoubt: state.PageDoubt(),
	}
	if state.State == judge.Failing {
		l.Failing = new(state.Judgement)
	}
	if pin := r.pins.holding(id, l.Host, r.now); pin != nil {
		l.Pin, l.State, l.Changes, l.PageDoubt = pin, pin.State, nil, ""
	}
	return l, nil
}

// readHistory reads the last result of a link, and all of its history where that is
// wanted.
func (r *linkReader) readHistory(e *Entry, id []byte, state *stateRow, all bool) error {
	visits, found := state.Visits, false
	for more := r.history.to(id); more; more = r.history.nextOf(id) {
		run, err := eventRun(r.history.k)
		if !all && (err != nil || run != state.EventRun) {
			continue
		}
		if err != nil {
			return err
		}
		row, err := decodeEvent(r.history.v)
		if err != nil {
			return err
		}
		if run == state.EventRun {
			e.Last, found = lastResult(&row, state), true
			e.Last.Flags = flagsOf(e.Last.Flags, &e.Link)
		}
		if all {
			e.History, visits = addVisits(e.History, visits, run)
			e.History = append(e.History, Event{Run: run, State: row.State, Result: row.Result})
		}
	}
	if !found {
		return codec.ErrShort
	}
	if all {
		e.History, _ = addVisits(e.History, visits, 0)
	}
	return nil
}

// flagsOf adds to the flags of a link's last result what its history says of its page.
func flagsOf(flags []string, l *Link) []string {
	var more []string
	if l.PageDoubt != "" && !slices.Contains(flags, string(l.PageDoubt)) {
		more = append(more, string(l.PageDoubt))
	}
	if l.Text.Changing() {
		more = append(more, string(check.FlagChanging))
	}
	if len(more) == 0 {
		return flags
	}
	more = append(more, flags...)
	slices.Sort(more)
	return more
}

// lastResult is the newest row of history, with the numbers of the last probe.
func lastResult(e *eventRow, state *stateRow) check.Result {
	r, last := e.Result, &state.Last
	r.At, r.Took, r.Bytes, r.Attempts, r.RetryAfter = last.At, last.Took, last.Bytes, last.Attempts, last.RetryAfter
	return r
}

// addVisits adds the visits before a run (0: all) that brought nothing new: each repeats
// the result of the event before it. The visit of the run itself is dropped.
func addVisits(list []Event, visits []visit, before uint64) ([]Event, []visit) {
	for len(visits) > 0 && (before == 0 || visits[0].Run <= before) {
		v := visits[0]
		visits = visits[1:]
		if v.Run == before || len(list) == 0 || list[len(list)-1].Run == v.Run {
			continue
		}
		e := list[len(list)-1]
		e.Run, e.Result.At, e.Same = v.Run, v.At, true
		e.Result.Took, e.Result.Bytes, e.Result.Attempts, e.Result.RetryAfter = 0, 0, 0, 0
		list = append(list, e)
	}
	return list, visits
}

// readMentions reads the mentions of a link.
func (r *linkReader) readMentions(e *Entry, id []byte, pick *Pick) error {
	octets := 0
	for more := r.mentions.to(id); more && len(e.LiveMentions) < r.most; more = r.mentions.nextOf(id) {
		if octets += len(r.mentions.v); octets > boltfile.ForgetAfter {
			boltfile.Forget(r.sources.tx)
			octets = 0
		}
		m, err := decodeMention(r.mentions.v, e.URL)
		if err != nil {
			return err
		}
		if !m.Retired.IsZero() && !r.retired {
			continue
		}
		m.Link = e.ID
		if err := r.sources.complete(&m); err != nil {
			return err
		}
		e.add(m.Mention, pick)
	}
	e.sort(pick.Most)
	return nil
}

// follower is a cursor that goes from link to link through a table.
type follower struct {
	c    *boltfile.Cursor
	k, v []byte
	last []byte // the link that it was last sent to
}

// followSteps: a search from the root costs about as much as this many steps forward.
const followSteps = 24

func follow(tx *boltfile.Tx, table []byte) follower { return follower{c: tx.Bucket(table).Cursor()} }

// to goes to the first row of a link; false if it has none.
func (f *follower) to(id []byte) bool {
	if f.last == nil || bytes.Compare(id, f.last) < 0 {
		f.k, f.v = f.c.Seek(id)
	}
	f.last = append(f.last[:0], id...)
	for n := 0; f.k != nil && bytes.Compare(f.k[:min(codec.KeyLen, len(f.k))], id) < 0; n++ {
		if n == followSteps {
			f.k, f.v = f.c.Seek(id)
			break
		}
		f.k, f.v = f.c.Next()
	}
	return bytes.HasPrefix(f.k, id)
}

// nextOf goes to the next row of the same link; false if there is none.
func (f *follower) nextOf(id []byte) bool {
	f.k, f.v = f.c.Next()
	return bytes.HasPrefix(f.k, id)
}
