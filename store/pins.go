package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"linkcheck/judge"
	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// Pinned is a pin and what it holds.
type Pinned struct {
	Link uint64 // 0: a host
	Host string // "" : a link
	Pin  Pin
}

func pinKey(link uint64, host string) []byte {
	if link != 0 {
		return append([]byte{'l'}, codec.Key(link)...)
	}
	return append([]byte{'h'}, strings.ToLower(host)...)
}

func pinnedLink(k []byte) (uint64, bool) {
	if len(k) == 1+codec.KeyLen && k[0] == 'l' {
		return codec.Number(k[1:]), true
	}
	return 0, false
}

// Mark keeps a human decision about a link, or about all links of a host, those
// still to come too. p.State is PinnedAlive, PinnedDead or Ignored.
func (s *Store) Mark(p Pinned) error {
	if p.Pin.State < judge.PinnedAlive || p.Pin.State > judge.Ignored || p.Link == 0 && p.Host == "" {
		return fmt.Errorf("mark: state %s of link %d host %q", p.Pin.State, p.Link, p.Host)
	}
	v, err := json.Marshal(p.Pin)
	if err != nil {
		return err
	}
	err = s.file.Update(func(tx *bolt.Tx) error {
		if p.Link != 0 && tx.Bucket(bucketLink).Get(codec.Key(p.Link)) == nil {
			return fmt.Errorf("link %d: %w", p.Link, ErrNotFound)
		}
		return tx.Bucket(bucketPin).Put(pinKey(p.Link, p.Host), v)
	})
	if err != nil {
		return err
	}
	return s.reload()
}

// Unmark removes the pin of a link, or of a host if link is 0.
func (s *Store) Unmark(link uint64, host string) error {
	err := s.file.Update(func(tx *bolt.Tx) error {
		b, k := tx.Bucket(bucketPin), pinKey(link, host)
		if b.Get(k) == nil {
			return fmt.Errorf("pin: %w", ErrNotFound)
		}
		return b.Delete(k)
	})
	if err != nil {
		return err
	}
	return s.reload()
}

// Pins lists the pins, those that have lapsed too: links by number, then hosts by name.
func (s *Store) Pins() []Pinned {
	s.ram.mu.RLock()
	defer s.ram.mu.RUnlock()
	list := make([]Pinned, 0, len(s.ram.linkPins)+len(s.ram.hostPins))
	for id, p := range s.ram.linkPins {
		list = append(list, Pinned{Link: id, Pin: p})
	}
	for h, p := range s.ram.hostPins {
		list = append(list, Pinned{Host: h, Pin: p})
	}
	slices.SortFunc(list, func(a, b Pinned) int {
		return cmp.Or(strings.Compare(a.Host, b.Host), cmp.Compare(a.Link, b.Link))
	})
	return list
}
