package proof

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	"linkcheck/judge"
	"linkcheck/mend"
	"linkcheck/store"
)

// archived is what a person wants for dead links, in one place: that is their word, and no
// proof is needed but that the link is dead. A link through a library's proxy keeps it.
func (o *Options) archived(l *store.Link, m *store.Mention) proof {
	if o.Way == mend.Uncheck || o.Way == mend.UncheckX {
		return proof{kind: Archived, to: m.URL, words: "dead: the address stays in a note", proven: true, way: o.Way}
	}
	p := proof{kind: Archived, way: o.Way}
	p.to, p.date = o.Copy(l, m)
	switch {
	case p.to == "":
		p.to, p.words = m.URL, "dead: no archived copy is known"
	case o.Way == "" && l.Via != "":
		p.words = "dead: a copy in its place would lose the library's proxy; --archived add or note keeps it"
	default:
		p.words, p.proven = "dead: the archived copy "+cmp.Or(p.date, "of an unknown day"), true
	}
	return p
}

// stamped finds the time in the address of a copy, as web archives write it: 14 digits.
var stamped = regexp.MustCompile(`/(\d{14})(?:[a-z]{2}_)?/`)

// DateOf gives the day of an archived copy by its address; "": the address does not say.
func DateOf(copied string) string {
	if m := stamped.FindStringSubmatch(copied); m != nil {
		if at, err := time.Parse("20060102150405", m[1]); err == nil {
			return at.Format(time.DateOnly)
		}
	}
	return ""
}

// refused says whether a person refused the address.
func refused(l *store.Link, p *proof) bool {
	return l.Fix != nil && l.Fix.Refused && p.to == l.Fix.Text
}

// byPrefix is the word of a person, or what all links below an address that were asked say.
func (o *Options) byPrefix(l *store.Link) proof {
	asked := l.URL
	if l.Target != "" {
		asked = l.Target
	}
	for _, p := range o.Prefixes {
		if strings.HasPrefix(asked, p.Old) {
			return proof{kind: Prefixes, words: "by --prefix", proven: true, prefix: p}
		}
	}
	for _, w := range o.Rewrites {
		if strings.HasPrefix(asked, w.Old+"/") && l.Judged == judge.New && l.State == judge.New && l.Checks == 0 {
			words := fmt.Sprintf("not asked yet; all %d links below %s that were asked moved alike", w.Links, w.Old+"/")
			return proof{kind: Prefixes, words: words, proven: true, prefix: Prefix{w.Old + "/", w.New + "/"}}
		}
	}
	return proof{}
}
