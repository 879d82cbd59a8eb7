package report

import (
	"slices"
	"strings"
	"testing"

	"linkcheck/uri/equal"
)

// The preferred spelling comes first, groups within groups show a spelling once, and
// what is only related is not called the same request (NORMALIZATION.md, rule 1).
func TestDuplicateSpellings(t *testing.T) {
	for name, c := range map[string]struct {
		spellings string // each with its mentions
		want      []string
	}{
		"most mentions":        {"http://h.lib.edu/A=1 http://H.lib.edu/A=5", []string{"level.syntax: http://H.lib.edu/A http://h.lib.edu/A"}},
		"then the canonical":   {"http://H.lib.edu/A=2 http://h.lib.edu/A=2", []string{"level.syntax: http://h.lib.edu/A http://H.lib.edu/A"}},
		"then the shortest":    {"http://h.lib.edu:80/=2 http://h.lib.edu/=2", []string{"level.scheme: http://h.lib.edu/ http://h.lib.edu:80/"}},
		"a resolver, not doi:": {"doi:10.1000/182=9 https://doi.org/10.1000/182=1", []string{"level.resolver: https://doi.org/10.1000/182 doi:10.1000/182"}},
		"a group within one as sure": {"http://h.lib.edu/a=3 HTTP://h.lib.edu/a=1 http://h.lib.edu:80/a=2", []string{
			"level.scheme: http://h.lib.edu/a http://h.lib.edu:80/a HTTP://h.lib.edu/a"}},
		"a group within one less sure": {"http://h.lib.edu/a=3 HTTP://h.lib.edu/a=1 http://h.lib.edu/a/=2", []string{
			"level.syntax: http://h.lib.edu/a HTTP://h.lib.edu/a", "level.heuristic: http://h.lib.edu/a http://h.lib.edu/a/"}},
		"two news servers": {"news://a.lib.edu/x@y.z=1 news://b.lib.edu/x@y.z=1", []string{"level.protocol.maybe: news://a.lib.edu/x@y.z news://b.lib.edu/x@y.z"}},
	} {
		t.Run(name, func(t *testing.T) {
			var list []Spelling
			for s := range strings.FieldsSeq(c.spellings) {
				i := strings.LastIndexByte(s, '=')
				list = append(list, Spelling{URL: s[:i], Mentions: int(s[i+1] - '0')})
			}
			d := &duplicateFinder{Scope: &Scope{Options: Options{Rules: equal.Rules{}}}}
			var got []string
			for _, g := range d.compare(nil, list) {
				line := g.LevelKey() + ":"
				for _, s := range g.Spellings {
					line += " " + s.URL
				}
				got = append(got, line)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Examples of documents do not lead "Do first", however many there are.
func TestExamplesAreLast(t *testing.T) {
	b := &builder{causes: map[causeKey]*Cause{{host: "a"}: {Host: "a", Links: 9, Group: Fix}, {host: "h.lib.edu"}: {Host: "h.lib.edu", Links: 1, Group: Fix},
		{host: "mailto:"}: {Host: "mailto:", Links: 2, Group: Fix}}}
	b.Report = &Report{}
	var hosts []string
	for _, c := range b.sortedCauses() {
		hosts = append(hosts, c.Host)
	}
	if want := []string{"mailto:", "h.lib.edu", "a"}; !slices.Equal(hosts, want) {
		t.Errorf("%v, want %v", hosts, want)
	}
}
