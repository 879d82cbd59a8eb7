package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/internal/escape"
	"linkcheck/report"
	"linkcheck/report/words"
	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/repair"
)

// explainEvents is how many of the last probes explain prints.
const explainEvents = 12

func cmdExplain(a *app) *cobra.Command {
	var n netFlags
	var file string
	cmd := &cobra.Command{
		Use:   "explain URI",
		Short: "Everything about one link: parts, keys, the plan of its probe, its history, the rule that decided",
		Example: `  linkcheck explain 'z39.50r://melvyl.ucop.edu/mags?elecworld.v30.n19'
  linkcheck explain --store library.db http://www.example.org/`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.explain(cmd.Context(), &n, file, args[0]) },
	}
	n.registerPlan(cmd)
	storeFlag(cmd, &file)
	return cmd
}

func (a *app) explain(ctx context.Context, n *netFlags, file, s string) error {
	net, err := n.open(ctx, nil)
	if err != nil {
		return err
	}
	defer net.probers.Close()
	writeDescription(a.stdout, a.rules, s, a.mask)
	st, l, found, err := a.findLink(ctx, file, net.now, s)
	if err != nil {
		return err
	}
	if st != nil {
		defer st.Close()
	}
	asked := s
	if p, ok := net.options.Proxies.Target(s); ok || l.Target != "" {
		asked = cmp.Or(l.Target, p.Target)
		escape.Printf(a.stdout, "  target    %s, by %s\n", a.mask(asked), a.mask(cmp.Or(l.Via, p.Via)))
	}
	if u, err := uri.Parse(asked); err == nil {
		_, row := net.probers.Lookup(u.Scheme())
		escape.Printf(a.stdout, "  probe     %s\n", plan(row))
	} else if guess, ok := guessURI(s); ok {
		escape.Printf(a.stdout, "  perhaps   %s\n", a.mask(guess))
	}
	switch {
	case st == nil:
		escape.Printf(a.stdout, "  history   there is no store %s\n", file)
		return nil
	case !found:
		escape.Printf(a.stdout, "  history   not in the store\n")
		return nil
	}
	return storeFailed(a.writeHistory(st, l.ID))
}

// findLink finds a link in the store; st is nil if there is no store.
func (a *app) findLink(ctx context.Context, file string, now func() time.Time, s string) (st *store.Store, l store.Link, found bool, err error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, l, false, nil
	}
	if st, err = a.openToRead(ctx, file, now); err != nil {
		return nil, l, false, err
	}
	if l, found, err = st.Find(s); err != nil {
		st.Close()
		return nil, l, false, storeFailed(err)
	}
	return st, l, found, nil
}

// guessURI guesses what a string that is no URI was meant to be: it repairs slips of
// typing and of text recognition.
func guessURI(s string) (guess string, ok bool) {
	if guess, ok = repair.Slips(s); ok {
		return guess, true
	}
	return repair.OCR(s)
}

// writeHistory writes what the store knows of a link.
func (a *app) writeHistory(st *store.Store, id uint64) error {
	e, err := st.Explain(id)
	if err != nil {
		return err
	}
	a.writeState(a.stdout, &e)
	events, asked := e.History, cmp.Or(e.Link.Target, e.Link.URL)
	if len(events) > explainEvents {
		events = events[len(events)-explainEvents:]
	}
	sentences, err := words.Open("")
	if err != nil {
		return err
	}
	for _, e := range events {
		a.writeEvent(a.stdout, &e, report.Sentence(sentences, asked, &e.Result))
	}
	a.writeMentions(a.stdout, e.Mentions)
	return nil
}

func (a *app) writeState(w io.Writer, e *store.Explanation) {
	l := &e.Link
	escape.Printf(w, "  state     %s", l.State)
	if l.Strikes > 0 {
		escape.Printf(w, ", %s since %s", plural(l.Strikes, "strike", "strikes"), date(l.FailingSince))
	}
	escape.Printf(w, "\n  rule      %s\n", e.Rule)
	escape.Printf(w, "  checked   %s, first %s, last well %s, next %s\n",
		plural(l.Checks, "time", "times"), date(l.FirstChecked), date(l.LastOK), date(l.NextCheck))
	if m := &l.Text; m.Looks > 0 {
		escape.Printf(w, "  text      %q, seen %s, last %s", a.maskText(m.Title), plural(int(m.Looks), "time", "times"), date(m.Seen))
		switch {
		case m.Others > 0:
			escape.Printf(w, "; another text on %s since", plural(int(m.Others), "look", "looks"))
		case m.Changing():
			escape.Printf(w, "; it changes from look to look")
		}
		escape.Printf(w, "\n")
	}
	if p := l.Pin; p != nil && !p.Until.IsZero() {
		escape.Printf(w, "  until     %s, when the decision lapses\n", date(p.Until))
	}
}

func (a *app) writeEvent(w io.Writer, e *store.Event, what string) {
	r := &e.Result
	escape.Printf(w, "  %s  %-13s %s", r.At.UTC().Format("2006-01-02 15:04"), r.Outcome, r.Reason)
	if r.Reply != "" {
		escape.Printf(w, ": %q", a.maskText(r.Reply))
	}
	escape.Printf(w, " (%s) -> %s\n", strings.TrimSuffix(what, "."), e.State)
}

// maskRaw is the spelling of a mention without passwords: the address, where the spelling
// may hide them in another way.
func (a *app) maskRaw(m *store.Mention) string {
	if a.mask(m.URL) != m.URL {
		return a.mask(m.URL)
	}
	return a.mask(m.Raw)
}

func (a *app) writeMentions(w io.Writer, list []store.Mention) {
	for _, m := range list[:min(len(list), 10)] {
		gone := ""
		if !m.Retired.IsZero() {
			gone = ", no longer there since " + date(m.Retired)
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
		escape.Printf(w, "  stands    %s, written %s%s\n", a.maskText(strings.Join(where, " ")), a.maskRaw(&m), gone)
	}
	if n := len(list); n > 10 {
		escape.Printf(w, "            and in %s\n", plural(n-10, "more place", "more places"))
	}
}

// inField says whether a locator names a field of a catalogue record, such as 856[2]$u:
// catalogers find it by record; a line number in ISO 2709 would not help them.
func inField(locator string) bool {
	tag, _, ok := strings.Cut(locator, "[")
	return ok && len(tag) == 3
}
