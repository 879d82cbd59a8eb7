package report

import (
	"context"
	"slices"
	"strings"
)

// dupCard is one group of spellings on the page.
type dupCard struct {
	Spellings []Spelling
	LevelWord string
	SureWord  string
	Reasons   string
}

// maxCardSpellings bounds the spellings of one card.
const maxCardSpellings = 12

func (p *page) setDupes(ctx context.Context) error {
	groups, err := FindDuplicates(ctx, p.src, p.Options)
	if err != nil {
		return err
	}
	for _, g := range firstN(groups, pageDupes) {
		p.Dupes = append(p.Dupes, dupCard{firstN(g.Spellings, maxCardSpellings), p.words.get("level." + g.Level.String()),
			p.words.get("sure." + g.Sure), strings.Join(g.Reasons, ", ")})
	}
	if n := len(groups) - pageDupes; n > 0 {
		p.MoreDupes = p.words.get("more", "n", p.words.number(n)) + ": linkcheck dupes"
	}
	return nil
}

// notRead lists the formats that nothing reads, each with its number of documents.
func (r *Report) notRead() string {
	var list []string
	for _, k := range r.NotRead {
		list = append(list, k.Name+": "+r.words.number(k.N))
	}
	return strings.Join(list, ", ")
}

// coverage says what the report does not know.
func (r *Report) coverage() []fact {
	w := r.words
	facts := []fact{{w.get("coverage.checked"), w.number(r.Links-r.Never) + " / " + w.number(r.Links)}}
	if r.Never > 0 {
		facts = append(facts, fact{w.get("coverage.never"), w.number(r.Never)})
	}
	for _, c := range r.Skipped {
		facts = append(facts, fact{w.get("coverage.skipped"), c.Word + ": " + w.number(c.N)})
	}
	if kinds := r.notRead(); kinds != "" {
		facts = append(facts, fact{w.get("coverage.notread"), kinds})
	}
	if r.Oldest != nil {
		facts = append(facts, fact{w.get("coverage.oldest"), w.day(r.Oldest.Last.At) + ": " + r.Oldest.URL})
	}
	if r.Run != nil {
		out := w.get("coverage.outages.none")
		if len(r.Run.Outages) > 0 {
			out = r.clean(strings.Join(r.Run.Outages, ", "))
		}
		facts = append(facts, fact{w.get("coverage.outages"), out})
		if r.Run.Note != "" {
			facts = append(facts, fact{w.get("coverage.note"), r.clean(r.Run.Note)})
		}
	}
	for _, s := range r.Settings {
		facts = append(facts, fact{w.get("coverage.settings"), r.clean(s)})
	}
	if left := r.leftOut(); left != "" {
		facts = append(facts, fact{w.get("links"), left})
	}
	if r.Options.Version != "" {
		facts = append(facts, fact{w.get("coverage.version"), r.clean(r.Options.Version)})
	}
	return append(facts, fact{w.get("places"), w.number(r.Places) + ". " + w.get("coverage.retired")})
}

// pageLinks is what one page holds of the links.
type pageLinks struct {
	room   int
	wanted [groupCount]int
	first  [groupCount][]uint64 // numbers of the first of them, in rising order
}

func (p *pageLinks) add(r *Row) {
	p.wanted[r.Group]++
	if len(p.first[r.Group]) < p.room {
		p.first[r.Group] = append(p.first[r.Group], r.ID)
	}
}

// quota gives how many links of each group the page holds: those that need a
// hand before those that do not.
func (p *pageLinks) quota() (quota [groupCount]int, left int) {
	room := p.room
	for g, n := range p.wanted {
		quota[g] = min(n, room)
		room -= quota[g]
		left += n - quota[g]
	}
	return quota, left
}

// only picks the links of the page; nil: all.
func (p *pageLinks) only() func(uint64) bool {
	quota, left := p.quota()
	if left == 0 {
		return nil
	}
	var ids []uint64
	for g, n := range quota {
		ids = append(ids, p.first[g][:n]...)
	}
	return oneOf(ids)
}

// oneOf picks the links with these numbers, asked for in rising order.
func oneOf(ids []uint64) func(uint64) bool {
	slices.Sort(ids)
	return func(id uint64) bool {
		for len(ids) > 0 && ids[0] < id {
			ids = ids[1:]
		}
		return len(ids) > 0 && ids[0] == id
	}
}

// leftOut says how many links the page leaves to linkcheck serve.
func (r *Report) leftOut() string {
	quota, left := r.links.quota()
	if left == 0 {
		return ""
	}
	key := "coverage.left.any"
	if left == r.links.wanted[Fine]-quota[Fine] {
		key = "coverage.left"
	}
	return r.words.get(key, "n", r.words.number(left))
}
