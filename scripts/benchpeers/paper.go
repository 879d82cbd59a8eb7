package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// write writes BENCHMARKS.md and its pictures.
func (b *bench) write(out, loadBefore, loadAfter string) error {
	var p strings.Builder
	b.head(&p, loadBefore, loadAfter)
	b.truthTable(&p)
	for _, delay := range delays {
		b.askTable(&p, workLinks(delay), fmt.Sprintf("%d links of one page to one host, which answers after %d ms: nine in ten live, the others dead or moved.", b.size.links, delay.Milliseconds()), false)
		if delay == 0 {
			fmt.Fprint(&p, "\n![Time of each program for the links of one page](bench-links.svg)\n")
		}
	}
	b.askTable(&p, workSecond, "The links above with linkcheck once more, a day later: of the document nothing has changed. The other programs keep nothing, so their second night is their first.", false)
	b.askTable(&p, workLate, "Ten hosts with twenty live links each; one takes 200 ms for each answer. *Others done*: when the last answer of the nine quick hosts was sent, after the first request of all.", true)
	b.askTable(&p, workGaps, fmt.Sprintf("%d hosts with two links each, and a second between two links of a host, so one second at least. linkcheck asks for robots.txt and for a name that cannot exist within the turns of these links. Only programs that can keep a gap for each host.", b.size.hosts), false)
	b.readTable(&p, workPage, fmt.Sprintf("%d links of one page are read, and nothing is asked. In its comments and scripts stand addresses that are no links. xurls is for plain text: it gives `&amp;` as it stands, so none of its addresses is the link.", b.size.parsed))
	b.readTable(&p, workMARC, fmt.Sprintf("A catalogue of %d records of ISO 2709, an address in 856 $u of each. No peer reads such records: xurls looks for addresses in the octets, and the code of the subfield stands right before each.", b.size.records))
	b.readTable(&p, workMbox, fmt.Sprintf("A mailbox of %d MB; every fourth message is quoted-printable and breaks its address.", b.size.megabytes))
	b.readTable(&p, workWARC, fmt.Sprintf("A web archive of %d MB, of pages with twenty links each. The addresses of its records are no links.", b.size.megabytes))
	if err := os.WriteFile(filepath.Join(out, "BENCHMARKS.md"), []byte(p.String()), 0o644); err != nil {
		return err
	}
	return b.pictures(out)
}

func (b *bench) head(p *strings.Builder, loadBefore, loadAfter string) {
	fmt.Fprintf(p, `# Side by side

The same work with linkcheck and with what else could be taken, one program after the other on one machine, written by

`+"```\nmake bench-peers%s\n```"+`

on %s: %s, %d cores, %s, %s; size *%s*. Each program did each work %d times, and the run with the median
wall time stands here; once where that took over a minute, and where waits are measured: the truth, the late host, the gaps. After
two minutes a program was stopped. The load of the machine was %s before and %s after: where that is more than a few tenths,
others worked there, and ratios within a table say more than seconds.

All servers run in the bench itself, on loopback, and know the truth; their processor time counts for nobody, but they
share the machine. Each program may have %d connections at once, where it can be told. Limits of requests a second
are lifted, and linkcheck runs without its gap of two seconds, with %d connections to a host.

| program | version |
|---|---|
`, map[bool]string{true: "", false: " SIZE=" + b.sizeName}[b.sizeName == "full"], time.Now().UTC().Format("2006-01-02 at 15:04 UTC"), processor(), runtime.NumCPU(), runtime.GOOS+"/"+runtime.GOARCH, runtime.Version(), b.sizeName, b.runs, loadBefore, loadAfter, workers, workers)
	for _, t := range b.tools {
		fmt.Fprintf(p, "| %s | %s |\n", t.name, map[bool]string{true: t.version, false: "not compared: " + t.missing}[t.missing == ""])
	}
}

// processor is the name of the machine's processor.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	_, rest, _ := strings.Cut(string(text), "model name\t: ")
	name, _, ok := strings.Cut(rest, "\n")
	if !ok {
		return "a processor without a name"
	}
	return name
}

func (b *bench) of(work string) (list []result) {
	for _, r := range b.results {
		if r.work == work {
			list = append(list, r)
		}
	}
	return list
}

// truthTable says how each program judges links of every kind.
func (b *bench) truthTable(p *strings.Builder) {
	fmt.Fprint(p, `
## The truth

Links of which the server knows what they are, asked in one night. *Right* is what a reader should do: update
what moved, look at what is walled, leave alone what is slow or was out of service for one request. *Wrong* is an
answer by which a reader would break a good link or keep a broken one. What is neither was left open: of most programs these are
redirects that they follow without a word. In brackets: wrong. The kinds are those that we know of and thought worth telling apart; others would choose others.

![Right, open and wrong answers of each program](bench-truth.svg)

| program | right | wrong | of |`)
	for _, is := range truths {
		fmt.Fprintf(p, " %s |", is)
	}
	fmt.Fprint(p, " requests | wall |\n|---|--:|--:|--:|"+strings.Repeat("--:|", len(truths)+2)+"\n")
	for _, r := range b.of(workTruth) {
		if r.failed != "" {
			fmt.Fprintf(p, "| %s | failed: %s |\n", r.tool, cell(r.failed))
			continue
		}
		fmt.Fprintf(p, "| %s | %d | %d | %d |", r.tool, r.score.right, r.score.wrong, r.score.all)
		for _, is := range truths {
			s := r.each[is]
			fmt.Fprintf(p, " %d%s |", s.right, map[bool]string{true: fmt.Sprintf(" (%d)", s.wrong)}[s.wrong > 0])
		}
		fmt.Fprintf(p, " %d | %s |\n", r.cost.requests, seconds(r.cost.wall))
	}
}

// askTable says what a work cost each program that asks. Ratios are to the first row's.
func (b *bench) askTable(p *strings.Builder, work, about string, quick bool) {
	fmt.Fprintf(p, "\n## %s\n\n%s\n\n| program | wall | × | processor | peak memory | requests | connections | right | wrong |%s\n|---|--:|--:|--:|--:|--:|--:|--:|--:|%s\n",
		work, about, map[bool]string{true: " others done |"}[quick], map[bool]string{true: "--:|"}[quick])
	list := b.of(work)
	for _, r := range list {
		if r.failed != "" {
			fmt.Fprintf(p, "| %s | failed: %s |\n", r.tool, cell(r.failed))
			continue
		}
		right, wrong := "", ""
		if r.score.all > 0 {
			right, wrong = fmt.Sprintf("%.1f %%", percent(r.score.right, r.score.all)), fmt.Sprint(r.score.wrong)
		}
		fmt.Fprintf(p, "| %s | %s | %s | %s | %s | %d | %d | %s | %s |", r.tool, seconds(r.cost.wall), ratio(r, list[0]), seconds(r.cost.cpu), memory(r.cost.peak), r.cost.requests, r.cost.conns, right, wrong)
		if quick {
			fmt.Fprintf(p, " %s |", seconds(r.cost.quick))
		}
		fmt.Fprintln(p)
	}
}

// readTable says what a work cost each program that reads, and what it found.
func (b *bench) readTable(p *strings.Builder, work, about string) {
	fmt.Fprintf(p, "\n## %s\n\n%s\n\n| program | wall | × | processor | peak memory | precision | recall |\n|---|--:|--:|--:|--:|--:|--:|\n", work, about)
	list := b.of(work)
	for _, r := range list {
		if r.failed != "" {
			fmt.Fprintf(p, "| %s | failed: %s |\n", r.tool, cell(r.failed))
			continue
		}
		fmt.Fprintf(p, "| %s | %s | %s | %s | %s | %.1f %% | %.1f %% |\n", r.tool, seconds(r.cost.wall), ratio(r, list[0]), seconds(r.cost.cpu), memory(r.cost.peak), r.found.precision(), r.found.recall())
	}
}

func (b *bench) pictures(out string) error {
	var answers, times []bar
	for _, r := range b.of(workTruth) {
		if s := r.score; r.failed == "" {
			answers = append(answers, bar{r.tool, [3]float64{float64(s.right), float64(s.all - s.right - s.wrong), float64(s.wrong)},
				fmt.Sprintf("%d right, %d open, %d wrong", s.right, s.all-s.right-s.wrong, s.wrong)})
		}
	}
	for _, r := range b.of(workLinks(0)) {
		if r.failed == "" {
			times = append(times, bar{r.tool, [3]float64{r.cost.wall.Seconds()}, fmt.Sprintf("%s, %d wrong", seconds(r.cost.wall), r.score.wrong)})
		}
	}
	for name, text := range map[string]string{
		"bench-truth.svg": chart("Answers against the truth", "right, left open (pale), wrong (red)", answers),
		"bench-links.svg": chart(fmt.Sprintf("%d links of one page, a server that answers at once", b.size.links), "seconds; fewer is better", times),
	} {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func ratio(r, first result) string {
	if first.failed != "" || first.cost.wall == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", r.cost.wall.Seconds()/first.cost.wall.Seconds())
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func memory(kB int) string {
	if kB == 0 {
		return "-"
	}
	return fmt.Sprintf("%d MB", (kB+500)/1000)
}

// cell makes a message fit for a cell of a table.
func cell(text string) string {
	text = strings.NewReplacer("|", "/", "\n", " ", "--", "").Replace(text)
	return text[:min(len(text), 160)]
}
