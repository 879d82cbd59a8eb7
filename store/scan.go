package store

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
)

// Entry is a link with what stands around it.
type Entry struct {
	Link
	LiveMentions []Mention // the live ones (Pick.Retired: all), in the order of Explanation.Mentions
	History      []Event   // as Explanation.History

	// The sums of all mentions.
	Picked      int      // mentions; LiveMentions may hold fewer
	Records     []uint64 // a number for each record that they stand in, or document where there is no record
	Collections []string // of them
	Owners      []string // who mend them; "" among them: nobody is known for some
}

// Pick says what a scan reads of the links: its zero value all links, and nothing around them.
type Pick struct {
	Only        func(id uint64) bool         // nil: all
	Doubt       check.Flag                   // only links with this doubt about their page; "": all
	Mentions    bool                         // live ones
	Retired     bool                         // with Mentions: and those that are gone, for 90 days
	Most        int                          // mentions that LiveMentions is to hold, the first ones: a link may have a million; 0: all
	Collections []string                     // only mentions in these; empty: all
	OwnerOf     func(*Link, *Mention) string // who mends a mention, in place of its Owner; nil: that
	Owners      []string                     // only mentions that these mend; empty: all
	History     bool
	HistoryOf   func(*Link) bool // with History: of these alone, before their last result is read; nil: of all
}

// add adds a mention to those of a link, if it is picked.
func (e *Entry) add(m Mention, pick *Pick) {
	if len(pick.Collections) > 0 && !slices.Contains(pick.Collections, m.Collection) {
		return
	}
	if pick.OwnerOf != nil {
		m.Owner = pick.OwnerOf(&e.Link, &m)
	}
	if len(pick.Owners) > 0 && !slices.Contains(pick.Owners, m.Owner) {
		return
	}
	if !slices.Contains(e.Owners, m.Owner) {
		e.Owners = append(e.Owners, m.Owner)
	}
	e.Picked++
	if !slices.Contains(e.Collections, m.Collection) {
		e.Collections = append(e.Collections, m.Collection)
	}
	record := recordHash(&m)
	if len(e.Records) == cap(e.Records) { // the same ones come again and again
		slices.Sort(e.Records)
		e.Records = slices.Compact(e.Records)
	}
	if n := len(e.Records); n == 0 || e.Records[n-1] != record {
		e.Records = append(e.Records, record)
	}
	if e.LiveMentions = append(e.LiveMentions, m); pick.Most > 0 && len(e.LiveMentions) >= pick.Most+mostSpare {
		e.sort(pick.Most)
	}
}

// sort ends the adding of mentions.
func (e *Entry) sort(most int) {
	slices.SortFunc(e.LiveMentions, compareMentions)
	if most > 0 && len(e.LiveMentions) > most {
		clear(e.LiveMentions[most:])
		e.LiveMentions = e.LiveMentions[:most]
	}
	slices.Sort(e.Records)
	e.Records = slices.Compact(e.Records)
}

// Scan yields the picked links, oldest first. It goes through the tables side by side, which all
// begin their keys with the number of the link: that is many times as fast as looking each up.
func (s *Store) Scan(pick Pick) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, at := range s.shards {
			for e, err := range at.scan(pick) {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// scan is Scan for one file.
func (s *Store) scan(pick Pick) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		var r *linkReader // of the transaction at hand
		weigh := func(e Entry) int { return 1 + (len(e.LiveMentions)+len(e.History))/5 }
		boltfile.Pages(s.pending.View, bucketLink, weigh, func(tx *boltfile.Tx, k, _ []byte) (e Entry, ok bool, err error) {
			id := codec.Number(k)
			if pick.Only != nil && !pick.Only(id) {
				return e, false, nil
			}
			if r == nil || r.sources.tx != tx {
				r = s.reader(tx)
				r.retired = pick.Retired
			}
			e, _, err = r.read(id, &pick)
			return e, e.PageDoubt == pick.Doubt || pick.Doubt == "", err
		})(yield)
	}
}

// Entry gives one link with its history and its live mentions: all of them in their
// order, or if there are more than most, any of them up to that number; or ErrNotFound.
func (s *Store) Entry(id uint64, most int) (e Entry, err error) {
	s = s.of(id)
	err = s.pending.ViewLinks(func(tx *boltfile.Tx) (err error) {
		r := s.reader(tx)
		r.most = most
		e, _, err = r.read(id, &Pick{Mentions: true, History: true})
		return err
	}, id)
	return e, err
}

// linkReader reads links and what stands around them in one transaction. It is quick
// when they come in the order of their numbers.
type linkReader struct {
	*Store
	sources                          sourceReader
	links, states, history, mentions boltfile.Follower
	most                             int       // mentions of one link
	retired                          bool      // retired mentions too
	now                              time.Time // at which pins are to hold
}

func (s *Store) reader(tx *boltfile.Tx) *linkReader {
	return &linkReader{Store: s, sources: sourceReader{tx: tx}, most: math.MaxInt, now: s.now(), links: boltfile.Follow(tx.Bucket(bucketLink)),
		states: boltfile.Follow(tx.Bucket(bucketState)), history: boltfile.Follow(tx.Bucket(bucketHistory)), mentions: boltfile.Follow(tx.Bucket(bucketMention))}
}

// read reads a link with its last result, the pin that holds now, and what is picked.
func (r *linkReader) read(id uint64, pick *Pick) (e Entry, state stateRow, err error) {
	key := codec.Key(id)
	if !r.links.To(key) || !r.states.To(key) {
		return e, state, fmt.Errorf("link %d: %w", id, ErrNotFound)
	}
	if state, err = decodeState(r.states.V); err != nil {
		return e, state, fmt.Errorf("state of link %d: %w", id, err)
	}
	if pick.Doubt != "" && state.PageDoubt() != pick.Doubt {
		return e, state, nil
	}
	if e.Link, err = r.assemble(id, r.links.V, &state); err != nil {
		return e, state, err
	}
	if state.EventRun != 0 {
		if err := r.readHistory(&e, key, &state, pick.History && (pick.HistoryOf == nil || pick.HistoryOf(&e.Link))); err != nil {
			return e, state, fmt.Errorf("history of link %d: %w", id, err)
		}
	}
	if pick.Mentions && (state.Live > 0 || r.retired) {
		if err = r.readMentions(&e, key, pick); err != nil {
			err = fmt.Errorf("mention of link %d: %w", id, err)
		}
	}
	return e, state, err
}

// assemble makes a link of its rows, without its last result.
func (r *linkReader) assemble(id uint64, link []byte, state *stateRow) (l Link, err error) {
	row, p, err := readLinkParts(link)
	if err != nil {
		return l, fmt.Errorf("link %d: %w", id, err)
	}
	l = Link{
		ID: id, Key: p.key, URL: p.url, Scheme: p.scheme, Host: p.host, Target: row.Target, Via: row.Via, Relative: strings.HasPrefix(p.key, linkkey.RelativeMark),
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
	l.Note, l.Owner, l.Fix, l.Again = r.pins.Besides(id, state.Last.At)
	if pin := r.holding(id, l.Host, r.now); pin != nil {
		l.Pin, l.State, l.Changes, l.PageDoubt = pin, pin.State, nil, ""
	}
	return l, nil
}

// readHistory reads the last result of a link, and all of its history where that is wanted.
func (r *linkReader) readHistory(e *Entry, id []byte, state *stateRow, all bool) error {
	visits, found := state.Visits, false
	for more := r.history.To(id); more; more = r.history.NextOf(id) {
		run, err := eventRun(r.history.K)
		if !all && (err != nil || run != state.EventRun) {
			continue
		}
		if err != nil {
			return err
		}
		row, err := decodeEvent(r.history.V)
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

// A link of several mentions gets room for all that its state counts at once, but for no more
// than a link can be thought to have: the state may be damaged.
const severalMentions, mostMentions = 1024, 1 << 18

// readMentions reads the mentions of a link.
func (r *linkReader) readMentions(e *Entry, id []byte, pick *Pick) error {
	octets := 0
	for more := r.mentions.To(id); more && len(e.LiveMentions) < r.most; more = r.mentions.NextOf(id) {
		if octets += len(r.mentions.V); octets > boltfile.ForgetAfter {
			boltfile.Forget(r.sources.tx)
			octets = 0
		}
		m, err := decodeMention(r.mentions.V, e.URL)
		if err != nil {
			return err
		}
		if !m.Retired.IsZero() && !r.retired {
			continue
		}
		m.Link = e.ID
		if len(e.LiveMentions) == severalMentions && pick.Most == 0 {
			e.LiveMentions = slices.Grow(e.LiveMentions, max(0, min(e.Mentions, mostMentions, r.most)-severalMentions))
		}
		if err := r.sources.complete(&m); err != nil {
			return err
		}
		e.add(m.Mention, pick)
	}
	e.sort(pick.Most)
	return nil
}
