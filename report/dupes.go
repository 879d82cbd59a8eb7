package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
)

const (
	maxSpellings = 64  // remembered of one link
	maxRelatives = 256 // spellings compared with one another
	maxWhere     = 20  // places named of one spelling
)

// Duplicate is a group of spellings that mean, or may mean, one thing. It names
// the lowest level of the ladder at which they all meet.
type Duplicate struct {
	Level     uri.Level
	Sure      string // certain, probable or possible
	Reasons   []string
	Spellings []Spelling // the preferred one first
	Places    int
}

// Spelling is one way in which something is written.
type Spelling struct {
	URL    string   `json:"url"`
	Link   uint64   `json:"link_id"`
	Places int      `json:"places"`
	Where  []string `json:"where"` // the first of them: record or file, and the place in it
}

// add counts a place.
func (s *Spelling) add(m *store.Mention) {
	s.Places++
	if len(s.Where) < maxWhere {
		s.Where = append(s.Where, strings.TrimSpace(recordOf(m)+" "+locator(m)))
	}
}

// FindDuplicates gives all groups that Options.By wants: the surest first, then
// those with most places. Only links that meet others are read.
func FindDuplicates(ctx context.Context, src Source, o Options) ([]Duplicate, error) {
	s, _, err := prepare(src, o)
	if err != nil {
		return nil, err
	}
	s.rows = nil
	d := &dupFinder{scope: s, related: map[uint64][]Spelling{}, finals: map[string][]Spelling{}}
	if o.By != ByFinal {
		if d.shared, err = indexGroups(src, uri.Heuristic); err != nil {
			return nil, err
		}
		if err := d.pick(src, uri.Scheme); err != nil {
			return nil, err
		}
		for id := range d.shared {
			d.ids = append(d.ids, id)
		}
	}
	if o.By != BySpelling {
		if err := d.pick(src, uri.Observed); err != nil {
			return nil, err
		}
	}
	if err := s.eachRow(ctx, src, store.Pick{Only: oneOf(slices.Compact(slices.Sorted(slices.Values(d.ids))))}, d.gather); err != nil {
		return nil, err
	}
	return d.groups(), nil
}

// pick adds the links that meet others at a level to those to be read.
func (d *dupFinder) pick(src Source, level uri.Level) error {
	sets, err := src.Sets(level)
	if err != nil {
		return fmt.Errorf("report: read duplicates: %w", err)
	}
	d.ids = append(d.ids, slices.Concat(sets...)...)
	return nil
}

// dupIndex names for each link that has relatives the oldest of them.
type dupIndex map[uint64]uint64

// indexGroups finds the links that meet others at a level.
func indexGroups(src Source, level uri.Level) (dupIndex, error) {
	sets, err := src.Sets(level)
	if err != nil {
		return nil, fmt.Errorf("report: read duplicates: %w", err)
	}
	index := dupIndex{}
	for _, ids := range sets {
		for _, id := range ids {
			index[id] = slices.Min(ids)
		}
	}
	return index, nil
}

// of gives the name of a link's duplicate group, "" if it has none.
func (d dupIndex) of(link uint64) string {
	if oldest, ok := d[link]; ok {
		return "d" + strconv.FormatUint(oldest, 10)
	}
	return ""
}

type dupFinder struct {
	*scope
	ids     []uint64              // of the links to read
	shared  dupIndex              // links that may be the same as others
	related map[uint64][]Spelling // of such links, by the oldest of them, unmasked
	alone   [][]Spelling          // of links with several spellings and no relatives
	finals  map[string][]Spelling // links that ended at one address
}

// gather remembers a link that has relatives, several spellings or a target.
func (d *dupFinder) gather(r *Row) error {
	if r.State == judge.Invalid {
		return nil
	}
	var list []Spelling
	whole := Spelling{URL: d.address(r.URL), Link: r.ID}
	for i := range r.Places {
		whole.add(&r.Places[i])
		list = count(list, &r.Places[i], r.ID)
	}
	if r.Last.FinalURL != "" && r.Group != Check && d.By != BySpelling {
		final := d.address(r.Last.FinalURL)
		d.finals[final] = append(d.finals[final], whole)
	}
	key, related := d.shared[r.ID]
	switch {
	case related && len(d.related[key]) < maxRelatives:
		d.related[key] = append(d.related[key], list...)
	case !related && len(list) > 1 && d.By != ByFinal:
		d.alone = append(d.alone, list)
	}
	return nil
}

// count adds a place to the spelling of a link.
func count(list []Spelling, m *store.Mention, link uint64) []Spelling {
	for i := range list {
		if list[i].URL == m.URL {
			list[i].add(m)
			return list
		}
	}
	if len(list) == maxSpellings {
		return list
	}
	list = append(list, Spelling{URL: strings.Clone(m.URL), Link: link})
	list[len(list)-1].add(m)
	return list
}
