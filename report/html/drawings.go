package html

import (
	"context"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/words"
	"linkcheck/store"
)

type card struct {
	Word  string
	N     int
	Delta string
	Spark template.HTML
}

// cards gives the groups, each with its change since the run before and its course
// over the last runs.
func cards(r *report.Report, runs []runSums) []card {
	before, now := groupsOf(r.Prev), groupsOf(r.Run)
	var cards []card
	for g := range report.GroupCount {
		c := card{Word: g.String(), N: r.ByGroup[g], Spark: spark(runs, g)}
		if before != nil && now != nil && !r.Partial {
			c.Delta = delta(r, now[g]-before[g])
		}
		cards = append(cards, c)
	}
	return cards
}

func delta(r *report.Report, n int) string {
	since := " " + r.Words.Get("delta", "prev", strconv.FormatUint(r.Prev.ID, 10))
	switch {
	case n > 0:
		return "▲ " + r.Words.Number(n) + since
	case n < 0:
		return "▼ " + r.Words.Number(-n) + since
	}
	return "=" + since
}

// trend is the course of the groups over the last runs.
type trend struct {
	Chart       template.HTML
	First, Last string
	Most        string // how many links the top line of the chart stands for
	Rows        []runSums
}

// runSums are the links of each group after a run.
type runSums struct {
	Run, Day string
	N        [report.GroupCount]int

	id    uint64
	begun time.Time
}

// lastRuns gives the sums of the last runs, oldest first; none for a part of the store, of
// which they recorded nothing.
func lastRuns(r *report.Report) (runs []runSums) {
	if r.Partial {
		return nil
	}
	for i := range r.Runs {
		if sums := groupsOf(&r.Runs[i]); sums != nil {
			runs = append(runs, runSums{strconv.FormatUint(r.Runs[i].ID, 10), r.Words.ShortDay(r.Runs[i].Started), *sums, r.Runs[i].ID, r.Runs[i].Started})
		}
	}
	return runs
}

// courseOf gives the sums of the last runs with what people decided counted where that puts it.
func courseOf(ctx context.Context, r *report.Report) ([]runSums, error) {
	runs := lastRuns(r)
	if len(runs) == 0 || len(r.Pinned) == 0 {
		return runs, nil
	}
	pinned := slices.Clone(r.Pinned) // in rising order, as Scan comes to them
	err := r.EachRow(ctx, store.Pick{History: true, Most: 1, Only: func(id uint64) bool {
		for len(pinned) > 0 && pinned[0] < id {
			pinned = pinned[1:]
		}
		return len(pinned) > 0 && pinned[0] == id
	}}, func(row *report.Row) error {
		if row.Pin != nil {
			honour(runs, &row.Entry)
		}
		return nil
	})
	runs[len(runs)-1].N = r.ByGroup // the last point is what the figures say
	return runs, err
}

// honour counts a link that a person decided about where the decision puts it, in each run
// from that day on: the runs recorded what was judged without it.
func honour(runs []runSums, e *store.Entry) {
	marked := report.GroupOf(e.State)
	for i := range runs {
		run := &runs[i]
		if run.begun.Before(e.Pin.At) {
			continue
		}
		judged := report.GroupOf(e.Judged)
		for _, past := range e.History {
			if past.Run <= run.id {
				judged = report.GroupOf(past.State)
			}
		}
		if run.N[judged] > 0 {
			run.N[judged]--
			run.N[marked]++
		}
	}
}

// newTrend gives the chart of all groups but Fine, which would flatten the rest;
// nil with fewer than two runs.
func newTrend(w *words.Catalogue, runs []runSums) *trend {
	if len(runs) < 2 {
		return nil
	}
	most := 1
	for _, run := range runs {
		most = max(most, run.N[report.Fix]+run.N[report.Update]+run.N[report.Check]+run.N[report.Wait])
	}
	return &trend{Rows: runs, First: runs[0].Day, Last: runs[len(runs)-1].Day, Chart: chart(w, runs, most),
		Most: w.Get("trend.most", "links", w.Count("link", most))}
}

const chartWidth, chartHeight = 1000.0, 150.0

// chart draws the groups as areas, one upon the other.
func chart(w *words.Catalogue, rows []runSums, most int) template.HTML {
	var b strings.Builder
	for _, y := range []float64{0.5, chartHeight / 2, chartHeight - 0.5} {
		fmt.Fprintf(&b, `<line x1="0" x2="%.0f" y1="%.1f" y2="%.1f"/>`, chartWidth, y, y)
	}
	base := make([]int, len(rows))
	for g := range report.Fine {
		top := slices.Clone(base)
		for i := range rows {
			top[i] += rows[i].N[g]
		}
		line := outline(top, most, false)
		fmt.Fprintf(&b, `<path class="area f-%s" d="%s %sZ"/><path class="edge g-%s" d="%s"/>`, g, line, outline(base, most, true), g, line)
		base = top
	}
	label := template.HTMLEscapeString(w.Get("trend.about"))
	return template.HTML(fmt.Sprintf(`<svg class="trend" viewBox="0 0 %.0f %.0f" preserveAspectRatio="none" role="img" aria-label="%s">%s</svg>`,
		chartWidth, chartHeight, label, b.String()))
}

// outline is the path through the values; back gives it from right to left, as the
// lower edge of an area.
func outline(values []int, most int, back bool) string {
	var d strings.Builder
	for k := range values {
		i, letter := k, byte('L')
		if back {
			i = len(values) - 1 - k
		} else if k == 0 {
			letter = 'M'
		}
		x := chartWidth * float64(i) / float64(len(values)-1)
		fmt.Fprintf(&d, "%c%.1f %.1f", letter, x, chartHeight-chartHeight*float64(values[i])/float64(most)*0.94)
	}
	return d.String()
}

// bar draws the shares of the groups; a group with any link is at least sliver wide.
func bar(r *report.Report) template.HTML {
	if r.Links == 0 {
		return ""
	}
	const width, sliver, gap = 1180.0, 5.0, 2.0
	var label []string
	var b strings.Builder
	x := 0.0
	for g := range report.GroupCount {
		n := r.ByGroup[g]
		label = append(label, r.Words.Get("group."+g.String())+" "+r.Words.Number(n))
		if n == 0 {
			continue
		}
		w := max(sliver, width*float64(n)/float64(r.Links))
		if g == report.Fine {
			w = max(sliver, width-x)
		}
		fmt.Fprintf(&b, `<rect class="f-%s" x="%.1f" width="%.1f" height="12"/>`, g, x, max(1, w-gap))
		x += w
	}
	return template.HTML(fmt.Sprintf(`<svg class="share" viewBox="0 0 %.0f 12" preserveAspectRatio="none" role="img" aria-label="%s: %s">%s</svg>`,
		max(width, x), template.HTMLEscapeString(r.Words.Get("shares")), template.HTMLEscapeString(strings.Join(label, ", ")), b.String()))
}

// spark draws how many links one group had in each run, from zero to its own most: what
// changed little looks so.
func spark(runs []runSums, g report.Group) template.HTML {
	if len(runs) < 2 {
		return ""
	}
	values := make([]int, len(runs))
	for i := range runs {
		values[i] = runs[i].N[g]
	}
	high := slices.Max(values)
	var d strings.Builder
	for i, v := range values {
		y := 23 - 21*float64(v)/float64(max(1, high))
		fmt.Fprintf(&d, "%c%.1f %.1f", "ML"[min(i, 1)], 100*float64(i)/float64(len(values)-1), y)
	}
	return template.HTML(`<svg class="spark g-` + g.String() + `" viewBox="0 0 100 26" preserveAspectRatio="none" aria-hidden="true"><path d="` + d.String() + `"/></svg>`)
}

// meter draws n as a bar, full at most.
func meter(g report.Group, n, most int) template.HTML {
	width := max(2, 84*n/max(1, most))
	return template.HTML(fmt.Sprintf(`<svg class="meter" viewBox="0 0 84 4" preserveAspectRatio="none" aria-hidden="true"><rect class="f-%s" x="%d" width="%d" height="4" rx="2"/></svg>`,
		g, 84-width, width))
}

// stripLength is how many checks a strip shows.
const stripLength = 12

// barHeights are the heights of a check's bar by its group, of 18.
var barHeights = [report.GroupCount]int{report.Fix: 8, report.Update: 17, report.Check: 14, report.Wait: 11, report.Fine: 17}

// strip draws the last checks of a link as small bars: full height for good, low
// for bad, so that it reads without colour.
func strip(s *report.Scope, events []store.Event) template.HTML {
	events = events[max(0, len(events)-stripLength):]
	if len(events) == 0 {
		return ""
	}
	var b strings.Builder
	var label []string
	var bars [report.GroupCount]string // one path a group keeps the page light
	for i, e := range events {
		g := report.GroupOf(e.State)
		bars[g] += fmt.Sprintf("M%d %dh6v%dh-6z", i*8, 18-barHeights[g], barHeights[g])
		label = append(label, e.Result.Outcome.String())
	}
	for g, d := range bars {
		if d != "" {
			fmt.Fprintf(&b, `<path class="f-%s" d="%s"/>`, report.Group(g), d)
		}
	}
	return template.HTML(fmt.Sprintf(`<svg class="strip" viewBox="0 0 96 18" role="img" aria-label="%s">%s</svg>`,
		template.HTMLEscapeString(s.Words.Get("col.checks")+": "+strings.Join(label, ", ")), b.String()))
}

// groupsOf sums the states of a run by group; nil where the run recorded none.
func groupsOf(run *store.Run) *[report.GroupCount]int {
	if run == nil || len(run.States) == 0 {
		return nil
	}
	var sums [report.GroupCount]int
	for s := judge.New; s <= judge.Ignored; s++ {
		sums[report.GroupOf(s)] += run.States[s.String()]
	}
	return &sums
}
