package ingest

import (
	"fmt"

	"linkcheck/store"
)

const maxProblems = 100 // that a Summary holds one by one

// Summary says what one Read did.
type Summary struct {
	Sources    int // found
	Unchanged  int // not read: the same size, time and collection as before
	Read       int
	Unreadable int
	Doubted    int     // of the unreadable: may be out of reach, and nothing of them is retired
	Gone       int     // were there before, and their folder holds other things now
	Damages    int     // parts of documents that could not be read
	NotRead    int     // documents of formats that nothing here reads: no damage
	Problems   []error // the first of them
	Untold     int     // how many came after those
	store.IngestCounts
}

func (s *Summary) addProblem(err error) {
	if len(s.Problems) < maxProblems {
		s.Problems = append(s.Problems, err)
	} else {
		s.Untold++
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
