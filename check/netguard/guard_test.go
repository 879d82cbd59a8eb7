package netguard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"
)

// dns is a resolver whose answers change from call to call.
type dns struct {
	answers [][]string
	calls   int
}

func (d *dns) Resolve(context.Context, string) ([]netip.Addr, error) {
	now := d.answers[min(d.calls, len(d.answers)-1)]
	d.calls++
	var out []netip.Addr
	for _, a := range now {
		out = append(out, netip.MustParseAddr(a))
	}
	return out, nil
}

func rule(t *testing.T, s string) ConnectRule {
	t.Helper()
	r, err := ParseConnectTo(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLookup(t *testing.T) {
	loop := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	tests := []struct {
		name, address string
		guard         Guard
		want          string // addresses, or the reason of the refusal
		byRule        bool
	}{
		{"public", "a.org:80", Guard{Resolver: &dns{answers: [][]string{{"8.8.8.8"}}}}, "[8.8.8.8:80]", false},
		{"private", "a.org:80", Guard{Resolver: &dns{answers: [][]string{{"10.0.0.1"}}}}, "private-address", false},
		{"private beside public", "a.org:80", Guard{Resolver: &dns{answers: [][]string{{"10.0.0.1", "8.8.8.8"}}}}, "[8.8.8.8:80]", false},
		{"literal", "127.0.0.1:80", Guard{}, "private-address", false},
		{"mapped literal", "[::ffff:127.0.0.1]:80", Guard{}, "private-address", false},
		{"allowed literal", "127.0.0.1:80", Guard{AllowPrivate: loop}, "[127.0.0.1:80]", false},
		{"mapped and allowed", "[::ffff:127.0.0.1]:80", Guard{AllowPrivate: loop}, "[127.0.0.1:80]", false},
		{"localhost", "localhost:80", Guard{}, "private-address", false},
		{"localhost, allowed", "LocalHost.:80", Guard{AllowPrivate: loop}, "[127.0.0.1:80]", false},
		{"reserved", "www.example.com:80", Guard{}, "reserved-name", false},
		{"reserved, final dot", "Example.ORG.:80", Guard{}, "reserved-name", false},
		{"reserved, top", "a.test:80", Guard{}, "reserved-name", false},
		{"one label, unknown", "b:80", Guard{Resolver: &dns{answers: [][]string{{}}}}, "local-name", false},
		{"one label, known", "b.:80", Guard{Resolver: &dns{answers: [][]string{{"8.8.8.8"}}}}, "[8.8.8.8:80]", false},
		{"port", "8.8.8.8:25", Guard{}, "port-denied", false},
		{"port zero", "8.8.8.8:0", Guard{}, "port-denied", false},
		{"reserved and named", "www.example.com:80", Guard{ConnectTo: []ConnectRule{rule(t, "www.example.com:80:127.0.0.1:8080")}}, "[127.0.0.1:8080]", true},
		{"reserved and not named", "www.example.com:80", Guard{ConnectTo: []ConnectRule{rule(t, "::127.0.0.1:8080")}}, "reserved-name", false},
		{"every host", "a.org:80", Guard{ConnectTo: []ConnectRule{rule(t, "::127.0.0.1:8080")}}, "[127.0.0.1:8080]", true},
		{"other port", "a.org:81", Guard{ConnectTo: []ConnectRule{rule(t, "a.org:80:127.0.0.1:8080")}, Resolver: &dns{answers: [][]string{{"8.8.8.8"}}}}, "[8.8.8.8:81]", false},
		{"typed address, port kept", "a.org:70", Guard{ConnectTo: []ConnectRule{rule(t, "A.org::[::1]:")}}, "[[::1]:70]", true},
		{"name to name is judged", "a.org:70", Guard{ConnectTo: []ConnectRule{rule(t, "a.org::b.org:")}, Resolver: &dns{answers: [][]string{{"10.0.0.1"}}}}, "private-address", false},
		{"name to name", "a.org:70", Guard{ConnectTo: []ConnectRule{rule(t, "a.org::b.org:")}, Resolver: &dns{answers: [][]string{{"8.8.8.8"}}}}, "[8.8.8.8:70]", true},
		{"name to itself at another port", "a.org:70", Guard{ConnectTo: []ConnectRule{rule(t, "a.org:70:a.org:7070")}, Resolver: &dns{answers: [][]string{{"8.8.8.8"}}}}, "[8.8.8.8:7070]", false},
		{"a rule opens a denied port", "a.org:25", Guard{ConnectTo: []ConnectRule{rule(t, "a.org:25:a.org:")}, Resolver: &dns{answers: [][]string{{"8.8.8.8"}}}}, "[8.8.8.8:25]", false},
		{"every host, a denied port", "a.org:25", Guard{ConnectTo: []ConnectRule{rule(t, "::127.0.0.1:")}}, "port-denied", false},
		{"every host, from a denied port", "a.org:25", Guard{ConnectTo: []ConnectRule{rule(t, "::127.0.0.1:8080")}}, "port-denied", false},
		{"every host, to a denied port", "a.org:80", Guard{ConnectTo: []ConnectRule{rule(t, "::127.0.0.1:25")}}, "port-denied", false},
		{"every host of a port", "a.org:25", Guard{ConnectTo: []ConnectRule{rule(t, ":25:127.0.0.1:")}}, "port-denied", false},
		{"every port of a host", "a.org:25", Guard{ConnectTo: []ConnectRule{rule(t, "a.org::127.0.0.1:")}}, "port-denied", false},
		{"dword", "2130706433:80", Guard{}, "private-address", false},
		{"hexadecimal", "0x7F000001:80", Guard{}, "private-address", false},
		{"hexadecimal parts", "0x7f.0x0.0.0x1:80", Guard{}, "private-address", false},
		{"octal", "0177.0.0.01:80", Guard{}, "private-address", false},
		{"octal metadata", "0251.0376.0251.0376:80", Guard{}, "private-address", false},
		{"two parts", "127.1:80", Guard{}, "private-address", false},
		{"three parts", "10.1.515:80", Guard{}, "private-address", false},
		{"a final dot", "127.0.0.1.:80", Guard{}, "private-address", false},
		{"fullwidth digits", "１２７.０.０.１:80", Guard{}, "private-address", false},
		{"fullwidth stops", "127。0。0。1:80", Guard{}, "private-address", false},
		{"a public dword", "134744072:80", Guard{}, "[8.8.8.8:80]", false},
		{"zone", "[fe80::1%eth0]:80", Guard{}, "private-address", false},
		{"metadata by name", "Metadata.Google.Internal.:80", Guard{Resolver: &dns{answers: [][]string{{"8.8.8.8"}}}}, "private-address", false},
		{"first rule", "a.org:70", Guard{ConnectTo: []ConnectRule{rule(t, "a.org::1.2.3.4:"), rule(t, "::127.0.0.1:1")}}, "[1.2.3.4:70]", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			route, err := tt.guard.Lookup(t.Context(), tt.address)
			got := ""
			var refusal *Refusal
			if errors.As(err, &refusal) {
				got = string(refusal.Rule)
			} else if err != nil {
				t.Fatal(err)
			} else {
				got = "["
				for i, a := range route.Addrs {
					if i > 0 {
						got += " "
					}
					got += a.String()
				}
				got += "]"
			}
			if got != tt.want || route.ByRule != tt.byRule {
				t.Errorf("got %s, by rule %v; want %s, %v", got, route.ByRule, tt.want, tt.byRule)
			}
		})
	}
}

// A host that ends in a number is an address or nothing: no resolver is asked about it.
func TestNumericHosts(t *testing.T) {
	for _, host := range []string{"256.1.1.1", "1.2.3.4.5", "09.1.1.1", "1..1", "4294967296", "99999999999999999999", "a.1", "1.0x", "0xg.1", "127.0.0.08"} {
		g := Guard{Resolver: &dns{answers: [][]string{{"8.8.8.8"}}}}
		route, err := g.Lookup(t.Context(), host+":80")
		if dns, ok := errors.AsType[*net.DNSError](err); host != "1.0x" && (!ok || !dns.IsNotFound) {
			t.Errorf("%s: %v, %v", host, route, err)
		}
	}
	for _, host := range []string{"a1", "1.a", "0x.a", "x0"} {
		g := Guard{Resolver: &dns{answers: [][]string{{"8.8.8.8"}}}}
		if _, err := g.Lookup(t.Context(), host+":80"); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// The ports of a protocol are open to what speaks it, and to nothing else.
func TestOwnPorts(t *testing.T) {
	g := Guard{}
	for port, want := range map[int]bool{21: true, 23: false, 25: false, 80: true, 0: false, 70000: false} {
		_, err := g.Lookup(WithOwnPorts(t.Context(), 21, 0, 70000), fmt.Sprintf("8.8.8.8:%d", port))
		if (err == nil) != want {
			t.Errorf("port %d: %v", port, err)
		}
	}
}

// A refusal names the place, and the address where that is not the same.
func TestRefusalNamesTheAddress(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:80": "127.0.0.1", "a.org:80": "a.org is 10.0.0.1", "example.com:80": "example.com", "8.8.8.8:25": "8.8.8.8:25",
	} {
		g := Guard{Resolver: &dns{answers: [][]string{{"10.0.0.1"}}}}
		_, err := g.Lookup(t.Context(), address)
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.What != want {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
}

func TestBadAddresses(t *testing.T) {
	for _, address := range []string{"a.org", "a.org:http", "a.org:", "a.org:80:90", "", "\u0301a.org:80"} {
		g := Guard{Resolver: &dns{answers: [][]string{{"8.8.8.8"}}}}
		if route, err := g.Lookup(t.Context(), address); err == nil {
			t.Errorf("%q: %v", address, route)
		}
	}
}

// Of very many addresses a few are tried, the first public ones.
func TestManyAddresses(t *testing.T) {
	var list []string
	for i := range 3 * maxAddresses {
		list = append(list, fmt.Sprintf("10.0.0.%d", i), fmt.Sprintf("8.8.8.%d", i))
	}
	g := Guard{Resolver: &dns{answers: [][]string{list}}}
	route, err := g.Lookup(t.Context(), "a.org:80")
	if err != nil || len(route.Addrs) != maxAddresses || route.Addrs[0].String() != "8.8.8.0:80" {
		t.Errorf("%v, %v", route.Addrs, err)
	}
}

// A name whose answer changes between two calls is judged anew on each, and
// what was judged is what is dialled.
func TestRebinding(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	g := &Guard{Resolver: &dns{answers: [][]string{{"8.8.8.8"}, {"127.0.0.1"}}}}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if _, err := g.Lookup(t.Context(), "rebind.org:"+port); err != nil {
		t.Fatal(err)
	}
	conn, err := g.DialContext(t.Context(), "tcp", "rebind.org:"+port)
	var refusal *Refusal
	if conn != nil || !errors.As(err, &refusal) || refusal.Rule != NoPrivateAddress {
		t.Fatalf("got %v, %v", conn, err)
	}
}

// OUTCOMES section 1.4: --connect-to holds for UDP too.
func TestListenPacket(t *testing.T) {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	g := &Guard{ConnectTo: []ConnectRule{rule(t, "a.org:1525:"+server.LocalAddr().String())}}
	conn, to, err := g.ListenPacket(t.Context(), "a.org:1525")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.WriteTo([]byte("x"), to); err != nil {
		t.Fatal(err)
	}
	if n, _, err := server.ReadFrom(make([]byte, 2)); n != 1 || err != nil {
		t.Errorf("got %d octets, %v", n, err)
	}
	var refusal *Refusal
	if _, _, err := g.ListenPacket(t.Context(), "10.0.0.1:1525"); !errors.As(err, &refusal) {
		t.Errorf("got %v", err)
	}
}

// Addresses that refuse are passed over for the next of the name.
func TestSeveralAddresses(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	g := &Guard{
		Resolver:     &dns{answers: [][]string{{"127.0.0.9", "127.0.0.1"}}},
		AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	}
	conn, err := g.DialContext(t.Context(), "tcp", "two.org:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got := conn.RemoteAddr().String(); got != l.Addr().String() {
		t.Errorf("reached %s", got)
	}
}

func TestParseConnectTo(t *testing.T) {
	good := map[string]ConnectRule{
		"a:1:b:2":             {"a", 1, "b", 2},
		":::":                 {},
		"[::1]:80:[fe80::]:8": {"::1", 80, "fe80::", 8},
		"A.org::1.2.3.4:":     {"a.org", 0, "1.2.3.4", 0},
	}
	for s, want := range good {
		if got, err := ParseConnectTo(s); err != nil || got != want {
			t.Errorf("%q: got %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "a", "a:1:b", "a:1:b:2:3", "a:x:b:2", "a:1:b:65536", "a:0:b:1", "[::1:80:b:2", "[::1]x:80:b:2"} {
		if got, err := ParseConnectTo(s); err == nil {
			t.Errorf("%q: got %+v, want an error", s, got)
		}
	}
}

// Every address that is left gets an even part of the time that is left, and the
// last one all of it.
func TestShare(t *testing.T) {
	whole, done := context.WithTimeout(t.Context(), time.Hour)
	defer done()
	end, _ := whole.Deadline()
	for n, want := range map[int]time.Duration{1: time.Hour, 2: 30 * time.Minute, 4: 15 * time.Minute, 1 << 20: minAddressTime} {
		part, cancel := attemptContext(whole, n)
		defer cancel()
		got, ok := part.Deadline()
		if before := end.Sub(got); !ok || (before-(time.Hour-want)).Abs() > time.Minute || n == 1 && before != 0 {
			t.Errorf("one of %d ends %v before the whole, want a time of %v", n, before, want)
		}
	}
	if part, _ := attemptContext(t.Context(), 2); part != t.Context() {
		t.Error("no end was given, and there is one")
	}
}
