package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report/moved"
	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/secret"
)

// Group is what a librarian does about a link; every state is in one
// (OUTCOMES.md section 1.2).
type Group uint8

// The groups, the most urgent first.
const (
	Fix        Group = iota // dead, also by a person's word, or no valid address
	Update                  // moved, and the new address is known
	Check                   // only a person can tell
	Wait                    // failing, but not for long enough; or never probed
	Fine                    // alive, or nothing to check
	GroupCount = Fine + 1
)

// String is the word for the group in tables and addresses; it is never translated.
func (g Group) String() string { return [...]string{"fix", "update", "check", "wait", "fine"}[g] }

// NeedsYou reports whether a person must act on the links of the group.
func (g Group) NeedsYou() bool { return g <= Check }

// GroupOf gives the group of a state.
func GroupOf(s judge.State) Group {
	switch s {
	case judge.Dead, judge.Invalid, judge.PinnedDead:
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

// Standing is the word under which a row is listed: its state, or the doubt about its
// page that stands beside a good state (OUTCOMES section 1.5).
type Standing uint8

// The standings behind those of the states.
const (
	Drift = Standing(judge.Ignored) + 1 + iota
	OtherSite
	FragmentMissing // alive, and its page lacks the place that the fragment names
	SiteMoved       // other-site, and that site is where the old one moved as a whole
	OldResolver     // alive, and spelled with an address of its resolver that has a newer one
	StandingCount
)

func (s Standing) String() string {
	switch s {
	case Drift:
		return string(check.FlagDrift)
	case OtherSite:
		return string(check.FlagOtherSite)
	case FragmentMissing:
		return string(check.FlagFragmentMissing)
	case SiteMoved:
		return "site-moved"
	case OldResolver:
		return "old-resolver"
	}
	return judge.State(s).String()
}

// Group gives the group of a standing.
func (s Standing) Group() Group {
	switch s {
	case Drift, OtherSite, FragmentMissing:
		return Check
	case SiteMoved, OldResolver:
		return Update
	}
	return GroupOf(judge.State(s))
}

// standingOf gives the standing of a link by itself.
func standingOf(l *store.Link) Standing {
	switch l.PageDoubt {
	case check.FlagDrift:
		return Drift
	case check.FlagOtherSite:
		return OtherSite
	}
	if l.State == judge.Alive && slices.Contains(l.Last.Flags, string(check.FlagFragmentMissing)) {
		return FragmentMissing
	}
	if newerResolver(l) != "" {
		return OldResolver
	}
	return Standing(l.State)
}

// ChangeOrder is the order in which changes are shown.
var ChangeOrder = [...]judge.Change{judge.NewlyDead, judge.Recovered, judge.NewlyMoved, judge.NewlySuspect, judge.NewlyDrifted, judge.Flapping}

// Row is one link of a report: Scope.Row fills in its group and changes,
// Scope.Describe then its sentences, and masks its addresses.
type Row struct {
	store.Entry // its mentions are those in the collections of the report
	Group       Group
	Standing    Standing
	Changed     []judge.Change // in the time the report compares
	Count       int            // of mentions; LiveMentions may hold fewer
	Suggested   string         // the address to write instead; "": none is sure
	Archived    string         // an archived copy for its first place
	Message     string         // what happened, a sentence
	Step        string         // what to do, a sentence
	Proof       moved.Proof    // of its new address, where its history was read

	ArchivedAt func(*store.Mention) string // the same for any of its places, once it is described: it is near the date there

	siteMove  siteMove // of SiteMoved
	described bool
}

// Action is the stable code of what to do.
func (r *Row) Action() string {
	if r.State == judge.Invalid {
		return "fix-record"
	}
	return [...]string{"fix-or-archive", "update-url", "look-by-hand", "wait", "none"}[r.Group]
}

// ChangeCodes gives Changed as codes with a space between them.
func (r *Row) ChangeCodes() string {
	words := make([]string, len(r.Changed))
	for i, c := range r.Changed {
		words[i] = string(c)
	}
	return strings.Join(words, " ")
}

// ServerReply gives the reply of the server. It is "" for an invalid address: no
// server was asked, and the stored reply is the offset of the fault, for programs.
func (r *Row) ServerReply() string {
	if r.Last.Outcome == check.Invalid {
		return ""
	}
	return r.Last.Reply
}

// FailDays is how many days a link has been failing. Twenty hours end one, as for a strike
// (package judge): on the next night a link may be asked a little earlier.
func (r *Row) FailDays() int {
	if r.FailingSince.IsZero() {
		return 0
	}
	return max(0, int((r.Last.At.Sub(r.FailingSince)+4*time.Hour)/(24*time.Hour)))
}

// Row finds the group and the changes of a link, and the mentions that stand in the
// report. Its host, scheme and reason are sanitized; Describe does the rest.
func (s *Scope) Row(e *store.Entry) Row {
	r := Row{Entry: *e, Standing: standingOf(&e.Link)}
	if move, ok := s.siteMoves[e.ID]; ok && r.Standing == OtherSite && move.alike > 0 {
		r.Standing, r.siteMove = SiteMoved, move
	} else if ok && r.Standing == Standing(judge.Moved) && move.alike == 0 {
		r.Standing = OtherSite
	}
	r.Group = r.Standing.Group()
	if r.Standing == SiteMoved {
		r.Proof.Why = moved.Site
	} else if r.Group == Update && len(r.History) > 0 {
		r.Proof = moved.Of(&r.Link, r.History, s.Resolvers)
	}
	if e.ChangedRun >= s.since && e.ChangedRun > 0 {
		r.Changed = e.Changes
	}
	if i := slices.Index(r.Changed, judge.NewlyDrifted); i >= 0 && r.Standing == SiteMoved {
		r.Changed = slices.Clone(r.Changed)
		r.Changed[i] = judge.NewlyMoved
	}
	r.Host, r.Scheme, r.Last.Reason = s.Sanitize(s.hostOf(&e.Link)), s.Sanitize(e.Scheme), check.Reason(s.Sanitize(string(e.Last.Reason)))
	r.Count = max(0, r.Picked-len(r.LiveMentions)) // which are not held
	r.LiveMentions = slices.DeleteFunc(r.LiveMentions, func(m store.Mention) bool { return !s.shows(&r.Link, &m) })
	if r.Count += len(r.LiveMentions); len(s.Collections)+len(s.Owners) == 0 {
		r.Count = max(r.Count, e.Mentions)
	}
	return r
}

// hostOf is the host of a link. Where the address can be read in two ways, one of which
// takes for the host what is a part of the password in the other, it is that of the other.
func (s *Scope) hostOf(l *store.Link) string {
	asked := cmp.Or(l.Target, l.URL)
	masked := secret.Mask(asked)
	if s.ShowSecrets || masked == asked {
		return l.Host
	}
	if u, err := uri.Parse(masked); err == nil {
		at, _ := u.Endpoint()
		return at.Host
	}
	return ""
}

// Describe fills in the sentences and suggestions of a row, and sanitizes what is shown of
// it. A second call does nothing.
func (s *Scope) Describe(r *Row) {
	if r.described {
		return
	}
	r.described = true
	if r.Suggested = suggested(&r.Link, r.Standing); r.Fix != nil && !r.Fix.Refused { // a person's word
		r.Suggested = r.Fix.Text
	} else if r.Fix != nil && r.Fix.Text == r.Suggested {
		r.Suggested = ""
	}
	r.Suggested = s.SanitizeURL(r.Suggested)
	r.ArchivedAt = s.copiesOf(r.Link)
	r.Archived = r.ArchivedAt(r.First())
	r.Target = s.SanitizeURL(r.Target)
	if r.Key = s.SanitizeURL(r.Key); !s.ShowSecrets && secret.Mask(r.URL) != r.URL {
		r.Key = s.SanitizeURL(keyOf(secret.Mask(r.URL))) // a key may spell a password in another way
	}
	r.URL = s.SanitizeURL(r.URL)
	r.Text.Title, r.Last.Title = s.Sanitize(r.Text.Title), s.Sanitize(r.Last.Title)
	r.Last.Reply, r.Last.FinalURL = s.Sanitize(r.Last.Reply), s.SanitizeURL(r.Last.FinalURL)
	r.Message, r.Step = message(s.Words, r), step(s.Words, r)
}

// keyOf is the key of an address, as stores have it.
func keyOf(url string) string {
	u, err := uri.Parse(url)
	if err != nil {
		return "invalid:" + url
	}
	return uri.SchemeKey(u)
}

// copyOf is a row to keep: described, and with its first mention only.
func (s *Scope) copyOf(r *Row) *Row {
	s.Describe(r)
	k := *r
	k.LiveMentions, k.History = slices.Clone(r.LiveMentions[:min(1, len(r.LiveMentions))]), nil
	return &k
}

// First is the first mention of a row; of one without mentions, an empty one.
func (r *Row) First() *store.Mention {
	if len(r.LiveMentions) == 0 {
		return &store.Mention{}
	}
	return &r.LiveMentions[0]
}

// File gives the file of a mention and the member inside it.
func File(m *store.Mention) string {
	if m.Member != "" {
		return m.Source + "!" + m.Member
	}
	return m.Source
}

// Locator says where in its source a mention is: its field, or its line and column.
func Locator(m *store.Mention) string {
	if m.Locator != "" || m.Line == 0 {
		return m.Locator
	}
	at := "line " + strconv.Itoa(m.Line)
	if m.Column > 0 {
		at += " col " + strconv.Itoa(m.Column)
	}
	return at
}

// NearName is a short name for where a mention is: its record, or else its file's name
// with that of the folder above.
func NearName(m *store.Mention) string {
	name := RecordOf(m)
	if m.Record != "" {
		return name
	}
	if i := strings.LastIndexByte(name, '/'); i > 0 {
		if i = strings.LastIndexByte(name[:i], '/'); i >= 0 {
			return name[i+1:]
		}
	}
	return name
}
