package all

import (
	"testing"

	"linkcheck/check/netguard"
	"linkcheck/uri"
)

// PROTOCOLS section 0.2. The port of every scheme that is probed may be dialled,
// and those of mail, of shells and of name services may not.
func TestDeniedPorts(t *testing.T) {
	p := Table(Options{})
	probed := 0
	for _, s := range uri.Schemes() {
		if _, row := p.Lookup(s.Name); row.Does != "" && row.Port != 0 {
			if probed++; netguard.PortDenied(row.Port) {
				t.Errorf("%s: its port %d is denied", s.Name, row.Port)
			}
		}
	}
	if probed < 20 {
		t.Errorf("only %d schemes with a port are probed", probed)
	}
	for _, port := range []int{7, 9, 13, 19, 22, 25, 53, 110, 111, 143, 389, 465, 587, 6379, 11211,
		6665, 6666, 6667, 6668, 6669, 6697} { // the last ones are of chats, which take strangers for an attack
		if !netguard.PortDenied(port) {
			t.Errorf("port %d is not denied", port)
		}
	}
}
