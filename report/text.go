package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
)

const (
	textCauses = 12
	textRows   = 50
)

// groupPaint colours a group's word: red, yellow, magenta, cyan, green.
var groupPaint = [groupCount]string{"31", "33", "35", "36", "32"}

// groupSign marks a group by shape, for eyes and terminals without colour.
var groupSign = [groupCount]string{"✗", "→", "?", "~", "✓"}

// WriteText writes the report for a terminal, in Options.Width columns.
func (r *Report) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	width := r.Width
	if width <= 0 {
		width = 80
	}
	t := &textReport{Report: r, out: out, width: max(width, 48)}
	t.head()
	if r.Links > 0 {
		t.groups()
		t.causesTable()
		if len(t.Top) > 0 {
			t.rowsTable()
		}
	}
	return out.Flush()
}

type textReport struct {
	*Report
	out   *bufio.Writer
	width int
}

func (t *textReport) para(text string) {
	for _, line := range wrap(text, t.width) {
		t.out.WriteString(line + "\n")
	}
}

func (t *textReport) heading(key string) {
	t.out.WriteString("\n" + paint(t.words.get(key), "1", t.Color) + "\n")
}

func (t *textReport) head() {
	t.out.WriteString(paint(t.Heading(), "1", t.Color) + "\n")
	t.para(t.Headline())
	t.para(t.RunLine())
	t.heading("changed")
	t.para(t.changedLine())
}

// changedLine says what changed in one line.
func (r *Report) changedLine() string {
	var parts []string
	for _, c := range r.Changes {
		if c.N > 0 {
			parts = append(parts, r.words.number(c.N)+" "+r.words.get("change."+c.Word))
		}
	}
	if len(parts) == 0 {
		return r.words.get("changed.none")
	}
	return strings.Join(parts, " · ")
}

func (t *textReport) groups() {
	t.out.WriteString("\n")
	cols := []column{{width: 16}, {width: 10, right: true}, {width: t.width - 30}}
	for g := range groupCount {
		cols[0].paint = groupPaint[g]
		word := Group(g).String()
		t.out.WriteString(tableRow(cols, t.Color, groupSign[g]+" "+t.words.get("group."+word), t.words.number(t.ByGroup[g]), t.words.get("group."+word+".about")))
	}
}

func (t *textReport) causesTable() {
	t.heading("dofirst")
	if len(t.Causes) == 0 {
		t.para(t.words.get("dofirst.none"))
		return
	}
	links, records := runewidth.StringWidth(t.words.get("links")), runewidth.StringWidth(t.words.get("records"))
	rest := t.width - links - records - 8
	cols := []column{{width: links + 1, right: true}, {width: records + 1, right: true}, {width: rest * 3 / 5}, {width: rest - rest*3/5}}
	t.out.WriteString(tableRow(cols, t.Color, t.words.get("links"), t.words.get("records"), t.words.get("cause"), t.words.get("onestep")))
	for _, c := range t.Causes[:min(textCauses, len(t.Causes))] {
		t.out.WriteString(tableRow(cols, t.Color, t.words.number(c.Links), t.words.number(c.Records), c.name()+": "+c.Message, c.Step))
	}
	if n := len(t.Causes) - textCauses; n > 0 {
		t.para(t.words.get("text.more", "n", t.words.number(n)))
	}
	for _, c := range t.Causes[:min(textCauses, len(t.Causes))] {
		if c.Command != "" { // whole on its line, to be copied
			t.out.WriteString(t.words.get("text.mark", "command", c.Command) + "\n")
		}
	}
}

func (t *textReport) rowsTable() {
	t.heading("links")
	rest := t.width - 14 - 6
	where := min(28, rest/4)
	what := (rest - where) / 2
	cols := []column{{width: 14}, {width: rest - where - what}, {width: what}, {width: where}}
	t.out.WriteString(tableRow(cols, t.Color, t.words.get("col.state"), t.words.get("col.link"), t.words.get("col.what"), t.words.get("col.where")))
	for i := range t.Top[:min(textRows, len(t.Top))] {
		row := &t.Top[i]
		cols[0].paint = groupPaint[row.Group]
		happened := row.Message + " → " + row.Step
		if said := row.said(); said != "" {
			happened += " [" + said + "]"
		}
		t.out.WriteString(tableRow(cols, t.Color, groupSign[row.Group]+" "+t.words.get("state."+row.State.String()), shorten(row.URL, longURL), happened, t.placeWord(row)))
	}
	shown := min(textRows, len(t.Top))
	if n := t.listed() - shown; n > 0 {
		t.para(t.words.get("text.more", "n", t.words.number(n)))
	}
}

// listed is how many links the list of links would hold in full.
func (r *Report) listed() int {
	if len(r.rows) > 0 {
		return len(r.Top)
	}
	return r.NeedYou
}

// placeWord says where a link stands: its first place, and how many more.
func (r *Report) placeWord(row *Row) string {
	m := row.first()
	first := strings.TrimSpace(r.clean(nearName(m)) + " " + r.clean(locator(m)))
	if row.N > 1 {
		first += " +" + r.words.number(row.N-1)
	}
	return first
}
