package harvest_test

import (
	"maps"
	"slices"
	"testing"

	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// TestKilledWalkReadsTheSame: a walk over a site with every trap that is killed again and again
// asks for the same documents as one that is not, in the first night and in the next, and for
// hardly any of them once more (HARVEST section 4).
func TestKilledWalkReadsTheSame(t *testing.T) {
	site := func() *harvesttest.Web { return harvesttest.NewWeb(newTrapped(slices.Sorted(maps.Keys(traps))...)) }
	once := &harvesttest.Store{Lead: leads}
	killed := &harvesttest.Store{Lead: leads}
	for night := range 2 {
		want, got := site(), site()
		walkOnce(t, once, want, 0)
		kills := 0
		for _, items := range []int{1, 90, 1500, 1, 2000, 700, 0} {
			if walkOnce(t, killed, got, items); !isWhole(killed) {
				kills++
			}
		}
		if kills != 6 || !isWhole(killed) {
			t.Fatalf("night %d: killed %d times", night, kills)
		}
		alike(t, "documents", once.Standing(), killed.Standing())
		alike(t, "requests", slices.Sorted(maps.Keys(want.Asked)), slices.Sorted(maps.Keys(got.Asked)))
		again := 0
		for address, times := range got.Asked {
			if address != "http://w.example/robots.txt" {
				again += times - 1
			}
		}
		if again > 3*kills { // what was on its way, and what waits for a second page (onePage)
			t.Errorf("night %d: %d requests again after %d kills", night, again, kills)
		}
		t.Logf("night %d: %d documents, %d requests, %d again after %d kills", night, len(killed.Standing()), got.Requests(), again, kills)
	}
}

// walkOnce is a run that is killed behind so many items; 0: it is not.
func walkOnce(t *testing.T, s *harvesttest.Store, web *harvesttest.Web, items int) {
	t.Helper()
	if err := s.Run(t.Context(), harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{}), items, false); err != nil {
		t.Fatal(err)
	}
	for _, w := range s.Wrong {
		t.Fatal(w)
	}
}

func isWhole(s *harvesttest.Store) bool {
	ended, _ := s.Whole()
	return ended
}

// alike fails the test where two sorted lists differ.
func alike(t *testing.T, what string, want, got []string) {
	t.Helper()
	missing := slices.DeleteFunc(slices.Clone(want), func(s string) bool { _, ok := slices.BinarySearch(got, s); return ok })
	more := slices.DeleteFunc(slices.Clone(got), func(s string) bool { _, ok := slices.BinarySearch(want, s); return ok })
	if len(missing)+len(more) > 0 {
		t.Errorf("%s: %d of %d are missing, such as %.5q, and %d are more, such as %.5q", what, len(missing), len(want), missing[:min(5, len(missing))], len(more), more[:min(5, len(more))])
	}
}
