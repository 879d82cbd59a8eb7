package proof

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/store"
)

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
