package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
)

// maxNamed is how many collections a title names.
const maxNamed = 3

// Heading is Options.Title, or else whom or what the report was narrowed to, or else the
// names of the collections, or else a plain word.
func (r *Report) Heading() string {
	names := func(list []string) string { return strings.Join(list, ", ") }
	heading := cmp.Or(r.Title, names(r.Owners), names(r.RootNames), names(r.Collections))
	if heading == "" && len(r.collections) <= maxNamed {
		heading = names(r.collections)
	}
	return cmp.Or(r.Sanitize(heading), r.Words.Get("title"))
}

// Headline says how many links there are and how many need a person.
func (r *Report) Headline() string {
	return r.MarkedHeadline(func(figure string) string { return figure })
}

// MarkedHeadline is Headline with its figures passed through mark.
func (r *Report) MarkedHeadline(mark func(figure string) string) string {
	w := r.Words
	if r.Links == 0 {
		return w.Get("headline.empty")
	}
	args := []string{"links", mark(w.Count("link", r.Links)), "records", mark(w.Count("record", r.Records)), "need", mark(w.Count("need", r.NeedYou))}
	switch {
	case len(r.Only) > 0: // who chose links by what they need knows that
		return w.Get("headline.part", args...)
	case r.NeedYou == 0:
		return w.Get("headline.good", args...)
	}
	return w.Get("headline", args...)
}

// setPart says of which part of the store the report is.
func (r *Report) setPart() {
	w, parts := r.Words, []string(nil)
	if r.Wanted = r.NeedYou; r.narrowed() {
		r.Wanted = 0
		for _, n := range r.page.wanted {
			r.Wanted += n
		}
	}
	r.Partial = len(r.Only)+len(r.Collections) > 0
	if places := cmp.Or(strings.Join(slices.Concat(r.Owners, r.RootNames), ", "), strings.Join(r.Collections, ", ")); places != "" {
		parts = append(parts, w.Get("part.places", "places", r.Sanitize(places)))
	}
	if len(r.Only) > 0 {
		parts = append(parts, w.Get("part.only", "links", w.Count("link", r.Links), "of", w.Number(r.Of), "words", r.onlyWords()))
	} else if r.narrowed() {
		parts = append(parts, w.Get("part.since", "links", w.Count("link", r.Wanted), "of", w.Number(r.Of)))
	}
	r.Part = strings.Join(parts, " ")
}

// onlyWords are the words of Options.Only as the report has them.
func (r *Report) onlyWords() string {
	list := slices.Clone(r.Only)
	for i, word := range list {
		for _, kind := range []string{"part.", "state.", "change."} {
			if key := kind + word; r.Words.Text(key) != "" {
				list[i] = r.Words.Get(key)
				break
			}
		}
	}
	return strings.Join(list, ", ")
}

// CauseLine says that at most 20 causes explain half of the trouble; "" if that is
// not so, or if fewer than ten links need a person.
func (r *Report) CauseLine() string {
	sum := 0
	for i := range r.Causes[:min(20, len(r.Causes))] {
		if sum += r.Causes[i].Links; sum*2 >= r.NeedYou && sum > 1 && r.NeedYou >= 10 {
			return r.Words.Count("headline.causes", i+1, "percent", strconv.Itoa(min(100, sum*100/r.NeedYou)))
		}
	}
	return ""
}

// RunLine says which run is reported and what it is compared with.
func (r *Report) RunLine() string {
	w := r.Words
	if r.Run == nil {
		return w.Get("run.none")
	}
	id, begun := strconv.FormatUint(r.Run.ID, 10), clock(r.Run.Started)
	parts := []string{w.Get("run.open", "run", id, "begun", begun)}
	if !r.Run.Ended.IsZero() {
		ended := r.Run.Ended.UTC().Format("15:04")
		if r.Run.Ended.UTC().YearDay() != r.Run.Started.UTC().YearDay() {
			ended = clock(r.Run.Ended)
		}
		parts[0] = w.Get("run.line", "run", id, "begun", begun, "ended", ended)
	}
	if r.Prev != nil {
		parts = append(parts, w.Get("run.compared", "prev", strconv.FormatUint(r.Prev.ID, 10)))
	}
	if _, err := strconv.Atoi(r.Since); r.Since != "" && (err != nil || r.Prev == nil) {
		parts = append(parts, w.Get("run.since", "since", r.Since))
	}
	parts = append(parts, w.Get("run.checked", "n", w.Number(r.Run.Checked)))
	if r.StorePath != "" {
		parts = append(parts, w.Get("store", "path", r.Sanitize(r.StorePath)))
	}
	return strings.Join(parts, " · ")
}

// ChangedLine says what changed in one line.
func (r *Report) ChangedLine() string {
	var parts []string
	for _, c := range r.Changes {
		if c.N > 0 {
			parts = append(parts, r.Words.Number(c.N)+" "+r.Words.Get("change."+c.Word))
		}
	}
	return cmp.Or(strings.Join(parts, " · "), r.Words.Get("changed.none"))
}

// Doubts are sentences that say why what failed may not be the servers' fault: too few
// hosts live to tell, canaries failed, or results are faults of this machine (OUTCOMES
// sections 5.1.6c and 5.1.6d); and how many decisions of people lapse soon.
func (r *Report) Doubts() (list []string) {
	if r.Run == nil {
		return nil
	}
	if r.Silent > 0 && r.LivingHosts < enoughHosts && r.Run.Canaries == 0 {
		list = append(list, r.Words.Get("doubt.few"))
	}
	for _, c := range r.Run.FailedCanaries {
		list = append(list, r.Words.Get("doubt.canary")+": "+r.Sanitize(c))
	}
	if n := r.Run.Outcomes[check.Internal.String()]; !r.Run.Distrusted && judge.ManyOwnFaults(n, r.Run.Checked) {
		list = append(list, r.Words.Count("doubt.internal", n))
	}
	if n := len(r.lapses); n > 0 {
		list = append(list, r.Words.Count("lapse", n))
	}
	return list
}

// lapseSoon is how long before a person's decision lapses the reports say so.
const lapseSoon = 30 * 24 * time.Hour

// clock gives a time to the minute, in UTC.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
