package harvest

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/harvest/records"
)

// record tells of one record of a list, the n-th of its page. One that has no name to be told by may
// be any of those that are known.
func (h *oaiRun) record(w *oaiWindow, r *records.Record, n int) error {
	name := h.names + url.QueryEscape(r.ID)
	if r.Fault != "" {
		if r.ID == "" {
			h.mark.Short = h.mark.Short || w.All
		}
		if err := h.left(&h.root, w.Seen+n, r); err != nil {
			return err
		}
	}
	if r.ID == "" && r.Fault != "" {
		return nil
	}
	if r.ID == "" || len(name) > maxName {
		return h.note("records without an identifier, or with a long one, are passed over")
	}
	known, ok := h.known.Document(name)
	stands := ok && known.Read && !known.Gone
	same := stands && r.Stamp != "" && known.Version == r.Stamp
	switch {
	case h.page.has(name): // when the page was asked for before
		return nil
	case r.Deleted && !stands:
		return nil
	case r.Deleted:
		return h.gone(known)
	case same && (known.Asked || h.seen.has(name)):
		h.told(name)
		return nil
	case w.IDs:
		return h.identifier(known, stands, same, name, r.Stamp)
	case same && !h.fresh(r.Stamp):
		h.told(name)
		return h.tell(Item{Kind: Same, Doc: known})
	}
	return h.read(name, r, ok && !known.Gone)
}

// identifier tells of one record of a list of identifiers. One that is not known as it is
// there is read behind the list.
func (h *oaiRun) identifier(known Document, stands, same bool, name, stamp string) error {
	before := h.seen.has(name)
	h.told(name)
	if !same && !before {
		if h.mark.Late == nil {
			h.mark.Late = &oaiSpan{}
		}
		h.mark.Late.stretch(stamp)
	}
	if !stands || before || known.Asked {
		return nil
	}
	return h.tell(Item{Kind: Same, Doc: known})
}

// told notes that a record was told of.
func (h *oaiRun) told(name string) {
	h.page.add(name)
	if h.mark.All {
		h.seen.add(name)
	}
}

// fresh says whether a record with a datestamp that is known may differ all the same: it
// was changed on a day on which it had been read.
func (h *oaiRun) fresh(stamp string) bool {
	if h.layout != oaiDay {
		return false
	}
	read := h.mark.Last
	if read.IsZero() {
		read = h.mark.Next
	}
	return read.IsZero() || stamp >= read.Format(oaiDay)
}

// read tells of a record that came.
func (h *oaiRun) read(name string, r *records.Record, known bool) error {
	doc := Document{Name: name, Version: r.Stamp, Media: recordMedia, Record: r.Control, Title: r.Title}
	doc.Record = cmp.Or(doc.Record, r.ID)
	switch {
	case !known && h.mark.Documents >= h.most():
		return h.note(fmt.Sprintf("%s documents are the bound", thousands(h.most())))
	case r.Fault != "" && !known:
		return nil
	case r.Body == nil && !known:
		return h.note("records come without metadata, and are passed over")
	}
	h.told(name)
	if r.Body == nil {
		doc.Version = ""
		return h.tell(Item{Kind: Failed, Doc: doc, Note: cmp.Or(r.Fault, "its metadata did not come")})
	}
	if !known {
		h.mark.Documents++
	}
	return h.tell(Item{Kind: Read, Doc: doc, Body: bytes.NewReader(r.Body)})
}

// gone tells of a record that is deleted.
func (h *oaiRun) gone(d Document) error {
	h.told(d.Name)
	h.mark.Documents = max(0, h.mark.Documents-1)
	return h.tell(Item{Kind: Gone, Doc: d})
}

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
	n := 0
	page, err := h.get(func(r *records.Record) error {
		n++
		return h.record(w, r, n)
	}, params...)
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

// left tells of a record that could not be read, by its place in the list and its identifier.
func (s *session) left(root *Root, place int, r *records.Record) error {
	which := "record " + thousands(place)
	if r.ID != "" {
		which += " (" + quoted(r.ID) + ")"
	}
	return cmp.Or(s.mishap(root, which+": "+quoted(r.Fault)), s.note("records that are not well formed, or too long, are left out"))
}
