// Package recall keeps what probers learn of servers beside their answers (that a directory
// says yes to any name, say), so that they need not ask every night.
package recall

import (
	"bytes"
	"fmt"
	"maps"
	"sync"
	"time"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

const (
	maxKey   = 4 << 10
	maxValue = 16 << 10
	longest  = 90 * 24 * time.Hour
)

// Table is what probers know in a store: the rows of a bucket, and those that wait to be
// written there.
type Table struct {
	view   func(func(*boltfile.Tx) error) error
	bucket []byte
	now    func() time.Time

	mu      sync.RWMutex
	waiting Rows
}

// Rows are rows by their keys.
type Rows map[string]*Row

// New gives the table of a bucket, which it reads by view.
func New(view func(func(*boltfile.Tx) error) error, bucket []byte, now func() time.Time) *Table {
	return &Table{view: view, bucket: bucket, now: now, waiting: Rows{}}
}

// Row is a row of the bucket: until when it holds (8 octets), then the value. It is
// exported as JSON.
type Row struct {
	Until time.Time `json:"until"` // zero: it holds until another takes its place
	Value []byte    `json:"value"`
}

// Encode gives the octets of a row.
func (r *Row) Encode() []byte { return append(codec.Key64(codec.Seconds(r.Until)), r.Value...) }

// Decode reads a row; its value is a part of b.
func Decode(b []byte) (r Row, err error) {
	if len(b) < 8 {
		return r, codec.ErrShort
	}
	return Row{codec.TimeOf(codec.Number(b[:8])), b[8:]}, nil
}

// holds: a time beyond the longest was written under a clock that has jumped since.
func (r *Row) holds(now time.Time) bool {
	return r.Until.IsZero() && len(r.Value) > 0 || now.Before(r.Until) && r.Until.Sub(now) <= longest
}

// CachePut keeps a value under a key until a time, at most 90 days from now. It is
// quick: the row waits to be written, and until then it is lost if the process is killed.
// A key beyond 4 KB or a value beyond 16 KB is not kept.
func (t *Table) CachePut(key string, value []byte, until time.Time) {
	if key == "" || len(key) > maxKey || len(value) > maxValue {
		return
	}
	if last := t.now().Add(longest); until.After(last) {
		until = last
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting[key] = &Row{until.UTC().Truncate(time.Second), bytes.Clone(value)}
}

// CacheGet gives the value under a key, if it holds now. What cannot be read is not
// known.
func (t *Table) CacheGet(key string) (value []byte, ok bool) {
	now := t.now()
	t.mu.RLock()
	row := t.waiting[key]
	t.mu.RUnlock()
	if row != nil {
		return bytes.Clone(row.Value), row.holds(now)
	}
	err := t.view(func(tx *boltfile.Tx) error {
		if row, err := Decode(tx.Bucket(t.bucket).Get([]byte(key))); err == nil && row.holds(now) {
			value, ok = bytes.Clone(row.Value), true
		}
		return nil
	})
	return value, ok && err == nil
}

// Waiting gives the rows that are to be written.
func (t *Table) Waiting() Rows {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return maps.Clone(t.waiting)
}

// Written forgets rows that were written, but not what was put under their keys meanwhile.
func (t *Table) Written(rows Rows) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.waiting, func(k string, row *Row) bool { return rows[k] == row })
}

// Put writes rows into a bucket.
func (rows Rows) Put(b *boltfile.Bucket) error {
	for k, row := range rows {
		if err := b.Put([]byte(k), row.Encode()); err != nil {
			return err
		}
	}
	return nil
}

// DropLapsed removes the rows of a bucket that no longer hold.
func DropLapsed(b *boltfile.Bucket, now time.Time) error {
	_, err := boltfile.DeleteIf(b, nil, func(k, v []byte) (bool, error) {
		row, err := Decode(v)
		if err != nil {
			return false, fmt.Errorf("recall of %.200q: %w", k, err)
		}
		return !row.holds(now), nil
	})
	return err
}
