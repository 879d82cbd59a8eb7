package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// What probers learn of servers beside their answers (that a directory says yes
// to any name, say) is remembered for a time, so that it is not asked every night.
const (
	maxRecallKey   = 4 << 10
	maxRecallValue = 16 << 10
	longestRecall  = 90 * day
	recallRows     = 20000 // looked at in one transaction
)

// notes are what Remember was told and no transaction has written yet.
type notes struct {
	mu   sync.RWMutex
	list map[string]*note
}

// note is a row of the bucket: until when it holds (8 octets), then the value.
type note struct {
	until time.Time
	value []byte
}

func (n *note) encode() []byte {
	return append(binary.BigEndian.AppendUint64(nil, codec.Seconds(n.until)), n.value...)
}

// decodeNote reads a row; its value is a part of b.
func decodeNote(b []byte) (n note, err error) {
	if len(b) < 8 {
		return n, codec.ErrShort
	}
	return note{codec.TimeOf(binary.BigEndian.Uint64(b)), b[8:]}, nil
}

// holds: a time beyond the longest was made by a clock that has jumped since.
func (n *note) holds(now time.Time) bool {
	return now.Before(n.until) && n.until.Sub(now) <= longestRecall
}

// CachePut keeps a value under a key until a time, at most 90 days from now. It is
// quick: the next Record, EndRun or Close writes it, and until then it is lost if
// the process is killed. A key beyond 4 KB or a value beyond 16 KB is not kept.
func (s *Store) CachePut(key string, value []byte, until time.Time) {
	if key == "" || len(key) > maxRecallKey || len(value) > maxRecallValue {
		return
	}
	if longest := s.now().Add(longestRecall); until.After(longest) {
		until = longest
	}
	s.notes.mu.Lock()
	defer s.notes.mu.Unlock()
	if s.notes.list == nil {
		s.notes.list = map[string]*note{}
	}
	s.notes.list[key] = &note{until.UTC().Truncate(time.Second), bytes.Clone(value)}
}

// CacheGet gives what was remembered under a key, if that holds now. What cannot be
// read is not known; Verify tells of it.
func (s *Store) CacheGet(key string) (value []byte, ok bool) {
	now := s.now()
	s.notes.mu.RLock()
	n := s.notes.list[key]
	s.notes.mu.RUnlock()
	if n != nil {
		return bytes.Clone(n.value), n.holds(now)
	}
	err := s.file.View(func(tx *bolt.Tx) error {
		if n, err := decodeNote(tx.Bucket(bucketRecall).Get([]byte(key))); err == nil && n.holds(now) {
			value, ok = bytes.Clone(n.value), true
		}
		return nil
	})
	return value, ok && err == nil
}

// putNotes writes what Remember was told; forgetNotes follows once that is on disk.
func (s *Store) putNotes(tx *bolt.Tx) (written map[string]*note, err error) {
	s.notes.mu.RLock()
	defer s.notes.mu.RUnlock()
	written = make(map[string]*note, len(s.notes.list))
	for k, n := range s.notes.list {
		written[k] = n
		if err := tx.Bucket(bucketRecall).Put([]byte(k), n.encode()); err != nil {
			return nil, err
		}
	}
	return written, nil
}

func (s *Store) hasNotes() bool {
	s.notes.mu.RLock()
	defer s.notes.mu.RUnlock()
	return len(s.notes.list) > 0
}

func (s *Store) forgetNotes(written map[string]*note) {
	s.notes.mu.Lock()
	defer s.notes.mu.Unlock()
	for k, n := range written {
		if s.notes.list[k] == n { // nothing newer came meanwhile
			delete(s.notes.list, k)
		}
	}
}

// withNotes runs f as one change that writes what waits in the notes too.
func (s *Store) withNotes(f func(*bolt.Tx) error) error {
	var written map[string]*note
	err := s.file.Update(func(tx *bolt.Tx) (err error) {
		if written, err = s.putNotes(tx); err != nil {
			return err
		}
		return f(tx)
	})
	if err == nil {
		s.forgetNotes(written)
	}
	return err
}

// dropLapsed removes what no longer holds.
func (s *Store) dropLapsed() error {
	now := s.now()
	for from := []byte{}; from != nil; {
		var gone [][]byte
		err := s.file.View(func(tx *bolt.Tx) error {
			c, n, at := tx.Bucket(bucketRecall).Cursor(), 0, from
			from = nil
			for k, v := c.Seek(at); k != nil; k, v = c.Next() {
				if n++; n > recallRows {
					from = bytes.Clone(k)
					return nil
				}
				if n, err := decodeNote(v); err != nil {
					return fmt.Errorf("recall of %.200q: %w", k, err)
				} else if !n.holds(now) {
					gone = append(gone, bytes.Clone(k))
				}
			}
			return nil
		})
		if err == nil && len(gone) > 0 {
			err = s.file.Update(func(tx *bolt.Tx) error { return deleteAll(tx.Bucket(bucketRecall), gone, nil) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}
