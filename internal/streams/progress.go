package streams

import (
	"fmt"
	"io"
	"sync"
	"time"

	"linkcheck/internal/escape"
	"linkcheck/internal/fault"
	"linkcheck/internal/logs"
	"linkcheck/internal/plain"
)

// Progress shows how far long work is: one line that rewrites itself on a terminal, a
// plain line every half minute in a log, nothing when quiet.
type Progress struct {
	w        io.Writer
	log      *logs.Log
	terminal bool
	quiet    bool

	mu      sync.Mutex
	started time.Time
	last    time.Time
	shown   bool
}

// NewProgress makes a progress that is shown on w, or in the log where w is no terminal.
func NewProgress(w io.Writer, log *logs.Log, quiet bool) *Progress {
	p := &Progress{w: w, log: log, quiet: quiet, started: time.Now()}
	p.terminal, p.last = IsTerminal(p.w) && !log.JSON(), p.started
	return p
}

// Update shows how far the work is, if the last update was long enough ago.
func (p *Progress) Update(format string, args ...any) {
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
	if p.shown = p.terminal; p.shown {
		escape.Printf(Raw(p.w), "\r\x1b[K%s", plain.OneLine(line, Width(p.w)-1))
	} else {
		p.log.Info("%s, after %s", line, plain.Duration(time.Since(p.started)))
	}
}

// Repeat calls Update with what now returns every second, until end is called.
func (p *Progress) Repeat(now func() string) (end func()) {
	stop := make(chan struct{})
	var running fault.Group
	running.Go(func() {
		for tick := time.Tick(time.Second); ; {
			select {
			case <-tick:
				p.Update("%s", now())
			case <-stop:
				return
			}
		}
	})
	return func() {
		close(stop)
		running.Wait()
		p.Clear()
	}
}

// Clear removes the line from a terminal.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		io.WriteString(Raw(p.w), "\r\x1b[K")
		p.shown = false
	}
}
