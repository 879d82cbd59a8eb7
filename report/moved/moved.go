// Package moved says what proves the new address of a link that has moved, or why nothing
// does (docs/MEND.md).
package moved

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report/words"
	"linkcheck/store"
	"linkcheck/uri"
)

// Why is the word for what proves a move, or for why nothing does.
type Why string

// The words of proofs, then those of moves that are not proven.
const (
	Text     Why = "text"     // the text seen at the old address was met behind the redirect
	Resolver Why = "resolver" // it leads to a resolver of persistent identifiers
	Site     Why = "site"     // its whole site moved alike

	Holds  Why = "holds-another" // the old address may be that of a library's proxy
	Unlike Why = "unlike"        // the page is not known to be the one that was linked
	Unseen Why = "unseen"        // nothing was seen at the old address
	Slash  Why = "slash"         // the addresses differ by a slash at their end alone
)

// Proof is what is known of a move; the zero value is of a link that has not moved.
type Proof struct {
	Why  Why
	Seen time.Time // of Text: when
}

// Proven says whether the new address may be written without a person's word.
func (p Proof) Proven() bool { return p.Why == Text || p.Why == Resolver || p.Why == Site }

// Sentence says it to people, without a period; "" of no move.
func (p Proof) Sentence(in *words.Catalogue) string {
	if p.Why == "" {
		return ""
	}
	return in.Get("move."+string(p.Why), "day", p.Seen.UTC().Format(time.DateOnly))
}

// Line is Sentence that begins with "none" where the move is not proven.
func (p Proof) Line(in *words.Catalogue) string {
	if p.Why == "" || p.Proven() {
		return p.Sentence(in)
	}
	return in.Get("move.none", "why", p.Sentence(in))
}

// Of judges a link by its answers alone. Links that moved with all of their site are another
// matter.
func Of(l *store.Link, history []store.Event, resolvers []string) Proof {
	switch {
	case l.State != judge.Moved || l.Last.SuggestedURL == "" || slices.Contains(l.Last.Flags, string(check.FlagPersistentID)):
		return Proof{}
	case strings.TrimSuffix(l.Last.SuggestedURL, "/") == strings.TrimSuffix(cmp.Or(l.Target, l.URL), "/"):
		return Proof{Why: Slash}
	case l.Via == "" && holdsAnother(l.URL):
		return Proof{Why: Holds}
	case leadsTo(l.Last.SuggestedURL, resolvers):
		return Proof{Why: Resolver}
	case !met(l):
		return Proof{Why: Unlike}
	case !seenBefore(l, history):
		return Proof{Why: Unseen}
	}
	return Proof{Why: Text, Seen: l.Text.Seen}
}

// holdsAnother says whether an address stands in the query or path of another one.
func holdsAnother(url string) bool {
	_, rest, _ := strings.Cut(strings.ToLower(url), "://")
	return strings.Contains(rest, "://") || strings.Contains(rest, "%3a%2f%2f")
}

func leadsTo(url string, hosts []string) bool {
	u, err := uri.Parse(url)
	if err != nil {
		return false
	}
	at, ok := u.Endpoint()
	return ok && slices.ContainsFunc(hosts, func(host string) bool {
		rest, ok := strings.CutSuffix(strings.ToLower(at.Host), host)
		return ok && (rest == "" || strings.HasSuffix(rest, "."))
	})
}

// lookEvery is how far two looks are apart that count (package likeness).
const lookEvery = 20 * time.Hour

// met says whether the text that is known of a link, from its own site, was met when it was
// last asked for.
func met(l *store.Link) bool {
	t := &l.Text
	return t.Looks > 0 && t.Site == 0 && t.Others == 0 && t.Seen.Unix() == l.Last.At.Unix()
}

// seenBefore says whether the text that is known of a link was seen at its old address. That
// is so if it was there before its first redirect, and has been looked at more often than
// there were nights since: a text that was first met behind the redirect has not.
func seenBefore(l *store.Link, history []store.Event) bool {
	nights, last, asked := 0, time.Time{}, cmp.Or(l.Target, l.URL)
	for _, e := range slices.Backward(history) {
		switch at := e.Result.At; {
		case e.Result.Outcome == check.Moved:
			if last.IsZero() || last.Sub(at) >= lookEvery {
				nights, last = nights+1, at
			}
		case e.Result.Outcome == check.OK:
			return bare(cmp.Or(e.Result.FinalURL, asked)) == bare(asked) && int(l.Text.Looks) > nights
		}
	}
	return false
}

// bare is an address without what makes no other page of it: scheme, final slash, fragment.
func bare(url string) string {
	url, _, _ = strings.Cut(url, "#")
	_, url, _ = strings.Cut(url, "://")
	return strings.TrimSuffix(url, "/")
}
