package ingest

import (
	"fmt"

	"linkcheck/store/facts"
)

const maxProblems = 100 // in Summary.Problems

// Summary says what one Read did.
type Summary struct {
	Sources      int      // found
	Unchanged    int      // not read: the same size, time and collection as before
	Read         int      // read whole
	Unreadable   int      // not read whole, or not walked
	OutOfReach   int      // of the unreadable: perhaps not gone, so that nothing of them is retired
	Gone         int      // no longer there, while their folder holds other things
	Damages      int      // parts of documents that could not be read, where that is new
	KnownDamages int      // those of documents that were damaged in the same way before
	Links        int      // to folders, and not followed
	NotRead      int      // documents of known formats that nothing here reads: no damage
	Problems     []error  // the first 100
	Untold       int      // number of the others
	Notes        []string // what is no problem, and should be known
	facts.IngestCounts
}

func (s *Summary) addProblem(err error) {
	if len(s.Problems) < maxProblems {
		s.Problems = append(s.Problems, err)
	} else {
		s.Untold++
	}
}

// addProblems adds the problems of a part of the reading.
func (s *Summary) addProblems(of *Summary) {
	for _, err := range of.Problems {
		s.addProblem(err)
	}
	s.Untold += of.Untold
}

func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
