package wais

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

// The lab's server and this client agree; every URL is read by uri.Parse.
func TestLab(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := lab.WAIS(l, map[string]map[string]string{"minutes": {"/1992": "The Budget of the parish"}}); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	g := &check.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	p := New(check.Options{Dialer: g})
	host := "wais://" + l.Addr().String()
	for url, want := range map[string]check.Reason{
		host + "/minutes":            "wais-database",
		host + "/minutes?budget":     "wais-hit",
		host + "/minutes?the+budget": "wais-hit",
		host + "/minutes?nothing":    "search-no-hit",
		host + "/parish":             "wais-no-database",
		host + "/minutes/TEXT/24/1=lab;2=minutes;3=0%2024%20/1992;":   "wais-document",
		host + "/minutes/TEXT/1=lab;2=minutes;3=0%2024%20%2F1992;":    "wais-document",
		host + "/minutes/TEXT/24/1=lab;2=minutes;3=0%2024%20%2F1993;": "wais-no-document",
		host + "/minutes/TEXT/doc1":                                   "wais-database",
	} {
		u, err := uri.Parse(url)
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		if r := p.Probe(context.Background(), check.Target{URI: u}); r.Reason != want {
			t.Errorf("%s: %v(%s) %q, want %s", url, r.Outcome, r.Reason, r.Reply, want)
		}
	}
}
