package judge

import (
	"slices"
	"strings"
)

// State is what a link's history means. The values are stored: append only.
type State uint8

const (
	New          State = iota // never probed
	Alive                     // the last conclusive answer was good
	Moved                     // the server names another address for good
	Failing                   // strikes that do not suffice for dead
	Dead                      // enough strikes: see threshold.go
	Suspect                   // it answers, but perhaps not with what was linked
	Restricted                // it answers, but not to us
	Undetermined              // its answers are neither good nor bad
	Invalid                   // no URI of its scheme
	NotCheckable              // names and does not locate, has no client, or is left out by policy
	PinnedAlive               // by a person's decision, like the next two
	PinnedDead
	Ignored // never probed nor reported
)

func (s State) String() string {
	return [...]string{"new", "alive", "moved", "failing", "dead", "suspect", "restricted", "undetermined",
		"invalid", "not-checkable", "pinned-alive", "pinned-dead", "ignored"}[s]
}

// Known says whether s is one of the states above; a number read from a file may be none.
func (s State) Known() bool { return s <= Ignored }

// ParseState is the inverse of String, in letters of either case.
func ParseState(word string) (s State, ok bool) {
	for s := New; s.Known(); s++ {
		if strings.EqualFold(s.String(), word) {
			return s, true
		}
	}
	return New, false
}

// Change is what became of a link in one run (OUTCOMES section 5.1.2).
type Change string

const (
	NoChange     Change = ""
	NewlyDead    Change = "newly-dead"
	Recovered    Change = "recovered" // from dead
	NewlyMoved   Change = "newly-moved"
	NewlySuspect Change = "newly-suspect"
	Flapping     Change = "flapping" // three reversals within 60 days
	NewlyDrifted Change = "newly-drifted"
)

// Changes is a set of Change: bit i stands for changeOrder[i]. It is stored: append only.
type Changes uint8

var changeOrder = [...]Change{NewlyDead, Recovered, NewlyMoved, NewlySuspect, Flapping, NewlyDrifted}

// List gives the changes of the set.
func (c Changes) List() (list []Change) {
	for i, change := range changeOrder {
		if c&(1<<i) != 0 {
			list = append(list, change)
		}
	}
	return list
}

// add puts a change into the set.
func (c *Changes) add(change Change) { *c |= 1 << slices.Index(changeOrder[:], change) }
