package text

import (
	"strings"

	"github.com/mattn/go-runewidth"

	"linkcheck/internal/escape"
)

// wrap breaks text into lines of at most width cells: between words where it
// can, inside a long word (an address) where it must. Nothing is cut off; what would act
// on the terminal is escaped, since a coloured report goes to it as it is.
func wrap(text string, width int) []string {
	width = max(width, 4)
	var lines []string
	line := ""
	for _, w := range strings.Fields(text) {
		w = escape.Line(w)
		if line != "" && runewidth.StringWidth(line+" "+w) <= width {
			line += " " + w
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for runewidth.StringWidth(w) > width {
			head := headOf(w, width)
			lines = append(lines, head)
			w = w[len(head):]
		}
		line = w
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// headOf cuts the part of a long word that fits into a line: an address behind one
// of its marks, if that leaves no more than half of the line empty.
func headOf(word string, width int) string {
	head := runewidth.Truncate(word, width, "")
	if head == "" { // one letter wider than the line
		return word[:len(string([]rune(word)[:1]))]
	}
	if i := strings.LastIndexAny(head, "/?&=;.-") + 1; runewidth.StringWidth(head[:i]) > width/2 {
		return head[:i]
	}
	return head
}

// column is one column of a terminal table.
type column struct {
	width int
	right bool
	paint string // SGR code, "" for none
}

// tableRow sets cells side by side, each wrapped in its column.
func tableRow(cols []column, color bool, cells ...string) string {
	wrapped := make([][]string, len(cells))
	height := 1
	for i, c := range cells {
		wrapped[i] = wrap(c, cols[i].width)
		height = max(height, len(wrapped[i]))
	}
	var b strings.Builder
	for y := range height {
		var line strings.Builder
		for i, c := range cols[:len(cells)] {
			text := ""
			if y < len(wrapped[i]) {
				text = wrapped[i][y]
			}
			gap := strings.Repeat(" ", max(0, c.width-runewidth.StringWidth(text)))
			text = paint(text, c.paint, color)
			if c.right {
				text, gap = gap+text, ""
			}
			line.WriteString(text + gap)
			if i < len(cells)-1 {
				line.WriteString("  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// paint colours text with an SGR code, if colour is wanted.
func paint(text, code string, color bool) string {
	if !color || code == "" || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + escape.Line(text) + "\x1b[0m"
}
