package netguard

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
)

type bothFamilies struct{}

func (bothFamilies) Resolve(_ context.Context, host string) ([]netip.Addr, error) {
	four, six := netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr("2001:4860:4860::8888")
	switch host {
	case "four.org":
		return []netip.Addr{four}, nil
	case "six.org":
		return []netip.Addr{six}, nil
	}
	return []netip.Addr{four, six}, nil
}

// TestFamily: addresses of the other family are not dialled, and a host that has no others
// is out of this machine's reach: nothing is known of it.
func TestFamily(t *testing.T) {
	for _, tt := range []struct {
		family int
		source string
		host   string
		want   string
	}{
		{0, "", "both.org", "8.8.8.8"}, {4, "", "both.org", "8.8.8.8"}, {6, "", "both.org", "2001:4860:4860::8888"},
		{4, "", "six.org", ""}, {6, "", "four.org", ""}, {4, "", "2001:4860:4860::8888", ""}, {6, "", "8.8.8.8", ""},
		{0, "127.0.0.1", "both.org", "8.8.8.8"}, {0, "::1", "both.org", "2001:4860:4860::8888"}, {0, "::1", "four.org", ""},
	} {
		g := &Guard{Resolver: bothFamilies{}, Family: tt.family}
		if tt.source != "" {
			g.Source = netip.MustParseAddr(tt.source)
		}
		route, err := g.Lookup(t.Context(), net.JoinHostPort(tt.host, "80"))
		got := ""
		if err == nil {
			got = route.Addrs[0].Addr().String()
		} else if !errors.Is(err, ErrNoRoute) {
			t.Errorf("%+v: %v", tt, err)
		}
		if got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

// TestSource: connections come from the address that was given.
func TestSource(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for source, works := range map[string]bool{"127.0.0.2": true, "192.0.2.77": false} {
		g := &Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Source: netip.MustParseAddr(source),
			ConnectTo: []ConnectRule{{Host: "127.0.0.1", ToPort: l.Addr().(*net.TCPAddr).Port}}}
		c, err := g.DialContext(t.Context(), "tcp", "127.0.0.1:80")
		switch {
		case !works && (err == nil || !isOne(err, ownErrors)):
			t.Errorf("%s: %v", source, err)
		case works && err != nil:
			t.Errorf("%s: %v", source, err)
		case works:
			if host, _, _ := net.SplitHostPort(c.LocalAddr().String()); host != source {
				t.Errorf("from %s", c.LocalAddr())
			}
			c.Close()
		}
	}
}
