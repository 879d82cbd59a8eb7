package harvest

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/harvest/records"
)

// list asks for the next page of a list: by its token alone (section 3.5), or by what
// the list is of.
func (h *oaiRun) list(w *oaiWindow) (*records.OAI, error) {
	verb := "ListRecords"
	if w.IDs {
		verb = "ListIdentifiers"
	}
	params := []string{"verb", verb, "resumptionToken", w.Token}
	if w.Token == "" {
		params = []string{"verb", verb, "metadataPrefix", h.mark.Prefix, "set", h.set, "from", h.bound(w.From, false), "until", h.bound(w.Until, true)}
	}
	h.page = nil
	page, err := h.get(func(r *records.Record) error { return h.record(w, r) }, params...)
	if err == nil && page.Verb != verb && len(page.Errors) == 0 {
		err = torn{error: fmt.Errorf("it is answered by %.40q", page.Verb)}
	}
	return page, err
}

// bound is an end of a window in the granularity of the repository.
func (h *oaiRun) bound(stamp string, end bool) string {
	t, ok := oaiTime(stamp)
	if !ok {
		return ""
	}
	if end && len(stamp) == len(oaiDay) {
		t = t.Add(24*time.Hour - time.Second)
	}
	return t.Format(h.layout)
}

// get asks for a page. Its records go to take, until that gives an error.
func (h *oaiRun) get(take func(*records.Record) error, params ...string) (page *records.OAI, err error) {
	if h.known.Enough() {
		return nil, errEnded
	}
	err = h.ask(h.ctx, request(h.base, params...), h.wanted(), func(a *check.Answer) (err error) {
		var told error
		page, err = records.ReadOAI(a.Body, func(r *records.Record) bool {
			if take != nil {
				told = take(r)
			}
			return told == nil
		})
		if _, ok := oaiTime(page.Date); !ok && !a.Date.IsZero() {
			page.Date = a.Date.UTC().Format(oaiSecond)
		}
		return cmp.Or(told, err)
	})
	return page, err
}

// dateOf is when a page was made, by the server's clock where it has one.
func (h *oaiRun) dateOf(page *records.OAI) time.Time {
	if t, ok := oaiTime(page.Date); ok {
		return t
	}
	return h.now().UTC()
}

// formats are those that there are, for a message.
func (h *oaiRun) formats() string {
	page, err := h.get(nil, "verb", "ListMetadataFormats")
	if err != nil {
		return ""
	}
	var all []string
	for _, f := range page.Formats {
		all = append(all, f.Prefix)
	}
	return named("formats", all)
}

// sets are those that there are, for a message.
func (h *oaiRun) sets() string {
	page, err := h.get(nil, "verb", "ListSets")
	if err != nil {
		return ""
	}
	return named("sets", page.Sets)
}

func named(what string, all []string) string {
	if len(all) == 0 {
		return ""
	}
	shown := strings.Join(all[:min(len(all), shownNames)], ", ")
	if len(all) > shownNames {
		shown += " ..."
	}
	return fmt.Sprintf("; there are the %s %s", what, quoted(shown))
}
