// Package facts has the plain values that readings bring to a store and take from it.
package facts

import "linkcheck/check"

// Kind is a format and the number of documents in it.
type Kind struct {
	Name string
	N    int
}

// IngestCounts counts what a reading changed.
type IngestCounts struct {
	Mentions int // read
	NewLinks int
	New      int // mentions not known before
	Returned int // mentions that were retired
	Retired  int // mentions that vanished
	Dropped  int // mentions that had been retired for 90 days
}

// Add adds those of another part of it.
func (c *IngestCounts) Add(n *IngestCounts) {
	c.Mentions += n.Mentions
	c.NewLinks += n.NewLinks
	c.New += n.New
	c.Returned += n.Returned
	c.Retired += n.Retired
	c.Dropped += n.Dropped
}

// Kept is what is kept of an answer while the sweep of a root is under way.
type Kept struct {
	Remote uint32
	Name   string // of what was asked for
	Value  []byte
}

// Heard is what an address answered in a night that is not over.
type Heard struct {
	URL    string
	Result check.Result
}

// Interrupted is the note of a run that was ended by a person.
const Interrupted = "interrupted"
