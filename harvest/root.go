package harvest

import (
	"regexp"
	"time"

	"linkcheck/check"
)

// Root is an archive, and what the operator decided about it.
type Root struct {
	URI   string // as it was given, cleaned; without a password
	Kind  string // http, sitemap, oai, sru, z39.50, ftp, gopher, news
	Name  string // the collection; never ""
	Owner string // who mends its links; may be ""

	Every     Schedule
	RecordURL string // where a record can be seen: "{id}" stands for its identifier; "": nowhere

	Follow, NoFollow *regexp.Regexp // searched in addresses; nil: as if not given
	Depth            int            // hops from the root; 0: 20
	Documents        int            // of the root in all; 0: 10,000 of a walk, 1,000,000 else
	Bytes            int64          // read in a run; 0: 2 GiB
	Time             time.Duration  // of a run; 0: 1 h

	Query, Format string   // of a catalogue
	Groups        []string // of a news server
	Secret        check.Secret
}

// Schedule says when a root is due.
type Schedule struct {
	Every   time.Duration // since the last whole reading; 0: see Weekday and Monthly
	Weekday time.Weekday  // where OnDay
	OnDay   bool
	Monthly bool
}
