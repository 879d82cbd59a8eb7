package html

import (
	"cmp"
	"html/template"
	"strings"

	"linkcheck/report"
)

// icon draws one of the page's symbols.
func icon(name string) template.HTML {
	return template.HTML(`<svg class="i" aria-hidden="true"><use href="#i-` + template.HTMLEscapeString(name) + `"/></svg>`)
}

// longURL is how many bytes of an address are shown before a reader asks for all.
const longURL = 300

// linkHTML shows an address. Only those that every browser can open become links.
func linkHTML(url string) template.HTML {
	text, class := breakable(url), template.HTML("url")
	if len(url) > longURL {
		class = "url long"
	}
	if !report.Clickable(url) {
		return `<bdi class="` + class + `">` + text + `</bdi>`
	}
	return `<a class="` + class + `" href="` + template.HTML(template.HTMLEscapeString(url)) + `" rel="noreferrer noopener"><bdi>` + text + `</bdi></a>`
}

// commandHTML keeps the reason that a command asks for on one line.
func commandHTML(command string) template.HTML {
	before, after, ok := strings.Cut(command, " --why")
	text := template.HTMLEscapeString(before)
	if ok {
		text += ` <span class="nb">--why` + template.HTMLEscapeString(after) + `</span>`
	}
	return template.HTML(text)
}

// breakable lets an address break behind its slashes and the like before it
// breaks anywhere.
func breakable(url string) template.HTML {
	const marks = "/?&=;"
	var b strings.Builder
	from := 0
	for i := 1; i < len(url); i++ {
		if strings.IndexByte(marks, url[i-1]) >= 0 && strings.IndexByte(marks, url[i]) < 0 {
			b.WriteString(template.HTMLEscapeString(url[from:i]) + "<wbr>")
			from = i
		}
	}
	return template.HTML(b.String() + template.HTMLEscapeString(url[from:]))
}

// changeGroup gives the group in whose colour a change is shown.
func changeGroup(change string) string {
	groups := map[string]string{"newly-dead": "fix", "recovered": "fine", "newly-moved": "update", "newly-suspect": "check"}
	return cmp.Or(groups[change], "wait")
}

// StateIcon gives the icon of a state: shape tells it where colour cannot.
func StateIcon(state string) string { return cmp.Or(stateIcons[state], "fine") }

var stateIcons = map[string]string{"invalid": "pen", "restricted": "lock", "undetermined": "ask", "not-checkable": "none", "ignored": "none",
	"suspect": "check", "moved": "update", "failing": "wait", "new": "wait", "dead": "fix", "pinned-dead": "fix"}
