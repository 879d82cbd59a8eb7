package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
)

var largestNight = flag.Int("links", 100_000, "links of the largest night of BenchmarkGrowth")

// grown is what nights over so many links took.
type grown struct {
	links          int
	reading, night cost
	later          cost // a night on which nothing is due
	store          int64
}

// BenchmarkGrowth makes nights of the whole program over more and more links of one fast server: one
// that only reads, one that asks for all of them, and one on which nothing is due. It prints a table and a curve:
//
//	go test ./cmd/linkcheck -run '^$' -bench Growth -benchtime 1x -links 1000000
//
// Processor time is that of the program alone, and the one to compare where others use the machine.
func BenchmarkGrowth(b *testing.B) {
	server := startServer(b, 0)
	var all []grown
	for n := 10_000; n < *largestNight; n *= 10 {
		all = append(all, growTo(b, server, n))
		if 3*n < *largestNight {
			all = append(all, growTo(b, server, 3*n))
		}
	}
	all = append(all, growTo(b, server, *largestNight))
	fmt.Print("\n", growthTable(all))
	for _, g := range all {
		b.ReportMetric(g.perLink(g.night), fmt.Sprintf("us/link-%d", g.links))
	}
	b.ReportMetric(0, "ns/op")
}

func growTo(b *testing.B, server *benchServer, n int) grown {
	const document = 10_000 // links
	dir := b.TempDir()
	sources, path := filepath.Join(dir, "sources"), filepath.Join(dir, "store.db")
	if err := os.Mkdir(sources, 0o700); err != nil {
		b.Fatal(err)
	}
	for from := 0; from < n; from += document {
		var doc strings.Builder
		for i := from; i < min(from+document, n); i++ {
			fmt.Fprintf(&doc, "<a href=\"http://%s/d%d/p%d\">%d</a>\n", server.addr, i%10, i, i)
		}
		name := filepath.Join(sources, fmt.Sprintf("%d.html", from))
		if err := os.WriteFile(name, []byte(doc.String()), 0o600); err != nil {
			b.Fatal(err)
		}
		old := time.Now().Add(-time.Hour) // what was written just now is read again
		if err := os.Chtimes(name, old, old); err != nil {
			b.Fatal(err)
		}
	}
	night := func(more ...string) (c cost) {
		c.add(b, exec.Command("linkcheck", append([]string{"run", "--quiet", "--store", path,
			"--allow-private", "127.0.0.0/8", "--workers", fmt.Sprint(benchWorkers), "--per-host", fmt.Sprint(benchWorkers),
			"--host-delay", "0", "--retry-delay", "0"}, append(more, sources)...)...))
		return c
	}
	g := grown{links: n}
	g.reading = night("--exclude", ".")
	if err := os.Remove(path); err != nil {
		b.Fatal(err)
	}
	g.night = night()
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	g.store, g.later = info.Size(), night()
	if err := os.RemoveAll(dir); err != nil {
		b.Fatal(err)
	}
	return g
}

// perLink is the processor time of a link, in microseconds.
func (g *grown) perLink(c cost) float64 { return float64(c.cpu.Microseconds()) / float64(g.links) }

// growthTable has a line for each size, and a bar each for time and memory: bars of one length
// are time that grows as the links do, and memory that stays.
func growthTable(all []grown) string {
	bar := func(v, most float64) string { return strings.Repeat("█", int(20*v/cmp.Or(most, 1)+0.5)) }
	slowest, largest := 0.0, 0
	for i := range all {
		slowest, largest = max(slowest, all[i].perLink(all[i].night)), max(largest, all[i].night.peak)
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "links\tfirst night: wall\tprocessor\tof a link\t\tpeak\t\treads: processor of a link\tpeak\tnothing due: processor\tpeak\tstore, of a link")
	for i := range all {
		g := &all[i]
		us := g.perLink(g.night)
		fmt.Fprintf(w, "%d\t%.1f s\t%.1f s\t%.1f µs\t%s\t%d MB\t%s\t%.1f µs\t%d MB\t%.2f s\t%d MB\t%d octets\n", g.links, g.night.wall.Seconds(), g.night.cpu.Seconds(), us, bar(us, slowest),
			g.night.peak/1000, bar(float64(g.night.peak), float64(largest)), g.perLink(g.reading), g.reading.peak/1000, g.later.cpu.Seconds(), g.later.peak/1000, g.store/int64(g.links))
	}
	w.Flush()
	return text.String()
}
