package all

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/uri"
)

// PROTOCOLS section 0.2. Every scheme that is probed may go to its own port, and to no
// port that browsers deny or that another protocol is known by.
func TestDeniedPorts(t *testing.T) {
	g := &netguard.Guard{}
	p := Table(Options{Options: check.Options{Dialer: g}})
	dial := func(ctx context.Context, port int) bool {
		_, err := g.Lookup(ctx, fmt.Sprintf("8.8.8.8:%d", port))
		return err == nil
	}
	denied := []int{1, 7, 9, 13, 19, 21, 22, 23, 25, 43, 53, 79, 110, 111, 119, 143, 389, 445, 465, 513, 514, 515, 563,
		587, 631, 873, 993, 995, 2049, 3306, 5432, 6000, 6379, 6380, 6665, 6666, 6667, 6668, 6669, 6697, 9100, 10080, 11211}
	probed := 0
	for _, s := range uri.Schemes() {
		_, row := p.Lookup(s.Name)
		if row.Does == "" || row.Port == 0 || row.Protocol == "" {
			continue
		}
		probed++
		own := p.ports[row.Protocol]
		ctx := netguard.WithOwnPorts(t.Context(), own...)
		if !dial(ctx, row.Port) {
			t.Errorf("%s: its port %d is denied", s.Name, row.Port)
		}
		for _, port := range denied {
			if dial(ctx, port) != slices.Contains(own, port) {
				t.Errorf("%s: port %d", s.Name, port)
			}
		}
		u, err := uri.Parse(fmt.Sprintf("%s://8.8.8.8:6379/%s", s.Name, strings.Repeat("a", 3)))
		if err != nil {
			continue // a form of its own
		}
		if at, ok := u.Endpoint(); !ok || at.Port != 6379 {
			continue
		}
		if r := p.Probe(t.Context(), check.Target{URI: u}); r.Reason != check.ReasonPortDenied {
			t.Errorf("%s: %s(%s)", u, r.Outcome, r.Reason)
		}
	}
	if probed < 20 {
		t.Errorf("only %d schemes with a port are probed", probed)
	}
}
