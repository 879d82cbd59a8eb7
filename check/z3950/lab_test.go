package z3950

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
		if err := lab.Z3950(l, map[string][]string{"books": {"wells-0042", "wells-twin", "wells-twin"}, "maps": {"m1"}}); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	g := &check.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	p := New(check.Options{Dialer: g})
	host := l.Addr().String()
	for url, want := range map[string]check.Reason{
		"z39.50s://" + host + "/books":                            "z3950-init",
		"z39.50r://" + host + "/books?wells-0042":                 "z3950-hit",
		"z39.50r://" + host + "/books?wells-0042;esn=f;rs=marc":   "z3950-hit",
		"z39.50r://" + host + "/books+maps?m1":                    "z3950-hit",
		"z39.50r://" + host + "/books?wells-9999":                 "z3950-no-hit",
		"z39.50r://" + host + "/books?wells-twin":                 "not-unique",
		"z39.50s://" + host + "/nosuch?wells-0042":                "z3950-235",
		"z39.50r://" + host + "/books?wells-0042;rs=nonsense+xml": "z3950-hit",
	} {
		u, err := uri.Parse(url)
		if err != nil {
			t.Fatal(err)
		}
		if r := p.Probe(context.Background(), check.Target{URI: u}); r.Reason != want {
			t.Errorf("%s: %v(%s) %q, want %s", url, r.Outcome, r.Reason, r.Reply, want)
		}
	}
}
