package builds

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"linkcheck/report"
	"linkcheck/uri"
)

// maxMarkdown is how many links the table has: code hosts cut a comment that is longer.
const maxMarkdown = 200

// WriteMarkdown writes the sums, the causes and the most urgent links as tables of GitHub's
// Markdown. What others wrote (addresses, names, replies) stands in code spans, in which
// nothing is markup, names nobody and calls no issue.
func WriteMarkdown(w io.Writer, r *report.Report) error {
	out, t := bufio.NewWriter(w), r.Words
	fmt.Fprintf(out, "# %s\n\n%s %s\n\n%s\n", escaped(r.Heading()), escaped(r.Headline()), escaped(r.CauseLine()), escaped(r.RunLine()))
	if r.Part != "" {
		fmt.Fprintf(out, "\n**%s**\n", escaped(r.Part))
	}
	fmt.Fprintf(out, "\n**%s:** %s\n\n", escaped(t.Get("changed")), escaped(r.ChangedLine()))
	var names, sums []string
	for g := range report.GroupCount {
		names = append(names, escaped(t.Get("group."+g.String())))
		sums = append(sums, t.Number(r.ByGroup[g]))
	}
	row(out, names...)
	row(out, strings.Split(strings.Repeat("--:|", len(names)-1)+"--:", "|")...)
	row(out, sums...)
	if len(r.Causes) > 0 {
		fmt.Fprintf(out, "\n## %s\n\n", escaped(t.Get("dofirst")))
		row(out, t.Get("cause"), t.Get("links"), t.Get("records"), t.Get("onestep"))
		row(out, "---", "--:", "--:", "---")
	}
	for i := range r.Causes[:min(20, len(r.Causes))] {
		c := &r.Causes[i]
		row(out, code(c.Name())+" "+escaped(c.Message), t.Number(c.Links), t.Number(c.Records), escaped(c.Step))
	}
	shown := r.Top[:min(maxMarkdown, len(r.Top))]
	fmt.Fprintf(out, "\n## %s\n\n", escaped(t.Get("links")))
	if len(shown) == 0 {
		fmt.Fprintln(out, escaped(t.Get("dofirst.none")))
		return out.Flush()
	}
	row(out, t.Get("col.state"), t.Get("col.link"), t.Get("col.what"), t.Get("col.where"))
	row(out, "---", "---", "---", "---")
	for _, l := range shown {
		row(out, escaped(t.Get("state."+l.Standing.String())), linked(l.URL), escaped(strings.TrimSpace(l.Message+" "+l.Step)), code(r.WhereLine(l)))
	}
	if n := r.Wanted - len(shown); n > 0 {
		fmt.Fprintf(out, "\n%s\n", escaped(t.Get("more", "n", t.Number(n))))
	}
	return out.Flush()
}

func row(out *bufio.Writer, cells ...string) {
	fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
}

// escaped is text in which nothing is markup: not that of CommonMark, nor a line's end, nor
// the names of people and issues that code hosts find in running text.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\r':
			b.WriteByte(' ')
		case r == '@':
			b.WriteString("@<!-- -->")
		case r == '#':
			b.WriteString("\\#<!-- -->")
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case strings.ContainsRune("\\`*_{}[]>!|~$", r):
			b.WriteString("\\" + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// code is text in a code span (CommonMark section 6.1) that may stand in a cell of a table:
// between more backticks than it has itself, and with its bars escaped.
func code(text string) string {
	text = strings.NewReplacer("\n", " ", "\r", " ", "|", "\\|").Replace(text)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// linked is an address as a link, where browsers open it.
func linked(address string) string {
	if !uri.Clickable(address) {
		return code(address)
	}
	target := strings.NewReplacer("\\", "%5C", "<", "%3C", ">", "%3E", "|", "%7C", " ", "%20", "\n", "", "\r", "", "\t", "").Replace(address)
	return "[" + code(address) + "](<" + target + ">)"
}
