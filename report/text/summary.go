package text

import (
	"bufio"
	"io"
	"strings"

	"linkcheck/internal/escape"
	"linkcheck/report"
	"linkcheck/report/words"
)

// MaxSummaryLines bounds the mail of a night (OUTCOMES.md section 2.2).
const MaxSummaryLines = 40

const (
	summaryCauses = 8
	summaryNews   = report.MaxNews
	summaryKind   = 2 // of each kind of change at least
)

// WriteSummary writes at most MaxSummaryLines of plain text for a mail: the
// figures, the changed links with their locations, and what to do first.
func WriteSummary(w io.Writer, r *report.Report) error {
	lines := []string{r.Heading()}
	if r.Part != "" {
		lines = append(lines, r.Part)
	}
	lines = append(lines, r.Headline(), r.RunLine())
	if r.Run != nil && r.Run.Note != "" {
		lines = append(lines, r.Words.Get("coverage.note")+": "+r.Sanitize(r.Run.Note))
	}
	lines = append(lines, "")
	for g := range report.GroupCount {
		word := r.Words.Get("group." + g.String())
		lines = append(lines, strings.TrimRight(tableRow([]column{{width: 16}, {width: 10, right: true}}, false, word, r.Words.Number(r.ByGroup[g])), "\n"))
	}
	lines = append(lines, "", r.Words.Get("summary.changed")+": "+r.ChangedLine())
	lines = append(lines, newsLines(r)...)
	if r.Run != nil && len(r.Run.Outages) > 0 {
		lines = append(lines, r.Words.Get("coverage.outages")+": "+r.Sanitize(strings.Join(r.Run.Outages[:min(8, len(r.Run.Outages))], ", ")))
	}
	lines = append(lines, r.Doubts()...)
	lines = append(lines, r.SourceLines()...)
	if kinds := r.NotReadLine(); kinds != "" {
		lines = append(lines, r.Words.Get("coverage.notread")+": "+kinds)
	}
	lines = append(lines, causeLines(r)...)
	out := bufio.NewWriter(w)
	for _, line := range lines[:min(MaxSummaryLines, len(lines))] {
		out.WriteString(escape.Line(line) + "\n")
	}
	return out.Flush()
}

func newsLines(r *report.Report) []string {
	var lines []string
	for _, row := range news(r) {
		lines = append(lines, "  "+r.Words.Get("change."+string(row.Changed[0]))+": "+words.Shorten(row.URL, 200)+" ("+words.Shorten(r.WhereLine(row), 80)+")")
	}
	if more := r.Changed - len(lines); more > 0 && len(lines) == summaryNews {
		lines = append(lines, "  "+r.Words.Get("summary.more", "n", r.Words.Number(more)))
	}
	return lines
}

// news picks the changed rows of the summary: the first two of every kind of change,
// so that many deaths hide no recovery. The first kinds fill the lines left over.
func news(r *report.Report) (picked []*report.Row) {
	spare := summaryNews
	for _, rows := range r.News {
		spare -= min(len(rows), summaryKind)
	}
	for _, rows := range r.News {
		least := min(len(rows), summaryKind)
		n := min(len(rows), least+spare)
		spare -= n - least
		picked = append(picked, rows[:n]...)
	}
	return picked
}

func causeLines(r *report.Report) []string {
	if len(r.Causes) == 0 {
		return nil
	}
	lines := []string{"", r.Words.Get("dofirst") + ":"}
	for i := range r.Causes[:min(summaryCauses, len(r.Causes))] {
		c := &r.Causes[i]
		lines = append(lines, "  "+r.Words.Count("link", c.Links)+", "+words.Shorten(c.Name(), 100)+": "+stepText(c))
	}
	return lines
}

// stepText is what to do about a cause, with the command for it, which is not shortened.
func stepText(c *report.Cause) string {
	step := words.Shorten(c.Step, 240)
	if c.Command == "" {
		return step
	}
	return step + " [" + c.Command + "]"
}
