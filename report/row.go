package report

import (
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
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

// groupOf gives the group of a state.
func groupOf(s judge.State) Group {
	switch s {
	case judge.Dead, judge.Invalid:
		return Fix
	case judge.Moved:
		return Update
	case judge.Suspect, judge.Restricted, judge.Undetermined:
		return Check
	case judge.Failing, judge.New:
		return Wait
	}
	return Fine
}

// changeOrder is the order in which changes are shown.
var changeOrder = [...]judge.Change{judge.NewlyDead, judge.Recovered, judge.NewlyMoved, judge.NewlySuspect, judge.Flapping}

// Row is one link as a report tells it: first judged, then told in words, with
// masked addresses.
type Row struct {
	store.Entry // its Places are those that stand in the report
	Group       Group
	Changed     []judge.Change // in the time the report compares
	N           int            // of places, where Places does not hold them all
	Suggested   string         // the address to write instead; "": none is sure
	Archived    string         // an archived copy
	Message     string         // what happened, a sentence
	Step        string         // what to do, a sentence

	told bool
}

// action is the stable code of what to do.
func (r *Row) action() string {
	switch {
	case r.State == judge.Invalid:
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

// said gives the words of the server. Where none was asked, since the address is
// invalid, the place of the fault that stands there instead is of use to programs alone.
func (r *Row) said() string {
	if r.Last.Outcome == check.Invalid {
		return ""
	}
	return r.Last.Reply
}

// failDays is how many whole days a link has been failing.
func (r *Row) failDays() int {
	if r.FailingSince.IsZero() {
		return 0
	}
	return max(0, int(r.Last.At.Sub(r.FailingSince)/(24*time.Hour)))
}

// row judges a link. Its codes are clean; tell makes the rest fit for readers.
func (s *scope) row(e *store.Entry) Row {
	r := Row{Entry: *e, Group: groupOf(e.State)}
	if e.ChangedRun >= s.since && e.ChangedRun > 0 {
		r.Changed = e.Changes
	}
	r.Host, r.Scheme, r.Last.Reason = s.clean(e.Host), s.clean(e.Scheme), check.Reason(s.clean(string(e.Last.Reason)))
	r.Places = slices.DeleteFunc(r.Places, func(m store.Mention) bool { return !s.live(&m) })
	if r.N = len(r.Places); len(s.Collections) == 0 {
		r.N = max(r.N, e.Mentions)
	}
	return r
}

// tell puts a judged row into words, and masks what must not be shown.
func (s *scope) tell(r *Row) {
	if r.told {
		return
	}
	r.told = true
	r.Suggested = s.address(suggested(&r.Link))
	if s.Archive != nil && (r.State == judge.Dead || r.State == judge.Moved) {
		r.Archived = s.address(s.Archive.Copy(r.URL))
	}
	r.URL, r.Key = s.address(r.URL), s.address(r.Key)
	r.Last.Reply, r.Last.FinalURL = s.clean(r.Last.Reply), s.address(r.Last.FinalURL)
	r.Message, r.Step = s.words.message(r), s.words.step(r)
}

// kept is a row to remember: told, and with its first place only.
func (s *scope) kept(r *Row) Row {
	s.tell(r)
	k := *r
	k.Places, k.Past = slices.Clone(firstN(r.Places, 1)), nil
	return k
}

// first is the first place of a row.
func (r *Row) first() *store.Mention {
	if len(r.Places) == 0 {
		return &store.Mention{}
	}
	return &r.Places[0]
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
	case l.State == judge.Moved && l.Last.Outcome == check.Moved && l.Last.SuggestedURL == "":
		return l.Last.FinalURL
	case l.State == judge.Moved, l.State == judge.Invalid:
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
