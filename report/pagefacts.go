package report

import (
	"context"
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

// quota gives how many links of each group the page holds: those that need a
// hand before those that do not.
func (r *Report) quota() (quota [groupCount]int, left int) {
	room := r.MaxLinks
	if room <= 0 {
		room = DefaultMaxLinks
	}
	for g, n := range r.ByGroup {
		quota[g] = min(n, room)
		room -= quota[g]
		left += n - quota[g]
	}
	return quota, left
}

// leftOut says how many links the page leaves to linkcheck serve.
func (r *Report) leftOut() string {
	quota, left := r.quota()
	if left == 0 {
		return ""
	}
	key := "coverage.left.any"
	if left == r.ByGroup[Fine]-quota[Fine] {
		key = "coverage.left"
	}
	return r.words.get(key, "n", r.words.number(left))
}
