// Command linkcheck-engine runs the engine of a fleet whose workers are on this machine.
// Between machines it is a NATS server with users and TLS.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/pflag"

	"linkcheck/fleet/engine"
	"linkcheck/internal/fault"
)

const about = `linkcheck-engine keeps the log of a fleet for the workers on this machine.

Between machines run a NATS server with JetStream, users, TLS and "sync_interval: always" in
its place. It prints "ready URL" when workers can connect, and ends with SIGTERM or Ctrl-C.

Exit codes: 0 ended by a signal, 2 wrong usage, 4 it cannot run, 5 another engine has the
folder.

Flags:
`

// memory is what the process keeps to where the environment (GOMEMLIMIT) says nothing.
const memory = 256 << 20

func main() {
	fault.Abort()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second one ends the process
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := pflag.NewFlagSet("linkcheck-engine", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	listen := flags.String("listen", "127.0.0.1:4222", "`ADDRESS` of this machine, with a port; port 0 is one that is free")
	dir := flags.String("dir", "", "`FOLDER` of its files, which is made; needed")
	err := flags.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, about, flags.FlagUsages())
		return 0
	}
	at, aerr := netip.ParseAddrPort(*listen)
	switch {
	case err != nil:
	case flags.NArg() > 0:
		err = fmt.Errorf("%q is no flag", flags.Arg(0))
	case *dir == "":
		err = errors.New("--dir is missing")
	case aerr != nil:
		err = fmt.Errorf("--listen %q is no address with a port", *listen)
	case !at.Addr().IsLoopback():
		err = fmt.Errorf("--listen %s is open to other machines, and nobody is asked who they are: run a NATS server with users and TLS there", at)
	}
	if err != nil {
		fmt.Fprintf(stderr, "linkcheck-engine: %v; see --help\n", err)
		return 2
	}
	return serve(ctx, at, *dir, stdout, stderr)
}

func serve(ctx context.Context, at netip.AddrPort, dir string, stdout, stderr io.Writer) int {
	e, err := engine.Start(at.Addr().String(), int(at.Port()), dir)
	if err == nil {
		fmt.Fprintln(stdout, "ready", e.URL())
		<-ctx.Done()
		err = e.Stop()
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, engine.ErrInUse):
		fmt.Fprintf(stderr, "linkcheck-engine: %v\n", err)
		return 5
	}
	fmt.Fprintf(stderr, "linkcheck-engine: %v\n", err)
	return 4
}
