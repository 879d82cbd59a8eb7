package store

import (
	"bytes"
	"fmt"
	"maps"
	"sync"
	"time"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// The cache holds what probers learn of servers beside their answers (that a directory
// says yes to any name, say), so that they need not ask every night.

const (
	maxCacheKey   = 4 << 10
	maxCacheValue = 16 << 10
	longestCached = 90 * day
)

// cacheTable holds the rows of CachePut that no transaction has written yet.
type cacheTable struct {
	mu   sync.RWMutex
	rows map[string]*cacheRow
}

func (t *cacheTable) empty() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.rows) == 0
}

// cacheRow is a row of the bucket: until when it holds (8 octets), then the value. It is
// exported as JSON.
type cacheRow struct {
	Until time.Time `json:"until"`
	Value []byte    `json:"value"`
}

func (c *cacheRow) encode() []byte { return append(codec.Key64(codec.Seconds(c.Until)), c.Value...) }

// decodeCacheRow reads a row; its value is a part of b.
func decodeCacheRow(b []byte) (c cacheRow, err error) {
	if len(b) < 8 {
		return c, codec.ErrShort
	}
	return cacheRow{codec.TimeOf(codec.Number(b[:8])), b[8:]}, nil
}

// holds: a time beyond the longest was written under a clock that has jumped since.
func (c *cacheRow) holds(now time.Time) bool {
	return now.Before(c.Until) && c.Until.Sub(now) <= longestCached
}

// CachePut keeps a value under a key until a time, at most 90 days from now. It is
// quick: the next Record, EndRun or Close writes it, and until then it is lost if
// the process is killed. A key beyond 4 KB or a value beyond 16 KB is not kept.
func (s *Store) CachePut(key string, value []byte, until time.Time) {
	if key == "" || len(key) > maxCacheKey || len(value) > maxCacheValue {
		return
	}
	if longest := s.now().Add(longestCached); until.After(longest) {
		until = longest
	}
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	s.cache.rows[key] = &cacheRow{until.UTC().Truncate(time.Second), bytes.Clone(value)}
}

// CacheGet gives the value under a key, if it holds now. What cannot be read is not
// known; Verify lists it.
func (s *Store) CacheGet(key string) (value []byte, ok bool) {
	now := s.now()
	s.cache.mu.RLock()
	row := s.cache.rows[key]
	s.cache.mu.RUnlock()
	if row != nil {
		return bytes.Clone(row.Value), row.holds(now)
	}
	err := s.file.View(func(tx *boltfile.Tx) error {
		if row, err := decodeCacheRow(tx.Bucket(bucketCache).Get([]byte(key))); err == nil && row.holds(now) {
			value, ok = bytes.Clone(row.Value), true
		}
		return nil
	})
	return value, ok && err == nil
}

// writeCache runs change by update, and writes the cache in the same transaction.
func (s *Store) writeCache(update func(func(*boltfile.Tx) error) error, change func(*boltfile.Tx) error) error {
	t := &s.cache
	t.mu.RLock()
	rows := maps.Clone(t.rows)
	t.mu.RUnlock()
	err := update(func(tx *boltfile.Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		for k, row := range rows {
			if err := tx.Bucket(bucketCache).Put([]byte(k), row.encode()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.rows, func(k string, row *cacheRow) bool { return rows[k] == row }) // but not what was put meanwhile
	return nil
}

// dropLapsed removes the rows that no longer hold.
func dropLapsed(tx *boltfile.Tx, now time.Time) error {
	_, err := boltfile.DeleteIf(tx.Bucket(bucketCache), nil, func(k, v []byte) (bool, error) {
		row, err := decodeCacheRow(v)
		if err != nil {
			return false, fmt.Errorf("recall of %.200q: %w", k, err)
		}
		return !row.holds(now), nil
	})
	return err
}
