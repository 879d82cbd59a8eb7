package fleet_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store"
)

// epoch is the time of all that is recorded: no clock is read.
var epoch = time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)

const documentLines = 20_000

// hostName is the name of the host of link i.
func hostName(i, hosts int) string { return fmt.Sprintf("h%d.example.net", i*2654435761%hosts) }

// mentions are those of n links on some hosts that stand in a shard; all in one: shards 1.
func mentions(n, hosts, shard, shards int) (list []store.Mention) {
	for i := range n {
		h := hostName(i, hosts)
		if xxhash.Sum64String(h)%uint64(shards) != uint64(shard) {
			continue
		}
		u := fmt.Sprintf("http://%s/doc/%d.html", h, i)
		list = append(list, store.Mention{Collection: "c", Record: fmt.Sprint(i / 20), Line: i + 1, Raw: u, URL: u, How: "bare"})
	}
	return list
}

// load reads mentions into a store, as those of documents of some thousand lines each, and
// begins run 1 there.
func load(tb testing.TB, s *store.Store, list []store.Mention) {
	tb.Helper()
	in, err := s.BeginIngest(epoch)
	for len(list) > 0 && err == nil {
		document := list[0].Line / documentLines
		n := slices.IndexFunc(list, func(m store.Mention) bool { return m.Line/documentLines != document })
		if n < 0 {
			n = len(list)
		}
		path := fmt.Sprintf("%d.txt", document)
		err = in.Add(store.Step{Whole: []store.Source{{Path: path, Collection: "c", Mentions: n}}, Batches: []*store.Batch{store.Prepare(path, list[:n], nil)}})
		list = list[n:]
	}
	if err == nil {
		_, err = in.Finish()
	}
	if err == nil {
		_, err = s.StartRun(store.Run{Started: epoch})
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// changes are those that load makes.
func changes(tb testing.TB, list []store.Mention) (all []store.Change) {
	tb.Helper()
	var s *store.Store
	s, err := store.Open(filepath.Join(tb.TempDir(), "load.db"), &store.Options{Now: frozen, Emit: func(c store.Change) error {
		octets := store.EncodeChange(c)
		kept, err := store.DecodeChange(octets)
		all = append(all, kept)
		if err != nil {
			return err
		}
		return s.Apply(0, c)
	}})
	if err != nil {
		tb.Fatal(err)
	}
	load(tb, s, list)
	if err := s.Close(); err != nil {
		tb.Fatal(err)
	}
	return all
}

// frozen is the clock that stands.
func frozen() time.Time { return epoch }
