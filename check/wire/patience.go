package wire

import (
	"context"
	"io"
	"sync"
	"time"
)

// ReadTime is how long it may take to read one thing in all, however it comes.
const ReadTime = 10 * time.Minute

// Patience is a context that ends as by a deadline when nothing has come for a time: for
// answers that are long, and whose end cannot be foreseen.
type Patience struct {
	context.Context
	time  time.Duration
	timer *time.Timer
	done  chan struct{}
	above func() bool // leaves the context above alone

	mu    sync.Mutex
	until time.Time
	err   error
}

// patient is the key under which a context holds the time of Patience.
type patient struct{}

// WithPatience gives each Patience under the context this time, whatever it is made with.
func WithPatience(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, patient{}, d)
}

// NewPatience makes one that ends after d, or with ctx. It is over with End.
func NewPatience(ctx context.Context, d time.Duration) *Patience {
	if other, set := ctx.Value(patient{}).(time.Duration); set {
		d = other
	}
	p := &Patience{Context: ctx, time: d, done: make(chan struct{}), until: time.Now().Add(d)}
	p.mu.Lock() // until both are there that end it
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(d, func() { p.end(context.DeadlineExceeded) })
	p.above = context.AfterFunc(ctx, func() { p.end(ctx.Err()) })
	return p
}

// Again begins the time anew.
func (p *Patience) Again() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil && p.timer.Stop() {
		p.until = time.Now().Add(p.time)
		p.timer.Reset(p.time)
	}
}

// End ends it as if cancelled, where it has not ended.
func (p *Patience) End() { p.end(context.Canceled) }

func (p *Patience) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return
	}
	p.err = err
	close(p.done)
	p.timer.Stop()
	p.above()
}

// Done implements context.Context.
func (p *Patience) Done() <-chan struct{} { return p.done }

// Err implements context.Context.
func (p *Patience) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Deadline implements context.Context: it is put off as octets come.
func (p *Patience) Deadline() (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last, ok := p.Context.Deadline(); ok && last.Before(p.until) {
		return last, true
	}
	return p.until, true
}

// Reader is r, and begins the time anew with each part that comes.
func (p *Patience) Reader(r io.Reader) io.Reader { return &progress{r, p} }

type progress struct {
	io.Reader
	wait *Patience
}

// Read implements io.Reader.
func (p *progress) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if n > 0 {
		p.wait.Again()
	}
	return n, err
}
