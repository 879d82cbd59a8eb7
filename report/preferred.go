package report

import (
	"cmp"
	"slices"
	"strings"

	"linkcheck/uri/equal"
)

// preferred is the spelling to keep: one that readers can open, then the one with most
// mentions, then the one that the rules prefer by its form.
func preferred(list []Spelling) string {
	bare := func(s Spelling) bool { // an identifier without the address of its resolver
		scheme, _, _ := strings.Cut(strings.ToLower(s.URL), ":")
		return scheme == "doi" || scheme == "hdl"
	}
	best := slices.MinFunc(list, func(a, b Spelling) int {
		return cmp.Or(trueFirst(!bare(a), !bare(b)), cmp.Compare(b.Mentions, a.Mentions))
	})
	var urls []string
	for _, s := range list {
		if bare(s) == bare(best) && s.Mentions == best.Mentions {
			urls = append(urls, s.URL)
		}
	}
	return equal.Prefer(urls)
}

// LevelKey is the key of the words for the level at which the spellings meet. A request
// that is only related, such as one to another news server, is not the same.
func (d *Duplicate) LevelKey() string {
	if d.Level == equal.Protocol && d.Sure == "possible" {
		return "level.protocol.maybe"
	}
	return "level." + d.Level.String()
}
