package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// result is what one program did of one work.
type result struct {
	work, tool string
	cost       cost
	score      score           // of works that ask
	each       map[truth]score // by truth
	found      found           // of works that read
	failed     string
}

// Works, as the paper heads them.
const (
	workTruth  = "The truth"
	workLate   = "Ten hosts, one of them late"
	workGaps   = "Many hosts, with a gap each"
	workSecond = "An unchanged second night"
	workPage   = "Links of a page, read only"
	workMARC   = "MARC"
	workMbox   = "Mailbox"
	workWARC   = "WARC"
)

// delays are those of each answer in the work of many links of one page.
var delays = []time.Duration{0, 5 * time.Millisecond, 50 * time.Millisecond}

func workLinks(delay time.Duration) string {
	return fmt.Sprintf("Links of one page, %d ms", delay.Milliseconds())
}

func (b *bench) works(ctx context.Context) error {
	for _, step := range []func(context.Context) error{b.truth, b.links, b.late, b.gaps, b.read} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// truth asks for links of every kind.
func (b *bench) truth(ctx context.Context) error {
	s, err := serve(honestHost, softHost)
	if err != nil {
		return err
	}
	defer s.close()
	var links []link
	for i := range 6 {
		for _, is := range truths {
			links = append(links, s.at(is, i+1))
		}
		links = append(links, s.on(softHost, live, i+101)) // a real page of a host that says yes to all
	}
	return b.ask(ctx, workTruth, s, links, 0, func(t tool) bool { return true })
}

// links asks for many links of one host: nine in ten live, the others dead and moved.
func (b *bench) links(ctx context.Context) error {
	s, err := serve(honestHost)
	if err != nil {
		return err
	}
	defer s.close()
	var links []link
	for i := range b.size.links {
		is := live
		switch i % 20 {
		case 7:
			is = dead
		case 13:
			is = moved
		}
		links = append(links, s.at(is, i))
	}
	for _, delay := range delays {
		s.delay.Store(int64(delay))
		if err := b.ask(ctx, workLinks(delay), s, links, 0, func(t tool) bool { return !t.once }); err != nil {
			return err
		}
	}
	return nil
}

// late asks ten hosts for twenty links each, of which one host takes a fifth of a second for each.
func (b *bench) late(ctx context.Context) error {
	var hosts []string
	for i := range 10 {
		hosts = append(hosts, fmt.Sprintf("127.0.1.%d", i+1))
	}
	s, err := serve(append([]string{honestHost}, hosts...)...)
	if err != nil {
		return err
	}
	defer s.close()
	s.late = 200 * time.Millisecond
	s.lateHost.Store(hosts[0])
	var links []link
	for _, host := range hosts { // the late one first, as it hurts most
		for i := range 20 {
			links = append(links, s.on(host, live, i+1))
		}
	}
	return b.ask(ctx, workLate, s, links, 0, func(t tool) bool { return !t.once })
}

// gaps asks many hosts for two links each, one second after the other.
func (b *bench) gaps(ctx context.Context) error {
	var hosts []string
	for i := range b.size.hosts {
		hosts = append(hosts, fmt.Sprintf("127.1.%d.%d", i/200, i%200+1))
	}
	s, err := serve(append([]string{honestHost}, hosts...)...)
	if err != nil {
		return err
	}
	defer s.close()
	var links []link
	for _, host := range hosts {
		links = append(links, s.on(host, live, 1), s.on(host, live, 2))
	}
	s.gap = true
	return b.ask(ctx, workGaps, s, links, 1, func(t tool) bool { return t.gaps })
}

// ask has each program that can ask for links, in turn, as often as asked.
func (b *bench) ask(ctx context.Context, work string, s *server, links []link, gap int, can func(tool) bool) error {
	a, err := b.prepare(s, links)
	if err != nil {
		return err
	}
	a.gap = gap
	for _, t := range b.tools {
		if t.ask == nil || t.missing != "" || !can(t) {
			continue
		}
		runs := b.runs
		if work == workTruth || work == workLate || work == workGaps {
			runs = 1 // what they measure are waits, and some programs wait long
		}
		r := result{work: work, tool: t.name}
		err := r.repeat(ctx, runs, func(i int) (cost, error) {
			a.dir = filepath.Join(b.dir, fmt.Sprintf("run%d-%d", len(b.results), i))
			if err := os.Mkdir(a.dir, 0o777); err != nil {
				return cost{}, err
			}
			c, said, err := once(ctx, t, a, s)
			r.score, r.each = scoreOf(links, said)
			return c, err
		})
		if err != nil {
			return err
		}
		b.keep(r)
		if t.name == "linkcheck" && work == workLinks(0) && r.failed == "" {
			if err := b.second(ctx, t, a, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// prepare writes links in every form that a program takes.
func (b *bench) prepare(s *server, links []link) (asking, error) {
	var page, list, curl strings.Builder
	page.WriteString("<html><head><title>Links</title></head><body>\n")
	for _, l := range links {
		fmt.Fprintf(&page, "<a href=\"%s\">link</a>\n", l.url)
		fmt.Fprintln(&list, l.url)
		fmt.Fprintf(&curl, "url = \"%s\"\noutput = \"/dev/null\"\n", l.url)
	}
	page.WriteString("</body></html>\n")
	s.page.Store(page.String())
	a := asking{links: links, page: fmt.Sprintf("http://%s:%d/page", honestHost, s.port),
		html: filepath.Join(b.dir, "page.html"), list: filepath.Join(b.dir, "list.txt"), curl: filepath.Join(b.dir, "curl.txt")}
	for name, text := range map[string]string{a.html: page.String(), a.list: list.String(), a.curl: curl.String()} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return a, err
		}
	}
	return a, nil
}

// once has a program ask, and reads what it says.
func once(ctx context.Context, t tool, a asking, s *server) (cost, map[string]verdict, error) {
	s.reset()
	measured, collect := t.ask(a)
	c, out, err := measure(ctx, a.dir, measured)
	if err != nil {
		return c, nil, err
	}
	c.requests, c.conns, c.quick = s.requests.Load(), s.conns.Load(), s.quickDone()
	if collect != nil {
		if _, out, err = measure(ctx, a.dir, collect); err != nil {
			return c, nil, err
		}
	}
	said, err := t.said(out)
	return c, said, err
}

// second has linkcheck run again, a day later, over what has not changed.
func (b *bench) second(ctx context.Context, t tool, a asking, s *server) error {
	measured, _ := t.ask(a)
	measured.Args = append(measured.Args, "--now", time.Now().AddDate(0, 0, 1).UTC().Format(time.RFC3339))
	s.reset()
	c, _, err := measure(ctx, a.dir, measured)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.requests, c.conns = s.requests.Load(), s.conns.Load()
	r := result{work: workSecond, tool: t.name, cost: c}
	if err != nil {
		r.failed = err.Error()
	}
	b.keep(r)
	return nil
}

// read has each program that can give the links of documents.
func (b *bench) read(ctx context.Context) error {
	octets := b.size.megabytes * 1_000_000
	for _, w := range []struct {
		work, name string
		fill       func(d *document, w *bufio.Writer) error
	}{
		{workPage, "links.html", func(d *document, w *bufio.Writer) error { d.page(w, b.size.parsed); return nil }},
		{workMARC, "opac.mrc", func(d *document, w *bufio.Writer) error { d.marc(w, b.size.records); return nil }},
		{workMbox, "list.mbox", func(d *document, w *bufio.Writer) error { return d.mbox(w, octets) }},
		{workWARC, "crawl.warc", func(d *document, w *bufio.Writer) error { return d.warc(w, octets) }},
	} {
		var d document
		if err := d.write(filepath.Join(b.dir, w.name), func(f *bufio.Writer) error { return w.fill(&d, f) }); err != nil {
			return err
		}
		for _, t := range b.tools {
			if t.find == nil || t.missing != "" || !t.raw && w.work != workPage {
				continue
			}
			r := result{work: w.work, tool: t.name}
			err := r.repeat(ctx, b.runs, func(int) (cost, error) {
				c, out, err := measure(ctx, b.dir, t.find(d.file))
				if err != nil {
					return c, err
				}
				said, err := t.listed(out)
				r.found = foundOf(d.links, said)
				return c, err
			})
			if err != nil {
				return err
			}
			b.keep(r)
		}
		if err := os.Remove(d.file); err != nil {
			return err
		}
	}
	return nil
}

// long is a run that is not repeated: what others do to it is little beside it.
const long = time.Minute

// repeat has a program do its work as often as told, but for a long one, and keeps the cost of the
// run in the middle, or why the program failed. Its error is that of ctx.
func (r *result) repeat(ctx context.Context, most int, run func(i int) (cost, error)) error {
	var costs []cost
	for i := 0; i < most && (i == 0 || costs[0].wall < long); i++ {
		c, err := run(i)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.failed = err.Error()
			return nil
		}
		costs = append(costs, c)
	}
	r.cost = median(costs)
	return nil
}

func (b *bench) keep(r result) {
	b.results = append(b.results, r)
	fmt.Fprintf(os.Stderr, "%s: %s: %v wall, %v processor, %d kB; right %d, wrong %d of %d; found %d of %d, %d others; %s\n", r.work, r.tool,
		r.cost.wall.Round(time.Millisecond), r.cost.cpu.Round(time.Millisecond), r.cost.peak, r.score.right, r.score.wrong, r.score.all, r.found.right, r.found.all, r.found.extra, r.failed)
}
