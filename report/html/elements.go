package html

import (
	"cmp"
	"html/template"
	"strings"

	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/words"
	"linkcheck/uri"
)

// Facts are names with values: a name is the key of its words.
type Facts []struct{ Key, Value string }

// Add appends a fact, unless its value is "".
func (f *Facts) Add(key, value string) {
	if value != "" {
		*f = append(*f, struct{ Key, Value string }{key, value})
	}
}

// icon draws one of the page's symbols.
func icon(name string) template.HTML {
	return template.HTML(`<svg class="i" aria-hidden="true"><use href="#i-` + template.HTMLEscapeString(name) + `"/></svg>`)
}

// longURL is the length in bytes from which the style folds an address.
const longURL = 300

// linkHTML shows an address. Only those that every browser can open become links.
func linkHTML(url string) template.HTML {
	text, class := breakable(url), template.HTML("url")
	if len(url) > longURL {
		class = "url long"
	}
	if !uri.Clickable(url) {
		return `<bdi class="` + class + `">` + text + `</bdi>`
	}
	return `<a class="` + class + `" href="` + template.HTML(template.HTMLEscapeString(url)) + `" rel="noreferrer noopener"><bdi>` + text + `</bdi></a>`
}

// href is an address for a link. The template checks those that it knows, and ftp is none
// of them.
func href(address string) any {
	if uri.Clickable(address) {
		return template.URL(address)
	}
	return address
}

// commandHTML shows a command; its --why and what follows stay on one line.
func commandHTML(command string) template.HTML {
	before, after, ok := strings.Cut(command, " --why")
	text := template.HTMLEscapeString(before)
	if ok {
		text += ` <span class="nb">--why` + template.HTMLEscapeString(after) + `</span>`
	}
	return template.HTML(text)
}

// breakable shows text so that a browser breaks its line after / ? & = or ; first.
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
	groups := map[string]string{"newly-dead": "fix", "recovered": "fine", "newly-moved": "update", "newly-suspect": "check", "newly-drifted": "check"}
	return cmp.Or(groups[change], "wait")
}

// stateHTML shows a state by its word, with an icon for readers who see no colours.
func stateHTML(w *words.Catalogue, s report.Standing) template.HTML {
	return `<span class="state g-` + template.HTML(s.Group().String()) + `">` + icon(stateIcon(s)) +
		template.HTML(template.HTMLEscapeString(w.Get("state."+s.String()))) + `</span>`
}

// stateIcon is the icon of a state's group, or one of its own.
func stateIcon(s report.Standing) string {
	return cmp.Or(stateIcons[judge.State(s)], s.Group().String())
}

var stateIcons = map[judge.State]string{judge.Invalid: "pen", judge.Restricted: "lock", judge.Undetermined: "ask", judge.NotCheckable: "none",
	judge.Ignored: "none", judge.PinnedDead: "fix"}
