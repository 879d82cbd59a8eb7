// Package sample invents a library's store: deterministic, of any size, made
// link by link while it is read, so that a million links cost no memory. Tests,
// measurements and the sample report of the README are made from it. All hosts
// are under the reserved name .example.
package sample

import (
	"iter"
	"math"
	"math/rand/v2"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
)

// Now is the day of the sample: all times come before it.
var day0 = time.Date(2026, time.November, 20, 2, 0, 0, 0, time.UTC)

// Now is the moment a report over the sample should be made at.
func Now() time.Time { return day0.Add(5 * time.Hour) }

// Source is an invented store of N links. It is safe for concurrent use.
type Source struct {
	N     int
	Extra []Extra // further links, after the invented ones
}

// Extra is a link given in full.
type Extra struct {
	Link     store.Link
	Mentions []store.Mention
	History  []store.Event
}

// lastRun is the number of the sample's last run.
const lastRun = 214

// seed gives a generator of its own for every link.
func seed(i int, salt uint64) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), salt)) }

// Links gives the invented links, then Extra.
func (s *Source) Links() iter.Seq2[store.Link, error] {
	return func(yield func(store.Link, error) bool) {
		for i := range s.N {
			if l := link(i); !yield(l, nil) {
				return
			}
		}
		for i := range s.Extra {
			e := &s.Extra[i]
			e.count(uint64(s.N + i + 1))
			if !yield(e.Link, nil) {
				return
			}
		}
	}
}

// count sets the number of a link and that of its live mentions.
func (e *Extra) count(id uint64) {
	e.Link.ID, e.Link.Mentions = id, 0
	for _, m := range e.Mentions {
		if m.Retired.IsZero() {
			e.Link.Mentions++
		}
	}
}

func (s *Source) extra(id uint64) *Extra {
	if i := int(id) - s.N - 1; i >= 0 && i < len(s.Extra) {
		return &s.Extra[i]
	}
	return nil
}

// History gives the last checks of a link.
func (s *Source) History(id uint64) ([]store.Event, error) {
	if e := s.extra(id); e != nil {
		return e.History, nil
	}
	return history(link(int(id) - 1)), nil
}

// Scan gives the invented links, then Extra, with what stands around them.
func (s *Source) Scan(pick store.Pick) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for l := range s.Links() {
			if pick.Only != nil && !pick.Only(l.ID) {
				continue
			}
			e := store.Entry{Link: l}
			if pick.Places {
				e.Places = s.places(l.ID, math.MaxInt)
			}
			if pick.Past {
				e.Past, _ = s.History(l.ID)
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Entry gives one link with what stands around it.
func (s *Source) Entry(id uint64, most int) (e store.Entry, err error) {
	if e.Link, err = s.Link(id); err != nil {
		return e, err
	}
	e.Places = s.places(id, most)
	e.Past, err = s.History(id)
	return e, err
}

// places gives the live mentions of a link.
func (s *Source) places(id uint64, most int) (list []store.Mention) {
	for m := range s.MentionsOf(id) {
		if m.Retired.IsZero() && len(list) < most {
			list = append(list, m)
		}
	}
	return list
}

// Runs gives 30 nights.
func (s *Source) Runs() iter.Seq2[store.Run, error] {
	return func(yield func(store.Run, error) bool) {
		for _, r := range s.runs() {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (s *Source) runs() (runs []store.Run) {
	for k := range 30 {
		begun := day0.AddDate(0, 0, k-29)
		grown := s.N - s.N*(29-k)/200
		runs = append(runs, store.Run{
			ID: uint64(lastRun - 29 + k), Started: begun, Ended: begun.Add(time.Duration(31+k%13) * time.Minute), Version: "sample",
			Checked: grown / 7,
			States: map[string]int{
				"dead": grown * (50 + 7*k/5) / 1000, "invalid": grown * 8 / 1000, "moved": grown * (70 - k/2) / 1000,
				"suspect": grown * 20 / 1000, "restricted": grown * 62 / 1000, "undetermined": grown * (12 + k%3) / 1000,
				"failing": grown * (40 + 12*(k%5)/4) / 1000, "new": grown * 4 / 1000,
				"not-checkable": grown * 60 / 1000, "alive": grown * (674 - k - 12*(k%5)/4) / 1000,
			},
			Outages: outages(k),
		})
	}
	return runs
}

func outages(k int) []string {
	if k == 29 {
		return []string{"ftp.harbour.example"}
	}
	return nil
}

// history makes up the checks that led to a link's state.
func history(l store.Link) []store.Event {
	if l.Checks == 0 {
		return nil
	}
	r := seed(int(l.ID), 3)
	n := min(l.Checks, 12)
	bad := 0
	if l.State != judge.Alive {
		bad = min(n, max(1, l.Strikes))
	}
	events := make([]store.Event, n)
	at := l.Last.At
	for k := n - 1; k >= 0; k-- {
		e := store.Event{Run: lastRun, State: l.State, Result: l.Last}
		if k < n-bad {
			e.State, e.Result = judge.Alive, check.Result{Outcome: check.OK, Reason: good(l.Scheme), Evidence: check.Strong, Reply: goodReply(l.Scheme), Attempts: 1}
		}
		e.Result.At, e.Result.Took = at, time.Duration(40+r.IntN(900))*time.Millisecond
		events[k] = e
		step := 7
		if k > n-bad {
			step = 1 + r.IntN(3)
		}
		at = at.AddDate(0, 0, -step)
	}
	return events
}

// NotRead implements report.Source.
func (*Source) NotRead() ([]store.Kind, error) { return nil, nil }
