package report

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"
)

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
	N   [groupCount]int
}

// trend gives the chart of all groups but Fine, which would flatten the rest;
// nil with fewer than two runs.
func (r *Report) trend() *trend {
	t := &trend{}
	for i := range r.Runs {
		if sums := groupsOf(&r.Runs[i]); sums != nil {
			t.Rows = append(t.Rows, trendRow{strconv.FormatUint(r.Runs[i].ID, 10), r.words.date(r.Runs[i].Started, "date.short"), *sums})
		}
	}
	if len(t.Rows) < 2 {
		return nil
	}
	most := 1
	for _, row := range t.Rows {
		most = max(most, row.N[Fix]+row.N[Update]+row.N[Check]+row.N[Wait])
	}
	t.First, t.Last = t.Rows[0].Day, t.Rows[len(t.Rows)-1].Day
	t.Most = r.words.get("trend.most", "links", r.words.count("link", most))
	t.Chart = r.chart(t.Rows, most)
	return t
}

const chartWidth, chartHeight = 1000.0, 150.0

// chart draws the groups as areas, one upon the other.
func (r *Report) chart(rows []trendRow, most int) template.HTML {
	var b strings.Builder
	for _, y := range []float64{0.5, chartHeight / 2, chartHeight - 0.5} {
		fmt.Fprintf(&b, `<line x1="0" x2="%.0f" y1="%.1f" y2="%.1f"/>`, chartWidth, y, y)
	}
	base := make([]int, len(rows))
	for g := range int(Fine) {
		top := make([]int, len(rows))
		for i := range rows {
			top[i] = base[i] + rows[i].N[g]
		}
		fmt.Fprintf(&b, `<path class="area f-%s" d="%s %sZ"/><path class="edge g-%s" d="%s"/>`, Group(g),
			outline(top, most, false), outline(base, most, true), Group(g), outline(top, most, false))
		base = top
	}
	label := template.HTMLEscapeString(r.words.get("trend.about"))
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
