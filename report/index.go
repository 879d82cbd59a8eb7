package report

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"linkcheck/store"
)

// maxCollections is how many collections the server tells apart.
const maxCollections = 64

// entry is what the server keeps of a link to filter and sort by: about 150
// bytes, so that a million links fit in memory.
type entry struct {
	id       uint64
	text     string // address and first record, in lower case
	cols     uint64 // collections, one bit each
	host     uint32
	reason   uint32
	failDays int32
	scheme   uint16
	urlLen   uint16
	state    store.State
	changes  uint8 // bit i: changeOrder[i]
}

// index is what the server filters and sorts.
type index struct {
	entries                        []entry
	hosts, schemes, reasons, colls dict

	mu     sync.Mutex
	orders map[string][]uint32
}

// index reads every link and its mentions once.
func (r *Report) index(ctx context.Context, src Source) (*index, error) {
	ix := &index{orders: map[string][]uint32{}, entries: make([]entry, 0, r.Links)}
	err := r.eachRow(ctx, src, func(row *Row) error {
		e := entry{id: row.ID, state: row.State, failDays: int32(row.failDays()), scheme: uint16(ix.schemes.num(row.Scheme)),
			host: uint32(ix.hosts.num(row.Host)), reason: uint32(ix.reasons.num(string(row.Last.Reason))), urlLen: uint16(min(len(row.URL), 1<<16-1))}
		for i, c := range changeOrder {
			if slices.Contains(row.Changed, c) {
				e.changes |= 1 << i
			}
		}
		first := ""
		n := 0
		err := r.eachMention(src, row.ID, func(m *store.Mention) (bool, error) {
			if n++; n == 1 {
				first = r.clean(recordOf(m)) + " " + r.clean(m.Title)
			}
			if c := ix.colls.num(r.clean(m.Collection)); c < maxCollections {
				e.cols |= 1 << c
			}
			return n < 1000, nil
		})
		if err != nil || n == 0 {
			return err
		}
		e.text = strings.ToLower(row.URL + "\n" + first)
		ix.entries = append(ix.entries, e)
		return nil
	})
	return ix, err
}

// order gives the numbers of the entries sorted by a column, made when first asked for.
func (ix *index) order(key string) []uint32 {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if o, ok := ix.orders[key]; ok {
		return o
	}
	o := make([]uint32, len(ix.entries))
	for i := range o {
		o[i] = uint32(i)
	}
	by := ix.comparison(key)
	slices.SortFunc(o, func(a, b uint32) int { return cmp.Or(by(&ix.entries[a], &ix.entries[b]), cmp.Compare(a, b)) })
	ix.orders[key] = o
	return o
}

// sortKeys are the columns that the server sorts by.
var sortKeys = [...]string{"state", "url", "reason", "where", "fail_days"}

func (ix *index) comparison(key string) func(a, b *entry) int {
	switch key {
	case "url":
		return func(a, b *entry) int { return cmp.Compare(a.text, b.text) }
	case "reason":
		return func(a, b *entry) int { return cmp.Compare(ix.reasons.list[a.reason], ix.reasons.list[b.reason]) }
	case "where":
		return func(a, b *entry) int { return cmp.Compare(a.place(), b.place()) }
	case "fail_days":
		return func(a, b *entry) int { return cmp.Compare(a.failDays, b.failDays) }
	}
	return func(a, b *entry) int {
		return cmp.Or(cmp.Compare(GroupOf(a.state), GroupOf(b.state)), cmp.Compare(b2i(b.changes > 0), b2i(a.changes > 0)), cmp.Compare(b.failDays, a.failDays))
	}
}

// place is the part of the text behind the address.
func (e *entry) place() string {
	_, place, _ := strings.Cut(e.text, "\n")
	return place
}

// wanted is a choice of links, as it stands in an address.
type wanted struct {
	Group, State, Scheme, Host, Collection, Reason, Change, Text, Sort string
	Page                                                               int
}

// pick gives the numbers of the entries on the wanted page and how many match.
func (ix *index) pick(w *wanted, size int) (part []uint32, total int) {
	key, down := strings.CutPrefix(w.Sort, "-")
	order := ix.order(key)
	match := ix.matcher(w)
	from := (w.Page - 1) * size
	for n := range order {
		i := order[n]
		if down {
			i = order[len(order)-1-n]
		}
		if !match(&ix.entries[i]) {
			continue
		}
		if total >= from && total < from+size {
			part = append(part, i)
		}
		total++
	}
	return part, total
}

func (ix *index) matcher(w *wanted) func(*entry) bool {
	text := strings.ToLower(w.Text)
	scheme, host, reason, col := ix.schemes.find(w.Scheme), ix.hosts.find(w.Host), ix.reasons.find(w.Reason), ix.colls.find(w.Collection)
	if s, ok := strings.CutSuffix(w.Host, ":"); ok { // links without a host, by scheme
		host, scheme = ix.hosts.find(""), ix.schemes.find(s)
	}
	bySchemeOrHost := w.Scheme != "" || strings.HasSuffix(w.Host, ":")
	change := slices.Index(changeOrder[:], store.Change(w.Change))
	return func(e *entry) bool {
		switch {
		case w.Group != "" && GroupOf(e.state).String() != w.Group,
			w.State != "" && e.state.String() != w.State,
			bySchemeOrHost && int(e.scheme) != scheme,
			w.Host != "" && int(e.host) != host,
			w.Reason != "" && int(e.reason) != reason,
			w.Collection != "" && (col < 0 || col >= maxCollections || e.cols&(1<<col) == 0),
			w.Change != "" && (change < 0 || e.changes&(1<<change) == 0),
			text != "" && !strings.Contains(e.text, text):
			return false
		}
		return true
	}
}

// find gives the number of s, or -1.
func (d *dict) find(s string) int {
	if n, ok := d.nums[s]; ok {
		return n
	}
	return -1
}
