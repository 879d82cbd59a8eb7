package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress keeps people company on long work: one line that rewrites itself on
// a terminal, a plain line every half minute into a log, nothing when quiet.
type progress struct {
	w        io.Writer
	terminal bool
	quiet    bool

	mu      sync.Mutex
	started time.Time
	last    time.Time
	shown   bool
}

func (a *app) progress(quiet bool) *progress {
	now := time.Now()
	return &progress{w: a.stderr, terminal: isTerminal(a.stderr), quiet: quiet, started: now, last: now}
}

// show says how far the work is; it may be called as often as one likes.
func (p *progress) show(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	every := 30 * time.Second
	if p.terminal {
		every = 200 * time.Millisecond
	}
	if p.quiet || time.Since(p.last) < every {
		return
	}
	p.last = time.Now()
	line := fmt.Sprintf(format, args...)
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", oneLine(line, width(p.w)-1))
		p.shown = true
		return
	}
	fmt.Fprintf(p.w, "linkcheck: %s, after %s\n", line, span(time.Since(p.started)))
}

// keep shows what now says every second, for work that tells nothing by itself.
// The function that it returns ends that.
func (p *progress) keep(now func() string) (end func()) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.show("%s", now())
			case <-stop:
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
		p.done()
	}
}

// done wipes the line of a terminal.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
