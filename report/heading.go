package report

import (
	"html/template"
	"strconv"
	"strings"
	"time"
)

// maxNamed is how many collections a title names.
const maxNamed = 3

// Heading is the title: as asked for, or the collections, or a plain word.
func (r *Report) Heading() string {
	switch {
	case r.Title != "":
		return r.clean(r.Title)
	case len(r.Collections) > 0:
		return r.clean(strings.Join(r.Collections, ", "))
	case len(r.named) > 0 && len(r.named) <= maxNamed:
		return r.clean(strings.Join(r.named, ", "))
	}
	return r.words.get("title")
}

// Headline is the sentence that says it all.
func (r *Report) Headline() string { return r.headline(func(s string) string { return s }) }

// HeadlineHTML is Headline with its figures in bold.
func (r *Report) HeadlineHTML() template.HTML {
	return template.HTML(r.headline(func(s string) string { return "<strong>" + template.HTMLEscapeString(s) + "</strong>" }))
}

func (r *Report) headline(mark func(string) string) string {
	w := r.words
	if r.Links == 0 {
		return w.get("headline.empty")
	}
	args := []string{"links", mark(w.count("link", r.Links)), "records", mark(w.count("record", r.Records)), "need", mark(w.count("need", r.NeedYou))}
	if r.NeedYou == 0 {
		return w.get("headline.good", args...)
	}
	return w.get("headline", args...)
}

// CauseLine says how few causes explain most of the trouble; "" if that is not so.
func (r *Report) CauseLine() string {
	causes, percent := r.Half()
	if causes == 0 || r.NeedYou < 10 || causes > 20 {
		return ""
	}
	return r.words.count("headline.causes", causes, "percent", strconv.Itoa(percent))
}

// RunLine says which run is reported and what it is compared with.
func (r *Report) RunLine() string {
	w := r.words
	if r.Run == nil {
		return w.get("run.none")
	}
	id, begun := strconv.FormatUint(r.Run.ID, 10), clock(r.Run.Started)
	parts := []string{w.get("run.open", "run", id, "begun", begun)}
	if !r.Run.Ended.IsZero() {
		ended := r.Run.Ended.UTC().Format("15:04")
		if r.Run.Ended.UTC().YearDay() != r.Run.Started.UTC().YearDay() {
			ended = clock(r.Run.Ended)
		}
		parts[0] = w.get("run.line", "run", id, "begun", begun, "ended", ended)
	}
	if r.Prev != nil {
		parts = append(parts, w.get("run.compared", "prev", strconv.FormatUint(r.Prev.ID, 10)))
	}
	if _, err := strconv.Atoi(r.Since); r.Since != "" && (err != nil || r.Prev == nil) {
		parts = append(parts, w.get("run.since", "since", r.Since))
	}
	parts = append(parts, w.get("run.checked", "n", w.number(r.Run.Checked)))
	if r.StorePath != "" {
		parts = append(parts, w.get("store", "path", r.clean(r.StorePath)))
	}
	return strings.Join(parts, " · ")
}

// clock gives a time to the minute, in UTC.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
