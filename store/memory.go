package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"linkcheck/check"
)

// memory holds the small tables: pins, and hosts that asked to be left alone.
type memory struct {
	mu       sync.RWMutex
	linkPins map[uint64]Pin
	hostPins map[string]Pin
	hosts    map[string]hostRow
}

// hostRow says until when a host is left alone, and how many times in a row it
// said "too many" without naming a time.
type hostRow struct {
	Until  time.Time `json:"until"`
	Nights int       `json:"nights,omitempty"`
}

// reload fills the memory from the file.
func (s *Store) reload() error {
	m := &s.ram
	m.mu.Lock()
	defer m.mu.Unlock()
	m.linkPins, m.hostPins, m.hosts = map[uint64]Pin{}, map[string]Pin{}, map[string]hostRow{}
	return s.peek(func(tx *bolt.Tx) error {
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
			var h hostRow
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
	if asksForRest(r) {
		return true
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.hosts) > 0 && endsRest(r)
}

func endsRest(r *check.Result) bool {
	return r.Outcome == check.OK || r.Outcome == check.Moved || r.Outcome == check.Reachable || r.Outcome == check.Gone
}

// asksForRest: Retry-After, or 429 without it (section 5.1.9). Only refusals
// and transient failures speak for the whole host.
func asksForRest(r *check.Result) bool {
	if r.Outcome != check.Blocked && r.Outcome != check.Temporary {
		return false
	}
	return r.RetryAfter > 0 || r.Reason == reasonBusy
}

// after is the row that this result makes of a host's row. Several refusals of
// one night count once.
func (h hostRow) after(r *check.Result) hostRow {
	if endsRest(r) {
		return hostRow{}
	}
	if r.RetryAfter > 0 {
		wait := min(r.RetryAfter, longestBackOff) + time.Second // not a moment too early: At is cut to the second
		return hostRow{Until: r.At.Add(wait), Nights: h.Nights}
	}
	if r.At.Before(h.Until) {
		return h
	}
	return hostRow{Until: r.At.Add(nights(h.Nights) - dueSlack), Nights: h.Nights + 1}
}

func (s *Store) putRests(tx *bolt.Tx, list []rest) error {
	b := tx.Bucket(bucketHost)
	made := map[string]hostRow{}
	for _, r := range list {
		if r.host == "" {
			continue
		}
		row, ok := made[r.host]
		if !ok {
			row = s.ram.host(r.host)
		}
		row = row.after(r.result)
		made[r.host] = row
		if row == (hostRow{}) {
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
		if row := m.hosts[r.host].after(r.result); row != (hostRow{}) && r.host != "" {
			m.hosts[r.host] = row
		} else {
			delete(m.hosts, r.host)
		}
	}
}

func (m *memory) host(name string) hostRow {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.hosts[name]
}

// RestsUntil says until when a host has asked to be left alone; zero: it has not.
func (s *Store) RestsUntil(host string) time.Time {
	return s.ram.host(strings.ToLower(host)).Until
}

// next is when a link may be asked again whose result asks for a rest of its host:
// whole nights, or the time that the server named. Zero if the result ends one.
func (h hostRow) next(r *check.Result) time.Time {
	until := h.after(r).Until
	if r.RetryAfter > 0 || until.IsZero() {
		return until
	}
	return until.Add(dueSlack)
}
