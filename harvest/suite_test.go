package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// Case is a harvester, and a world in which it reads one root.
type Case struct {
	// Open makes the harvester of the root. It is made anew for each run.
	Open func(r check.Reader, now func() time.Time) harvest.Harvester
	// World is the server, which answers whole and always the same; at most 20 documents
	// are in it, lest the brake hold what the laws are about. It is made anew for each case.
	World func() check.Reader
	// Leads is where a document leads; nil: nowhere.
	Leads func(d harvest.Document, body []byte) []harvest.Lead
	// Empty is the list that the server would give at an address if it held nothing; nil:
	// it has no lists.
	Empty func(address string) (media, body string)
	// Endless are servers whose answers never end, by name.
	Endless map[string]func() check.Reader
	// Requests is how many an endless server is asked at most; 0: 1,000.
	Requests int
	// Again is how many requests a run repeats at most that goes on with another.
	Again int
}

const (
	suiteNights = 8 // until all that failed was read again
	suiteDays   = 7 // between them
)

// Run holds the laws: cut at any request, killed after any item, cancelled, endless,
// and the same night twice.
func Run(t *testing.T, c Case) {
	t.Run("whole", c.whole)
	t.Run("twice", c.twice)
	t.Run("cut", c.cut)
	t.Run("killed", c.killed)
	t.Run("cancelled", c.cancelled)
	t.Run("endless", c.endless)
}

// root is a store, and the nights in which its root is read.
type root struct {
	Case
	harvesttest.Store
	harvesttest.Nights
	reader failing
}

func (c Case) root() *root { return c.rootOf(c.World()) }

func (c Case) rootOf(r check.Reader) *root {
	return &root{Case: c, Store: harvesttest.Store{Lead: c.Leads}, reader: failing{Reader: r}}
}

// run is one reading.
func (r *root) run(ctx context.Context, stop int, lag bool) error {
	return r.Store.Run(ctx, r.Open(&r.reader, r.Now), stop, lag)
}

// sweep reads until a sweep has ended.
func (r *root) sweep(t *testing.T) {
	t.Helper()
	for range suiteNights {
		err := r.run(t.Context(), 0, false)
		var stop *harvest.Stop
		if err != nil && !errors.As(err, &stop) {
			t.Fatalf("an error that is none of harvests: %v", err)
		}
		if ended, _ := r.Whole(); ended {
			if err != nil {
				t.Errorf("a whole sweep with the error %v", err)
			}
			return
		}
		r.Nights += suiteDays
	}
	t.Fatalf("no sweep has ended in %d runs; notes %q", suiteNights, r.Notes)
}

// right fails the test where the rules of items were broken.
func (r *root) right(t *testing.T) {
	t.Helper()
	for _, w := range r.Wrong {
		t.Error(w)
	}
	r.Wrong = nil
}

// whole is the reading by which all others are measured.
func (c Case) whole(t *testing.T) {
	r := c.root()
	r.sweep(t)
	r.right(t)
	if n := len(r.Standing()); n == 0 || n > 20 {
		t.Errorf("%d documents stand", n)
	}
	t.Logf("%d documents, %d items, %d requests", len(r.Standing()), r.Items, r.reader.requests)
}

// twice: nothing changes in a world that does not.
func (c Case) twice(t *testing.T) {
	r := c.root()
	r.sweep(t)
	want := r.Report()
	for range 3 {
		r.Nights += suiteDays
		r.sweep(t)
		if got := r.Report(); got != want {
			t.Fatalf("a world that does not change reads\n%s\nand then\n%s", want, got)
		}
		if r.Told[harvest.Found] != 0 {
			t.Errorf("%d documents are found that were known", r.Told[harvest.Found])
		}
	}
	r.right(t)
}

// cut: whichever request fails in whatever manner, in the first reading or in a later
// one, no document is lost, and later readings end as if nothing had been.
func (c Case) cut(t *testing.T) {
	ref := c.root()
	ref.sweep(t)
	first := ref.reader.requests
	ref.Nights += suiteDays
	ref.sweep(t)
	later := ref.reader.requests - first
	cuts := 0
	for _, f := range faults(c) {
		for known, requests := range []int{first, later} {
			for k := 1; k <= requests; k++ {
				t.Run(fmt.Sprintf("%s/%d of %d/known %d", f.name, k, requests, known), func(t *testing.T) {
					if c.cutOnce(t, ref, f, k, known == 1) {
						cuts++
					}
				})
			}
		}
	}
	if cuts == 0 {
		t.Error("no request was cut")
	}
	t.Logf("%d cuts", cuts)
}

func (c Case) cutOnce(t *testing.T, ref *root, f fault, k int, known bool) (failed bool) {
	r := c.root()
	if known {
		r.sweep(t)
		r.Nights += suiteDays
		k += r.reader.requests
	}
	r.reader.at, r.reader.fault = k, f
	err := r.run(t.Context(), 0, false)
	if known {
		r.stands(t, ref, fmt.Sprintf("behind the cut (%v)", err))
	}
	for range 3 {
		r.Nights += suiteDays
		r.sweep(t)
		if known {
			r.stands(t, ref, "later")
		}
	}
	if f.silent {
		r.stands(t, ref, "at the end")
	} else if got, want := r.Report(), ref.Report(); got != want {
		t.Errorf("it ends as\n%s\nnot\n%s", got, want)
	}
	r.right(t)
	return r.reader.failed
}

// stands fails the test where a living document is gone.
func (r *root) stands(t *testing.T, ref *root, when string) {
	t.Helper()
	for _, name := range ref.Standing() {
		if d, ok := r.Document(name); !ok || d.Gone || !d.Read {
			t.Errorf("%s: %s is lost: %+v; notes %q", when, name, d, r.Notes)
		}
	}
}

// killed: a run that ends behind any item, and goes on from what was kept.
func (c Case) killed(t *testing.T) {
	ref := c.root()
	ref.sweep(t)
	items, requests := ref.Items, ref.reader.requests
	again := 0
	for k := 1; k <= items; k++ {
		for _, lag := range []bool{false, true} {
			r := c.root()
			if err := r.run(t.Context(), k, lag); err != nil {
				t.Fatalf("killed behind item %d: %v", k, err)
			}
			if ended, _ := r.Whole(); !ended {
				r.sweep(t)
			}
			if got, want := r.Report(), ref.Report(); got != want {
				t.Fatalf("killed behind item %d (lag %v) it ends as\n%s\nnot\n%s", k, lag, got, want)
			}
			again = max(again, r.reader.requests-requests)
			r.right(t)
		}
	}
	if again > c.Again {
		t.Errorf("%d requests are made again by the run that goes on", again)
	}
	t.Logf("killed behind each of %d items; at most %d requests again", items, again)
}

// cancelled: no request is made once the context has ended.
func (c Case) cancelled(t *testing.T) {
	ref := c.root()
	ref.sweep(t)
	for k := 1; k <= ref.reader.requests; k++ {
		r := c.root()
		ctx, cancel := context.WithCancel(t.Context())
		r.reader.at, r.reader.cancel = k, cancel
		err := r.run(ctx, 0, false)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at request %d it ends with %v", k, err)
		}
		if ended, _ := r.Whole(); ended || r.reader.requests > k {
			t.Errorf("cancelled at request %d: %d requests, whole %v", k, r.reader.requests, ended)
		}
		r.reader.at = 0
		r.sweep(t)
		if r.Report() != ref.Report() {
			t.Errorf("cancelled at request %d it ends as\n%s", k, r.Report())
		}
	}
}

// endless: whatever comes without end, the harvest ends.
func (c Case) endless(t *testing.T) {
	names := make([]string, 0, len(c.Endless))
	for name := range c.Endless {
		names = append(names, name)
	}
	slices.Sort(names)
	most := c.Requests
	if most == 0 {
		most = 1000
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			r := c.rootOf(c.Endless[name]())
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r.reader.most, r.reader.onMost = most, cancel
			err := r.run(ctx, 0, false)
			if r.reader.requests > most {
				t.Errorf("%d requests and no end", r.reader.requests)
			}
			t.Logf("%d requests, %d documents, %v", r.reader.requests, len(r.Standing()), err)
		})
	}
}
