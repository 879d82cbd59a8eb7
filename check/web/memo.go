package web

import (
	"context"
	"sync"
)

const (
	maxMemo     = 20_000   // answers that a memo keeps: beyond them all are forgotten and asked anew
	maxMemoSize = 64 << 20 // octets of them
)

// sized is an answer that may be large.
type sized interface{ weigh() int } // octets

// memo keeps answers by key for a run; who asks first asks for all. The zero value
// is ready. It is not golang.org/x/sync/singleflight, which either does not heed
// the context of those who wait or ends the program where ask panics.
type memo[K comparable, T any] struct {
	mu     sync.Mutex
	known  map[K]T
	size   int                 // octets of the answers in known that are sized
	asking map[K]chan struct{} // closed when an answer is known, or will not be
}

// get returns the value for key, made by ask if there is none. ask says whether
// its value is worth keeping; if not, those who waited ask for themselves.
func (m *memo[K, T]) get(ctx context.Context, key K, ask func() (T, bool)) (value T) {
	for {
		m.mu.Lock()
		value, known := m.known[key]
		busy := m.asking[key]
		if !known && busy == nil {
			if m.asking == nil {
				m.asking = map[K]chan struct{}{}
			}
			m.asking[key] = make(chan struct{})
		}
		m.mu.Unlock()
		switch {
		case known:
			return value
		case busy == nil:
			return m.ask(key, ask)
		}
		select {
		case <-busy:
		case <-ctx.Done():
			return value
		}
	}
}

// ask asks for all who wait, and lets them go on also when it panics.
func (m *memo[K, T]) ask(key K, ask func() (T, bool)) (value T) {
	keep := false
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if keep {
			size := 0
			if s, ok := any(value).(sized); ok {
				size = s.weigh()
			}
			if m.known == nil || len(m.known) >= maxMemo || m.size+size > maxMemoSize {
				m.known, m.size = map[K]T{}, 0
			}
			m.known[key] = value
			m.size += size
		}
		close(m.asking[key])
		delete(m.asking, key)
	}()
	value, keep = ask()
	return value
}

// peek returns the value for key, if it is known by now.
func (m *memo[K, T]) peek(key K) (value T, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, known = m.known[key]
	return value, known
}
