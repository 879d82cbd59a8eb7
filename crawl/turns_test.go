package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
)

// Read reads what a world has as it is probed.
func (w *world) Read(ctx context.Context, t check.Target, _ check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	r := w.Probe(ctx, t)
	if r.Outcome == check.OK {
		return r, take(&check.Answer{URI: t.URI})
	}
	return r, nil
}

// readAll reads addresses one after the other, and gives their results.
func readAll(t *testing.T, turns *Turns, w *world, urls ...string) (list []check.Result) {
	t.Helper()
	for _, s := range urls {
		r, err := turns.Reader(w).Read(t.Context(), check.Target{URI: mustParse(t, s)}, check.Wanted{}, func(*check.Answer) error { return nil })
		if err != nil {
			t.Errorf("%s: %v", s, err)
		}
		list = append(list, r)
	}
	return list
}

func mustParse(t *testing.T, s string) uri.URI {
	t.Helper()
	u, err := uri.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// gaps are the times between the beginnings of visits of some hosts.
func (w *world) gaps(hosts ...string) (list []time.Duration) {
	var last time.Time
	for _, v := range w.visits {
		if slices.Contains(hosts, v.host) {
			if !last.IsZero() {
				list = append(list, v.at.Sub(last))
			}
			last = v.at
		}
	}
	return list
}

// TestTurns: the readings of three roots, of which two are of one host and one of a host
// with the same address, and then the probes: one connection, with the gap from the end of
// an answer; the first probe waits for the gap too.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{took: func(string) time.Duration { return time.Second }}
		route := func(_ context.Context, addr string) (r netguard.Route, err error) {
			at := "192.0.2.1"
			if addr == "h003.test.net:80" {
				at = "192.0.2.3"
			}
			time.Sleep(100 * time.Millisecond)
			return netguard.Route{Addrs: []netip.AddrPort{netip.AddrPortFrom(netip.MustParseAddr(at), 80)}}, nil
		}
		o := options(w, func(o *Options) { o.Route = route })
		turns := NewTurns(o)
		var wg sync.WaitGroup
		for _, root := range []string{"http://h001.test.net/a", "http://h001.test.net/b", "http://h002.test.net/a", "http://h003.test.net/a"} {
			wg.Go(func() { readAll(t, turns, w, root+"/1", root+"/2", root+"/3") })
		}
		wg.Wait()
		o.Turns = turns
		if sum, err := Check(t.Context(), newStore(t, "http://h001.test.net/x", "http://h003.test.net/y"), o); err != nil || sum.Checked != 2 {
			t.Fatal(sum, err)
		}
		one, other := w.gaps("h001.test.net", "h002.test.net"), w.gaps("h003.test.net")
		if len(one) != 9 || len(other) != 3 || slices.Min(one) < 3*time.Second || slices.Min(other) != 3*time.Second {
			t.Errorf("%v, %v", one, other)
		}
		if slices.Max(one) > 4*time.Second {
			t.Errorf("somebody was forgotten: %v", one)
		}
	})
}

// TestTurnsEndWithContext: who waits no more is in nobody's way.
func TestTurnsEndWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{took: func(string) time.Duration { return time.Second }}
		o := options(w, func(o *Options) {})
		turns := NewTurns(o)
		readAll(t, turns, w, "http://h001.test.net/1")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r, err := turns.Reader(w).Read(ctx, check.Target{URI: mustParse(t, "http://h001.test.net/2")}, check.Wanted{}, nil)
		if r.Reason != check.ReasonCancelled || err != nil || len(w.visits) != 1 {
			t.Errorf("%s(%s) %v, %d visits", r.Outcome, r.Reason, err, len(w.visits))
		}
		enough := errors.New("enough")
		for range 2 { // an error or a panic of the caller leaves the host free
			if _, err := turns.Reader(w).Read(t.Context(), check.Target{URI: mustParse(t, "http://h001.test.net/3")}, check.Wanted{}, func(*check.Answer) error { return enough }); err != enough {
				t.Error(err)
			}
			func() {
				defer func() { recover() }()
				turns.Reader(w).Read(t.Context(), check.Target{URI: mustParse(t, "http://h001.test.net/3")}, check.Wanted{}, func(*check.Answer) error { panic("fault") })
			}()
		}
		o.Turns = turns
		if sum, err := Check(t.Context(), newStore(t, "http://h001.test.net/4"), o); err != nil || sum.Checked != 1 {
			t.Error(sum, err)
		}
		if gaps := w.gaps("h001.test.net"); len(gaps) != 5 || slices.Min(gaps) != 3*time.Second {
			t.Errorf("%v", gaps)
		}
	})
}

// TestTurnsWhileReading: what is read of an answer takes no time of the host.
func TestTurnsWhileReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{took: func(string) time.Duration { return time.Second }}
		turns := NewTurns(options(w, func(*Options) {}))
		for _, path := range []string{"1", "2"} {
			_, err := turns.Reader(w).Read(t.Context(), check.Target{URI: mustParse(t, "http://h001.test.net/"+path)}, check.Wanted{}, func(*check.Answer) error {
				time.Sleep(10 * time.Second)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
		if gaps := w.gaps("h001.test.net"); gaps[0] != 11*time.Second {
			t.Errorf("%v", gaps)
		}
	})
}

// TestTurnsInRow: articles, and the messages of a mailbox, follow each other for a while without
// a gap; then, and before the first probe, there is one.
func TestTurnsInRow(t *testing.T) {
	for _, tt := range []struct {
		address string
		took    time.Duration // of an answer
		row     int
	}{{"news://h001.test.net/%d@a.b", 10 * time.Millisecond, mostInRow}, {"news://h001.test.net/%d@a.b", time.Second, 11}, {"imaps://h001.test.net/list;UIDVALIDITY=1/;UID=%d", 10 * time.Millisecond, mostInRow}} {
		synctest.Test(t, func(t *testing.T) {
			w := &newsWorld{took: tt.took}
			o := options(w, func(*Options) {})
			turns := NewTurns(o)
			n := 2*tt.row + 3
			for i := range n {
				r, err := turns.Reader(w).Read(t.Context(), check.Target{URI: mustParse(t, fmt.Sprintf(tt.address, i+1))}, check.Wanted{}, func(*check.Answer) error { return nil })
				if err != nil || r.Outcome != check.OK {
					t.Fatal(r.Outcome, err)
				}
			}
			o.Turns = turns
			if sum, err := Check(t.Context(), newStore(t, "news://h001.test.net/x@a.b"), o); err != nil || sum.Checked != 1 {
				t.Fatal(sum, err)
			}
			for i := 1; i < len(w.asked); i++ {
				want := tt.took
				if i%tt.row == 0 || i == n {
					want += o.HostDelay
				}
				if got := w.asked[i].Sub(w.asked[i-1]); got != want {
					t.Errorf("%v an answer: %v before question %d, want %v", tt.took, got, i, want)
				}
			}
			if len(w.asked) != n+1 {
				t.Errorf("%d questions", len(w.asked))
			}
		})
	}
}

// newsWorld has every article.
type newsWorld struct {
	took  time.Duration
	asked []time.Time
}

func (w *newsWorld) Probe(context.Context, check.Target) check.Result {
	r := check.New(check.OK, "nntp-223", "223")
	r.At, r.Attempts = time.Now(), 1
	w.asked = append(w.asked, r.At)
	time.Sleep(w.took)
	return r
}

func (w *newsWorld) Read(ctx context.Context, t check.Target, _ check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	return w.Probe(ctx, t), take(&check.Answer{})
}

func (w *newsWorld) Hooks() check.Hooks { return check.Hooks{} }

func (w *newsWorld) Close() error { return nil }

// TestTurnsRest: a host that asks to be left alone is (OUTCOMES 5.1.9), by readings and by
// probes, in this night and the next.
func TestTurnsRest(t *testing.T) {
	busy := func(after time.Duration) check.Result {
		r := busy503
		r.RetryAfter = after
		return r
	}
	tooMany := check.New(check.Blocked, "http-429", "HTTP/1.1 429 Too Many Requests")
	for _, tt := range []struct {
		name   string
		answer func(n int) check.Result // to the question n for the first page
		first  string
		asked  int // for it
		rests  bool
		left   time.Duration
	}{
		{"soon", func(n int) check.Result { return []check.Result{busy(time.Minute), found}[min(n, 1)] }, "http-200", 2, false, 0},
		{"soon, again and again", func(int) check.Result { return busy(time.Minute) }, "http-503", mostAsked, false, 0},
		{"later", func(int) check.Result { return busy(time.Hour) }, "http-503", 1, true, time.Hour},
		{"429 without a time", func(int) check.Result { return tooMany }, "http-429", 1, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &world{answer: func(_, path string, n int) check.Result {
					if path == "/1" {
						return tt.answer(n)
					}
					return found
				}}
				st := newStore(t, "http://h001.test.net/3", "http://h002.test.net/3")
				o := options(w, func(o *Options) { o.NoRetry = true })
				turns := NewTurns(o)
				if err := turns.Remember(st); err != nil {
					t.Fatal(err)
				}
				list := readAll(t, turns, w, "http://h001.test.net/1", "http://h001.test.net/2")
				if n := w.count["http://h001.test.net/1"]; string(list[0].Reason) != tt.first || n != tt.asked {
					t.Errorf("first %s, asked %d times", list[0].Reason, n)
				}
				if rests := list[1].Reason == check.ReasonHostBackoff; rests != tt.rests || w.count["http://h001.test.net/2"] == 1 == tt.rests {
					t.Errorf("then %s(%s), asked %v", list[1].Outcome, list[1].Reason, w.count)
				} else if left := list[1].RetryAfter; rests && tt.left > 0 && (left < tt.left-time.Minute || left > tt.left+time.Minute) {
					t.Errorf("for %v", left)
				}
				o.Turns = turns
				sum, err := Check(t.Context(), st, o)
				if err != nil || w.count["http://h002.test.net/3"] != 1 || w.count["http://h001.test.net/3"] == 1 == tt.rests {
					t.Errorf("%+v, %v, asked %v", sum, err, w.count)
				}
				turns = NewTurns(o) // of another run of this night
				if err := turns.Remember(st); err != nil {
					t.Fatal(err)
				}
				if again := readAll(t, turns, w, "http://h001.test.net/2"); (again[0].Reason == check.ReasonHostBackoff) != tt.rests {
					t.Errorf("in the next run: %s", again[0].Reason)
				}
				time.Sleep(48 * time.Hour)
				turns = NewTurns(o)
				if err := turns.Remember(st); err != nil {
					t.Fatal(err)
				}
				if again := readAll(t, turns, w, "http://h001.test.net/2"); again[0].Outcome != check.OK || !leftAlone(st, "h001.test.net").IsZero() && tt.rests {
					t.Errorf("two nights later: %s, left alone until %v", again[0].Reason, leftAlone(st, "h001.test.net"))
				}
			})
		})
	}
}

// TestTurnsOfAnyStatus: who judges all answers itself asks again itself, when the time has passed.
func TestTurnsOfAnyStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soon := busy503
		soon.RetryAfter = time.Minute
		w := &world{answer: func(string, string, int) check.Result { return soon }}
		r := NewTurns(options(w, func(*Options) {})).Reader(w)
		const asked = 11
		for range asked {
			target := check.Target{URI: mustParse(t, "http://h001.test.net/oai")}
			if res, err := r.Read(t.Context(), target, check.Wanted{AnyStatus: true}, nil); err != nil || res.Reason != soon.Reason {
				t.Error(res, err)
			}
		}
		if gaps := w.gaps("h001.test.net"); len(gaps) != asked-1 || slices.Min(gaps) < time.Minute {
			t.Errorf("%v between requests", gaps)
		}
	})
}

// TestTurnsRestUntold: without a store the probes of the night know it all the same, and
// those who waited are told.
func TestTurnsRestUntold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{took: func(string) time.Duration { return time.Second }, answer: func(string, string, int) check.Result {
			r := busy503
			r.RetryAfter = time.Hour
			return r
		}}
		o := options(w, func(o *Options) {})
		turns := NewTurns(o)
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() { readAll(t, turns, w, fmt.Sprint("http://h001.test.net/", i)) })
		}
		wg.Wait()
		o.Turns = turns
		if sum, err := Check(t.Context(), newStore(t, "http://h001.test.net/x"), o); err != nil || sum.BackedOff != 1 || len(w.visits) != 1 {
			t.Errorf("%+v, %v, %d visits", sum, err, len(w.visits))
		}
	})
}

// TestHeard: what was heard of an address is the answer of the night for its links, a failure
// and a death among them; no address of such a host is asked twice.
func TestHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := check.New(check.Gone, "http-404", "HTTP/1.1 404 Not Found")
		moved := check.New(check.Moved, "http-200", "HTTP/1.1 200 OK")
		moved.SuggestedURL, moved.FinalURL, moved.Hops = "http://h001.test.net/there", "http://h001.test.net/there", []check.Hop{{Code: 301, URL: "http://h001.test.net/there"}}
		answers := map[string]check.Result{"/gone": gone, "/lost": gone, "/weak": busy503, "/lame": busy503, "/moved": moved}
		w := &world{answer: func(_, path string, _ int) check.Result {
			if r, ok := answers[path]; ok {
				return r
			}
			return found
		}}
		const site = "http://h001.test.net"
		read := []string{site + "/here", site + "/gone", site + "/weak", site + "/moved"}
		st := newStore(t, site+"/here", site+"/here#part", site+"/gone", site+"/lost#x", site+"/weak", site+"/lame", site+"/other", site+"/moved#top", site+"/there")
		dead := map[string]int{}
		for night := range 24 {
			o := options(w, func(*Options) {})
			at := time.Now()
			w.count = nil
			o.Turns = NewTurns(o)
			if err := o.Turns.Remember(st); err != nil {
				t.Fatal(err)
			}
			readAll(t, o.Turns, w, read...)
			if _, err := Check(t.Context(), st, o); err != nil {
				t.Fatal(err)
			}
			for url, n := range w.count {
				if n > 1 || url == site+"/there" {
					t.Errorf("night %d: %s %d times", night, url, n)
				}
			}
			for _, url := range []string{site + "/here", site + "/here#part", site + "/weak"} {
				if l := find(t, st, url); night == 0 && l.Last.At.Sub(at) > 10*time.Second {
					t.Errorf("%s: %s at %v, read at %v", url, l.Last.Reason, l.Last.At, at)
				}
			}
			for _, path := range []string{"/gone", "/lost#x", "/weak", "/lame"} {
				if l := find(t, st, site+path); l.State == judge.Dead && dead[path] == 0 {
					if dead[path] = night; !slices.Contains(l.Last.Flags, string(check.FlagSecondOpinion)) {
						t.Errorf("%s: dead by %+v", path, l.Last)
					}
				}
			}
			time.Sleep(24*time.Hour - time.Since(at))
		}
		if l := find(t, st, site+"/moved#top"); l.Last.SuggestedURL != site+"/there#top" {
			t.Errorf("suggested %q", l.Last.SuggestedURL)
		}
		if dead["/gone"] < 6 || dead["/lost#x"] < 6 || dead["/weak"] < 14 || dead["/lame"] < 14 {
			t.Errorf("dead in night %v", dead)
		}
	})
}

// TestHeardSame: where the server said that nothing has changed, the link keeps what is known of it.
func TestHeardSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := found
		full.ETag, full.Title, full.ContentType, full.Digest = `"1"`, "Annals", "text/html", "sha256:1"
		same := check.New(check.OK, "http-304", "HTTP/1.1 304 Not Modified")
		same.ETag = `"1"`
		st := newStore(t, "http://h001.test.net/here")
		for _, heard := range []check.Result{full, same} {
			o := options(&world{}, func(o *Options) { o.Filter.All = true })
			o.Turns = NewTurns(o)
			o.Turns.Keep("http://h001.test.net/here", heard)
			if _, err := Check(t.Context(), st, o); err != nil {
				t.Fatal(err)
			}
			if l := find(t, st, "http://h001.test.net/here"); l.Last.Title != "Annals" || l.Last.Digest != "sha256:1" || l.Last.ETag != `"1"` {
				t.Errorf("%+v", l.Last)
			}
			time.Sleep(24 * time.Hour)
		}
	})
}

func find(t *testing.T, st *store.Store, url string) store.Link {
	t.Helper()
	l, ok, err := st.Find(url)
	if err != nil || !ok {
		t.Fatalf("%s: %v %v", url, ok, err)
	}
	return l
}
