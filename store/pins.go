package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// SetPin notes a person's decision about a link, or about all links of a host, future
// ones too. Another pin of the same link or host is replaced.
func (s *Store) SetPin(p Pin) error {
	if p.State < judge.PinnedAlive || p.State > judge.Ignored || p.Link == 0 && p.Host == "" {
		return fmt.Errorf("mark: state %s of link %d host %q", p.State, p.Link, p.Host)
	}
	v, err := json.Marshal(p)
	if err != nil {
		return err
	}
	err = s.file.Update(func(tx *boltfile.Tx) error {
		if p.Link != 0 && tx.Bucket(bucketLink).Get(codec.Key(p.Link)) == nil {
			return fmt.Errorf("link %d: %w", p.Link, ErrNotFound)
		}
		return tx.Bucket(bucketPin).Put(pinKey(p.Link, p.Host), v)
	})
	if err != nil {
		return err
	}
	return s.loadTables()
}

// RemovePin removes the pin of a link, or of a host if link is 0. If there is none the
// error wraps ErrNotFound.
func (s *Store) RemovePin(link uint64, host string) error {
	err := s.file.Update(func(tx *boltfile.Tx) error {
		b, k := tx.Bucket(bucketPin), pinKey(link, host)
		if b.Get(k) == nil {
			return fmt.Errorf("pin: %w", ErrNotFound)
		}
		return b.Delete(k)
	})
	if err != nil {
		return err
	}
	return s.loadTables()
}

// Pins lists the pins, those that have lapsed too: links by number, then hosts by name.
func (s *Store) Pins() []Pin {
	s.pins.mu.RLock()
	defer s.pins.mu.RUnlock()
	return slices.SortedFunc(maps.Values(s.pins.byKey), func(a, b Pin) int {
		return cmp.Or(strings.Compare(a.Host, b.Host), cmp.Compare(a.Link, b.Link))
	})
}

// loadTables reads the tables that are held in memory.
func (s *Store) loadTables() error {
	return s.file.View(func(tx *boltfile.Tx) error { return errors.Join(s.pins.load(tx), s.backOffs.load(tx)) })
}

// pinTable holds the pins by their keys. All of them are in the file too.
type pinTable struct {
	mu    sync.RWMutex
	byKey map[string]Pin
}

func pinKey(link uint64, host string) []byte {
	if link != 0 {
		return append([]byte{'l'}, codec.Key(link)...)
	}
	return append([]byte{'h'}, strings.ToLower(host)...)
}

// load fills the table from the file.
func (t *pinTable) load(tx *boltfile.Tx) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byKey = map[string]Pin{}
	return boltfile.Each(tx.Bucket(bucketPin), func(k, v []byte) error {
		var p Pin
		if err := json.Unmarshal(v, &p); err != nil || len(k) == 0 {
			return fmt.Errorf("%w: pin %q", ErrCorrupt, k)
		}
		if k[0] == 'l' && len(k) == 1+codec.KeyLen {
			p.Link = codec.Number(k[1:])
		} else {
			p.Host = string(k[1:])
		}
		t.byKey[string(k)] = p
		return nil
	})
}

// holding finds the pin that holds for a link at a time: its own before its host's.
func (t *pinTable) holding(link uint64, host string, now time.Time) *Pin {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if len(t.byKey) == 0 {
		return nil
	}
	for _, key := range [][]byte{pinKey(link, ""), pinKey(0, host)} {
		p, ok := t.byKey[string(key)]
		if ok && len(key) > 1 && (p.Until.IsZero() || now.Before(p.Until)) {
			return &p
		}
	}
	return nil
}
