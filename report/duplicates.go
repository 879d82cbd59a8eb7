package report

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri/equal"
	"linkcheck/uri/proxied"
)

const (
	maxSpellings = 64  // remembered of one link
	maxRelatives = 256 // spellings compared with one another
	maxWhere     = 20  // mentions remembered of one spelling

	maxNamedWhere = 3 // of these in a line for people
)

// Duplicate is a group of spellings that mean, or may mean, one thing. It names
// the lowest level of equality at which they all meet.
type Duplicate struct {
	Level     equal.Level
	Sure      string // certain, probable or possible
	Reasons   []string
	Spellings []Spelling // the preferred one first
	Mentions  int
}

// Spelling is one way in which something is written.
type Spelling struct {
	URL      string   `json:"url"`
	Link     uint64   `json:"link_id"`
	Mentions int      `json:"places"`
	Where    []string `json:"where"` // the first of them: record or file, and the locator in it
}

// add counts a mention.
func (s *Spelling) add(m *store.Mention) {
	s.Mentions++
	if len(s.Where) < maxWhere {
		s.Where = append(s.Where, strings.TrimSpace(RecordOf(m)+" "+Locator(m)))
	}
}

// WhereLine names the first mentions of a spelling and counts the others.
func (s Spelling) WhereLine() string {
	named := s.Where[:min(len(s.Where), maxNamedWhere)]
	text := strings.Join(named, "; ")
	if more := s.Mentions - len(named); more > 0 {
		text += " +" + strconv.Itoa(more)
	}
	return text
}

// Duplicates gives all groups that Options.By wants: the surest first, then those
// with most mentions. Only links that meet others are read.
func (s *Scope) Duplicates(ctx context.Context) ([]Duplicate, error) {
	all := *s
	all.only = nil
	d := &duplicateFinder{Scope: &all, related: map[uint64][]Spelling{}, finals: map[string][]Spelling{}}
	var ids []uint64 // of the links to read
	add := func(level equal.Level) error {
		sets, err := s.sets(ctx, level)
		ids = append(ids, slices.Concat(sets...)...)
		return err
	}
	if s.By != ByFinal {
		var err error
		if d.oldest, err = s.oldestRelatives(ctx, equal.Heuristic); err != nil {
			return nil, err
		}
		ids = slices.Collect(maps.Keys(d.oldest))
		if err := add(equal.Scheme); err != nil {
			return nil, err
		}
	}
	if s.By != BySpelling {
		if err := add(equal.Observed); err != nil {
			return nil, err
		}
	}
	slices.Sort(ids)
	if err := all.EachRow(ctx, store.Pick{Only: oneOf(slices.Compact(ids))}, d.gather); err != nil {
		return nil, err
	}
	return d.groups(), nil
}

// DuplicateNames gives the function from a link to the name of the group of links
// that it is certainly the same as; "" if there is none.
func (s *Scope) DuplicateNames(ctx context.Context) (func(link uint64) string, error) {
	oldest, err := s.oldestRelatives(ctx, equal.Registry)
	return func(link uint64) string {
		if id, ok := oldest[link]; ok {
			return "d" + strconv.FormatUint(id, 10)
		}
		return ""
	}, err
}

// oldestRelatives gives, for each link that meets others at a level, the number of the
// oldest of them.
func (s *Scope) oldestRelatives(ctx context.Context, level equal.Level) (map[uint64]uint64, error) {
	sets, err := s.sets(ctx, level)
	oldest := map[uint64]uint64{}
	for _, ids := range sets {
		for _, id := range ids {
			oldest[id] = slices.Min(ids)
		}
	}
	return oldest, err
}

func (s *Scope) sets(ctx context.Context, level equal.Level) ([][]uint64, error) {
	sets, err := s.src.Sets(ctx, level)
	if err != nil {
		return nil, fmt.Errorf("report: read duplicates: %w", err)
	}
	return sets, nil
}

type duplicateFinder struct {
	*Scope
	oldest  map[uint64]uint64     // of links that may be the same as others, the oldest of these
	related map[uint64][]Spelling // spellings of these, by the oldest link; not sanitized yet
	finals  map[string][]Spelling // links that ended at one address
}

// gather collects the spellings of a link that meets others or is spelled in more than
// one way, and the link itself by the address at which it ended.
func (d *duplicateFinder) gather(r *Row) error {
	if r.State == judge.Invalid {
		return nil
	}
	d.learn(r)
	var list []Spelling
	whole := Spelling{URL: d.SanitizeURL(r.URL), Link: r.ID}
	for i := range r.LiveMentions {
		whole.add(&r.LiveMentions[i])
		list = addMention(list, &r.LiveMentions[i], r.ID)
	}
	if r.Last.FinalURL != "" && r.Group != Check && d.By != BySpelling {
		final := d.SanitizeURL(r.Last.FinalURL)
		d.finals[final] = append(d.finals[final], whole)
	}
	key, related := d.oldest[r.ID]
	if !related {
		key = r.ID
	}
	if related && len(d.related[key]) < maxRelatives || !related && len(list) > 1 && d.By != ByFinal {
		d.related[key] = append(d.related[key], list...)
	}
	return nil
}

// learn takes from a link the rule of its proxy, where that is one of the operator.
func (d *duplicateFinder) learn(r *Row) {
	if _, known := d.Rules.Proxies.Guess(r.URL); known || r.Via == "" {
		return
	}
	if rules, err := proxied.ParseRules(strings.ReplaceAll(r.Via, " ", "\n")); err == nil {
		d.Rules.Proxies = append(d.Rules.Proxies, rules...)
	}
}

// addMention counts a mention with its spelling of a link.
func addMention(list []Spelling, m *store.Mention, link uint64) []Spelling {
	i := slices.IndexFunc(list, func(s Spelling) bool { return s.URL == m.URL })
	if i < 0 {
		if i = len(list); i == maxSpellings {
			return list
		}
		list = append(list, Spelling{URL: strings.Clone(m.URL), Link: link})
	}
	list[i].add(m)
	return list
}

// groups compares every set of relatives and sorts what it finds.
func (d *duplicateFinder) groups() []Duplicate {
	var out []Duplicate
	for _, key := range slices.Sorted(maps.Keys(d.related)) {
		out = d.compare(out, d.related[key])
	}
	for _, final := range slices.Sorted(maps.Keys(d.finals)) {
		if list := d.finals[final]; len(list) > 1 {
			sortSpellings(list, final)
			out = append(out, Duplicate{Level: equal.Observed, Sure: "possible", Spellings: list, Mentions: mentionsOf(list)})
		}
	}
	for _, group := range out {
		for _, spelling := range group.Spellings {
			for i, where := range spelling.Where {
				spelling.Where[i] = d.Sanitize(where)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Duplicate) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(b.Mentions, a.Mentions), cmp.Compare(a.Spellings[0].URL, b.Spellings[0].URL))
	})
	return out
}

// compare appends the groups that the rules of equality find in a list of spellings.
func (d *duplicateFinder) compare(out []Duplicate, list []Spelling) []Duplicate {
	known := map[string]Spelling{}
	urls := make([]string, len(list))
	for i, s := range list {
		known[s.URL], urls[i] = s, s.URL
	}
	inner := map[string]string{} // of spellings in a group already: the preferred one, which stands for them further on
	groups := d.Rules.Group(urls)
	for i, g := range groups {
		wider := func(h equal.DupGroup) bool {
			_, holds := slices.BinarySearch(h.Spellings, g.Spellings[0])
			return holds && sureness(h.Level, h.Equality) == sureness(g.Level, g.Equality)
		}
		if slices.ContainsFunc(groups[i+1:], wider) { // it is as sure, and shows these spellings too
			continue
		}
		dup := Duplicate{Level: g.Level, Reasons: g.Reasons}
		for _, url := range g.Spellings {
			if first, in := inner[url]; !in || first == url {
				dup.Spellings = append(dup.Spellings, known[url])
			}
		}
		first := preferred(dup.Spellings)
		for _, url := range g.Spellings {
			inner[url] = first
		}
		sortSpellings(dup.Spellings, first)
		for i := range dup.Spellings {
			dup.Spellings[i].URL = d.SanitizeURL(dup.Spellings[i].URL)
		}
		dup.Sure, dup.Mentions = sureness(dup.Level, g.Equality), mentionsOf(dup.Spellings)
		out = append(out, dup)
	}
	return out
}

// sureness is the word for a level (NORMALIZATION.md): the rules of a
// specification are certain, those of practice probable, the rest possible.
func sureness(level equal.Level, v equal.Equality) string {
	switch {
	case v != equal.Dup || level >= equal.Heuristic:
		return "possible"
	case level > equal.Registry:
		return "probable"
	}
	return "certain"
}

// sortSpellings puts the preferred spelling first, then those with most mentions.
func sortSpellings(list []Spelling, preferred string) {
	slices.SortFunc(list, func(a, b Spelling) int {
		return cmp.Or(trueFirst(a.URL == preferred, b.URL == preferred), cmp.Compare(b.Mentions, a.Mentions),
			cmp.Compare(len(a.URL), len(b.URL)), cmp.Compare(a.URL, b.URL), cmp.Compare(a.Link, b.Link))
	})
}

func mentionsOf(list []Spelling) int {
	n := 0
	for _, s := range list {
		n += s.Mentions
	}
	return n
}
