package memento

import (
	"fmt"

	"linkcheck/store"
	"linkcheck/store/archived"
)

// Job is one link that archives are asked about, and the days to which copies are to be near.
type Job struct {
	Link uint64
	Page string
	Days []archived.Day // one or more, in their order
}

// JobOf makes the job of a link and the places where it stands; false where there is none to
// ask about. Of a link that leads to an archive it is about the page that is held there.
func JobOf(l *store.Link, places []store.Mention) (Job, bool) {
	j := Job{Link: l.ID, Page: archived.Page(l), Days: archived.Days(l, places)}
	return j, archived.Askable(j.Page) && len(j.Days) > 0
}

// Sum is what a campaign came to. Each link is counted once: Known, Asked or Left.
type Sum struct {
	Links  int // that there are
	Known  int // whose answers hold: they are not asked about
	Asked  int // about all their days
	Copies int // links, of those known or asked about, with a copy for a day or more
	None   int // without one
	Lost   int // of these, links that had one before
	Left   int // not asked, or not about all their days
}

// Words is the sum as a sentence.
func (s Sum) Words() string {
	text := fmt.Sprintf("asked about %d of %d links, %d known already; %d with a copy, %d without", s.Asked, s.Links, s.Known, s.Copies, s.None)
	if s.Lost > 0 {
		text += fmt.Sprintf(" (%d lost again)", s.Lost)
	}
	return text + fmt.Sprintf("; %d left", s.Left)
}
