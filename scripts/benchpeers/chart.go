package main

import (
	"fmt"
	"html"
	"strings"
)

// bar is a row of a chart: parts that follow each other, and what stands behind them.
type bar struct {
	name  string
	parts [3]float64 // right, open and wrong; or the first alone
	label string
}

// chart draws bars as SVG, light or dark as its reader prefers. Parts differ in lightness, so that
// they can be told without colours; the table beside it has the same figures.
func chart(title, legend string, bars []bar) string {
	const left, width, row = 170, 420, 26
	longest := 0.0
	for _, b := range bars {
		longest = max(longest, b.parts[0]+b.parts[1]+b.parts[2])
	}
	height := 64 + row*len(bars)
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 %d" width="800" height="%d" role="img" aria-label="%s">
<style>
text { font: 13px system-ui, sans-serif; fill: #1c1e21 } .quiet { fill: #565b62 } .ground { fill: #fff }
.right { fill: #2a6f9e } .open { fill: #b9c3cc } .wrong { fill: #b3261e }
@media (prefers-color-scheme: dark) { text { fill: #e4e6e9 } .quiet { fill: #a3a9b1 } .ground { fill: #16181b } .right { fill: #6fb1dd } .open { fill: #4b545c } .wrong { fill: #ef8a80 } }
</style>
<rect class="ground" width="800" height="%d"/>
<text x="12" y="22" font-weight="700">%s</text>
<text x="12" y="42" class="quiet">%s</text>
`, height, height, html.EscapeString(title), height, html.EscapeString(title), html.EscapeString(legend))
	for i, b := range bars {
		y, x := 56+row*i, float64(left)
		fmt.Fprintf(&s, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", left-8, y+14, html.EscapeString(b.name))
		for k, class := range []string{"right", "open", "wrong"} {
			if b.parts[k] == 0 || longest == 0 {
				continue
			}
			w := max(1, b.parts[k]/longest*width)
			fmt.Fprintf(&s, "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"18\"/>\n", class, x, y, w)
			x += w
		}
		fmt.Fprintf(&s, "<text x=\"%.1f\" y=\"%d\" class=\"quiet\">%s</text>\n", x+8, y+14, html.EscapeString(b.label))
	}
	s.WriteString("</svg>\n")
	return s.String()
}
