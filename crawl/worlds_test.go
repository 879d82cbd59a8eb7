package crawl

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
)

// Worlds are nights of a library in which our own network is at fault for a while.
const (
	worldHosts  = 50
	worldLinks  = 200
	worldNights = 40
)

var (
	nxdomain  = check.New(check.Unreachable, check.ReasonDNSNXDomain, "no such host").WithEvidence(check.Strong)
	noAddress = check.New(check.Unreachable, check.ReasonDNSNoAddress, "name has no address")
	tcpNo     = check.New(check.Unreachable, check.ReasonTCPRefused, "connection refused")
	tcpMute   = check.New(check.Temporary, check.ReasonTCPTimeout, "no answer to the connection")
	servfail  = check.New(check.Temporary, check.ReasonDNSServFail, "no usable answer")
	found     = check.New(check.OK, "http-200", "HTTP/1.1 200 OK")
)

// faulty is a fault of our own network: what hosts seem to answer on a night; ok says
// that the host is met as it is.
type faulty struct {
	name  string
	night func(night int, host string) (r check.Result, ok bool)
	told  func(night int) bool // the night must be distrusted
}

// chance is a number from 0 to 99 that a word always has.
func chance(word string) int {
	h := fnv.New32a()
	h.Write([]byte(word))
	return int(h.Sum32() % 100)
}

// during gives r to some hosts of 100 on some nights.
func during(from, to, some int, r check.Result) func(int, string) (check.Result, bool) {
	return func(night int, host string) (check.Result, bool) {
		return r, night < from || night > to || chance(host) >= some
	}
}

func between(from, to int) func(int) bool {
	return func(night int) bool { return from <= night && night <= to }
}

// truth is what hosts really are on a night. Every tenth dies, in one of the ways to
// die, and every twentieth comes back.
func truth(night int, host string) (r check.Result, alive bool) {
	var n int
	fmt.Sscanf(host, "h%d", &n)
	if n%10 != 7 || night < 2+n/10 {
		return found, true
	}
	if n%20 == 7 && night >= 34 {
		return found, true
	}
	return []check.Result{nxdomain, tcpNo, check.New(check.Gone, "http-404", ""), tcpMute}[n/10%4], false
}

func TestWorlds(t *testing.T) {
	for i, w := range []faulty{
		{"no fault", during(1, 0, 0, tcpNo), nil},
		{"dead network, refused", during(16, 31, 100, tcpNo), between(17, 31)},
		{"dead network, silent", during(16, 31, 100, tcpMute), between(17, 31)},
		{"dead network, a name server without a way out", during(16, 31, 100, servfail), between(17, 31)},
		{"dead network from the first night", during(0, 20, 100, tcpNo), between(0, 20)},
		{"lying DNS, no name exists", during(16, 31, 100, nxdomain), between(17, 31)},
		{"lying DNS, no name has an address", during(16, 31, 100, noAddress), between(17, 31)},
		{"lying DNS, nine names of ten do not exist", during(10, 27, 90, nxdomain), nil},
		{"lying DNS, three of four do not exist", during(10, 27, 75, nxdomain), nil},
		{"lying DNS from the first night", during(0, 20, 100, nxdomain), between(0, 20)},
		{"lying DNS, every name leads to one page", during(16, 31, 100, check.New(check.Internal, check.ReasonOwnNetwork, "invented")), between(17, 31)},
		{"lying DNS every other night", func(night int, host string) (check.Result, bool) { return nxdomain, night < 10 || night%2 == 0 }, nil},
		{"lying DNS, then a dead network", func(night int, host string) (check.Result, bool) {
			return []check.Result{nxdomain, tcpMute}[min(max(night-22, 0), 1)], night < 16 || night > 30
		}, between(17, 30)},
	} {
		if testing.Short() && i%4 > 0 {
			continue
		}
		t.Run(w.name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { w.play(t, newStore(t)) }) })
	}
}

// What nights make of a store follows from the changes that they emit: another store to
// which the same changes are given knows the same.
func TestNightsEmitChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var st *store.Store
		folded, changes := newStore(t), uint64(0)
		st, err := store.Open(filepath.Join(t.TempDir(), "logged.db"), &store.Options{Emit: func(c store.Change) error {
			changes++
			return errors.Join(st.Apply(changes, c), folded.Apply(changes, c))
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		faulty{"", during(10, 27, 90, nxdomain), nil}.play(t, st)
		var want, got bytes.Buffer
		if err := errors.Join(st.Canon(t.Context(), &want), folded.Canon(t.Context(), &got)); err != nil {
			t.Fatal(err)
		}
		if changes < 3*worldNights || got.String() != want.String() {
			t.Errorf("%d changes give %d octets\n%.2000s\nwant %d octets\n%.2000s", changes, got.Len(), &got, want.Len(), &want)
		}
	})
}

func (f faulty) play(t *testing.T, st *store.Store) {
	var urls []string
	for i := range worldLinks {
		urls = append(urls, fmt.Sprintf("http://h%03d.test.net/%d", i%worldHosts, i))
	}
	addLinks(t, st, urls...)
	night := 0
	w := &world{answer: func(host, _ string, _ int) check.Result {
		if r, ok := f.night(night, host); !ok {
			return r
		}
		r, _ := truth(night, host)
		return r
	}}
	var distrusted, deaths, wrongDeaths, recoveries, wrongRecoveries int
	for begin := time.Now(); night < worldNights; night++ {
		time.Sleep(time.Until(begin.Add(time.Duration(night) * 24 * time.Hour)))
		sum, err := Check(t.Context(), st, options(w, func(o *Options) { o.Policy.Splay = 0.2 }))
		if err != nil {
			distrusted++
		}
		if err != nil && !errors.Is(err, ErrNetworkDown) || f.told != nil && f.told(night) != (err != nil) {
			t.Errorf("night %d: %v, %d links checked", night, err, sum.Checked)
		}
		for e, err := range st.Scan(store.Pick{}) {
			l := e.Link
			if err != nil {
				t.Fatal(err)
			}
			_, alive := truth(night, l.Host)
			switch {
			case l.ChangedRun != sum.Run.ID:
			case slices.Contains(l.Changes, judge.NewlyDead):
				if deaths++; alive {
					wrongDeaths++
					t.Errorf("night %d: %s is dead: %d strikes since %v", night, l.URL, l.Strikes, l.FailingSince)
				}
			case slices.Contains(l.Changes, judge.Recovered):
				if recoveries++; !alive {
					wrongRecoveries++
					t.Errorf("night %d: %s has recovered", night, l.URL)
				}
			}
		}
	}
	t.Logf("%d links, %d nights, %d of them distrusted: %d newly dead, %d wrongly; %d recovered, %d wrongly",
		worldLinks, worldNights, distrusted, deaths, wrongDeaths, recoveries, wrongRecoveries)
	if deaths == 0 {
		t.Error("nothing died in this world")
	}
}
