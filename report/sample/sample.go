// Package sample invents a library's store: deterministic, of any size, made
// link by link while it is read, so that a million links cost no memory. Tests,
// measurements and the sample report of the README are made from it. All hosts
// are under the reserved name .example.
package sample

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"time"

	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/equal"
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

// Scan gives the invented links, then Extra.
func (s *Source) Scan(wanted store.Pick) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for i := range s.N + len(s.Extra) {
			if id := uint64(i + 1); (wanted.Only == nil || wanted.Only(id)) && !yield(s.entry(i, wanted), nil) {
				return
			}
		}
	}
}

// Entry gives one link with its history and its first most mentions.
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
		for k := 0; wanted.Mentions && k < e.Mentions; k++ {
			e.LiveMentions = append(e.LiveMentions, mention(&e.Link, k, s.N))
		}
		if wanted.History {
			e.History = history(&e.Link)
		}
		return e
	}
	e := s.Extra[i-s.N]
	e.ID = uint64(i + 1)
	e.LiveMentions = slices.DeleteFunc(slices.Clone(e.LiveMentions), func(m store.Mention) bool { return !m.Retired.IsZero() })
	e.Mentions = len(e.LiveMentions)
	return e
}

// Runs gives 30 nights, over which dead links become more.
func (s *Source) Runs() iter.Seq2[store.Run, error] {
	return func(yield func(store.Run, error) bool) {
		for k := range 30 {
			begun := day0.AddDate(0, 0, k-29)
			r := store.Run{ID: uint64(lastRun - 29 + k), Started: begun, Ended: begun.Add(time.Duration(31+k%13) * time.Minute), Version: "sample", Checked: s.N / 7,
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

// Sets finds the links that meet at a level. A real store has the keys; here
// they are computed each time, and only their hashes are held: the measurements of
// reports are of the memory of reports.
func (s *Source) Sets(level equal.Level) (sets [][]uint64, err error) {
	first, sharing := map[uint64]uint64{}, map[uint64][]uint64{} // links by the hash of their key
	for e := range s.Scan(store.Pick{Mentions: level <= equal.Scheme}) {
		if level <= equal.Scheme {
			if slices.ContainsFunc(e.LiveMentions, func(m store.Mention) bool { return m.URL != e.LiveMentions[0].URL }) {
				sets = append(sets, []uint64{e.ID})
			}
		} else if u, err := uri.Parse(e.URL); err == nil && e.Mentions > 0 {
			key := maphash.String(hashSeed, keyAt(level, equal.KeysOf(u), e.Last.FinalURL))
			if id, ok := first[key]; ok {
				sharing[key] = append(sharing[key], id, e.ID)
			} else {
				first[key] = e.ID
			}
		}
	}
	for ids := range maps.Values(sharing) {
		slices.Sort(ids)
		sets = append(sets, slices.Compact(ids))
	}
	slices.SortFunc(sets, slices.Compare)
	return sets, nil
}

var hashSeed = maphash.MakeSeed()

func keyAt(level equal.Level, k equal.Keys, finalURL string) string {
	switch level {
	case equal.Registry:
		return k.Registry
	case equal.Observed:
		return cmp.Or(finalURL, k.Scheme)
	}
	return k.Heuristic
}

// NotRead implements report.Source.
func (*Source) NotRead() ([]store.Kind, error) { return nil, nil }
