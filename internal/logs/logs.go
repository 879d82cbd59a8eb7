// Package logs writes what the program tells beside its answers: lines for people, or one
// JSON object a line for programs (log/slog). Text is escaped, and an output that nobody
// reads any more stops nothing.
package logs

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"linkcheck/internal/escape"
)

// Log is where it goes. Until Start says in which form, lines wait: they may come from
// reading the flags. It may be used by many goroutines.
type Log struct {
	mu      sync.Mutex
	w       io.Writer
	name    string // of the program
	started bool
	json    slog.Handler // nil: lines for people
	quiet   bool
	run     uint64
	waiting []line
	rest    []byte // of a line that Write did not see the end of
}

// line is one thing to tell.
type line struct {
	at    time.Time
	level slog.Level
	msg   string
	form  string // of the line for people
	args  []any
	attrs []slog.Attr
	keep  bool // also when quiet
}

// New makes a log that writes to w, with the name of the program before each line for
// people.
func New(w io.Writer, name string) *Log { return &Log{w: w, name: name} }

// Start says in which form the log is, and whether it keeps to warnings and errors, and
// writes what waits. A second call does nothing.
func (l *Log) Start(asJSON, quiet bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.started {
		return
	}
	l.started, l.quiet = true, quiet
	if asJSON {
		l.json = slog.NewJSONHandler(l.w, nil)
	}
	for _, waited := range l.waiting {
		l.write(waited)
	}
	l.waiting = nil
}

// JSON reports whether the log is for programs.
func (l *Log) JSON() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.json != nil
}

// SetRun tells which run the lines that follow belong to.
func (l *Log) SetRun(id uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.run = id
}

// Info tells how it goes; not when quiet.
func (l *Log) Info(format string, args ...any) { l.tell(slog.LevelInfo, "", format, args, false) }

// Notice is Info for what was asked for: it is told when quiet too.
func (l *Log) Notice(format string, args ...any) { l.tell(slog.LevelInfo, "", format, args, true) }

// Warn tells what somebody should know of.
func (l *Log) Warn(format string, args ...any) { l.tell(slog.LevelWarn, "", format, args, true) }

// Error tells what went wrong.
func (l *Log) Error(format string, args ...any) {
	l.tell(slog.LevelError, "error: ", format, args, true)
}

// Hint tells what to do about the error before it.
func (l *Log) Hint(format string, args ...any) { l.tell(slog.LevelWarn, "hint: ", format, args, true) }

// Event tells programs of an event, with what belongs to it; people are not told.
func (l *Log) Event(msg string, attrs ...slog.Attr) {
	l.add(line{at: time.Now(), level: slog.LevelInfo, msg: msg, attrs: attrs})
}

// Answer tells what was learned at a time: attrs to programs, text to people, when quiet
// too.
func (l *Log) Answer(at time.Time, text string, attrs ...slog.Attr) {
	l.add(line{at: at, level: slog.LevelInfo, msg: "answer", form: "%s", args: []any{text}, attrs: attrs, keep: true})
}

func (l *Log) tell(level slog.Level, word, format string, args []any, keep bool) {
	l.add(line{at: time.Now(), level: level, msg: strings.TrimPrefix(word, "error: ") + fmt.Sprintf(format, args...), form: word + format, args: args, keep: keep})
}

func (l *Log) add(n line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.started {
		l.waiting = append(l.waiting, n)
		return
	}
	l.write(n)
}

// write writes a line. An error is nobody's: there is no other place to tell of it.
func (l *Log) write(n line) {
	switch {
	case l.quiet && !n.keep:
	case l.json != nil:
		r := slog.NewRecord(n.at.UTC(), n.level, n.msg, 0)
		if l.run != 0 {
			r.AddAttrs(slog.Uint64("run", l.run))
		}
		r.AddAttrs(n.attrs...)
		_ = l.json.Handle(context.Background(), r)
	case n.form != "":
		_, _ = escape.Printf(l.w, l.name+": "+n.form+"\n", n.args...)
	}
}

// Write implements io.Writer for others that print: each line of theirs is one of the log,
// and for people it is left as it is.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.json == nil {
		_, _ = l.w.Write(p)
		return len(p), nil
	}
	l.rest = append(l.rest, p...)
	for {
		i := bytes.IndexByte(l.rest, '\n')
		if i < 0 {
			return len(p), nil
		}
		if text := string(bytes.TrimSpace(l.rest[:i])); text != "" {
			l.write(line{at: time.Now(), level: slog.LevelWarn, msg: text, keep: true})
		}
		l.rest = l.rest[i+1:]
	}
}
