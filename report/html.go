package report

import (
	"bufio"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
	"unicode"
)

//go:embed assets
var assets embed.FS

// WriteHTML writes one file that asks the network for nothing: the sums and the
// first 1,000 rows that need a hand as plain HTML, all links as data that its
// script shows 200 at a time (OUTCOMES.md sections 2.1 and 2.3).
func (r *Report) WriteHTML(ctx context.Context, w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	t, err := r.template()
	if err != nil {
		return err
	}
	p, err := r.page(ctx)
	if err != nil {
		return err
	}
	if err := t.ExecuteTemplate(out, "top", p); err != nil {
		return fmt.Errorf("report: write page: %w", err)
	}
	if err := r.writeIsland(ctx, out); err != nil {
		return err
	}
	if err := t.ExecuteTemplate(out, "bottom", p); err != nil {
		return fmt.Errorf("report: write page: %w", err)
	}
	return out.Flush()
}

// template reads the page's template with the words bound to it.
func (s *scope) template() (*template.Template, error) {
	t, err := template.New("page").Funcs(template.FuncMap{
		"t":           s.words.get,
		"tn":          func(key string, n int) string { return s.words.get(key, "n", s.words.number(n)) },
		"n":           s.words.number,
		"num":         s.words.number,
		"count":       s.words.count,
		"day":         s.words.day,
		"iso":         func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"icon":        icon,
		"link":        linkHTML,
		"breakable":   breakable,
		"where":       places,
		"command":     commandHTML,
		"changeGroup": changeGroup,
	}).ParseFS(assets, "assets/*.html")
	if err != nil {
		return nil, fmt.Errorf("report: page template: %w", err)
	}
	return t, nil
}

// asset reads a file of ours and gives its element and its CSP source: the
// browser runs exactly these bytes and nothing else.
func asset(name, element string) (template.HTML, string, error) {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		return "", "", fmt.Errorf("report: %w", err)
	}
	text := "\n" + strings.TrimSpace(string(data)) + "\n"
	sum := sha256.Sum256([]byte(text))
	return template.HTML("<" + element + ">" + text + "</" + element + ">"), "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'", nil
}

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
	if !clickable(url) {
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

// clickable reports whether an address is http, https or ftp, and whole.
func clickable(url string) bool {
	if strings.ContainsAny(url, "<>\"\ufffd") || strings.IndexFunc(url, unicode.IsSpace) >= 0 {
		return false
	}
	scheme, _, _ := strings.Cut(url, "://")
	switch strings.ToLower(scheme) {
	case "http", "https", "ftp":
		return true
	}
	return false
}

// changeGroup gives the group in whose colour a change is shown.
func changeGroup(change string) string {
	switch change {
	case "newly-dead":
		return "fix"
	case "recovered":
		return "fine"
	case "newly-moved":
		return "update"
	case "newly-suspect":
		return "check"
	}
	return "wait"
}
