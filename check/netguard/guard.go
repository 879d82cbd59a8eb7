package netguard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

const (
	maxAddresses   = 4               // of one name, tried in order
	minAddressTime = 2 * time.Second // that one of several addresses gets at least
)

// Resolver turns a name into addresses. The host is an absolute name without
// its final dot. Errors are *net.DNSError, as of [net.Resolver].
type Resolver interface {
	Resolve(ctx context.Context, host string) ([]netip.Addr, error)
}

// Guard is the Dialer of the program: it resolves a name, judges every address
// of it, and dials one that passed, by address. Its fields are not changed
// after first use.
type Guard struct {
	Resolver     Resolver       // nil: that of the system, see [SystemResolver]
	AllowPrivate []netip.Prefix // addresses that are not public and may be dialled
	ConnectTo    []ConnectRule  // the first that matches holds
	Source       netip.Addr     // our own address of connections; zero: the system chooses
	Relays       RelayFunc      // nil: every server is reached directly
	Family       int            // 4 or 6: only addresses of this family; 0: any

	dial dialFunc // in tests; nil: net.Dialer
}

// RelayFunc gives the relay through which a server is reached; nil: directly. The scheme is
// that of the web, http or https; "": another protocol.
type RelayFunc func(scheme, host string, port int) *Relay

// Route is where connections to one host and port may go.
type Route struct {
	Addrs  []netip.AddrPort // judged, in the order in which they are tried; never empty
	ByRule bool             // a ConnectRule gave the address: it says nothing about who shares a host
}

// Lookup resolves "host:port" and judges what it finds. It returns a *Refusal
// when the policy forbids the address, or the error of the resolver.
func (g *Guard) Lookup(ctx context.Context, address string) (Route, error) {
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return Route{}, err
	}
	port, err := strconv.Atoi(portText)
	if err != nil {
		return Route{}, &net.AddrError{Err: "bad port", Addr: address}
	}
	to := reroute(g.ConnectTo, host, port)
	if !to.hostNamed && ReservedName(host) {
		return Route{}, &Refusal{Rule: NoReservedName, What: host}
	}
	if !to.portNamed && !(portAllowed(ctx, port) && portAllowed(ctx, to.port)) {
		return Route{}, &Refusal{Rule: NoDeniedPort, What: address}
	}
	if to.literal {
		a, err := netip.ParseAddr(to.host)
		if err == nil && !g.ofFamily(a) {
			err = noFamily(a)
		}
		return Route{Addrs: []netip.AddrPort{netip.AddrPortFrom(a.Unmap(), uint16(to.port))}, ByRule: true}, err
	}
	addrs, err := g.resolve(ctx, to.host)
	if err != nil {
		return Route{}, err
	}
	route, others := Route{ByRule: to.host != host}, false
	for _, a := range addrs {
		switch {
		case !allowed(a, g.AllowPrivate):
		case !g.ofFamily(a):
			others = true
		case len(route.Addrs) < maxAddresses:
			route.Addrs = append(route.Addrs, netip.AddrPortFrom(a.Unmap(), uint16(to.port)))
		}
	}
	if others && len(route.Addrs) == 0 {
		return Route{}, noFamily(addrs[0])
	}
	if len(route.Addrs) == 0 {
		what := addrs[0].String()
		if what != host {
			what = host + " is " + what
		}
		return Route{}, &Refusal{Rule: NoPrivateAddress, What: what}
	}
	return route, nil
}

// ofFamily says whether connections may be of the family of an address.
func (g *Guard) ofFamily(a netip.Addr) bool {
	four := a.Unmap().Is4()
	return (g.Family == 0 || four == (g.Family == 4)) && (!g.Source.IsValid() || four == g.Source.Unmap().Is4())
}

// noFamily is the error for a host that has addresses of the other family alone.
func noFamily(a netip.Addr) error {
	return fmt.Errorf("%w: %s is of the family that was left out", ErrNoRoute, a)
}

// resolve returns the addresses of a name or a literal; never none without an error.
func (g *Guard) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	name, err := asciiHost(host)
	if err != nil {
		return nil, err
	}
	if fixed := fixedAddress(name); fixed != nil {
		return fixed, nil
	}
	switch a, is := numeric(name); {
	case a.IsValid():
		return []netip.Addr{a}, nil
	case is:
		return nil, &net.DNSError{Err: "no such host: not an address either", Name: name, IsNotFound: true}
	}
	r := g.Resolver
	if r == nil {
		r = SystemResolver{}
	}
	addrs, err := r.Resolve(ctx, name)
	if err == nil && len(addrs) == 0 {
		err = &net.DNSError{Err: NoAddress, Name: name, IsNotFound: true}
	}
	if missing, ok := errors.AsType[*net.DNSError](err); ok && missing.IsNotFound && !strings.Contains(name, ".") {
		err = &Refusal{Rule: NoLocalName, What: name} // public names of hosts have two labels at least: RFC 7085
	}
	return addrs, err
}

// relayFor gives the relay for "host:port"; nil: it is reached directly, as by a ConnectRule.
func (g *Guard) relayFor(ctx context.Context, address string) *Relay {
	host, port, err := net.SplitHostPort(address)
	n, bad := strconv.Atoi(port)
	if g.Relays == nil || err != nil || bad != nil || reroute(g.ConnectTo, host, n) != (destination{host: host, port: n}) {
		return nil
	}
	scheme, _ := ctx.Value(webScheme{}).(string)
	return g.Relays(scheme, host, n)
}

// direct tries the addresses of "host:port" one after another. What failed on this machine
// itself is the error only if no address was asked.
func (g *Guard) direct(ctx context.Context, address string) (net.Conn, error) {
	route, err := g.Lookup(ctx, address)
	if err != nil {
		return nil, err
	}
	var own error // where no address was reached
	for i, a := range route.Addrs {
		turn, done := attemptContext(ctx, len(route.Addrs)-i)
		c, failed := g.connect(turn, "tcp", a.String())
		done()
		if failed == nil {
			return c, nil
		}
		if ours := ownFault(ctx, g.connect, a.String(), failed); ours != nil {
			own = ours
		} else {
			err = failed
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, cmp.Or(err, own)
}

// connect is net.Dialer, or what a test has in its place.
func (g *Guard) connect(ctx context.Context, network, address string) (net.Conn, error) {
	if g.dial != nil {
		return g.dial(ctx, network, address)
	}
	var d net.Dialer
	if g.Source.IsValid() {
		d.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(g.Source, 0))
		if network == "udp" { // to find a route
			d.LocalAddr = net.UDPAddrFromAddrPort(netip.AddrPortFrom(g.Source, 0))
		}
	}
	return d.DialContext(ctx, network, address)
}

// attemptContext bounds one of n attempts by its part of the time that ctx has left.
func attemptContext(ctx context.Context, n int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok || n == 1 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, max(time.Until(end)/time.Duration(n), minAddressTime))
}

// ListenPacket implements [Dialer].
func (g *Guard) ListenPacket(ctx context.Context, address string) (net.PacketConn, net.Addr, error) {
	route, err := g.Lookup(ctx, address)
	if err != nil {
		return nil, nil, err
	}
	to, err := g.routed(ctx, route.Addrs)
	if err != nil {
		return nil, nil, err
	}
	network := "udp4"
	if to.Addr().Is6() {
		network = "udp6"
	}
	local := ":0"
	if g.Source.IsValid() {
		local = netip.AddrPortFrom(g.Source, 0).String()
	}
	var c net.ListenConfig
	conn, err := c.ListenPacket(ctx, network, local)
	if err != nil {
		return nil, nil, err
	}
	return conn, net.UDPAddrFromAddrPort(to), nil
}
