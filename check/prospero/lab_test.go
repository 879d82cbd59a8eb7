package prospero

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
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		objects := map[string]string{"/papers": "", "/papers/one": "AFTP INTERNET-D lab ASCII /one BINARY", "/empty": "", "/it's": "LOCAL '' '' '' ''"}
		if err := lab.Prospero(c, objects); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { c.Close(); wg.Wait() })
	g := &check.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	p := New(check.Options{Dialer: g})
	host := "prospero://" + c.LocalAddr().String() + "/"
	for url, want := range map[string]check.Reason{
		host + "/papers/one": "prospero-object",
		host + "/papers":     "prospero-object",
		host + "/empty":      "prospero-object",
		host + "/it's":       "prospero-object",
		host + "/nope":       "prospero-not-found",
		host:                 "prospero-answer",
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
