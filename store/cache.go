package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
	"linkcheck/uri"
)

// BackOff is the time until which a host asks to be left alone; zero: it does not. What an
// answer of the host that is of no link says about that is kept before; nil: none.
func (s *Store) BackOff(host string, answer *check.Result) (until time.Time, err error) {
	host = strings.ToLower(host)
	if answer != nil && s.backOffs.concerns(answer) {
		r := *answer
		r.At = r.At.Truncate(time.Second) // as the file keeps it
		s.recording.Lock()
		defer s.recording.Unlock()
		changed := map[string]judge.BackOff{host: s.backOffs.of(host).After(&r)}
		if err = s.file.Update(func(tx *boltfile.Tx) error { return writeBackOffs(tx, changed) }); err == nil {
			s.backOffs.change(changed)
		}
	}
	return s.backOffs.of(host).Until, err
}

// backOffTable holds the hosts that asked to be left alone. All of it is in the file
// too.
type backOffTable struct {
	mu    sync.RWMutex
	hosts map[string]judge.BackOff
}

// load fills the table from the file.
func (t *backOffTable) load(tx *boltfile.Tx) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hosts = map[string]judge.BackOff{}
	return boltfile.Each(tx.Bucket(bucketHost), func(k, v []byte) error {
		var b judge.BackOff
		if err := json.Unmarshal(v, &b); err != nil {
			return fmt.Errorf("%w: host %q", ErrCorrupt, k)
		}
		t.hosts[string(k)] = b
		return nil
	})
}

func (t *backOffTable) of(host string) judge.BackOff {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.hosts[host]
}

// concerns says whether a result may begin or end a back-off.
func (t *backOffTable) concerns(r *check.Result) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return judge.AsksBackOff(r) || len(t.hosts) > 0 && judge.EndsBackOff(r)
}

// after gives the back-offs that results begin, change or end; one that ended is zero.
// A result of a host that asked to be left alone gets that time as its NotBefore.
func (t *backOffTable) after(tx *boltfile.Tx, results []pending.Result) (changed map[string]judge.BackOff, err error) {
	changed = map[string]judge.BackOff{}
	for i := range results {
		item := &results[i]
		if !t.concerns(item.Result) {
			continue
		}
		row := tx.Bucket(bucketLink).Get(codec.Key(item.Link))
		if row == nil {
			continue
		}
		_, parts, err := readLinkParts(row)
		if err != nil {
			return nil, fmt.Errorf("link %d: %w", item.Link, err)
		}
		host, r := parts.host, *item.Result
		if final := hostOfURL(r.FinalURL); final != "" && judge.AsksBackOff(&r) {
			host = final // the one that asks, not the one that redirected to it
		}
		r.At = r.At.Truncate(time.Second) // as the file keeps it
		backOff := t.of(host)
		item.NotBefore = backOff.NextCheck(&r)
		if host == "" {
			continue
		}
		if before, ok := changed[host]; ok {
			backOff = before
		}
		changed[host] = backOff.After(&r)
	}
	return changed, nil
}

// hostOfURL is the host of a URL, "" if it has none.
func hostOfURL(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return ""
	}
	at, _ := u.Endpoint()
	return at.Host
}

// writeBackOffs puts what after gave into the file.
func writeBackOffs(tx *boltfile.Tx, changed map[string]judge.BackOff) error {
	b := tx.Bucket(bucketHost)
	for host, row := range changed {
		v, err := json.Marshal(row)
		if err == nil && row == (judge.BackOff{}) {
			err = b.Delete([]byte(host))
		} else if err == nil {
			err = b.Put([]byte(host), v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// change puts what after gave into the table, once it is on disk.
func (t *backOffTable) change(changed map[string]judge.BackOff) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.Copy(t.hosts, changed)
	maps.DeleteFunc(t.hosts, func(_ string, row judge.BackOff) bool { return row == judge.BackOff{} })
}

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
