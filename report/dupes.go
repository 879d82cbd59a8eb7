package report

import (
	"context"
	"fmt"
	"strconv"
	"strings"

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
		s.Where = append(s.Where, strings.TrimSpace(recordOf(m)+" "+Locator(m)))
	}
}

// FindDuplicates gives all groups: the surest first, then those with most places.
func FindDuplicates(ctx context.Context, src Source, o Options) ([]Duplicate, error) {
	s, _, err := prepare(src, o)
	if err != nil {
		return nil, err
	}
	s.rows = nil
	shared, err := indexGroups(src, uri.Heuristic)
	if err != nil {
		return nil, err
	}
	d := &dupFinder{scope: s, src: src, shared: shared, related: map[uint64][]Spelling{}, finals: map[string][]Spelling{}}
	if err := s.eachRow(ctx, src, d.gather); err != nil {
		return nil, err
	}
	return d.groups(), nil
}

// dupIndex names for each link that has relatives the oldest of them.
type dupIndex map[uint64]uint64

// indexGroups finds the links that meet others at a level.
func indexGroups(src Source, level uri.Level) (dupIndex, error) {
	index := dupIndex{}
	for g, err := range src.Groups(level) {
		if err != nil {
			return nil, fmt.Errorf("report: read groups: %w", err)
		}
		if len(g.Links) < 2 {
			continue
		}
		oldest := g.Links[0].ID
		for _, l := range g.Links {
			oldest = min(oldest, l.ID)
		}
		for _, l := range g.Links {
			index[l.ID] = oldest
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
	src     Source
	shared  dupIndex              // links that may be the same as others
	related map[uint64][]Spelling // of such links, by the oldest of them, unmasked
	alone   [][]Spelling          // of links with several spellings and no relatives
	finals  map[string][]Spelling // links that ended at one address
}

// gather remembers a link that has relatives, several spellings or a target.
func (d *dupFinder) gather(r *Row) error {
	key, related := d.shared[r.ID]
	final := r.Last.FinalURL != "" && r.Group != Check
	if !related && r.Mentions < 2 && !final || r.State == store.InvalidState {
		return nil
	}
	var list []Spelling
	whole := Spelling{URL: r.URL, Link: r.ID}
	err := d.eachMention(d.src, r.ID, func(m *store.Mention) (bool, error) {
		whole.add(m)
		list = count(list, m, r.ID)
		return true, nil
	})
	if err != nil || whole.Places == 0 {
		return err
	}
	if final {
		d.finals[r.Last.FinalURL] = append(d.finals[r.Last.FinalURL], whole)
	}
	switch {
	case related && len(d.related[key]) < maxRelatives:
		d.related[key] = append(d.related[key], list...)
	case !related && len(list) > 1:
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
