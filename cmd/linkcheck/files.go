package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"linkcheck/internal/escape"
	"linkcheck/internal/newfile"
	"linkcheck/internal/openfile"
	"linkcheck/store"
)

// grace is how long a write may still take once the program was told to end.
const grace = 500 * time.Millisecond

// output is standard output or standard error. It remembers whether a write failed, so
// that the exit code says so even where a verb ignored the error. When the context has
// ended (Ctrl-C) and nobody reads, a write fails after the grace, and so do all others.
type output struct {
	io.Writer
	ctx context.Context

	mu     sync.Mutex
	failed error
	buf    []byte // what a write under way writes
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (n int, err error) {
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
func (o *output) wait(p []byte) (int, error) {
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
	select {
	case r = <-done:
		return r.n, r.err
	case <-time.After(grace):
		return 0, o.ctx.Err()
	}
}

// failure is the error of the first write that failed.
func (o *output) failure() error {
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

// graceful gives a context that ends the grace after ctx does, for what is still to be
// said then.
func graceful(ctx context.Context) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return late, func() { stop(); cancel() }
}

// input is standard input whose reads end when the context does (Ctrl-C), even while no
// data comes.
type input struct {
	io.Reader
	ctx context.Context
	got chan read // from the read under way; nil before the first one
	buf []byte
}

type read struct {
	n   int
	err error
}

// Read implements io.Reader. After the context has ended, a read may stay under way in
// its goroutine; no other is started.
func (in *input) Read(p []byte) (int, error) {
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

// toFile writes text to name as a whole or not at all, and says so; "-" is standard output.
func (a *app) toFile(ctx context.Context, name string, write func(io.Writer) error) error {
	return a.toFileRaw(ctx, name, escaped(write))
}

// toFileRaw is toFile for what is no text.
func (a *app) toFileRaw(ctx context.Context, name string, write func(io.Writer) error) error {
	if name == "-" {
		out := bufio.NewWriter(raw(a.stdout))
		if err := write(out); err != nil {
			return reportFailed(err)
		}
		return out.Flush()
	}
	if err := replaceFile(ctx, name, newfile.Shared, write); err != nil {
		return err
	}
	a.log.Info("wrote %s", name)
	return nil
}

// escaped makes a function that writes text write nothing that acts on a terminal.
func escaped(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		e := escape.NewWriter(w)
		return errors.Join(write(e), e.Flush())
	}
}

// replaceFile replaces a file and follows links to it; a device or a pipe is
// written to. The mode is that of a file that was not there. When ctx ends before all is
// written, the file stays as it was.
func replaceFile(ctx context.Context, name string, mode fs.FileMode, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := openfile.Write(ctx, name)
		if err != nil {
			return cannotWrite(name, err)
		}
		return errors.Join(fillFile(ctx, f, name, write), f.Close())
	}
	return replaceOwn(ctx, newfile.Target(name), name, mode, write)
}

// replaceOwn replaces the file at path, be it a link, which is not followed: one that
// nobody named, or where a name led. Errors speak of name.
func replaceOwn(ctx context.Context, path, name string, mode fs.FileMode, write func(io.Writer) error) error {
	err := newfile.Replace(path, mode, func(f *os.File) error { return fillFile(ctx, f, name, write) })
	if _, told := errors.AsType[*failure](err); err == nil || told {
		return err
	}
	return cannotWrite(name, err)
}

// fillFile writes to f. A failed write (a full disk) is another error than
// a report that could not be made.
func fillFile(ctx context.Context, f io.Writer, name string, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(untilDone{ctx, f}, 1<<16)
	err := errors.Join(write(out), out.Flush(), ctx.Err())
	if p, ok := errors.AsType[*fs.PathError](err); ok && p.Op == "write" {
		return fail(exitDistrusted, "is the disk full?", "cannot write %s: %w", name, p.Err)
	}
	return reportFailed(err)
}

// untilDone is a writer that fails once a context has ended.
type untilDone struct {
	ctx context.Context
	io.Writer
}

// Write implements io.Writer.
func (w untilDone) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(p)
}

// cannotWrite names the file that the user asked for; err may name a temporary one.
func cannotWrite(name string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		if p.Op == "sync" || p.Op == "close" { // what was written did not get to the disk
			return fail(exitDistrusted, "is the disk full?", "cannot write %s: %w", name, p.Err)
		}
		err = p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		err = l.Err
	}
	return usage("cannot write %s: %w", name, err)
}

// readFile reads a whole file, as long as ctx has not ended.
func readFile(ctx context.Context, name string) ([]byte, error) {
	f, err := openfile.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// readLines reads a file, one item a line; clean says what a line holds, "" for nothing.
func readLines(ctx context.Context, name string, clean func(line string) string) ([]string, error) {
	text, err := readFile(ctx, name)
	if err != nil {
		return nil, err
	}
	var list []string
	for line := range strings.Lines(string(text)) {
		if line = clean(strings.TrimSpace(line)); line != "" {
			list = append(list, line)
		}
	}
	return list, nil
}

// eachLine calls f for every argument, or for every line of standard input if there
// is none, or "-".
func (a *app) eachLine(args []string, f func(io.Writer, string) error) (err error) {
	out := bufio.NewWriterSize(a.stdout, 1<<16)
	defer func() { err = errors.Join(err, out.Flush()) }()
	if len(args) > 1 || len(args) == 1 && args[0] != "-" {
		for _, s := range args {
			if err := f(out, s); err != nil {
				return err
			}
		}
		return nil
	}
	if isTerminal(a.stdin) {
		a.log.Info("reading standard input, one a line; Ctrl-D ends it")
	}
	in := bufio.NewScanner(a.stdin)
	in.Buffer(make([]byte, 0, 1<<16), maxLine)
	for in.Scan() && in.Err() == nil { // what comes before a failed read is no whole line
		if err := f(out, strings.TrimSuffix(in.Text(), "\r")); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return usage("standard input: %w", err)
	}
	return nil
}

// maxLine bounds a line of standard input.
const maxLine = 1 << 20

// reportFailed is a usage error where the options were wrong, and else a store that cannot be read.
func reportFailed(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, store.ErrCorrupt) {
		return fail(exitDistrusted, "try 'linkcheck store verify'", "%w", err)
	}
	return usage("%w", err)
}
