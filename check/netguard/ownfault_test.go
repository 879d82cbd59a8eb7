package netguard

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
)

// machine is what dials of tests do: for each network and address an error of the
// system; none where the address is not named.
type machine map[string]syscall.Errno

func (m machine) dial(_ context.Context, network, address string) (net.Conn, error) {
	if errno, fails := m[network+" "+address]; fails {
		return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", errno)}
	}
	near, far := net.Pipe()
	far.Close()
	return near, nil
}

// What fails before a packet is sent says nothing of the host; what another address of
// it answered does.
func TestDialOwnFault(t *testing.T) {
	const four, six = "8.8.4.4", "2001:4860::1"
	const tcp4, tcp6, udp4, udp6 = "tcp 8.8.4.4:80", "tcp [2001:4860::1]:80", "udp 8.8.4.4:80", "udp [2001:4860::1]:80"
	for _, tt := range []struct {
		name  string
		addrs []string
		m     machine
		want  error // nil: connected
		own   bool  // no route
	}{
		{"connected", []string{four}, machine{}, nil, false},
		{"no IPv6 here", []string{six}, machine{tcp6: syscall.ENETUNREACH, udp6: syscall.ENETUNREACH}, ErrNoRoute, true},
		{"no address of IPv6 here", []string{six}, machine{tcp6: syscall.EADDRNOTAVAIL, udp6: syscall.EADDRNOTAVAIL}, ErrNoRoute, true},
		{"IPv6 is not built in", []string{six}, machine{tcp6: syscall.EAFNOSUPPORT, udp6: syscall.EAFNOSUPPORT}, ErrNoRoute, true},
		{"no IPv4 here", []string{four}, machine{tcp4: syscall.ENETUNREACH, udp4: syscall.ENETUNREACH}, ErrNoRoute, true},
		{"an unreachable route here", []string{four}, machine{tcp4: syscall.EHOSTUNREACH, udp4: syscall.EHOSTUNREACH}, ErrNoRoute, true},
		{"a router says so", []string{four}, machine{tcp4: syscall.ENETUNREACH}, syscall.ENETUNREACH, false},
		{"a router says so of the host", []string{six}, machine{tcp6: syscall.EHOSTUNREACH}, syscall.EHOSTUNREACH, false},
		{"the other family answers", []string{six, four}, machine{tcp6: syscall.ENETUNREACH, udp6: syscall.ENETUNREACH}, nil, false},
		{"the other family refuses", []string{four, six}, machine{tcp4: syscall.ECONNREFUSED, tcp6: syscall.ENETUNREACH, udp6: syscall.ENETUNREACH}, syscall.ECONNREFUSED, false},
		{"the other family refuses, later", []string{six, four}, machine{tcp4: syscall.ECONNREFUSED, tcp6: syscall.ENETUNREACH, udp6: syscall.ENETUNREACH}, syscall.ECONNREFUSED, false},
		{"out of files", []string{four}, machine{tcp4: syscall.EMFILE, udp4: syscall.EMFILE}, syscall.EMFILE, false},
		{"refused, then out of files", []string{four, six}, machine{tcp4: syscall.ECONNREFUSED, tcp6: syscall.EMFILE}, syscall.ECONNREFUSED, false},
	} {
		g := &Guard{Resolver: &dns{answers: [][]string{tt.addrs}}, dial: tt.m.dial}
		conn, err := g.DialContext(t.Context(), "tcp", "a.org:80")
		if !errors.Is(err, tt.want) || errors.Is(err, ErrNoRoute) != tt.own || (err == nil) != (tt.want == nil) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if err == nil {
			conn.Close()
		}
	}
}

// A datagram goes to the first address that this machine has a route to.
func TestListenPacketNeedsARoute(t *testing.T) {
	m := machine{"udp [2001:4860::1]:1525": syscall.ENETUNREACH}
	for addrs, want := range map[string]string{"2001:4860::1 8.8.4.4": "8.8.4.4:1525", "8.8.4.4": "8.8.4.4:1525", "2001:4860::1": ""} {
		g := &Guard{Resolver: &dns{answers: [][]string{strings.Fields(addrs)}}, dial: m.dial}
		conn, to, err := g.ListenPacket(t.Context(), "a.org:1525")
		if (err == nil) != (want != "") || err == nil && to.String() != want || err != nil && !errors.Is(err, ErrNoRoute) {
			t.Errorf("%s: %v, %v, want %q", addrs, to, err, want)
		}
		if err == nil {
			conn.Close()
		}
	}
}

// A question that this machine could not send is no failure of the DNS.
func TestResolveOwnFault(t *testing.T) {
	for errno, own := range map[syscall.Errno]bool{syscall.EMFILE: true, syscall.ENETUNREACH: true, syscall.ECONNREFUSED: false} {
		m := machine{"udp 192.0.2.53:53": errno, "tcp 192.0.2.53:53": errno}
		addrs, err := SystemResolver{Server: "192.0.2.53:53", dial: m.dial}.Resolve(t.Context(), "a.org")
		if _, isDNS := errors.AsType[*net.DNSError](err); err == nil || isDNS == own || own && !errors.Is(err, errno) {
			t.Errorf("%v: %v, %v", errno, addrs, err)
		}
	}
}

func TestInterleaved(t *testing.T) {
	list := func(s string) (addrs []netip.Addr) {
		for _, a := range strings.Fields(s) {
			addrs = append(addrs, netip.MustParseAddr(a))
		}
		return addrs
	}
	for _, tt := range []struct{ four, six, want string }{
		{"", "", ""}, {"192.0.2.1", "", "192.0.2.1"}, {"", "2001:db8::1 2001:db8::2", "2001:db8::1 2001:db8::2"},
		{"192.0.2.1 192.0.2.2 192.0.2.3", "2001:db8::1", "192.0.2.1 2001:db8::1 192.0.2.2 192.0.2.3"},
	} {
		got := ""
		for _, a := range interleaved(list(tt.four), list(tt.six)) {
			got += " " + a.String()
		}
		if strings.TrimSpace(got) != tt.want {
			t.Errorf("%q and %q: %q", tt.four, tt.six, got)
		}
	}
}
