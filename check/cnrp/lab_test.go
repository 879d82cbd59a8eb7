package cnrp

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"

	"linkcheck/check"
	"linkcheck/internal/lab"
	"linkcheck/uri"
)

// The lab's server and this client agree; every URI is read by uri.Parse.
func TestLab(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := lab.CNRP(l, []lab.CNRPItem{{ID: "5432345", Name: "Wells Library", URI: "http://library.wells.test/?a&b"}}); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	g := &check.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	host := l.Addr().String()
	p := New(Options{Options: check.Options{Dialer: g}, Services: []string{host}})
	for text, want := range map[string]check.Reason{
		"go://" + host:                         "cnrp-service",
		"go://" + host + "?Wells%20Library":    "cnrp-found",
		"go://" + host + "?Wells;language=en":  "search-no-hit",
		"go://" + host + "?id=5432345":         "cnrp-found",
		"go://" + host + "?id=1":               "cnrp-no-item",
		"go:Wells%20Library":                   "cnrp-found",
		"go:Wells%20Library;geography=UK-bath": "cnrp-found",
	} {
		u, err := uri.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if r := p.Probe(context.Background(), check.Target{URI: u}); r.Reason != want {
			t.Errorf("%s: %v(%s) %q, want %s", text, r.Outcome, r.Reason, r.Reply, want)
		}
	}
}
