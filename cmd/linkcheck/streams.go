package main

import (
	"context"
	"io"
)

// output is standard output that remembers whether it could be written: then
// the exit code says so, whatever the verb made of it.
type output struct {
	io.Writer
	failed error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil && o.failed == nil {
		o.failed = err
	}
	return n, err
}

// input is standard input that Ctrl-C ends, even while nothing comes.
type input struct {
	io.Reader
	ctx context.Context
	got chan read // the read under way; nil if there is none
	buf []byte
}

type read struct {
	n   int
	err error
}

// Read implements io.Reader. A read that the context leaves behind is the last.
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

// unwrapped is what an input or an output stands before.
func unwrapped(v any) any {
	switch v := v.(type) {
	case *output:
		return v.Writer
	case *input:
		return v.Reader
	}
	return v
}
