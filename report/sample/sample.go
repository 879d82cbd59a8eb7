// Package sample invents a library's store: deterministic, of any size, made
// link by link while it is read, so that a million links cost no memory. Tests,
// measurements and the sample report of the README are made from it. All hosts
// are under the reserved name .example.
package sample

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"time"

	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/equal"
)

// lastRunStart is when the sample's last run began. Links were last probed in that run or
// in the six days before it.
var lastRunStart = time.Date(2026, time.November, 20, 2, 0, 0, 0, time.UTC)

// Now is the moment a report over the sample should be made at.
func Now() time.Time { return lastRunStart.Add(5 * time.Hour) }

// Source is an invented store of N links. It is safe for concurrent use.
type Source struct {
	N     int           // how many links are invented
	Extra []store.Entry // further links, given in full, numbered after the invented ones
}

// lastRun is the number of the sample's last run.
const lastRun = 214

// Scan gives the invented links, then Extra.
func (s *Source) Scan(wanted store.Pick) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for i := range s.N + len(s.Extra) {
			if id := uint64(i + 1); wanted.Only != nil && !wanted.Only(id) {
				continue
			}
			if e := s.entry(i, wanted); (wanted.Doubt == "" || e.PageDoubt == wanted.Doubt) && !yield(e, nil) {
				return
			}
		}
	}
}

// Entry gives one link with its history and at most limit of its mentions.
func (s *Source) Entry(id uint64, limit int) (store.Entry, error) {
	if id == 0 || id > uint64(s.N+len(s.Extra)) {
		return store.Entry{}, fmt.Errorf("link %d: %w", id, store.ErrNotFound)
	}
	e := s.entry(int(id)-1, store.Pick{Mentions: true, History: true})
	e.LiveMentions = e.LiveMentions[:min(limit, len(e.LiveMentions))]
	e.Picked = len(e.LiveMentions)
	return e, nil
}

// entry makes link i, counted from 0; its number is i+1. A store gives out live mentions,
// so those of Extra that are retired are left out unless they are wanted.
func (s *Source) entry(i int, wanted store.Pick) store.Entry {
	if i < s.N {
		e := store.Entry{Link: link(i)}
		for k := 0; wanted.Mentions && k < e.Mentions; k++ {
			Add(&e, mention(&e.Link, k, s.N), wanted)
		}
		if wanted.History && (wanted.HistoryOf == nil || wanted.HistoryOf(&e.Link)) {
			e.History = history(&e.Link)
		}
		return e
	}
	e := s.Extra[i-s.N]
	e.ID = uint64(i + 1)
	all := e.LiveMentions
	e.LiveMentions, e.Mentions = nil, 0
	for _, m := range all {
		if m.Retired.IsZero() {
			e.Mentions++
		}
		if m.Retired.IsZero() || wanted.Retired {
			Add(&e, m, wanted)
		}
	}
	return e
}

// Add adds a mention to those of a link, if it is picked, as a store does.
func Add(e *store.Entry, m store.Mention, wanted store.Pick) {
	if len(wanted.Collections) > 0 && !slices.Contains(wanted.Collections, m.Collection) {
		return
	}
	if wanted.OwnerOf != nil {
		m.Owner = wanted.OwnerOf(&e.Link, &m)
	}
	if len(wanted.Owners) > 0 && !slices.Contains(wanted.Owners, m.Owner) {
		return
	}
	if !slices.Contains(e.Owners, m.Owner) {
		e.Owners = append(e.Owners, m.Owner)
	}
	e.Picked++
	e.LiveMentions = append(e.LiveMentions, m)
	if !slices.Contains(e.Collections, m.Collection) {
		e.Collections = append(e.Collections, m.Collection)
	}
	record := [...]string{m.Collection, m.Record, "", ""}
	if m.Record == "" {
		record[2], record[3] = m.Source, m.Member
	}
	if number := maphash.Comparable(hashSeed, record); len(e.Records) == 0 || e.Records[len(e.Records)-1] != number {
		e.Records = append(e.Records, number)
	}
}

// Runs gives the runs of 30 nights, oldest first. Dead links become more from night to
// night; the states are in thousandths of N. The last night has an outage.
func (s *Source) Runs() iter.Seq2[store.Run, error] {
	return func(yield func(store.Run, error) bool) {
		for k := range 30 {
			start := lastRunStart.AddDate(0, 0, k-29)
			r := store.Run{ID: uint64(lastRun - 29 + k), Started: start, Ended: start.Add(time.Duration(31+k%13) * time.Minute), Version: "sample", Checked: s.N / 7,
				States: map[string]int{"dead": s.N * (50 + k) / 1000, "moved": s.N * (70 - k/2) / 1000, "suspect": s.N * 20 / 1000, "restricted": s.N * 62 / 1000,
					"failing": s.N * (40 + 3*(k%5)) / 1000, "not-checkable": s.N * 60 / 1000, "alive": s.N * (698 - k) / 1000}}
			if k == 29 {
				r.Outages = []string{"ftp.harbour.example"}
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Sets gives the sets of links that are the same at a level, as report.Source says.
// Links with the same scheme key are one link, so up to level Scheme a set is one link
// whose mentions spell it in more than one way. From Registry upwards it is the links
// that share a key. Only hashes of keys are held: whoever measures the memory of a
// report does not want to measure the sample's.
func (s *Source) Sets(_ context.Context, level equal.Level) (sets [][]uint64, err error) {
	firstWith, sharing := map[uint64]uint64{}, map[uint64][]uint64{} // by the hash of the key: its first link; its links, if it has more
	for e := range s.Scan(store.Pick{Mentions: level <= equal.Scheme}) {
		if level <= equal.Scheme {
			if slices.ContainsFunc(e.LiveMentions, func(m store.Mention) bool { return m.URL != e.LiveMentions[0].URL }) {
				sets = append(sets, []uint64{e.ID})
			}
		} else if u, err := uri.Parse(e.URL); err == nil && e.Mentions > 0 {
			key := maphash.String(hashSeed, keyAt(level, equal.KeysOf(u), e.Last.FinalURL))
			if id, ok := firstWith[key]; ok {
				sharing[key] = append(sharing[key], id, e.ID)
			} else {
				firstWith[key] = e.ID
			}
		}
	}
	for _, ids := range sharing {
		slices.Sort(ids)
		sets = append(sets, slices.Compact(ids))
	}
	slices.SortFunc(sets, slices.Compare)
	return sets, nil
}

var hashSeed = maphash.MakeSeed()

// keyAt gives the key of a level. Reports ask for Registry, Heuristic and Observed only;
// Observed has no key, so the address where redirects ended stands for it.
func keyAt(level equal.Level, k equal.Keys, finalURL string) string {
	switch level {
	case equal.Registry:
		return k.Registry
	case equal.Observed:
		return cmp.Or(finalURL, k.Scheme)
	}
	return k.Heuristic
}

// Sources implements report.Source: no source of the sample wants a look.
func (*Source) Sources() iter.Seq2[store.Source, error] {
	return func(func(store.Source, error) bool) {}
}
