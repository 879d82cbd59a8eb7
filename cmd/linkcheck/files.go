package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"linkcheck/store"
)

// output is standard output that remembers whether a write failed, so that the exit
// code says so even where a verb ignored the error.
type output struct {
	io.Writer
	failed error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	o.failed = cmp.Or(o.failed, err)
	return n, err
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

// toFile writes name as a whole or not at all, and says so; "-" is standard output.
func (a *app) toFile(name string, write func(io.Writer) error) error {
	if name == "-" {
		out := bufio.NewWriter(a.stdout)
		if err := write(out); err != nil {
			return reportFailed(err)
		}
		return out.Flush()
	}
	if err := replaceFile(name, write); err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "linkcheck: wrote %s\n", name)
	return nil
}

// replaceFile replaces a file and follows links to it; a device or a pipe is
// written to.
func replaceFile(name string, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return cannotWrite(name, err)
		}
		return fillFile(f, name, write)
	}
	if file, err := filepath.EvalSymlinks(name); err == nil {
		name = file
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return cannotWrite(name, err)
	}
	defer os.Remove(f.Name())
	if err := cmp.Or(f.Chmod(0o644), fillFile(f, name, write)); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return usage("cannot write %s: %w", name, err)
	}
	return nil
}

// fillFile writes to f and closes it. A failed write (a full disk) is another error than
// a report that could not be made.
func fillFile(f *os.File, name string, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(f, 1<<16)
	err := errors.Join(write(out), out.Flush(), f.Close())
	if p, ok := errors.AsType[*fs.PathError](err); ok && p.Op == "write" {
		return fail(exitDistrusted, "is the disk full?", "cannot write %s: %w", name, p.Err)
	}
	return reportFailed(err)
}

// cannotWrite names the file that the user asked for; err may name a temporary one.
func cannotWrite(name string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return usage("cannot write %s: %w", name, err)
}

// readLines reads a file, one item a line; clean says what a line holds, "" for nothing.
func readLines(name string, clean func(line string) string) ([]string, error) {
	text, err := os.ReadFile(name)
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

// writeJSON writes one JSON object and a line end.
func writeJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
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
		fmt.Fprintln(a.stderr, "linkcheck: reading standard input, one a line; Ctrl-D ends it")
	}
	in := bufio.NewScanner(a.stdin)
	in.Buffer(make([]byte, 0, 1<<16), maxLine)
	for in.Scan() {
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
