package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"linkcheck/internal/escape"
	"linkcheck/internal/fault"
	"linkcheck/internal/logs"
	"linkcheck/uri/secret"
)

// thousands writes n with commas, as the reports do.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// durationText writes a duration in the unit that fits it.
func durationText(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
}

// oneLine cuts s to n runes on one line.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// clock turns --now into a clock that starts at that time and runs on; "" is time.Now.
func clock(at string) (func() time.Time, error) {
	if at == "" {
		return time.Now, nil
	}
	begin, err := parseTime(at)
	if err != nil {
		return nil, usage("--now: %w", err)
	}
	started := time.Now()
	return func() time.Time { return begin.Add(time.Since(started)) }, nil
}

// parseTime reads RFC 3339, or a date alone.
func parseTime(s string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return t, fmt.Errorf("%q is neither a time (2006-01-02T15:04:05Z) nor a date (2006-01-02)", s)
	}
	return t, nil
}

// writeJSON writes one JSON object and a line end.
func writeJSON(out io.Writer, v any) error { return jsonTo(out).Encode(v) }

// jsonTo writes such lines.
func jsonTo(out io.Writer) *json.Encoder {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc
}

// isTerminal says whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := unwrap(stream).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colour says whether w may be coloured: a terminal, and NO_COLOR unset.
func (a *app) colour(w io.Writer) bool { return isTerminal(w) && a.getenv("NO_COLOR") == "" }

// width is the number of columns of w, 100 where it is no terminal.
func width(w io.Writer) int {
	if f, ok := unwrap(w).(*os.File); ok {
		if cols, _, err := term.GetSize(int(f.Fd())); err == nil && cols > 20 {
			return cols
		}
	}
	return 100
}

// plural writes n and the word for one or for many.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// date writes the day of t in UTC; "never" for none.
func date(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format(time.DateOnly)
}

// mask hides passwords unless the user asked to see them.
func (a *app) mask(s string) string {
	if a.showSecrets {
		return s
	}
	return secret.Mask(s)
}

// maskText is mask for words in which addresses may stand.
func (a *app) maskText(s string) string {
	if a.showSecrets {
		return s
	}
	return secret.MaskText(s)
}

// done says on standard output what a verb did, where it was asked to do something and not
// to tell anything; not with --quiet.
func (a *app) done(format string, args ...any) {
	if !a.quiet {
		_, _ = escape.Printf(a.stdout, format, args...) // the stream keeps the error
	}
}

// progress shows how far long work is: one line that rewrites itself on a terminal, a
// plain line every half minute in a log, nothing when quiet.
type progress struct {
	w        io.Writer
	log      *logs.Log
	terminal bool
	quiet    bool

	mu      sync.Mutex
	started time.Time
	last    time.Time
	shown   bool
}

func (a *app) progress() *progress {
	p := &progress{w: a.stderr, log: a.log, quiet: a.quiet, started: time.Now()}
	p.terminal, p.last = isTerminal(p.w) && !a.log.JSON(), p.started
	return p
}

// update shows how far the work is, if the last update was long enough ago.
func (p *progress) update(format string, args ...any) {
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
		escape.Printf(raw(p.w), "\r\x1b[K%s", oneLine(line, width(p.w)-1))
	} else {
		p.log.Info("%s, after %s", line, durationText(time.Since(p.started)))
	}
}

// repeat calls update with what now returns every second, until end is called.
func (p *progress) repeat(now func() string) (end func()) {
	stop := make(chan struct{})
	var running fault.Group
	running.Go(func() {
		for tick := time.Tick(time.Second); ; {
			select {
			case <-tick:
				p.update("%s", now())
			case <-stop:
				return
			}
		}
	})
	return func() {
		close(stop)
		running.Wait()
		p.clear()
	}
}

// clear removes the line from a terminal.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		io.WriteString(raw(p.w), "\r\x1b[K")
		p.shown = false
	}
}

// unwrap is the stream below an input or an output.
func unwrap(v any) any {
	switch v := v.(type) {
	case *escape.Writer:
		return unwrap(v.Unwrap())
	case *output:
		return v.Writer
	case *input:
		return v.Reader
	}
	return v
}

// painted is where a report for people goes: with colour it escapes by itself.
func (a *app) painted() io.Writer {
	if a.colour(a.stdout) {
		return raw(a.stdout)
	}
	return a.stdout
}

// raw is the stream below an escape.Writer: for colour, a line that rewrites itself, and
// what is no text. Whoever writes to it escapes what is a stranger's.
func raw(w io.Writer) io.Writer {
	if e, ok := w.(*escape.Writer); ok {
		return e.Unwrap()
	}
	return w
}
