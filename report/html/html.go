package html

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"time"

	"linkcheck/judge"
	"linkcheck/report"
)

var (
	//go:embed assets/page.html
	pageTemplate string
	//go:embed assets/report.js
	script string
	//go:embed assets/owners.html
	ownersTemplate string
	//go:embed assets/lint.html
	lintTemplate string
	//go:embed assets/early.js
	earlyScript string
	// Stylesheet is the style of the page, for pages that link to it.
	//go:embed assets/report.css
	Stylesheet string
)

// Write writes one file that loads nothing from the network: the sums and the first
// 1,000 rows that need a person as plain HTML, all links as data that its script
// shows 200 at a time (OUTCOMES.md sections 2.1 and 2.3).
func Write(ctx context.Context, w io.Writer, r *report.Report) error {
	out := bufio.NewWriterSize(w, 1<<16)
	t, err := Template(r.Scope)
	if err != nil {
		return err
	}
	p, err := newPage(ctx, r)
	if err != nil {
		return err
	}
	if err := t.ExecuteTemplate(out, "top", p); err != nil {
		return fmt.Errorf("report: write page: %w", err)
	}
	if err := writeData(ctx, out, r); err != nil {
		return err
	}
	if err := t.ExecuteTemplate(out, "bottom", p); err != nil {
		return fmt.Errorf("report: write page: %w", err)
	}
	return out.Flush()
}

// Template reads the template of the page, with the words of a scope bound to it.
func Template(s *report.Scope) (*template.Template, error) {
	w := s.Words
	t, err := template.New("page").Funcs(template.FuncMap{
		"t":           w.Get,
		"tn":          func(key string, n int) string { return w.Get(key, "n", w.Number(n)) },
		"n":           w.Number,
		"count":       w.Count,
		"day":         w.Day,
		"iso":         func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"icon":        icon,
		"state":       func(s report.Standing) template.HTML { return stateHTML(w, s) },
		"pastState":   func(s judge.State) template.HTML { return stateHTML(w, report.Standing(s)) },
		"link":        linkHTML,
		"href":        href,
		"breakable":   breakable,
		"command":     commandHTML,
		"changeGroup": changeGroup,
	}).Parse(pageTemplate + ownersTemplate + lintTemplate)
	if err != nil {
		return nil, fmt.Errorf("report: page template: %w", err)
	}
	return t, nil
}
