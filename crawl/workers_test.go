package crawl

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/fault"
	"linkcheck/store"
)

// The number of workers keeps within what a process may have open.
func TestWithinLimit(t *testing.T) {
	for _, tt := range []struct{ limit, workers, want int }{
		{0, 16, 16}, {0, 5000, 5000}, {1 << 20, 16, 16}, {1024, 16, 16}, {1024, 500, 244}, {256, 16, 16}, {64, 16, 9}, {64, 4, 4}, {32, 16, 1}, {8, 16, 1},
	} {
		if got := WithinLimit(tt.limit, tt.workers); got != tt.want {
			t.Errorf("%d files, %d workers: %d, want %d", tt.limit, tt.workers, got, tt.want)
		}
	}
}

// faultyProber fails as a program: in the probe of a.test, after a redirect of b.test.
type faultyProber struct{}

func (faultyProber) Probe(_ context.Context, t check.Target) check.Result {
	if !strings.Contains(t.URI.String(), "good") {
		panic("in the probe")
	}
	return check.New(check.OK, "http-200", "")
}

func (faultyProber) Close() error { return nil }

func (p faultyProber) Hooks() check.Hooks {
	return check.Hooks{Start: func(ctx context.Context, t check.Target) (check.Result, *check.Continuation) {
		if !strings.Contains(t.URI.String(), "b.test") {
			return p.Probe(ctx, t), nil
		}
		return check.Result{}, &check.Continuation{URI: t.URI, Run: func(context.Context) (check.Result, *check.Continuation) { panic("further on") }}
	}}
}

// TestFaultOfProber: a prober that panics makes a result which is no word about the link,
// and the others are probed.
func TestFaultOfProber(t *testing.T) {
	st := newStore(t)
	addLinks(t, st, "http://a.test/", "http://b.test/", "http://good.test/")
	sum, err := Check(t.Context(), st, options(faultyProber{}, func(o *Options) { o.NoRetry = true }))
	if err != nil || sum.Checked != 3 {
		t.Fatalf("%+v, %v", sum, err)
	}
	for url, want := range map[string]string{"http://a.test/": "in the probe at workers_test.go:", "http://b.test/": "further on at workers_test.go:"} {
		l := stateOf(t, st, url)
		if r := l.Last; r.Outcome != check.Internal || r.Reason != check.ReasonPanic || !strings.HasPrefix(r.Reply, want) || r.At.IsZero() || l.Strikes > 0 {
			t.Errorf("%s: %+v, strikes %v", url, r, l.Strikes)
		}
	}
	if l := stateOf(t, st, "http://good.test/"); l.Last.Outcome != check.OK {
		t.Errorf("the sound one: %+v", l.Last)
	}
}

// closer fails as a program beside any probe.
type closer struct{ faultyProber }

func (closer) Hooks() check.Hooks {
	return check.Hooks{CloseIdle: func(string) { panic("beside the probe") }}
}

// TestFaultsReachTheCaller: what panics in a worker beside a probe, or in the writer, does so
// in the goroutine that calls Check, or is its error.
func TestFaultsReachTheCaller(t *testing.T) {
	j := (&workers{o: NewOptions(closer{})}).guarded(t.Context(), job{closeIdle: "a.test"})
	var caught error
	func() {
		defer fault.Catch(&caught)
		(&dispatcher{}).finish(&j, time.Now(), nil)
	}()
	if f, ok := errors.AsType[*fault.Error](caught); !ok || f.Value != "beside the probe" {
		t.Errorf("a worker: %v", caught)
	}
	w := &writer{now: time.Now, after: time.After, record: func([]store.Checked) error { panic("in the writer") }}
	w.start()
	err := errors.Join(w.add(store.Checked{}), w.close())
	if f, ok := errors.AsType[*fault.Error](err); !ok || f.Value != "in the writer" {
		t.Errorf("the writer: %v", err)
	}
}
