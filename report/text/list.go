package text

import (
	"bufio"
	"io"
	"strings"

	"linkcheck/internal/escape"
	"linkcheck/report"
	"linkcheck/report/words"
)

// maxListed is how many links a list in a mail has.
const maxListed = 100

// WriteList writes the links that need a person, for a mail: where each stands, what happened
// and what to do.
func WriteList(w io.Writer, r *report.Report) error {
	if len(r.Top) == 0 {
		return nil
	}
	out := bufio.NewWriter(w)
	line := func(text string) { out.WriteString(strings.TrimRight(escape.Line(text), " ") + "\n") }
	line("")
	for _, row := range r.Top[:min(maxListed, len(r.Top))] {
		line(r.Words.Get("group."+row.Group.String()) + ": " + words.Shorten(row.URL, 300))
		m := row.First()
		line("    " + words.Shorten(r.WhereLine(row), 120) + "  " + words.Shorten(r.Sanitize(m.Title), 120))
		line("    " + words.Shorten(row.Message, 240) + " " + words.Shorten(row.Step, 240))
		if row.Suggested != "" {
			line("    " + words.Shorten(row.Suggested, 300))
		}
	}
	if more := r.NeedYou - maxListed; more > 0 {
		line(r.Words.Get("more", "n", r.Words.Number(more)))
	}
	return out.Flush()
}
