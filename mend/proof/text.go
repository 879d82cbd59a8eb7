package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
)

// OfMove says by its answers alone whether the new address of a link is proven, and why or why
// not; "": it has not moved. Links that moved with all of their site are another matter.
func OfMove(l *store.Link, history []store.Event, resolvers []string) (words string, proven bool) {
	switch {
	case l.State != judge.Moved || l.Last.SuggestedURL == "":
		return "", false
	case l.Via == "" && holdsAnother(l.URL):
		return "the old address holds another one: if that is a library's proxy, tell a run of it by --proxy-prefix or --proxy-rule", false
	case leadsTo(l.Last.SuggestedURL, resolvers):
		return "the new address is that of a resolver of persistent identifiers", true
	case !met(l):
		return "the page behind the redirect is not known to be the one that was linked", false
	case !seenBefore(l, history):
		return "the page was never seen at its old address", false
	}
	return fmt.Sprintf("the page as last seen at its old address is behind the redirect, %s", l.Text.Seen.UTC().Format("2006-01-02")), true
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
