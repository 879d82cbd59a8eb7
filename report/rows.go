package report

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"linkcheck/store"
	"linkcheck/uri/equal"
)

// Source is what a report needs of a store.
type Source interface {
	// Scan yields the picked links, oldest first, and ends after its first error.
	Scan(pick store.Pick) iter.Seq2[store.Entry, error]
	// Sets gives the sets of links that are the same at a level of equality, by
	// number, two or more a set from level Registry upwards; at level Scheme each
	// link that is spelled in more than one way. The order is fixed.
	Sets(ctx context.Context, level equal.Level) ([][]uint64, error)
	// Runs gives all runs, oldest first.
	Runs() iter.Seq2[store.Run, error]
	// Sources gives the sources that were read, and those that are gone.
	Sources() iter.Seq2[store.Source, error]
}

// EachRow calls f for every picked link that has a mention in the report and that
// Options.Only and Since ask for, in the order of the source. The row is not yet
// described, and is valid until f returns.
func (s *Scope) EachRow(ctx context.Context, pick store.Pick, f func(*Row) error) error {
	pick.Mentions, pick.Collections, pick.OwnerOf, pick.Owners = true, s.Collections, s.ownerOf, s.Owners
	r := new(Row)
	for e, err := range s.src.Scan(pick) {
		if err != nil {
			return fmt.Errorf("report: read links: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		*r = s.Row(&e)
		if len(r.LiveMentions) == 0 || !s.matches(r) {
			continue
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return nil
}

// Histories gives the last checks of the links with these numbers, oldest first.
func (s *Scope) Histories(ids []uint64) (map[uint64][]store.Event, error) {
	past := map[uint64][]store.Event{}
	for e, err := range s.src.Scan(store.Pick{Only: oneOf(ids), History: true}) {
		if err != nil {
			return nil, fmt.Errorf("report: read history: %w", err)
		}
		past[e.ID] = e.History
	}
	return past, nil
}

// oneOf gives a function that picks the links with these numbers. It must be called
// with rising numbers.
func oneOf(ids []uint64) func(uint64) bool {
	slices.Sort(ids)
	return func(id uint64) bool {
		for len(ids) > 0 && ids[0] < id {
			ids = ids[1:]
		}
		return len(ids) > 0 && ids[0] == id
	}
}

// WhereLine names the first mention of a link, and how many more there are.
func (s *Scope) WhereLine(row *Row) string {
	m := row.First()
	first := strings.TrimSpace(s.Sanitize(NearName(m)) + " " + s.Sanitize(Locator(m)))
	if row.Count > 1 {
		first += " +" + s.Words.Number(row.Count-1)
	}
	return first
}
