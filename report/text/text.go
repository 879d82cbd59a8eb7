package text

import (
	"bufio"
	"cmp"
	"io"
	"slices"

	"github.com/mattn/go-runewidth"

	"linkcheck/internal/escape"
	"linkcheck/report"
	"linkcheck/report/words"
)

const (
	textCauses = 12
	textRows   = 50
	maxURL     = 300 // bytes of an address
)

// groupPaint colours a group's word: red, yellow, magenta, cyan, green.
var groupPaint = [report.GroupCount]string{"31", "33", "35", "36", "32"}

// groupSign marks a group by shape, for eyes and terminals without colour.
var groupSign = [report.GroupCount]string{"✗", "→", "?", "~", "✓"}

// Write writes the report for a terminal, in Options.Width columns.
func Write(w io.Writer, r *report.Report) error {
	out := bufio.NewWriter(w)
	width := cmp.Or(max(r.Width, 0), 80)
	t := &textReport{Report: r, out: out, width: max(width, 48)}
	t.head()
	if r.Links > 0 {
		t.groups()
		t.causesTable()
		if len(t.Top) > 0 {
			t.rowsTable()
		}
	}
	if len(t.RootRows) > 0 {
		t.rootsTable()
	}
	return out.Flush()
}

type textReport struct {
	*report.Report
	out   *bufio.Writer
	width int
}

func (t *textReport) para(text string) {
	for _, line := range wrap(text, t.width) {
		t.out.WriteString(line + "\n")
	}
}

func (t *textReport) heading(key string) {
	t.out.WriteString("\n" + paint(t.Words.Get(key), "1", t.Color) + "\n")
}

func (t *textReport) head() {
	t.out.WriteString(paint(escape.Line(t.Heading()), "1", t.Color) + "\n")
	if t.Part != "" {
		t.para(t.Part)
	}
	t.para(t.Headline())
	t.para(t.RunLine())
	t.heading("changed")
	t.para(t.ChangedLine())
	for _, line := range slices.Concat(t.Doubts(), t.SourceLines()) {
		t.para(line)
	}
}

func (t *textReport) groups() {
	t.out.WriteString("\n")
	cols := []column{{width: 16}, {width: 10, right: true}, {width: t.width - 30}}
	for g := range report.GroupCount {
		cols[0].paint = groupPaint[g]
		word := g.String()
		t.out.WriteString(tableRow(cols, t.Color, groupSign[g]+" "+t.Words.Get("group."+word), t.Words.Number(t.ByGroup[g]), t.Words.Get("group."+word+".about")))
	}
}

func (t *textReport) causesTable() {
	t.heading("dofirst")
	if len(t.Causes) == 0 {
		t.para(t.Words.Get("dofirst.none"))
		return
	}
	links, records := runewidth.StringWidth(t.Words.Get("links")), runewidth.StringWidth(t.Words.Get("records"))
	left := t.width - links - records - 8
	cols := []column{{width: links + 1, right: true}, {width: records + 1, right: true}, {width: left * 3 / 5}, {width: left - left*3/5}}
	t.out.WriteString(tableRow(cols, t.Color, t.Words.Get("links"), t.Words.Get("records"), t.Words.Get("cause"), t.Words.Get("onestep")))
	for _, c := range t.Causes[:min(textCauses, len(t.Causes))] {
		t.out.WriteString(tableRow(cols, t.Color, t.Words.Number(c.Links), t.Words.Number(c.Records), c.Name()+": "+c.Message, c.Step))
	}
	if n := len(t.Causes) - textCauses; n > 0 {
		t.para(t.Words.Get("text.more", "n", t.Words.Number(n)))
	}
	for _, c := range t.Causes[:min(textCauses, len(t.Causes))] {
		if c.Command != "" { // whole on its line, to be copied
			t.out.WriteString(escape.Line(t.Words.Get("text.mark", "command", c.Command)) + "\n")
		}
	}
}

func (t *textReport) rowsTable() {
	t.heading("links")
	left := t.width - 14 - 6
	where := min(28, left/4)
	what := (left - where) / 2
	cols := []column{{width: 14}, {width: left - where - what}, {width: what}, {width: where}}
	t.out.WriteString(tableRow(cols, t.Color, t.Words.Get("col.state"), t.Words.Get("col.link"), t.Words.Get("col.what"), t.Words.Get("col.where")))
	for _, row := range t.Top[:min(textRows, len(t.Top))] {
		cols[0].paint = groupPaint[row.Group]
		happened := row.Message + " → " + row.Step
		if reply := row.ServerReply(); reply != "" {
			happened += " [" + reply + "]"
		}
		t.out.WriteString(tableRow(cols, t.Color, groupSign[row.Group]+" "+t.Words.Get("state."+row.Standing.String()), words.Shorten(row.URL, maxURL), happened, t.WhereLine(row)))
	}
	if n := t.Wanted - textRows; n > 0 {
		t.para(t.Words.Get("text.more", "n", t.Words.Number(n)))
	}
}

// rootsTable lists the archives below those who mend their links; those of nobody come last.
func (t *textReport) rootsTable() {
	t.heading("sources")
	const last = "\U0010ffff"
	rows := slices.Clone(t.RootRows)
	slices.SortStableFunc(rows, func(x, y report.RootRow) int { return cmp.Compare(cmp.Or(x.Owner, last), cmp.Or(y.Owner, last)) })
	cols, heads := make([]column, 5), make([]string, 5)
	left := t.width - 8
	for i, key := range []string{"source", "documents", "links", "dead", "standing"} {
		heads[i] = t.Words.Get(key)
		if 0 < i && i < 4 {
			cols[i] = column{width: max(7, runewidth.StringWidth(heads[i])), right: true}
			left -= cols[i].width
		}
	}
	cols[0].width, cols[4].width = left*2/5, left-left*2/5
	t.out.WriteString(tableRow(cols, t.Color, heads...))
	for i, r := range rows[:min(textRows, len(rows))] {
		if owner := cmp.Or(r.Owner, t.Words.Get("root.unowned")); rows[0].Owner != "" && (i == 0 || rows[i-1].Owner != r.Owner) {
			t.out.WriteString(paint(words.Shorten(escape.Line(owner), t.width), "1", t.Color) + "\n")
		}
		t.out.WriteString(tableRow(cols, t.Color, r.Name, t.Words.Number(r.Documents), t.Words.Number(r.Links), t.Words.Number(r.Dead), r.Sentence))
	}
	if n := len(rows) - textRows; n > 0 {
		t.para(t.Words.Get("root.more", "n", t.Words.Number(n)))
	}
}
