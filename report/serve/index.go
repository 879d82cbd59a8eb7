package serve

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/html"
	"linkcheck/store"
)

// maxCollections is how many collections the list can be filtered by.
const maxCollections = 64

// entry is what the index holds of a link beside its text: 32 octets, so that a
// million links fit in memory.
type entry struct {
	id          uint64
	collections uint64 // bit i: collection i of the index
	host        uint32 // host, reason and scheme are numbers in the tables of the index
	reason      uint32
	failDays    int32
	scheme      uint16
	state       report.Standing
	changes     uint8 // bit i: ChangeOrder[i]
}

// index holds all links of a report, to be filtered and sorted.
type index struct {
	entries                              []entry
	text                                 packedText // a line a link, in lower case: address, tab, first record and its title
	hosts, schemes, reasons, collections html.StringTable
	orders                               [len(sortKeys)][]uint32 // indexes of entries, sorted by each of sortKeys
	standings                            [report.StandingCount]bool

	// Of pages from which the source is changed.
	owners  html.StringTable
	ownerOf []uint32            // of each entry, a number in owners
	records map[string][]uint32 // the entries of each record
}

// newIndex reads every link and its mentions once; owners and records for editing only.
func newIndex(ctx context.Context, r *report.Report, editing bool) (*index, error) {
	ix := &index{entries: make([]entry, 0, r.Links), records: map[string][]uint32{}}
	lines := make([]string, 0, r.Links) // of the text
	pick := store.Pick{Most: 1}
	if editing {
		pick.Most = maxShown
	}
	err := r.EachRow(ctx, pick, func(row *report.Row) error {
		e := entry{id: row.ID, state: row.Standing, failDays: int32(row.FailDays()), scheme: uint16(ix.schemes.Number(row.Scheme)),
			host: uint32(ix.hosts.Number(row.Host)), reason: uint32(ix.reasons.Number(string(row.Last.Reason)))}
		ix.standings[row.Standing] = true
		for i, c := range report.ChangeOrder {
			if slices.Contains(row.Changed, c) {
				e.changes |= 1 << i
			}
		}
		for _, name := range row.Collections {
			if c := ix.collections.Number(r.Sanitize(name)); c < maxCollections {
				e.collections |= 1 << c
			}
		}
		m := row.First()
		lines = append(lines, strings.ToLower(r.SanitizeURL(row.URL)+"\t"+r.Sanitize(report.RecordOf(m))+" "+r.Sanitize(m.Title)))
		ix.entries = append(ix.entries, e)
		if editing {
			ix.addPlaces(r.Scope, row)
		}
		return nil
	})
	if err == nil {
		err = ix.sort(ctx, lines)
	}
	if err != nil {
		return nil, err
	}
	ix.text = packLines(lines)
	return ix, nil
}

// addPlaces notes for the last entry who mends it and in which records it stands.
func (ix *index) addPlaces(s *report.Scope, row *report.Row) {
	ix.ownerOf = append(ix.ownerOf, uint32(ix.owners.Number(ownerOf(s, row))))
	last := uint32(len(ix.entries) - 1)
	for i := range row.LiveMentions {
		id := s.Sanitize(row.LiveMentions[i].Record)
		if of := ix.records[id]; id != "" && (len(of) == 0 || of[len(of)-1] != last) {
			ix.records[strings.Clone(id)] = append(of, last)
		}
	}
}

// containing marks the entries whose text contains a word.
func (ix *index) containing(word string) []bool {
	marks := make([]bool, len(ix.entries))
	if word != "" {
		ix.text.search(word, marks)
		return marks
	}
	for i := range marks {
		marks[i] = true
	}
	return marks
}

// sort makes the orders of entries with these lines, and ends with ctx.
func (ix *index) sort(ctx context.Context, lines []string) error {
	for k, key := range sortKeys {
		order := make([]uint32, len(ix.entries))
		for i := range order {
			order[i] = uint32(i)
		}
		by := ending(ctx, ix.comparison(key, lines))
		slices.SortFunc(order, func(a, b uint32) int { return cmp.Or(by(a, b), cmp.Compare(a, b)) })
		if err := ctx.Err(); err != nil {
			return err
		}
		ix.orders[k] = order
	}
	return nil
}

// comparisons is how many are made before a look at the context.
const comparisons = 1 << 12

// ending gives a comparison that says nothing once ctx has ended: what is left of a sort is
// quick then.
func ending(ctx context.Context, by func(i, k uint32) int) func(i, k uint32) int {
	made, ended := 0, false
	return func(i, k uint32) int {
		if made++; made%comparisons == 0 {
			ended = ended || ctx.Err() != nil
		}
		if ended {
			return 0
		}
		return by(i, k)
	}
}

// sortKeys are the columns by which a list can be sorted, by the first if no other is chosen.
var sortKeys = [...]string{"state", "url", "reason", "where", "fail_days"}

func (ix *index) comparison(key string, lines []string) func(i, k uint32) int {
	switch key {
	case "url":
		return func(i, k uint32) int { return cmp.Compare(lines[i], lines[k]) }
	case "reason":
		return func(i, k uint32) int {
			return cmp.Compare(ix.reasons.Strings()[ix.entries[i].reason], ix.reasons.Strings()[ix.entries[k].reason])
		}
	case "where":
		return func(i, k uint32) int { return cmp.Compare(recordIn(lines[i]), recordIn(lines[k])) }
	case "fail_days":
		return func(i, k uint32) int { return cmp.Compare(ix.entries[i].failDays, ix.entries[k].failDays) }
	}
	return func(i, k uint32) int {
		a, b := &ix.entries[i], &ix.entries[k]
		return cmp.Or(cmp.Compare(a.state.Group(), b.state.Group()), cmp.Compare(min(b.changes, 1), min(a.changes, 1)), cmp.Compare(b.failDays, a.failDays))
	}
}

// recordIn gives the part of a line behind the address.
func recordIn(line string) string {
	_, record, _ := strings.Cut(line, "\t")
	return record
}

// selection is what the query of a list's address asks for: which links, their order,
// the page.
type selection struct {
	Group, State, Scheme, Host, Collection, Reason, Change, Text, Sort string
	Page                                                               int
	Owner, Record                                                      string // of pages from which the source is changed
}

// pick gives the indexes of the entries on the wanted page, which has size rows, and
// how many entries match in all.
func (ix *index) pick(w *selection, size int) (part []uint32, total int) {
	key, down := strings.CutPrefix(w.Sort, "-")
	order := ix.orders[max(0, slices.Index(sortKeys[:], key))]
	marks, match := ix.containing(strings.Map(printable, strings.ToLower(w.Text))), ix.matcher(w)
	if w.Record != "" {
		of := make([]bool, len(marks))
		for _, i := range ix.records[w.Record] {
			of[i] = marks[i]
		}
		marks = of
	}
	if owner := ix.owners.Find(w.Owner); w.Owner != "" {
		for i := range marks {
			marks[i] = marks[i] && i < len(ix.ownerOf) && int(ix.ownerOf[i]) == owner
		}
	}
	for i := range marks { // in memory's order, which is faster than the list's
		marks[i] = marks[i] && match(&ix.entries[i])
	}
	from := (w.Page - 1) * size
	for n := range order {
		i := order[n]
		if down {
			i = order[len(order)-1-n]
		}
		if !marks[i] {
			continue
		}
		if total >= from && total < from+size {
			part = append(part, i)
		}
		total++
	}
	return part, total
}

// matcher gives the function that applies the filters of a selection but its text.
func (ix *index) matcher(w *selection) func(*entry) bool {
	scheme, host, reason, col := ix.schemes.Find(w.Scheme), ix.hosts.Find(w.Host), ix.reasons.Find(w.Reason), ix.collections.Find(w.Collection)
	if s, ok := strings.CutSuffix(w.Host, ":"); ok { // links without a host, by scheme
		host, scheme = ix.hosts.Find(""), ix.schemes.Find(s)
	}
	bySchemeOrHost := w.Scheme != "" || strings.HasSuffix(w.Host, ":")
	change := slices.Index(report.ChangeOrder[:], judge.Change(w.Change))
	return func(e *entry) bool {
		switch {
		case w.Group != "" && e.state.Group().String() != w.Group,
			w.State != "" && e.state.String() != w.State,
			bySchemeOrHost && int(e.scheme) != scheme,
			w.Host != "" && int(e.host) != host,
			w.Reason != "" && int(e.reason) != reason,
			w.Collection != "" && (col < 0 || col >= maxCollections || e.collections&(1<<col) == 0),
			w.Change != "" && (change < 0 || e.changes&(1<<change) == 0):
			return false
		}
		return true
	}
}

// printable drops control characters, which no text contains: no match may reach over
// the end of a line.
func printable(r rune) rune {
	if r < ' ' {
		return -1
	}
	return r
}
