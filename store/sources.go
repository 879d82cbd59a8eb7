package store

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// sourceCache reads source rows and remembers the last: mentions come in runs.
type sourceCache struct {
	tx   *bolt.Tx
	last sourceRow
}

func (c *sourceCache) row(id uint32) (*sourceRow, error) {
	if c.last.id == id && id != 0 {
		return &c.last, nil
	}
	k := codec.Key32(id)
	row, err := decodeSource(k, c.tx.Bucket(bucketSource).Get(k))
	if err != nil {
		return nil, fmt.Errorf("source %d: %w", id, err)
	}
	c.last = row
	return &c.last, nil
}

// place fills in what the source of a mention knows.
func (c *sourceCache) place(m *mentionRow) error {
	if len(m.src) == 0 {
		return fmt.Errorf("%w: a mention of no source", ErrCorrupt)
	}
	row, err := c.row(m.src[0].Source)
	if err != nil {
		return err
	}
	m.m.Source = row.Path
	if m.m.Retired.IsZero() {
		m.m.LastSeen = row.LastSeen
	}
	return nil
}

func compareMentions(a, b Mention) int {
	return cmp.Or(
		strings.Compare(a.Collection, b.Collection), strings.Compare(a.Record, b.Record),
		strings.Compare(a.Source, b.Source), strings.Compare(a.Member, b.Member),
		cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		strings.Compare(a.Locator, b.Locator), strings.Compare(a.Raw, b.Raw))
}

// Source gives what is known of a file that was read before.
func (s *Store) Source(path string) (src Source, found bool, err error) {
	err = s.file.View(func(tx *bolt.Tx) error {
		row, ok, err := sourceByPath(tx, path)
		src, found = row.Source, ok
		return err
	})
	return src, found, err
}

func sourceByPath(tx *bolt.Tx, path string) (row sourceRow, found bool, err error) {
	k := tx.Bucket(bucketPath).Get([]byte(path))
	if k == nil {
		return row, false, nil
	}
	row, err = decodeSource(k, tx.Bucket(bucketSource).Get(k))
	return row, true, err
}

// Sources yields the sources in the order of their paths.
func (s *Store) Sources() iter.Seq2[Source, error] {
	return walk(s, bucketPath, []byte{}, nil, func(tx *bolt.Tx, _, id []byte) (Source, error) {
		row, err := decodeSource(id, tx.Bucket(bucketSource).Get(id))
		return row.Source, err
	})
}

// NotRead sums up what the sources hold that nothing reads, by kind.
func (s *Store) NotRead() ([]Kind, error) {
	sum := map[string]int{}
	for src, err := range s.Sources() {
		if err != nil {
			return nil, err
		}
		if !src.Gone.IsZero() {
			continue
		}
		for _, k := range src.NotRead {
			sum[k.Name] += k.N
		}
	}
	return Kinds(sum), nil
}

// Kinds lists counted formats by name.
func Kinds(count map[string]int) []Kind {
	var list []Kind
	for _, name := range slices.Sorted(maps.Keys(count)) {
		list = append(list, Kind{name, count[name]})
	}
	return list
}
