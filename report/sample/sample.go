// Package sample invents a library's store: deterministic, of any size, made
// link by link while it is read, so that a million links cost no memory. Tests,
// measurements and the sample report of the README are made from it. All hosts
// are under the reserved name .example.
package sample

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
)

// day0 is the day of the sample: all its times come before it.
var day0 = time.Date(2026, time.November, 20, 2, 0, 0, 0, time.UTC)

// Now is the moment a report over the sample should be made at.
func Now() time.Time { return day0.Add(5 * time.Hour) }

// Source is an invented store of N links. It is safe for concurrent use.
type Source struct {
	N     int
	Extra []store.Entry // further links, given in full, after the invented ones
}

// lastRun is the number of the sample's last run.
const lastRun = 214

// seed gives a generator of its own for every link.
func seed(i int, salt uint64) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), salt)) }

// Scan gives the invented links, then Extra, with what stands around them.
func (s *Source) Scan(wanted store.Pick) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for i := range s.N + len(s.Extra) {
			if id := uint64(i + 1); (wanted.Only == nil || wanted.Only(id)) && !yield(s.entry(i, wanted), nil) {
				return
			}
		}
	}
}

// Entry gives one link with its history and at most so many mentions.
func (s *Source) Entry(id uint64, most int) (store.Entry, error) {
	if id == 0 || id > uint64(s.N+len(s.Extra)) {
		return store.Entry{}, fmt.Errorf("link %d: %w", id, store.ErrNotFound)
	}
	e := s.entry(int(id)-1, store.Pick{Mentions: true, History: true})
	e.LiveMentions = e.LiveMentions[:min(most, len(e.LiveMentions))]
	return e, nil
}

// entry makes link i.
func (s *Source) entry(i int, wanted store.Pick) store.Entry {
	if i < s.N {
		e := store.Entry{Link: link(i)}
		if wanted.Mentions {
			e.LiveMentions = mentions(&e.Link, s.N)
		}
		if wanted.History {
			e.History = history(&e.Link)
		}
		return e
	}
	e := s.Extra[i-s.N]
	e.ID = uint64(i + 1)
	e.LiveMentions = slices.DeleteFunc(slices.Clone(e.LiveMentions), func(m store.Mention) bool { return !m.Retired.IsZero() })
	for k := range e.LiveMentions {
		e.LiveMentions[k].Link = e.ID
	}
	e.Mentions = len(e.LiveMentions)
	return e
}

// Runs gives 30 nights.
func (s *Source) Runs() iter.Seq2[store.Run, error] {
	return func(yield func(store.Run, error) bool) {
		for k := range 30 {
			if !yield(s.run(k), nil) {
				return
			}
		}
	}
}

func (s *Source) run(k int) store.Run {
	begun := day0.AddDate(0, 0, k-29)
	grown := s.N - s.N*(29-k)/200
	r := store.Run{
		ID: uint64(lastRun - 29 + k), Started: begun, Ended: begun.Add(time.Duration(31+k%13) * time.Minute), Version: "sample",
		Checked: grown / 7,
		States: map[string]int{
			"dead": grown * (50 + 7*k/5) / 1000, "invalid": grown * 8 / 1000, "moved": grown * (70 - k/2) / 1000,
			"suspect": grown * 20 / 1000, "restricted": grown * 62 / 1000, "undetermined": grown * (12 + k%3) / 1000,
			"failing": grown * (40 + 12*(k%5)/4) / 1000, "new": grown * 4 / 1000,
			"not-checkable": grown * 60 / 1000, "alive": grown * (674 - k - 12*(k%5)/4) / 1000,
		},
	}
	if k == 29 {
		r.Outages = []string{"ftp.harbour.example"}
	}
	return r
}

// history makes up the checks that led to a link's state.
func history(l *store.Link) []store.Event {
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
			reason, reply := good(l.Scheme)
			e.State, e.Result = judge.Alive, check.Result{Outcome: check.OK, Reason: reason, Evidence: check.Strong, Reply: reply, Attempts: 1}
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
