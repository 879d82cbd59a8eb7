// Command linkcheck finds the links in archives of old documents, asks each
// server in its own protocol whether the thing is still there, and reports what
// to mend. This folder holds flags, words for people and exit codes; it alone
// wires the rooms together. One file a verb.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
)

// version is set by the linker at release.
const version = "0.1"

func main() { os.Exit(withSignals()) }

// withSignals is the program with Ctrl-C and SIGTERM turned into the end of its context.
func withSignals() int {
	log.SetOutput(io.Discard) // net/http remarks there on servers that answer unasked
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// run is the whole program: everything it reads and writes is handed in.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &output{Writer: stdout}
	a := &app{stdin: &input{Reader: stdin, ctx: ctx}, stdout: out, stderr: stderr, getenv: os.Getenv, environ: os.Environ()}
	root := newRoot(a)
	root.SetArgs(args)
	err := a.whence(root.ExecuteContext(ctx))
	if out.failed != nil {
		err = fail(exitDistrusted, "", "standard output: %w", out.failed)
	}
	return status(err, stderr)
}
