package report

import (
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/store"
)

// Group is one of the five words that librarians read (OUTCOMES.md section 1.2).
type Group uint8

const (
	Fix Group = iota
	Update
	Check
	Wait
	Fine
	groupCount = int(Fine) + 1
)

func (g Group) String() string { return [...]string{"fix", "update", "check", "wait", "fine"}[g] }

// NeedsYou reports whether the group asks for a human hand.
func (g Group) NeedsYou() bool { return g <= Check }

// GroupOf gives the group of a state.
func GroupOf(s store.State) Group {
	switch s {
	case store.Dead, store.InvalidState:
		return Fix
	case store.Moved:
		return Update
	case store.SuspectState, store.Restricted, store.Undetermined:
		return Check
	case store.Failing, store.New:
		return Wait
	}
	return Fine
}

// changeOrder is the order in which changes are shown.
var changeOrder = [...]store.Change{store.NewlyDead, store.Recovered, store.NewlyMoved, store.NewlySuspect, store.Flapping}

// Row is one link as a report tells it. Addresses and words are masked and clean.
type Row struct {
	store.Link
	Group     Group
	Changed   []store.Change // in the time the report compares
	Suggested string         // the address to write instead; "": none is sure
	Archived  string         // an archived copy
	Message   string         // what happened, a sentence
	Step      string         // what to do, a sentence

	raw string // the address unmasked, for its keys
}

// action is the stable code of what to do.
func (r *Row) action() string {
	switch {
	case r.State == store.InvalidState:
		return "fix-record"
	case r.Group == Fix:
		return "fix-or-archive"
	case r.Group == Update:
		return "update-url"
	case r.Group == Check:
		return "look-by-hand"
	case r.Group == Wait:
		return "wait"
	}
	return "none"
}

// failDays is how many whole days a link has been failing.
func (r *Row) failDays() int {
	if r.FailingSince.IsZero() {
		return 0
	}
	return max(0, int(r.Last.At.Sub(r.FailingSince)/(24*time.Hour)))
}

// row judges a link for the eyes of a reader.
func (s *scope) row(l store.Link) Row {
	r := Row{Link: l, Group: GroupOf(l.State), raw: l.URL}
	r.URL, r.Key, r.Host = s.address(l.URL), s.address(l.Key), s.clean(l.Host)
	r.Scheme, r.Last.Reason = s.clean(l.Scheme), check.Reason(s.clean(string(l.Last.Reason)))
	r.Last.Reply, r.Last.FinalURL = s.clean(l.Last.Reply), s.address(l.Last.FinalURL)
	if l.ChangedRun >= s.since && l.ChangedRun > 0 {
		r.Changed = l.Changes
	}
	r.Suggested = s.address(suggested(&l))
	if s.Archive != nil && (l.State == store.Dead || l.State == store.Moved) {
		r.Archived = s.address(s.Archive.Copy(l.URL))
	}
	r.Message, r.Step = s.words.message(&r), s.words.step(&r)
	return r
}

// suggested gives the new address of a moved link or the sure repair of an
// invalid one. Persistent identifiers are kept: that they redirect is their work.
func suggested(l *store.Link) string {
	for _, f := range l.Last.Flags {
		if f == "persistent-id" {
			return ""
		}
	}
	switch {
	case l.State == store.Moved && l.Last.Outcome == check.Moved && l.Last.SuggestedURL == "":
		return l.Last.FinalURL
	case l.State == store.Moved, l.State == store.InvalidState:
		return l.Last.SuggestedURL
	}
	return ""
}

// withFragment carries the fragment of an address over to its replacement, as a
// browser does (RFC 9110 section 10.2.2).
func withFragment(old, new string) string {
	if _, f, ok := strings.Cut(old, "#"); ok && new != "" && !strings.Contains(new, "#") {
		return new + "#" + f
	}
	return new
}
