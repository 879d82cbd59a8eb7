package html

import (
	"strings"

	"linkcheck/report"
)

// coverage says what the report does not know.
func coverage(r *report.Report) []Fact {
	w := r.Words
	facts := []Fact{{w.Get("coverage.checked"), w.Number(r.Links-r.Never) + " / " + w.Number(r.Links)}}
	if r.Never > 0 {
		facts = append(facts, Fact{w.Get("coverage.never"), w.Number(r.Never)})
	}
	for _, c := range r.Skipped {
		facts = append(facts, Fact{w.Get("coverage.skipped"), c.Word + ": " + w.Number(c.N)})
	}
	if kinds := r.NotReadLine(); kinds != "" {
		facts = append(facts, Fact{w.Get("coverage.notread"), kinds})
	}
	if r.Oldest != nil {
		facts = append(facts, Fact{w.Get("coverage.oldest"), w.Day(r.Oldest.Last.At) + ": " + r.Oldest.URL})
	}
	if r.Run != nil {
		out := w.Get("coverage.outages.none")
		if len(r.Run.Outages) > 0 {
			out = r.Sanitize(strings.Join(r.Run.Outages, ", "))
		}
		facts = append(facts, Fact{w.Get("coverage.outages"), out})
		if r.Run.Note != "" {
			facts = append(facts, Fact{w.Get("coverage.note"), r.Sanitize(r.Run.Note)})
		}
	}
	for _, s := range r.Settings {
		facts = append(facts, Fact{w.Get("coverage.settings"), r.Sanitize(s)})
	}
	if left := leftOut(r); left != "" {
		facts = append(facts, Fact{w.Get("links"), left})
	}
	if r.Options.Version != "" {
		facts = append(facts, Fact{w.Get("coverage.version"), r.Sanitize(r.Options.Version)})
	}
	return append(facts, Fact{w.Get("places"), w.Number(r.Mentions) + ". " + w.Get("coverage.retired")})
}

// leftOut says how many links the page leaves to linkcheck serve.
func leftOut(r *report.Report) string {
	links, fine := r.LeftOut()
	if links == 0 {
		return ""
	}
	key := "coverage.left.any"
	if links == fine {
		key = "coverage.left"
	}
	return r.Words.Get(key, "n", r.Words.Number(links))
}
