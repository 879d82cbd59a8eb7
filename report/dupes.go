package report

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"linkcheck/store"
	"linkcheck/uri"
)

// maxSpellings bounds the spellings that are remembered of one link.
const maxSpellings = 64

// Duplicate is a group of spellings that mean, or may mean, one thing. A group
// names the lowest level of the ladder at which its spellings meet; spellings
// that met below it are one entry.
type Duplicate struct {
	Level     uri.Level
	Sure      string // certain, probable or possible
	Reasons   []string
	Spellings []Spelling // the preferred one first
	Places    int
}

// Spelling is one way in which something is written.
type Spelling struct {
	URL    string `json:"url"`
	Link   uint64 `json:"link_id"`
	Places int    `json:"places"`
}

// spelled is one link with all its spellings and its keys.
type spelled struct {
	link      uint64
	key       string
	keys      uri.Keys
	spellings []Spelling
}

// FindDuplicates gives all groups: the surest first, then those with most places.
func FindDuplicates(ctx context.Context, src Source, o Options) ([]Duplicate, error) {
	s, _, err := prepare(src, o)
	if err != nil {
		return nil, err
	}
	s.rows = nil
	hashes, err := hashLinks(ctx, src, func(k uri.Keys) string { return k.Heuristic })
	if err != nil {
		return nil, err
	}
	shared := map[uint64]uint64{}
	for i, h := range hashes {
		if i > 0 && hashes[i-1].key == h.key || i+1 < len(hashes) && hashes[i+1].key == h.key {
			shared[h.link] = h.key
		}
	}
	hashes = nil
	d := &dupFinder{scope: s, src: src, shared: shared, buckets: map[uint64][]spelled{}, finals: map[string][]Spelling{}}
	if err := s.eachRow(ctx, src, d.gather); err != nil {
		return nil, err
	}
	return d.groups(), nil
}

type dupFinder struct {
	*scope
	src     Source
	shared  map[uint64]uint64 // link -> hash of its heuristic key, where others have it too
	buckets map[uint64][]spelled
	finals  map[string][]Spelling // links that ended at one address
	alone   []spelled             // links with several spellings and no relatives
}

// gather remembers a link that has relatives or several spellings.
func (d *dupFinder) gather(r *Row) error {
	bucket, related := d.shared[r.ID]
	final := r.Last.FinalURL != "" && r.Group != Check
	if !related && r.Mentions < 2 && !final || r.State == store.InvalidState {
		return nil
	}
	l := spelled{link: r.ID, key: r.Key}
	places := 0
	err := d.eachMention(d.src, r.ID, func(m *store.Mention) (bool, error) {
		places++
		l.add(d.address(m.URL))
		return true, nil
	})
	if err != nil || places == 0 {
		return err
	}
	l.prefer()
	if final {
		d.finals[r.Last.FinalURL] = append(d.finals[r.Last.FinalURL], Spelling{l.spellings[0].URL, r.ID, places})
	}
	switch {
	case related:
		if u, err := uri.Parse(r.raw); err == nil {
			l.keys = uri.KeysOf(u)
		}
		d.buckets[bucket] = append(d.buckets[bucket], l)
	case len(l.spellings) > 1:
		d.alone = append(d.alone, l)
	}
	return nil
}

func (l *spelled) add(url string) {
	for i := range l.spellings {
		if l.spellings[i].URL == url {
			l.spellings[i].Places++
			return
		}
	}
	if len(l.spellings) < maxSpellings {
		l.spellings = append(l.spellings, Spelling{strings.Clone(url), l.link, 1})
	}
}

// prefer puts the best spelling first: the normal form if anyone writes it, then
// the one in most places, then the shortest.
func (l *spelled) prefer() {
	sortSpellings(l.spellings, l.key)
}

func sortSpellings(list []Spelling, key string) {
	slices.SortFunc(list, func(a, b Spelling) int {
		return cmp.Or(cmp.Compare(b2i(b.URL == key), b2i(a.URL == key)), cmp.Compare(b.Places, a.Places),
			cmp.Compare(len(a.URL), len(b.URL)), cmp.Compare(a.URL, b.URL), cmp.Compare(a.Link, b.Link))
	})
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
