package netguard_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/check/netguard"
)

// zone is a resolver of some names; the name "*" is what it says of all others.
type zone struct {
	names map[string][]string
	fails int // questions for others that get no answer
	asked []string
}

func (z *zone) Resolve(_ context.Context, host string) ([]netip.Addr, error) {
	z.asked = append(z.asked, host)
	list, known := z.names[host]
	if !known {
		if z.fails--; z.fails >= 0 {
			return nil, &net.DNSError{Err: "no answer", Name: host, IsTimeout: true}
		}
		list = z.names["*"]
	}
	if len(list) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var addrs []netip.Addr
	for _, a := range list {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	return addrs, nil
}

// What a name server gives for any name says nothing of a host; an address of its own does.
func TestHonestResolver(t *testing.T) {
	for _, tt := range []struct {
		name  string
		world zone
		want  string // addresses, or the reason, for a.org and for nosuch.org
		asked int
	}{
		{"honest", zone{names: map[string][]string{"a.org": {"8.8.8.8"}}}, "8.8.8.8, dns-nxdomain", 3},
		{"all names lead to a portal", zone{names: map[string][]string{"*": {"8.8.4.4"}}}, "own-network, own-network", 3},
		{"names that do not exist lead to advertisements", zone{names: map[string][]string{"a.org": {"8.8.8.8"}, "*": {"8.8.4.4", "8.8.4.5"}}}, "8.8.8.8, own-network", 3},
		{"one address of several is invented", zone{names: map[string][]string{"a.org": {"8.8.4.4", "8.8.8.8"}, "*": {"8.8.4.4"}}}, "8.8.8.8, own-network", 3},
		{"found out at the second try", zone{names: map[string][]string{"a.org": {"8.8.8.8"}, "*": {"8.8.4.4"}}, fails: 1}, "8.8.8.8, own-network", 4},
	} {
		r := netguard.NewHonestResolver(&tt.world)
		var got []string
		for _, host := range []string{"a.org", "nosuch.org"} {
			addrs, err := r.Resolve(t.Context(), host)
			if err != nil {
				got = append(got, string(check.Classify(err).Reason))
				continue
			}
			words := ""
			for _, a := range addrs {
				words = strings.TrimSpace(words + " " + a.String())
			}
			got = append(got, words)
		}
		if strings.Join(got, ", ") != tt.want || len(tt.world.asked) != tt.asked {
			t.Errorf("%s: %q after questions for %q, want %q after %d", tt.name, got, tt.world.asked, tt.want, tt.asked)
		}
		if other := slices.IndexFunc(tt.world.asked, func(s string) bool { return strings.HasSuffix(s, ".com") }); other < 0 || len(tt.world.asked[other]) < 20 {
			t.Errorf("%s: no question for a name that nobody has: %q", tt.name, tt.world.asked)
		}
	}
	silent := &zone{names: map[string][]string{"a.org": {"8.8.8.8"}}, fails: 100}
	r := netguard.NewHonestResolver(silent)
	for range 10 {
		if addrs, err := r.Resolve(t.Context(), "a.org"); err != nil || len(addrs) != 1 {
			t.Errorf("%v, %v", addrs, err)
		}
	}
	if len(silent.asked) != 13 {
		t.Errorf("%d questions", len(silent.asked))
	}
	_, err := netguard.NewHonestResolver(&zone{names: map[string][]string{"*": {"8.8.4.4"}}}).Resolve(t.Context(), "a.org")
	if got := check.Classify(err); !errors.Is(err, netguard.ErrInvented) || got.Outcome != check.Internal || got.Evidence != check.None {
		t.Errorf("%v: %+v", err, got)
	}
}
