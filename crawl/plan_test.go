package crawl

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/judge"
	"linkcheck/store"
)

// New links come first, then failing, living and dead ones; of each those that are
// due longest, and then by number (OUTCOMES section 5).
func TestOrderOfPlan(t *testing.T) {
	var list []planned
	dues := map[planned]time.Time{}
	for i, s := range []judge.State{judge.Dead, judge.Alive, judge.Failing, judge.New} {
		for _, due := range []time.Time{time.Date(2026, 7, 2, 0, 1, 0, 0, time.UTC), time.Date(2026, 7, 2, 0, 0, 0, 0, time.UTC), {}, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)} {
			for _, id := range []uint64{9, 1} {
				p := planned{id: uint64(10*i) + id, turn: turnOf(&store.DueLink{State: s, Next: due})}
				list, dues[p] = append(list, p), due
			}
		}
	}
	slices.SortFunc(list, planned.compare)
	for i := range list[1:] {
		p, q := list[i], list[i+1]
		if a, b := p.id/10, q.id/10; a < b || a == b && (dues[p].After(dues[q]) || dues[p].Equal(dues[q]) && p.id >= q.id) {
			t.Errorf("%+v of %v before %+v of %v", p, dues[p], q, dues[q])
		}
	}
	if first, last := list[0], list[len(list)-1]; first.id/10 != 3 || last.id/10 != 0 {
		t.Errorf("%+v is first, %+v last", first, last)
	}
}

// TestHeldBackUsesTheStore: what says of links that they are held back reads the store, where a
// writer may wait for its readers: it is asked outside of them.
func TestHeldBackUsesTheStore(t *testing.T) {
	if testing.Short() {
		t.Skip("a file that outgrows its map of 64 MB")
	}
	st := newStore(t, "http://w.example/")
	w := &world{}
	_, err := Check(t.Context(), st, options(w, func(o *Options) {
		o.HeldBack = func(_ uint64, address string) string {
			large := store.Pin{Host: "large.example", State: judge.Ignored, Why: strings.Repeat(address, 5<<20)} // for which the file must grow
			if err := errors.Join(st.SetPin(large), st.Backup(t.Context(), filepath.Join(t.TempDir(), "copy"))); err != nil {
				t.Error(err)
			}
			return "below /"
		}
	}))
	if len(w.visits) != 0 || err != nil {
		t.Errorf("%v, %v", w.visits, err)
	}
}
