package report

import (
	"fmt"
	"iter"

	"linkcheck/store"
	"linkcheck/uri"
)

// Source is what a report needs of a store. Every iterator gives links and
// mentions in a fixed order and ends after its first error.
type Source interface {
	// Links gives every link, oldest first.
	Links() iter.Seq2[store.Link, error]
	// MentionsOf gives the occurrences of a link, retired ones too.
	MentionsOf(link uint64) iter.Seq2[store.Mention, error]
	// History gives the remembered probes of a link, oldest first.
	History(link uint64) ([]store.Event, error)
	// Groups gives the links that are the same at a level of the ladder, two or
	// more a group from level Registry upwards, in a fixed order.
	Groups(level uri.Level) iter.Seq2[store.Group, error]
	// Runs gives all runs, oldest first.
	Runs() iter.Seq2[store.Run, error]
}

// prepare reads the runs and makes options ready.
func prepare(src Source, o Options) (*scope, []store.Run, error) {
	var runs []store.Run
	for r, err := range src.Runs() {
		if err != nil {
			return nil, nil, fmt.Errorf("report: read runs: %w", err)
		}
		runs = append(runs, r)
	}
	s, err := newScope(o, runs)
	return s, runs, err
}
