// Package overview sums up what the workers of a fleet say of themselves.
package overview

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"linkcheck/fleet"
	"linkcheck/internal/escape"
	"linkcheck/internal/plain"
)

// Status sums up what the workers of a set say; `fleet status --json` prints it.
type Status struct {
	Schema  string               `json:"schema"`
	Set     string               `json:"set"`
	Shards  int                  `json:"shards"`
	Live    int                  `json:"live"`    // shards that are served
	Run     uint64               `json:"run"`     // the last night; 0: there was none
	Told    int                  `json:"-"`       // shards that have heard of it
	Through int                  `json:"through"` // of these, those that have made it
	Reads   bool                 `json:"reads"`   // a run is under way
	Planned int                  `json:"planned"`
	Done    int                  `json:"done"`
	Stuck   []int                `json:"stuck,omitempty"`
	Workers []fleet.WorkerStatus `json:"workers"`
}

// Of sums up what workers say.
func Of(n *fleet.NATS, workers []fleet.WorkerStatus) *Status {
	s := &Status{Schema: "linkcheck.fleet.v1", Set: n.Set, Shards: n.Of.Shards, Workers: workers}
	for _, w := range workers {
		s.Reads = s.Reads || w.Reads
		for _, sh := range w.Shards {
			s.Run = max(s.Run, sh.Run)
		}
	}
	for _, w := range workers {
		for _, sh := range w.Shards {
			if sh.Live {
				s.Live++
			}
			if sh.Why != "" {
				s.Stuck = append(s.Stuck, sh.Shard)
			}
			if sh.Run == s.Run && s.Run > 0 {
				s.Told++
				s.Planned, s.Done = s.Planned+sh.Planned, s.Done+sh.Done
				if sh.Through {
					s.Through++
				}
			}
		}
	}
	return s
}

// Print writes it for people: a line for the night, one for each worker and each shard that is stuck.
func (s *Status) Print(w io.Writer) (err error) {
	say := func(format string, args ...any) {
		if err == nil {
			_, err = escape.Printf(w, format, args...)
		}
	}
	night := "no night yet"
	if s.Run > 0 {
		night = fmt.Sprintf("night %d: %d of %d shards through, %s of %s checked", s.Run, s.Through, s.Shards, plain.Thousands(s.Done), plain.Plural(s.Planned, "link", "links"))
	}
	say("%s; %d of %s served by %s\n", night, s.Live, plain.Plural(s.Shards, "shard", "shards"), plain.Plural(len(s.Workers), "worker", "workers"))
	for _, at := range s.Workers {
		how := ""
		for _, is := range []struct {
			so   bool
			word string
		}{{at.Reads, ", reads"}, {at.Leaving, ", leaves"}, {at.Silent, ", does not answer"}, {!at.Sure && !at.Silent, ", is not sure of its session"}} {
			if is.so {
				how += is.word
			}
		}
		say("%s: %s%s\n", at.Worker, plain.Plural(len(at.Shards), "shard", "shards"), how)
		for _, sh := range at.Shards {
			if sh.Why != "" {
				say("  shard %d is stuck: %s\n", sh.Shard, sh.Why)
			}
		}
	}
	return err
}

// Figures writes what is known of the shards of a worker, for node_exporter.
func Figures(out io.Writer, list []fleet.ShardStatus) error {
	figures := [...]struct {
		name, help string
		of         func(s *fleet.ShardStatus) int
	}{
		{"shards", "Shards that the worker has claimed.", func(*fleet.ShardStatus) int { return 1 }},
		{"shards_live", "Shards that it serves.", func(s *fleet.ShardStatus) int { return one(s.Live) }},
		{"shards_stuck", "Shards whose log it cannot read.", func(s *fleet.ShardStatus) int { return one(s.Stuck != nil) }},
		{"shards_through", "Shards that have made their last night.", func(s *fleet.ShardStatus) int { return one(s.Through) }},
		{"links_planned", "Links to probe in the last night of its shards.", func(s *fleet.ShardStatus) int { return s.Planned }},
		{"links_done", "Links of these with a result.", func(s *fleet.ShardStatus) int { return s.Done }},
	}
	for _, f := range figures {
		sum := 0
		for i := range list {
			sum += f.of(&list[i])
		}
		if _, err := escape.Printf(out, "# HELP linkcheck_fleet_%s %s\n# TYPE linkcheck_fleet_%s gauge\nlinkcheck_fleet_%s %d\n", f.name, f.help, f.name, f.name, sum); err != nil {
			return err
		}
	}
	return nil
}

// one is 1 for what is so.
func one(so bool) int {
	if so {
		return 1
	}
	return 0
}

// Differ gives the names of flags that two who have told of theirs have set differently.
func Differ(a, b map[string]string) (names []string) {
	if a == nil || b == nil {
		return nil
	}
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	return names
}
