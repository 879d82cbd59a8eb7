package html

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/store"
)

// bar draws the shares of the groups, each at least a sliver wide if it has a link.
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
		word := report.Group(g).String()
		label = append(label, r.Words.Get("group."+word)+" "+r.Words.Number(n))
		if n == 0 {
			continue
		}
		w := max(sliver, width*float64(n)/float64(r.Links))
		if g == int(report.Fine) {
			w = max(sliver, width-x)
		}
		fmt.Fprintf(&b, `<rect class="f-%s" x="%.1f" width="%.1f" height="12"/>`, word, x, max(1, w-gap))
		x += w
	}
	return template.HTML(fmt.Sprintf(`<svg class="share" viewBox="0 0 %.0f 12" preserveAspectRatio="none" role="img" aria-label="%s: %s">%s</svg>`,
		max(width, x), template.HTMLEscapeString(r.Words.Get("shares")), template.HTMLEscapeString(strings.Join(label, ", ")), b.String()))
}

// spark draws one group's course over the runs, from its least to its most.
func spark(r *report.Report, g report.Group) template.HTML {
	var values []int
	for i := range r.Runs {
		if sums := groupsOf(&r.Runs[i]); sums != nil {
			values = append(values, sums[g])
		}
	}
	if len(values) < 2 {
		return ""
	}
	low, high := values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	var d strings.Builder
	for i, v := range values {
		y := 12.0
		if high > low {
			y = 23 - 21*float64(v-low)/float64(high-low)
		}
		fmt.Fprintf(&d, "%c%.1f %.1f", "ML"[min(i, 1)], 100*float64(i)/float64(len(values)-1), y)
	}
	return template.HTML(`<svg class="spark g-` + g.String() + `" viewBox="0 0 100 26" preserveAspectRatio="none" aria-hidden="true"><path d="` + d.String() + `"/></svg>`)
}

// meter draws how many of most a cause has.
func meter(g report.Group, n, most int) template.HTML {
	return template.HTML(`<svg class="meter" viewBox="0 0 84 4" preserveAspectRatio="none" aria-hidden="true"><rect class="f-` + g.String() + `" x="` +
		strconv.Itoa(84-max(2, 84*n/max(1, most))) + `" width="` + strconv.Itoa(max(2, 84*n/max(1, most))) + `" height="4" rx="2"/></svg>`)
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
			b.WriteString(`<path class="f-` + report.Group(g).String() + `" d="` + d + `"/>`)
		}
	}
	return template.HTML(`<svg class="strip" viewBox="0 0 96 18" role="img" aria-label="` + template.HTMLEscapeString(s.Words.Get("col.checks")+": "+strings.Join(label, ", ")) + `">` + b.String() + `</svg>`)
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
