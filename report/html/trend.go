package html

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"linkcheck/report"
	"linkcheck/report/words"
)

type card struct {
	Word  string
	N     int
	Delta string
	Spark template.HTML
}

// cards gives the five groups with what changed and their course over the runs.
func cards(r *report.Report) []card {
	before := groupsOf(r.Prev)
	now := groupsOf(r.Run)
	cards := make([]card, report.GroupCount)
	for g := range report.GroupCount {
		c := card{Word: report.Group(g).String(), N: r.ByGroup[g]}
		if before != nil && now != nil {
			c.Delta = delta(r, now[g]-before[g])
		}
		c.Spark = spark(r, report.Group(g))
		cards[g] = c
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
	Most        string // what the top line of the chart stands for
	Rows        []trendRow
}

type trendRow struct {
	Run string
	Day string
	N   [report.GroupCount]int
}

// newTrend gives the chart of all groups but Fine, which would flatten the rest;
// nil with fewer than two runs.
func newTrend(r *report.Report) *trend {
	t := &trend{}
	for i := range r.Runs {
		if sums := groupsOf(&r.Runs[i]); sums != nil {
			t.Rows = append(t.Rows, trendRow{strconv.FormatUint(r.Runs[i].ID, 10), r.Words.ShortDay(r.Runs[i].Started), *sums})
		}
	}
	if len(t.Rows) < 2 {
		return nil
	}
	most := 1
	for _, row := range t.Rows {
		most = max(most, row.N[report.Fix]+row.N[report.Update]+row.N[report.Check]+row.N[report.Wait])
	}
	t.First, t.Last = t.Rows[0].Day, t.Rows[len(t.Rows)-1].Day
	t.Most = r.Words.Get("trend.most", "links", r.Words.Count("link", most))
	t.Chart = chart(r.Words, t.Rows, most)
	return t
}

const chartWidth, chartHeight = 1000.0, 150.0

// chart draws the groups as areas, one upon the other.
func chart(w *words.Catalogue, rows []trendRow, most int) template.HTML {
	var b strings.Builder
	for _, y := range []float64{0.5, chartHeight / 2, chartHeight - 0.5} {
		fmt.Fprintf(&b, `<line x1="0" x2="%.0f" y1="%.1f" y2="%.1f"/>`, chartWidth, y, y)
	}
	base := make([]int, len(rows))
	for g := range int(report.Fine) {
		top := make([]int, len(rows))
		for i := range rows {
			top[i] = base[i] + rows[i].N[g]
		}
		fmt.Fprintf(&b, `<path class="area f-%s" d="%s %sZ"/><path class="edge g-%s" d="%s"/>`, report.Group(g),
			outline(top, most, false), outline(base, most, true), report.Group(g), outline(top, most, false))
		base = top
	}
	label := template.HTMLEscapeString(w.Get("trend.about"))
	return template.HTML(fmt.Sprintf(`<svg class="trend" viewBox="0 0 %.0f %.0f" preserveAspectRatio="none" role="img" aria-label="%s">%s</svg>`,
		chartWidth, chartHeight, label, b.String()))
}

// outline gives a line through the values, backwards to close an area.
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
