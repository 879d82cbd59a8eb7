package store

import (
	"strings"
	"testing"
	"time"

	"linkcheck/judge"
)

// TestCache: what is remembered holds for its time and no longer, over closing,
// export and a clock that jumps.
func TestCache(t *testing.T) {
	now := epoch
	s := openTest(t)
	s.now = func() time.Time { return now }
	s.Cache().CachePut("soft404 http://a.example.net/", []byte("yes"), now.Add(30*day))
	s.Cache().CachePut("soft404 http://b.example.net/", nil, now.Add(1000*day))
	s.Cache().CachePut("short", []byte("x"), now.Add(day))
	s.Cache().CachePut(strings.Repeat("k", 5<<10), nil, now.Add(day))
	s.Cache().CachePut("long", make([]byte, 17<<10), now.Add(day))
	check := func(when string, want ...string) {
		t.Helper()
		var got []string
		for _, k := range []string{"soft404 http://a.example.net/", "soft404 http://b.example.net/", "short", "long", strings.Repeat("k", 5<<10), ""} {
			if v, ok := s.Cache().CacheGet(k); ok {
				got = append(got, k+"="+string(v))
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	const a, b, short = "soft404 http://a.example.net/=yes", "soft404 http://b.example.net/=", "short=x"
	check("before anything is written", a, b, short)
	if err := s.Record(1, judge.Policy{}, nil); err != nil || len(s.cache.Waiting()) > 0 {
		t.Fatalf("they were not written: %v", err)
	}
	check("once written", a, b, short)
	now = epoch.Add(2 * day)
	check("two days later", a, b)
	now = epoch.Add(-100 * day)
	check("after the clock was set back")
	now = epoch.Add(2 * day)
	run, err := s.StartRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	s.Cache().CachePut("short", []byte("y"), now.Add(day))
	if err := s.EndRun(Run{ID: run, Ended: now}); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, s)
	if n := strings.Count(exported(t, s), `"table":"recall"`); n != 3 {
		t.Errorf("%d rows are kept", n)
	}
	now = epoch.Add(40 * day)
	if err := s.EndRun(Run{ID: run, Ended: now}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(exported(t, s), `"table":"recall"`); n != 1 {
		t.Errorf("%d rows are kept after 40 days", n)
	}
}

// TestCacheSurvivesClose: Close writes what waits; a store opened for reading
// keeps what it is told to itself.
func TestCacheSurvivesClose(t *testing.T) {
	s := openTest(t)
	until := time.Now().Add(day)
	s.Cache().CachePut("k", []byte("v"), until)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(s.Path(), &Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := r.Cache().CacheGet("k"); !ok || string(v) != "v" {
		t.Errorf("%q, %v", v, ok)
	}
	r.Cache().CachePut("other", nil, until)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
