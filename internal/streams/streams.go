package streams

import (
	"context"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"linkcheck/internal/escape"
)

// grace is how long a write may still take once the program was told to end.
const (
	grace      = 500 * time.Millisecond
	graceParts = 10
)

// Output is standard output or standard error. It remembers whether a write failed, so
// that the exit code says so even where a verb ignored the error. When the context has
// ended (Ctrl-C) and nobody reads, a write fails after the grace, and so do all others.
type Output struct {
	io.Writer
	ctx context.Context

	mu     sync.Mutex
	failed error
	buf    []byte // what a write under way writes
}

// NewOutput makes an output of a stream; ctx is the program's.
func NewOutput(ctx context.Context, stream io.Writer) *Output {
	return &Output{Writer: stream, ctx: ctx}
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed != nil {
		return 0, o.failed
	}
	if isFile(o.Writer) {
		n, err = o.Writer.Write(p)
	} else {
		n, err = o.wait(p)
	}
	o.failed = err
	return n, err
}

// wait writes in a goroutine, which may stay behind: nothing ends its system call.
func (o *Output) wait(p []byte) (int, error) {
	o.buf = append(o.buf[:0], p...)
	done := make(chan read, 1)
	go func() {
		n, err := o.Writer.Write(o.buf)
		done <- read{n, err}
	}()
	var r read
	select {
	case r = <-done:
		return r.n, r.err
	case <-o.ctx.Done():
	}
	for range graceParts { // a wait that ends while this process, or its machine, stands still is one of many
		select {
		case r = <-done:
			return r.n, r.err
		case <-time.After(grace / graceParts):
		}
	}
	return 0, o.ctx.Err()
}

// Failure is the error of the first write that failed.
func (o *Output) Failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failed
}

// isFile says whether a stream is a file on a disk: writing it does not wait for anybody.
func isFile(stream io.Writer) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// Graceful gives a context that ends the grace after ctx does, for what is still to be
// said then.
func Graceful(ctx context.Context) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return late, func() { stop(); cancel() }
}

// Input is standard input whose reads end when the context does (Ctrl-C), even while no
// data comes.
type Input struct {
	io.Reader
	ctx context.Context
	got chan read // from the read under way; nil before the first one
	buf []byte
}

// NewInput makes an input of a stream; ctx is the program's.
func NewInput(ctx context.Context, stream io.Reader) *Input { return &Input{Reader: stream, ctx: ctx} }

type read struct {
	n   int
	err error
}

// Read implements io.Reader. After the context has ended, a read may stay under way in
// its goroutine; no other is started.
func (in *Input) Read(p []byte) (int, error) {
	if err := in.ctx.Err(); err != nil {
		return 0, err
	}
	if in.got == nil {
		in.got, in.buf = make(chan read, 1), make([]byte, 1<<16)
	}
	buf := in.buf[:min(len(p), len(in.buf))]
	go func() {
		n, err := in.Reader.Read(buf)
		in.got <- read{n, err}
	}()
	select {
	case r := <-in.got:
		return copy(p, buf[:r.n]), r.err
	case <-in.ctx.Done():
		return 0, in.ctx.Err()
	}
}

// IsTerminal says whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := unwrap(stream).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width is the number of columns of w, 100 where it is no terminal.
func Width(w io.Writer) int {
	if f, ok := unwrap(w).(*os.File); ok {
		if cols, _, err := term.GetSize(int(f.Fd())); err == nil && cols > 20 {
			return cols
		}
	}
	return 100
}

// unwrap is the stream below an input or an output.
func unwrap(v any) any {
	switch v := v.(type) {
	case *escape.Writer:
		return unwrap(v.Unwrap())
	case *Output:
		return v.Writer
	case *Input:
		return v.Reader
	}
	return v
}

// Raw is the stream below an escape.Writer: for colour, a line that rewrites itself, and
// what is no text. Whoever writes to it escapes what is a stranger's.
func Raw(w io.Writer) io.Writer {
	if e, ok := w.(*escape.Writer); ok {
		return e.Unwrap()
	}
	return w
}
