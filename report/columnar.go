package report

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// wrap breaks text into lines of at most width cells: between words where it
// can, inside a long word (an address) where it must. Nothing is cut off.
func wrap(text string, width int) []string {
	width = max(width, 4)
	var lines []string
	line, used := "", 0
	flush := func() { lines, line, used = append(lines, line), "", 0 }
	for _, w := range strings.Fields(text) {
		n := runewidth.StringWidth(w)
		if used > 0 && used+1+n > width {
			flush()
		}
		for n > width {
			head := runewidth.Truncate(w, width, "")
			if head == "" {
				head = w[:len(string([]rune(w)[:1]))]
			}
			line = head
			flush()
			w = w[len(head):]
			n = runewidth.StringWidth(w)
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+w, used+n
	}
	if used > 0 || len(lines) == 0 {
		flush()
	}
	return lines
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
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
