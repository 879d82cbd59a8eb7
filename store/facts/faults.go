package facts

import (
	"encoding/json"
	"iter"
	"strings"
)

// Fault is what is wrong with a place for an address in a source, which no link tells: a word
// of package lint. No secret is in it.
type Fault struct {
	Code    string `json:"fault"`
	Member  string `json:"member,omitempty"`
	Line    int    `json:"line,omitempty"`
	Record  string `json:"record,omitempty"`
	Locator string `json:"locator,omitempty"`
	Title   string `json:"title,omitempty"`
	Owner   string `json:"owner,omitempty"`
	Value   string `json:"value,omitempty"`
	Repair  string `json:"repair,omitempty"`
}

// maxFaults bounds the octets that are kept of the faults of one source: some ten thousand.
const maxFaults = 1 << 20

// Faults are those of a source: a line of JSON each, and how many more there are.
type Faults struct {
	Lines string `json:"lines,omitempty"`
	More  int    `json:"more,omitempty"`
}

// Gathered gathers faults while a source is read.
type Gathered struct {
	lines strings.Builder
	more  int
}

// Add takes a fault, or counts it where there are too many.
func (g *Gathered) Add(f *Fault) {
	line, err := json.Marshal(f)
	if err != nil || g.lines.Len()+len(line) >= maxFaults {
		g.more++
		return
	}
	g.lines.Write(line)
	g.lines.WriteByte('\n')
}

// Pass counts more of them.
func (g *Gathered) Pass(n int) { g.more += max(0, n) }

// Faults are those so far.
func (g *Gathered) Faults() Faults { return Faults{g.lines.String(), g.more} }

// All yields the faults in the order of the source; a line that is none ends it.
func (f Faults) All() iter.Seq[Fault] {
	return func(yield func(Fault) bool) {
		for line := range strings.Lines(f.Lines) {
			var one Fault
			if json.Unmarshal([]byte(line), &one) != nil || !yield(one) {
				return
			}
		}
	}
}
