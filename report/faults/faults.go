// Package faults gives what a store knows of how addresses are written, and the same of
// documents that no store knows (package lint).
package faults

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strings"

	"linkcheck/extract"
	"linkcheck/lint"
	"linkcheck/report"
	"linkcheck/report/words"
	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/equal"
)

// Find gives the faults in the part of a store that a scope is, of sources with the wanted
// paths (nil: all), sanitized and in order.
func Find(ctx context.Context, src report.Source, s *report.Scope, wanted func(path string) bool) (*lint.List, error) {
	if wanted == nil {
		wanted = func(string) bool { return true }
	}
	list := &lint.List{Rows: []lint.Row{}}
	add := func(r lint.Row) { list.Rows = append(list.Rows, shown(s, r)) }
	var same []lint.Spelled
	err := s.EachRow(ctx, store.Pick{}, func(r *report.Row) error {
		if r.Relative {
			return nil
		}
		same = same[:0]
		for i := range r.LiveMentions {
			m := &r.LiveMentions[i]
			if !wanted(m.Path) {
				continue
			}
			at := lint.Place{Collection: m.Collection, Source: m.Source, Member: m.Member, Line: m.Line, Record: m.Record, Locator: report.Locator(m), Title: m.Title, Owner: m.Owner}
			a := lint.Address{How: m.How, Locator: m.Locator, Raw: m.Raw, URL: m.URL}
			for _, f := range a.Faults() {
				add(lint.Row{Place: at, Fault: f})
			}
			if a.InCatalogue(m.Record) {
				same = append(same, lint.Spelled{Place: at, Raw: m.Raw})
			}
		}
		for _, row := range lint.InSeveral(same) {
			add(row)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for known, err := range src.Sources() {
		if err != nil {
			return nil, fmt.Errorf("report: read sources: %w", err)
		}
		if !known.Gone.IsZero() || !wanted(known.Path) || len(s.Collections) > 0 && !slices.Contains(s.Collections, known.Collection) {
			continue
		}
		for f := range known.Faults.All() {
			at := lint.Place{Collection: known.Collection, Source: cmp.Or(known.Name, known.Path), Member: f.Member, Line: f.Line, Record: f.Record, Locator: f.Locator,
				Title: f.Title, Owner: cmp.Or(f.Owner, s.RootOf(known.Collection).Owner)}
			if len(s.Owners) == 0 || slices.Contains(s.Owners, at.Owner) {
				add(lint.Row{Place: at, Fault: lint.Fault{Code: f.Code, Value: f.Value, Repair: f.Repair}})
			}
		}
		list.More += known.Faults.More
	}
	lint.Sort(list.Rows)
	return list, nil
}

// shown is a row as it is shown.
func shown(s *report.Scope, r lint.Row) lint.Row {
	for _, text := range []*string{&r.Collection, &r.Source, &r.Member, &r.Record, &r.Locator, &r.Title, &r.Owner, &r.Value, &r.Repair} {
		*text = s.Sanitize(*text)
	}
	for i := range r.Also {
		r.Also[i] = s.Sanitize(r.Also[i])
	}
	return r
}

// Documents yields the faults of documents as they are read: the addresses that stand in
// several records come last. Errors are those of founds; they end nothing.
func Documents(founds iter.Seq2[extract.Found, error], failed func(error)) iter.Seq[lint.Row] {
	return func(yield func(lint.Row) bool) {
		c := catalogue{seed: maphash.MakeSeed(), chain: map[uint64]int32{}}
		for f, err := range founds {
			if err != nil {
				failed(err)
				continue
			}
			at := lint.Place{Source: f.Source, Member: f.Member, Line: f.Line, Record: f.Record, Locator: f.Locator, Title: f.Title, Owner: f.Owner}
			list := []lint.Fault{{Code: f.Fault, Value: f.Raw, Repair: f.Repair}}
			if f.Fault == "" {
				url := f.URI
				if f.Faulty {
					url = f.Raw
				}
				a := lint.Address{How: f.How, Locator: f.Locator, Raw: f.Raw, URL: url}
				if list = a.Faults(); url == "" { // a relative reference without a base
					list = nil
				}
				if a.InCatalogue(f.Record) {
					c.add(url, lint.Spelled{Place: at, Raw: f.Raw})
				}
			}
			for _, fault := range list {
				if !yield(lint.Row{Place: at, Fault: fault}) {
					return
				}
			}
		}
		c.same(yield)
	}
}

// catalogue holds the addresses of records, those that are the same in a chain each.
type catalogue struct {
	seed   maphash.Seed
	places []lint.Spelled
	before []int32          // the place with the same address before each; -1: none
	chain  map[uint64]int32 // the last place of an address
}

func (c *catalogue) add(url string, at lint.Spelled) {
	key := "invalid:" + url
	if u, err := uri.Parse(url); err == nil {
		key = uri.SchemeKey(u)
	}
	hash := maphash.String(c.seed, key)
	last, known := c.chain[hash]
	if !known {
		last = -1
	}
	c.chain[hash] = int32(len(c.places))
	c.places, c.before = append(c.places, at), append(c.before, last)
}

// same yields the rows of addresses in several records, in the order of their first places.
func (c *catalogue) same(yield func(lint.Row) bool) {
	var several [][]lint.Spelled
	var firsts []int32
	for _, at := range c.chain {
		if c.before[at] < 0 {
			continue
		}
		var list []lint.Spelled
		first := at
		for ; at >= 0; at = c.before[at] {
			list, first = append(list, c.places[at]), at
		}
		slices.Reverse(list)
		several, firsts = append(several, list), append(firsts, first)
	}
	order := make([]int, len(firsts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(firsts[a], firsts[b]) })
	for _, i := range order {
		for _, row := range lint.InSeveral(several[i]) {
			if !yield(row) {
				return
			}
		}
	}
}

// MaxShown is how many octets people are shown of a value.
const MaxShown = 200

// Repair is what to write instead, or where only a person can tell, what to look at.
func Repair(in *words.Catalogue, r *lint.Row) string {
	switch {
	case r.Code == lint.Same && r.More > 0:
		return in.Get("fault.same-url.also", "records", strings.Join(r.Also, ", ")) + " +" + in.Number(r.More)
	case r.Code == lint.Same:
		return in.Get("fault.same-url.also", "records", strings.Join(r.Also, ", "))
	case r.Code == lint.Indicator:
		return in.Get("fault.indicator.repair", "value", r.Repair)
	case r.Repair != "":
		return "→ " + words.Shorten(r.Repair, MaxShown)
	}
	return in.Get("fault." + r.Code + ".step")
}

// Nothing is a report's source that knows nothing: documents alone are told of.
type Nothing struct{}

// Scan implements report.Source.
func (Nothing) Scan(store.Pick) iter.Seq2[store.Entry, error] { return none[store.Entry] }

// Sets implements report.Source.
func (Nothing) Sets(context.Context, equal.Level) ([][]uint64, error) { return nil, nil }

// Runs implements report.Source.
func (Nothing) Runs() iter.Seq2[store.Run, error] { return none[store.Run] }

// Sources implements report.Source.
func (Nothing) Sources() iter.Seq2[store.Source, error] { return none[store.Source] }

func none[T any](func(T, error) bool) {}
