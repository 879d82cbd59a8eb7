package harvest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"linkcheck/harvest/records"
)

const (
	mostEmpty  = 3           // pages without a record in a row
	clockSlack = time.Minute // by which the clocks of a repository and ours may differ
)

// listFault is why a list was not read to its end.
type listFault struct {
	text  string
	again bool   // it may be begun anew, or read in halves
	why   Reason // else
}

func (f *listFault) Error() string { return f.text }

// windows reads the lists that are still to do.
func (h *oaiRun) windows() error {
	m := &h.mark
	for faults := 0; len(m.Windows) > 0; {
		w := m.Windows[0]
		err := h.window(&w)
		fault := (*listFault)(nil)
		switch {
		case err == nil:
			faults = 0
			if err := h.windowDone(w); err != nil {
				return err
			}
			continue
		case !errors.As(err, &fault):
			return err
		}
		if err := h.mishap(&h.root, fmt.Sprintf("the list of %s: %s", w.shown(), fault.text)); err != nil {
			return err
		}
		h.repair(w, fault)
		if err := h.tell(Item{Kind: Marked, Mark: m.bytes()}); err != nil {
			return err
		}
		if faults++; faults >= mostFaults {
			return &Stop{Why: Broken, Text: fault.text}
		}
	}
	return nil
}

// repair decides what becomes of a list that was not read to its end: it is begun anew,
// once, then read in halves down to a day, and then put aside.
func (h *oaiRun) repair(w oaiWindow, f *listFault) {
	m := &h.mark
	left, right, ok := w.halves(h.layout, h.earliest, h.date)
	switch {
	case f.again && !w.Again:
		w.Again = true
		m.Windows[0] = w.begin()
	case f.again && ok && len(m.Windows) < maxWindows:
		m.Windows = append([]oaiWindow{left, right}, m.Windows[1:]...)
	default:
		m.Windows = m.Windows[1:]
		m.fail(w, max(f.why, Broken), fmt.Sprintf("the list of %s: %s", w.shown(), f.text))
	}
}

// windowDone tells that a list is whole. Behind the last list of identifiers come the
// records that it named and that are not known.
func (h *oaiRun) windowDone(w oaiWindow) error {
	m := &h.mark
	m.Windows = m.Windows[1:]
	if w.IDs && m.Late != nil && !(len(m.Windows) > 0 && m.Windows[0].IDs) {
		m.Windows, m.Late = append(m.Windows, oaiWindow{oaiSpan: *m.Late}), nil
	}
	if len(m.Windows) == 0 {
		return nil // the end of the sweep says it
	}
	return h.tell(Item{Kind: Window, Mark: m.bytes()})
}

// window reads a list to its end.
func (h *oaiRun) window(w *oaiWindow) error {
	for {
		if !w.Expires.IsZero() && h.now().After(w.Expires.Add(clockSlack)) {
			return &listFault{text: "its resumptionToken has expired", again: true}
		}
		w.IDs = w.IDs && !h.mark.NoIDs
		page, err := h.list(w)
		if page := (torn{}); errors.As(err, &page) {
			if page.cut && h.isPatient(&w.Cut) {
				h.mark.Windows[0] = *w
				return cmp.Or[error](h.tell(Item{Kind: Marked, Mark: h.mark.bytes()}), page.stop())
			}
			w.Again = true
			return &listFault{text: quoted(page.Error()), again: true}
		}
		if h.withoutIDs(w, err) {
			continue
		}
		if err != nil {
			return err
		}
		if h.mark.Next.IsZero() {
			if h.mark.Next = h.dateOf(page); h.mark.Next.After(h.now()) { // its clock may be mended
				h.mark.Next = h.now().UTC()
			}
		}
		if done, err := h.turn(w, page); done || err != nil {
			return err
		}
		h.mark.Windows[0] = *w
		if err := h.tell(Item{Kind: Marked, Mark: h.mark.bytes()}); err != nil {
			return err
		}
	}
}

// withoutIDs says whether a list of identifiers that is not answered is read as one of
// records.
func (h *oaiRun) withoutIDs(w *oaiWindow, err error) bool {
	stop := (*Stop)(nil)
	if !w.IDs || w.Token != "" || !errors.As(err, &stop) || stop.Why != NotThis && stop.Why != Outage {
		return false
	}
	w.IDs, h.mark.NoIDs = false, stop.Why == NotThis
	return true
}

// turn goes on from a page to the next; done: it was the last.
func (h *oaiRun) turn(w *oaiWindow, page *records.OAI) (done bool, err error) {
	if len(page.Errors) > 0 && page.Records == 0 {
		return h.refused(w, page.Errors)
	}
	t := page.Token
	if t.Size > 0 {
		w.Size = t.Size
	}
	if w.Empty++; page.Records > 0 {
		w.Empty = 0
	}
	w.Seen += page.Records
	if w.All {
		h.mark.Listed += page.Records
	} else {
		h.mark.News += page.Records
	}
	switch all := w.Size > 0 && w.Seen >= w.Size; {
	case t.Value == "" && all, t.Value == w.Token && all:
		h.mark.Loose = h.mark.Loose && w.Size <= page.Records // one page proves nothing
		return true, nil
	case t.Value == "" && w.Size == 0:
		return true, nil
	case t.Value == "":
		return true, h.short(w)
	case t.Value == w.Token:
		return true, &listFault{text: "the same resumptionToken comes again"}
	case w.Empty >= mostEmpty:
		return true, &listFault{text: fmt.Sprintf("%d pages without a record", w.Empty)}
	case w.Size > 0 && w.Seen > 2*w.Size:
		return true, &listFault{text: fmt.Sprintf("more than %s records where %s were said", thousands(w.Seen-1), thousands(w.Size))}
	case w.Seen > 2*h.most():
		return true, &listFault{text: fmt.Sprintf("more than %s records", thousands(w.Seen-1))}
	}
	w.Token, w.Expires = t.Value, time.Time{}
	if !w.Again { // a half stands for the page for which it was made
		w.Cut = time.Time{}
	}
	if at, ok := oaiTime(t.Expires); ok {
		w.Expires = at
	}
	return false, nil
}

// short is what a list is of which fewer records came than were said. When it is so again
// in the next sweep, the repository does not count well (section 3.5: the size may be an
// estimate): its lists are taken as they are, but what they do not name is not gone.
func (h *oaiRun) short(w *oaiWindow) error {
	text := fmt.Sprintf("%s of %s records came", thousands(w.Seen), thousands(w.Size))
	if w.Tries == 0 && !h.mark.Loose {
		return &listFault{text: text, why: Incomplete}
	}
	h.mark.Loose, h.mark.Short = true, h.mark.Short || w.All
	return h.note(fmt.Sprintf("the list of %s: %s", w.shown(), text))
}

// refused is what an answer of errors means (section 3.6); done: nothing is in the list.
func (h *oaiRun) refused(w *oaiWindow, faults []records.Fault) (done bool, err error) {
	has := func(code string) bool {
		return slices.ContainsFunc(faults, func(f records.Fault) bool { return f.Code == code })
	}
	said, first := faultWords(faults), h.earliest.Format(h.layout)
	switch {
	case w.Token == "" && w.From != "" && w.From < first && has("badArgument"): // there is nothing before it
		w.From = first
		return w.Until != "" && w.Until < first, nil
	case w.Token != "" && w.Size > 0 && w.Seen >= w.Size: // a token that led behind the end
		return true, nil
	case w.Token == "" && has("noRecordsMatch"):
		return true, h.noSuchSet(w)
	case w.Token != "":
		return true, &listFault{text: said, again: true}
	case w.IDs:
		h.mark.NoIDs = true
		return false, nil
	case has("cannotDisseminateFormat"):
		said += h.formats()
	case h.set != "":
		said += h.sets()
	}
	return true, &Stop{Why: NotThis, Text: said}
}

// noSuchSet is the error where a list is empty because its set does not exist: servers
// call that noRecordsMatch too.
func (h *oaiRun) noSuchSet(w *oaiWindow) error {
	if h.set == "" || !w.All || w.Token != "" || h.mark.Listed > 0 {
		return nil
	}
	page, err := h.get(nil, "verb", "ListSets")
	if err != nil || len(page.Sets) == 0 || page.Token.Value != "" {
		return nil
	}
	for _, s := range page.Sets {
		if s == h.set || strings.HasPrefix(s, h.set+":") {
			return nil
		}
	}
	return &Stop{Why: NotThis, Text: fmt.Sprintf("there is no set %.80q", h.set) + named("sets", page.Sets)}
}

// shown says what a list is of.
func (w *oaiWindow) shown() string {
	what := "records"
	if w.IDs {
		what = "identifiers"
	}
	switch {
	case w.From != "" && w.Until != "":
		return fmt.Sprintf("%s from %s to %s", what, w.From, w.Until)
	case w.From != "":
		return fmt.Sprintf("%s from %s", what, w.From)
	case w.Until != "":
		return fmt.Sprintf("%s to %s", what, w.Until)
	}
	return "all " + what
}
