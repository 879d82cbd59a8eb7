package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"linkcheck/check"
	"linkcheck/judge"
)

// memory holds the small tables: pins, and hosts that asked to be left alone.
type memory struct {
	mu       sync.RWMutex
	linkPins map[uint64]Pin
	hostPins map[string]Pin
	hosts    map[string]judge.BackOff
}

// reload fills the memory from the file.
func (s *Store) reload() error {
	m := &s.ram
	m.mu.Lock()
	defer m.mu.Unlock()
	m.linkPins, m.hostPins, m.hosts = map[uint64]Pin{}, map[string]Pin{}, map[string]judge.BackOff{}
	return s.file.View(func(tx *bolt.Tx) error {
		err := tx.Bucket(bucketPin).ForEach(func(k, v []byte) error {
			var p Pin
			if err := json.Unmarshal(v, &p); err != nil || len(k) == 0 {
				return fmt.Errorf("%w: pin %q", ErrCorrupt, k)
			}
			if id, ok := pinnedLink(k); ok {
				m.linkPins[id] = p
			} else {
				m.hostPins[string(k[1:])] = p
			}
			return nil
		})
		if err != nil {
			return err
		}
		return tx.Bucket(bucketHost).ForEach(func(k, v []byte) error {
			var h judge.BackOff
			if err := json.Unmarshal(v, &h); err != nil {
				return fmt.Errorf("%w: host %q", ErrCorrupt, k)
			}
			m.hosts[string(k)] = h
			return nil
		})
	})
}

// pin finds the pin that holds for a link at a time: its own before its host's.
func (m *memory) pin(id uint64, host string, now time.Time) *Pin {
	m.mu.RLock()
	defer m.mu.RUnlock()
	p, ok := m.linkPins[id]
	if !ok || !p.holds(now) {
		p, ok = m.hostPins[host]
		ok = ok && host != "" && p.holds(now)
	}
	if !ok {
		return nil
	}
	held := p // so that only a pin that holds is allocated
	return &held
}

func (p *Pin) holds(now time.Time) bool { return p.Until.IsZero() || now.Before(p.Until) }

// rest is a host that asked to be left alone.
type rest struct {
	host   string
	result *check.Result
	of     int       // its place in the batch
	next   time.Time // before which its link is not asked again
}

// tellsOfRest: the result ends or begins a rest of its host.
func (m *memory) tellsOfRest(r *check.Result) bool {
	if judge.AsksBackOff(r) {
		return true
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.hosts) > 0 && judge.EndsBackOff(r)
}

func (s *Store) putRests(tx *bolt.Tx, list []rest) error {
	b := tx.Bucket(bucketHost)
	made := map[string]judge.BackOff{}
	for _, r := range list {
		if r.host == "" {
			continue
		}
		row, ok := made[r.host]
		if !ok {
			row = s.ram.host(r.host)
		}
		row = row.After(r.result)
		made[r.host] = row
		if row == (judge.BackOff{}) {
			if err := b.Delete([]byte(r.host)); err != nil {
				return err
			}
			continue
		}
		v, err := json.Marshal(row)
		if err != nil {
			return err
		}
		if err := b.Put([]byte(r.host), v); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) rest(list []rest) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range list {
		if row := m.hosts[r.host].After(r.result); row != (judge.BackOff{}) && r.host != "" {
			m.hosts[r.host] = row
		} else {
			delete(m.hosts, r.host)
		}
	}
}

func (m *memory) host(name string) judge.BackOff {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.hosts[name]
}

// RestsUntil says until when a host has asked to be left alone; zero: it has not.
func (s *Store) RestsUntil(host string) time.Time {
	return s.ram.host(strings.ToLower(host)).Until
}
