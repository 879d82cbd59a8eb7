package web

import (
	"context"
	"sync"
)

// maxMemo bounds a memo: beyond it all is forgotten and asked anew.
const maxMemo = 20_000

// memo keeps answers by key; who asks first asks for all. The zero value is ready.
type memo[K comparable, T any] struct {
	mu    sync.Mutex
	known map[K]*recollection[T]
}

type recollection[T any] struct {
	done  chan struct{}
	value T
	kept  bool
}

// get returns the value for key, made by ask if there is none. ask says whether
// its value is worth keeping; if not, those who waited ask for themselves.
func (m *memo[K, T]) get(ctx context.Context, key K, ask func() (T, bool)) T {
	for {
		m.mu.Lock()
		r, known := m.known[key]
		if !known {
			r = m.enter(key)
		}
		m.mu.Unlock()
		if !known {
			return m.fill(key, r, ask)
		}
		select {
		case <-r.done:
			if r.kept {
				return r.value
			}
		case <-ctx.Done():
			var none T
			return none
		}
	}
}

// enter makes an empty row; m.mu is held.
func (m *memo[K, T]) enter(key K) *recollection[T] {
	if m.known == nil || len(m.known) >= maxMemo {
		m.known = map[K]*recollection[T]{}
	}
	r := &recollection[T]{done: make(chan struct{})}
	m.known[key] = r
	return r
}

func (m *memo[K, T]) fill(key K, r *recollection[T], ask func() (T, bool)) T {
	defer func() { // also when ask panics
		if !r.kept {
			m.mu.Lock()
			if m.known[key] == r {
				delete(m.known, key)
			}
			m.mu.Unlock()
		}
		close(r.done)
	}()
	r.value, r.kept = ask()
	return r.value
}

// peek returns the value for key, if it is known by now.
func (m *memo[K, T]) peek(key K) (value T, known bool) {
	m.mu.Lock()
	r := m.known[key]
	m.mu.Unlock()
	if r == nil {
		return value, false
	}
	select {
	case <-r.done:
		return r.value, r.kept
	default:
		return value, false
	}
}
