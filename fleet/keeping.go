package fleet

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// keeping is the keeper of a shard at work.
type keeping struct {
	engine Engine
	sure   func() bool
	wake   chan struct{}

	mu      sync.Mutex
	keeper  *keeper
	leaving bool // no turn is granted any more
}

func newKeeping(e Engine, k *keeper, sure func() bool) *keeping {
	return &keeping{engine: e, sure: sure, keeper: k, wake: make(chan struct{}, 1)}
}

func (k *keeping) hear(msg []byte) {
	var list []turnMessage
	if json.Unmarshal(msg, &list) != nil {
		return
	}
	k.mu.Lock()
	k.keeper.hear(time.Now(), list)
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// run grants turns until ctx ends, while the worker is sure.
func (k *keeping) run(ctx context.Context) {
	for ctx.Err() == nil {
		gos, again := k.grant()
		for asker, list := range gos {
			sendAll(k.engine, "go."+asker, list)
		}
		var due <-chan time.Time
		if !again.IsZero() {
			due = time.After(time.Until(again))
		}
		select {
		case <-due:
		case <-k.wake:
		case <-ctx.Done():
		}
	}
}

func (k *keeping) grant() (gos map[string][]goMessage, again time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	if k.leaving || !k.sure() {
		return nil, now.Add(time.Second)
	}
	return k.keeper.grant(now)
}

// drain grants no turn any more and waits until those that are out have ended and their gaps
// with them. It says whether they have: a worker that is not sure does not wait.
func (k *keeping) drain() bool {
	k.mu.Lock()
	k.leaving = true
	k.mu.Unlock()
	for k.sure() {
		k.mu.Lock()
		empty := k.keeper.isEmpty(time.Now())
		k.mu.Unlock()
		if empty {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// sendAll sends a list in messages of a bounded size.
func sendAll[M any](e Engine, name string, list []M) {
	for len(list) > 0 {
		n := min(len(list), mostTold)
		if b, err := json.Marshal(list[:n]); err == nil {
			e.Send(name, b)
		}
		list = list[n:]
	}
}
