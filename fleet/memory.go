package fleet

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"linkcheck/store"
)

// Memory is an engine within the process, for workers that share one.
type Memory struct {
	ttl time.Duration

	mu       sync.Mutex
	seq      uint64
	logs     map[int]*memoryLog
	sessions map[string]memorySession
	hearers  map[string]map[chan []byte]bool
}

type memoryLog struct {
	entries []memoryEntry // in their order
	claim   memoryEntry   // the last one
	ids     map[string]idSeen
	cut     bool          // not all changes are there any more
	changed chan struct{} // closed when there is another entry
}

type memoryEntry struct {
	seq    uint64
	change []byte
	fenced bool
	claim  *Claim
}

type idSeen struct {
	seq  uint64
	when time.Time
}

type memorySession struct {
	Life
	ends time.Time
}

// NewMemory makes an engine whose sessions live for ttl after a renewal.
func NewMemory(ttl time.Duration) *Memory {
	return &Memory{ttl: ttl, logs: map[int]*memoryLog{}, sessions: map[string]memorySession{}, hearers: map[string]map[chan []byte]bool{}}
}

// log gives that of a shard; m.mu is held.
func (m *Memory) log(shard int) *memoryLog {
	l := m.logs[shard]
	if l == nil {
		l = &memoryLog{claim: memoryEntry{claim: &Claim{}}, ids: map[string]idSeen{}, changed: make(chan struct{})}
		m.logs[shard] = l
	}
	return l
}

// add appends an entry; m.mu is held.
func (m *Memory) add(l *memoryLog, e memoryEntry) uint64 {
	m.seq++
	e.seq = m.seq
	l.entries = append(l.entries, e)
	if e.claim != nil {
		l.claim = e
	}
	close(l.changed)
	l.changed = make(chan struct{})
	return e.seq
}

// Append is that of Log.
func (m *Memory) Append(_ context.Context, shard int, fence Fence, id string, c store.Change) (uint64, error) {
	return m.appendOctets(shard, fence, id, store.EncodeChange(c))
}

func (m *Memory) appendOctets(shard int, fence Fence, id string, change []byte) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l, now := m.log(shard), time.Now()
	if seen, ok := l.ids[id]; ok && now.Sub(seen.when) < idsKnown {
		return seen.seq, nil
	}
	if fence.Claim != 0 && m.log(fence.Shard).claim.seq != fence.Claim {
		return 0, ErrFenced
	}
	seq := m.add(l, memoryEntry{change: change, fenced: fence == Fence{shard, l.claim.seq}})
	l.ids[id] = idSeen{seq, now}
	return seq, nil
}

// Claim is that of Engine.
func (m *Memory) Claim(_ context.Context, shard int, last uint64, c Claim) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.log(shard)
	if l.claim.seq != last {
		return 0, ErrFenced
	}
	return m.add(l, memoryEntry{claim: &c}), nil
}

// LastClaim is that of Engine.
func (m *Memory) LastClaim(_ context.Context, shard int) (Claim, uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.log(shard)
	return *l.claim.claim, l.claim.seq, nil
}

// Read is that of Log.
func (m *Memory) Read(ctx context.Context, shard int, after uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if !m.holds(shard, after) {
			yield(Entry{}, fmt.Errorf("place %d: %w", after, ErrGap))
			return
		}
		for ctx.Err() == nil {
			e, changed, ok := m.next(shard, after)
			if !ok {
				select {
				case <-changed:
				case <-ctx.Done():
				}
				continue
			}
			after = e.seq
			got := Entry{Seq: e.seq, Fenced: e.fenced, Claim: e.claim}
			var err error
			if e.claim == nil {
				got.Change, err = store.DecodeChange(e.change)
			}
			if !yield(got, err) || err != nil {
				return
			}
		}
	}
}

// holds says whether the change at a place is there.
func (m *Memory) holds(shard int, at uint64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, ok := m.log(shard).find(at)
	return at == 0 && !m.log(shard).cut || ok && m.log(shard).entries[i].claim == nil
}

func (l *memoryLog) find(seq uint64) (int, bool) {
	return slices.BinarySearchFunc(l.entries, seq, func(e memoryEntry, seq uint64) int { return int(int64(e.seq) - int64(seq)) })
}

// next gives the entry behind a place; without one, what is closed when there is another.
func (m *Memory) next(shard int, after uint64) (e memoryEntry, changed <-chan struct{}, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.log(shard)
	if i, _ := l.find(after + 1); i < len(l.entries) {
		return l.entries[i], nil, true
	}
	return e, l.changed, false
}

// Purge is that of Engine.
func (m *Memory) Purge(_ context.Context, shard int, before uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.log(shard)
	l.cut = true
	l.entries = slices.DeleteFunc(slices.Clone(l.entries), func(e memoryEntry) bool { return e.seq < before && e.claim == nil })
	return nil
}

// Renew is that of Engine.
func (m *Memory) Renew(_ context.Context, s Session, last uint64) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.end()
	if m.sessions[s.Worker].Seq != last {
		return 0, ErrFenced
	}
	m.seq++
	m.sessions[s.Worker] = memorySession{Life{s, m.seq}, time.Now().Add(m.ttl)}
	return m.seq, nil
}

// Living is that of Engine.
func (m *Memory) Living(context.Context) (map[string]Life, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.end()
	living := map[string]Life{}
	for name, s := range m.sessions {
		living[name] = s.Life
	}
	return living, nil
}

// end drops the sessions that were not renewed in time; m.mu is held.
func (m *Memory) end() {
	for name, s := range m.sessions {
		if !time.Now().Before(s.ends) {
			delete(m.sessions, name)
		}
	}
}

const mostUnheard = 1024 // messages that wait for one hearer; those beyond are lost

// Send is that of Engine.
func (m *Memory) Send(name string, msg []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for h := range m.hearers[name] {
		select {
		case h <- msg:
		default:
		}
	}
}

// Hear is that of Engine.
func (m *Memory) Hear(name string, f func([]byte)) (stop func(), err error) {
	h := make(chan []byte, mostUnheard)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.hearers[name] == nil {
		m.hearers[name] = map[chan []byte]bool{}
	}
	m.hearers[name][h] = true
	go func() {
		for msg := range h {
			f(msg)
		}
	}()
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.hearers[name], h)
		close(h)
	}), nil
}
