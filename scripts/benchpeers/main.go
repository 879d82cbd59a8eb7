package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

// size says how large the works are.
type size struct {
	links, hosts, parsed, records, megabytes int
}

var sizes = map[string]size{
	"tiny":  {100, 20, 1_000, 500, 2},
	"small": {1_000, 20, 20_000, 20_000, 8},
	"full":  {10_000, 1_000, 100_000, 100_000, 1_000},
}

// bench is one pass over all works.
type bench struct {
	size      size
	sizeName  string
	runs      int
	linkcheck string // the program
	peers     string // the folder into which install.sh has put them
	dir       string // for documents and stores
	tools     []tool
	results   []result
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "-bare" {
		bareLoop(os.Args[2])
		return
	}
	b := &bench{}
	flag.StringVar(&b.sizeName, "size", "full", "full, small or tiny")
	flag.IntVar(&b.runs, "runs", 3, "how often each program does each work; the median counts")
	flag.StringVar(&b.linkcheck, "linkcheck", "bin/linkcheck", "the program")
	flag.StringVar(&b.peers, "peers", "bin/peers", "the folder of install.sh")
	out := flag.String("out", "docs", "the folder for BENCHMARKS.md and its pictures")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := b.run(ctx, *out); err != nil {
		fmt.Fprintln(os.Stderr, "benchpeers:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, out string) error {
	var ok bool
	if b.size, ok = sizes[b.sizeName]; !ok || b.runs < 1 {
		return fmt.Errorf("-size is full, small or tiny, and -runs at least 1")
	}
	var err error
	if b.linkcheck, err = filepath.Abs(b.linkcheck); err != nil {
		return err
	}
	if b.peers, err = filepath.Abs(b.peers); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "benchpeers"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	// Programs that give up the rights of root read their documents all the same.
	if err := os.Chmod(b.dir, 0o755); err != nil {
		return err
	}
	b.tools = findTools(b.linkcheck, b.peers)
	before := load()
	if err := b.works(ctx); err != nil {
		return err
	}
	return b.write(out, before, load())
}
