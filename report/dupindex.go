package report

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"linkcheck/store"
	"linkcheck/uri"
)

// dupIndex tells which links share a key with others.
type dupIndex map[uint64]uint64 // link id -> hash of the key they share

// hashed is a link and the hash of one of its keys: 16 bytes, so that a million
// links cost little.
type hashed struct{ key, link uint64 }

// indexDuplicates finds the links that are surely one thing under several
// identities: their keys meet at level registry or below.
func indexDuplicates(ctx context.Context, src Source) (dupIndex, error) {
	all, err := hashLinks(ctx, src, func(k uri.Keys) string { return k.Registry })
	return shared(all), err
}

// shared keeps the links whose hash another one has.
func shared(all []hashed) dupIndex {
	index := dupIndex{}
	for i, h := range all {
		if i > 0 && all[i-1].key == h.key || i+1 < len(all) && all[i+1].key == h.key {
			index[h.link] = h.key
		}
	}
	return index
}

// of gives the name of a link's duplicate group, "" if it has none.
func (d dupIndex) of(link uint64) string {
	if h, ok := d[link]; ok {
		return fmt.Sprintf("d%016x", h)
	}
	return ""
}

// hashLinks gives the hash of one key of every live link, sorted by hash, then link.
func hashLinks(ctx context.Context, src Source, key func(uri.Keys) string) ([]hashed, error) {
	var all []hashed
	for l, err := range src.Links() {
		if err != nil {
			return nil, fmt.Errorf("report: read links: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if l.Mentions == 0 || l.State == store.InvalidState {
			continue
		}
		u, err := uri.Parse(l.URL)
		if err != nil {
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(key(uri.KeysOf(u))))
		all = append(all, hashed{h.Sum64(), l.ID})
	}
	slices.SortFunc(all, func(a, b hashed) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.link, b.link))
	})
	return all, nil
}
