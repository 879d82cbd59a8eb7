package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Standing is how far a shard is with its last night.
type Standing struct {
	Run     uint64 `json:"run"` // 0: there was none
	Through bool   `json:"through"`
	Planned int    `json:"planned"` // links to probe
	Done    int    `json:"done"`    // links with a result
}

func (sh *Shard) stands(at Standing) { sh.s.set(func() { sh.s.night = at }) }

// ShardStatus says how a shard is that a worker has claimed.
type ShardStatus struct {
	Shard  int    `json:"shard"`
	Claim  uint64 `json:"claim"`
	Cursor uint64 `json:"cursor"` // up to where the log was read
	Live   bool   `json:"live"`
	Stuck  error  `json:"-"`               // why the log cannot be folded on
	Why    string `json:"stuck,omitempty"` // the same in words
	Standing
}

// WorkerStatus says how a worker is.
type WorkerStatus struct {
	Worker  string            `json:"worker"`
	Sure    bool              `json:"sure"`
	Reads   bool              `json:"reads,omitempty"`
	Leaving bool              `json:"leaving,omitempty"`
	Silent  bool              `json:"silent,omitempty"` // it lives and has not answered
	Slots   int               `json:"slots"`
	Flags   map[string]string `json:"flags"` // as in Order
	Shards  []ShardStatus     `json:"shards"`
}

// Status tells of the shards that the worker has claimed.
func (w *Worker) Status() (list []ShardStatus) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for n := range w.o.Shards {
		if s := w.serving[n]; s != nil {
			s.mu.Lock()
			is := ShardStatus{n, s.claim, s.applied, s.live, s.stuck, "", s.night}
			s.mu.Unlock()
			if errors.Is(is.Stuck, errClosing) { // it is given back
				is.Stuck, is.Live = nil, false
			}
			if is.Stuck != nil {
				is.Why = is.Stuck.Error()
			}
			list = append(list, is)
		}
	}
	return list
}

// look is what those are asked who live; an answer goes to a name of the question's own.
type look struct {
	V  int    `json:"v"`
	To string `json:"to"`
}

// hear answers those who look, and calls leave when the worker is told to go.
func (w *Worker) hear(leave func()) (stop func(), err error) {
	unlook, err := w.o.Engine.Hear("look", func(msg []byte) {
		var q look
		if json.Unmarshal(msg, &q) != nil || q.V != turnVersion {
			return
		}
		is := WorkerStatus{Worker: w.o.Name, Sure: w.life.sure(), Reads: w.o.Reads, Slots: w.o.Slots, Flags: w.o.Flags, Shards: w.Status()}
		if b, err := json.Marshal(&is); err == nil {
			w.o.Engine.Send(q.To, b)
		}
	})
	if err != nil {
		return nil, err
	}
	undrain, err := w.o.Engine.Hear("drain."+w.o.Name, func([]byte) { leave() })
	if err != nil {
		unlook()
		return nil, err
	}
	return func() { unlook(); undrain() }, nil
}

// Drain tells a worker to give its shards back and to end. It may not be heard.
func Drain(e Engine, worker string) { e.Send("drain."+worker, nil) }

// Look asks all who live how they are, and waits for their answers for some time at most.
func Look(ctx context.Context, e Engine, wait time.Duration) ([]WorkerStatus, error) {
	living, err := e.Living(ctx)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(living, func(_ string, l Life) bool { return l.Incarnation == "" })
	var mu sync.Mutex
	all, told := map[string]WorkerStatus{}, make(chan struct{})
	done := sync.OnceFunc(func() { close(told) })
	q := look{turnVersion, "told." + rand.Text()}
	stop, err := e.Hear(q.To, func(msg []byte) {
		var is WorkerStatus
		if json.Unmarshal(msg, &is) != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if _, lives := living[is.Worker]; lives {
			all[is.Worker] = is
		}
		if len(all) == len(living) {
			done()
		}
	})
	if err != nil {
		return nil, err
	}
	defer stop()
	msg, err := json.Marshal(&q)
	if err != nil {
		return nil, err
	}
	if e.Send("look", msg); len(living) > 0 {
		select {
		case <-told:
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	mu.Lock()
	defer mu.Unlock()
	var list []WorkerStatus
	for name, l := range living {
		is, answered := all[name]
		is.Worker, is.Reads, is.Leaving, is.Silent = name, l.Reads, l.Leaving, !answered
		list = append(list, is)
	}
	slices.SortFunc(list, func(a, b WorkerStatus) int { return strings.Compare(a.Worker, b.Worker) })
	return list, nil
}
