package text

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"linkcheck/internal/escape"
	"linkcheck/internal/plain"
	"linkcheck/report"
	"linkcheck/report/moved"
	"linkcheck/report/words"
	"linkcheck/store"
	"linkcheck/uri/secret"
)

// mostProbes and mostPlaces are how many of a link's last probes, and of the places where it
// stands, are written.
const (
	mostProbes = 12
	mostPlaces = 10
)

// WriteLink writes what a store knows of a link: its state and the rule that decided, its last
// probes, the proof of its move if it is not empty, and where it stands, with the date of each document and what copied says of archived
// copies for it, if it is not nil. Passwords are hidden unless showSecrets is set.
func WriteLink(w io.Writer, e *store.Explanation, showSecrets bool, proof moved.Proof, copied func(*store.Mention) string) error {
	sentences, err := words.Open("")
	if err != nil {
		return err
	}
	t := linkText{w, showSecrets}
	t.state(e, proof.Line(sentences))
	events, asked := e.History, cmp.Or(e.Link.Target, e.Link.URL)
	if len(events) > mostProbes {
		events = events[len(events)-mostProbes:]
	}
	for _, e := range events {
		t.event(&e, report.Sentence(sentences, asked, &e.Result))
	}
	t.mentions(e.Mentions, copied)
	return nil
}

// linkText writes about one link.
type linkText struct {
	io.Writer
	showSecrets bool
}

// mask hides the password of an address.
func (t linkText) mask(s string) string {
	if t.showSecrets {
		return s
	}
	return secret.Mask(s)
}

// maskText hides those of addresses in words.
func (t linkText) maskText(s string) string {
	if t.showSecrets {
		return s
	}
	return secret.MaskText(s)
}

func (t linkText) state(e *store.Explanation, proof string) {
	l := &e.Link
	escape.Printf(t, "  state     %s", l.State)
	if l.Strikes > 0 {
		escape.Printf(t, ", %s since %s", plain.Plural(l.Strikes, "strike", "strikes"), plain.Date(l.FailingSince))
	}
	escape.Printf(t, "\n  rule      %s\n", e.Rule)
	escape.Printf(t, "  checked   %s, first %s, last well %s, next %s\n",
		plain.Plural(l.Checks, "time", "times"), plain.Date(l.FirstChecked), plain.Date(l.LastOK), plain.Date(l.NextCheck))
	if m := &l.Text; m.Looks > 0 {
		escape.Printf(t, "  text      %q, seen %s, last %s", t.maskText(m.Title), plain.Plural(int(m.Looks), "time", "times"), plain.Date(m.Seen))
		switch {
		case m.Others > 0:
			escape.Printf(t, "; another text on %s since", plain.Plural(int(m.Others), "look", "looks"))
		case m.Changing():
			escape.Printf(t, "; it changes from look to look")
		}
		escape.Printf(t, "\n")
	}
	for i, h := range l.Last.Hops { // the redirects of the last probe, each with its status
		what := "chain"
		if i > 0 {
			what = ""
		}
		escape.Printf(t, "  %-9s %d to %s\n", what, h.Code, t.mask(h.URL))
	}
	if proof != "" {
		escape.Printf(t, "  proof     %s\n", proof)
	}
	if p := l.Pin; p != nil && !p.Until.IsZero() {
		escape.Printf(t, "  until     %s, when the decision lapses\n", plain.Date(p.Until))
	}
	for _, said := range []struct {
		what string
		pin  *store.Pin
	}{{"note", l.Note}, {"owner", l.Owner}, {"fix", l.Fix}, {"again", l.Again}} {
		if p := said.pin; p != nil {
			text := t.maskText(p.Text)
			if p.Refused {
				text = "refused: " + text
			}
			escape.Printf(t, "  %-9s %s (%s, %s)\n", said.what, text, t.maskText(p.By), plain.Date(p.At))
		}
	}
}

func (t linkText) event(e *store.Event, what string) {
	r := &e.Result
	escape.Printf(t, "  %s  %-13s %s", r.At.UTC().Format("2006-01-02 15:04"), r.Outcome, r.Reason)
	if r.Reply != "" {
		escape.Printf(t, ": %q", t.maskText(r.Reply))
	}
	escape.Printf(t, " (%s) -> %s\n", strings.TrimSuffix(what, "."), e.State)
}

// spelling is the spelling of a mention without passwords: the address, where the spelling
// may hide them in another way.
func (t linkText) spelling(m *store.Mention) string {
	if t.mask(m.URL) != m.URL {
		return t.mask(m.URL)
	}
	return t.mask(m.Raw)
}

func (t linkText) mentions(list []store.Mention, copied func(*store.Mention) string) {
	for _, m := range list[:min(len(list), mostPlaces)] {
		gone := ""
		if !m.Retired.IsZero() {
			gone = ", no longer there since " + plain.Date(m.Retired)
		}
		where := []string{report.File(&m)}
		if m.Line > 0 && !inField(m.Locator) {
			where = append(where, fmt.Sprintf("line %d", m.Line))
		}
		for _, s := range []string{m.Record, m.Locator} {
			if s != "" {
				where = append(where, s)
			}
		}
		dated, words := "", ""
		if copied != nil {
			words = copied(&m)
		}
		switch {
		case m.Date != "":
			dated = ", dated " + m.Date + " (" + m.DateFrom + ")"
		case words != "" && !m.Modified.IsZero():
			dated = ", dated " + plain.Date(m.Modified) + " (file)"
		}
		escape.Printf(t, "  stands    %s, written %s%s%s\n", t.maskText(strings.Join(where, " ")), t.spelling(&m), dated, gone)
		if words != "" {
			escape.Printf(t, "            %s\n", t.maskText(words))
		}
	}
	if n := len(list); n > mostPlaces {
		escape.Printf(t, "            and in %s\n", plain.Plural(n-mostPlaces, "more place", "more places"))
	}
}

// inField says whether a locator names a field of a catalogue record, such as 856[2]$u:
// catalogers find it by record; a line number in ISO 2709 would not help them.
func inField(locator string) bool {
	tag, _, ok := strings.Cut(locator, "[")
	return ok && len(tag) == 3
}
