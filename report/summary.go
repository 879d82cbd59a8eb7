package report

import (
	"bufio"
	"io"
	"strings"
)

// MaxSummaryLines bounds the mail of a night (OUTCOMES.md section 2.2).
const MaxSummaryLines = 40

const (
	summaryCauses = 8
	summaryNews   = 16
	summaryKind   = 2 // of each kind of change at least
)

// WriteSummary writes at most MaxSummaryLines of plain text for a mail: the
// figures, the news with their places, and what to do first.
func (r *Report) WriteSummary(w io.Writer) error {
	lines := []string{r.Heading(), r.Headline(), r.RunLine()}
	if r.Run != nil && r.Run.Note != "" {
		lines = append(lines, r.words.get("coverage.note")+": "+r.clean(r.Run.Note))
	}
	lines = append(lines, "")
	for g := range groupCount {
		word := r.words.get("group." + Group(g).String())
		lines = append(lines, tail(tableRow([]column{{width: 16}, {width: 10, right: true}}, false, word, r.words.number(r.ByGroup[g]))))
	}
	lines = append(lines, "", r.words.get("summary.changed")+": "+r.changedLine())
	lines = append(lines, r.newsLines()...)
	if r.Run != nil && len(r.Run.Outages) > 0 {
		lines = append(lines, r.words.get("coverage.outages")+": "+r.clean(strings.Join(firstN(r.Run.Outages, 8), ", ")))
	}
	if kinds := r.notRead(); kinds != "" {
		lines = append(lines, r.words.get("coverage.notread")+": "+kinds)
	}
	lines = append(lines, r.causeLines()...)
	out := bufio.NewWriter(w)
	for _, line := range firstN(lines, MaxSummaryLines) {
		out.WriteString(line + "\n")
	}
	return out.Flush()
}

func (r *Report) newsLines() []string {
	var lines []string
	for _, row := range r.news() {
		lines = append(lines, "  "+r.words.get("change."+string(row.Changed[0]))+": "+shorten(row.URL, 200)+" ("+shorten(r.placeWord(row), 80)+")")
	}
	if more := r.Changed - len(lines); more > 0 && len(lines) == summaryNews {
		lines = append(lines, "  "+r.words.get("summary.more", "n", r.words.number(more)))
	}
	return lines
}

// news picks the changed rows of the summary: the first two of every kind of
// change, so that many deaths hide no recovery; then room goes to the first kinds.
func (r *Report) news() (picked []*Row) {
	room := summaryNews
	for _, rows := range r.News {
		room -= min(len(rows), summaryKind)
	}
	for _, rows := range r.News {
		least := min(len(rows), summaryKind)
		n := min(len(rows), least+room)
		room -= n - least
		for i := range n {
			picked = append(picked, &rows[i])
		}
	}
	return picked
}

func (r *Report) causeLines() []string {
	if len(r.Causes) == 0 {
		return nil
	}
	lines := []string{"", r.words.get("dofirst") + ":"}
	for i := range r.Causes[:min(summaryCauses, len(r.Causes))] {
		c := &r.Causes[i]
		lines = append(lines, "  "+r.words.count("link", c.Links)+", "+shorten(c.name(), 100)+": "+c.stepText())
	}
	return lines
}

func tail(s string) string { return strings.TrimRight(s, "\n") }

func firstN[T any](list []T, n int) []T { return list[:min(n, len(list))] }

// shorten cuts text to at most n bytes at a rune, with an ellipsis.
func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	cut := 0
	for i := range text {
		if i > n {
			break
		}
		cut = i
	}
	return text[:cut] + "…"
}
