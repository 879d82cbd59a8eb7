package netguard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"
)

// ErrNoRoute says that this machine has no route to an address, as one without IPv6 has
// none to those of IPv6: no packet was sent, and nothing is known of the host.
var ErrNoRoute = errors.New("this machine has no route to the address")

// dialFunc is the method DialContext of net.Dialer.
type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Errors of this machine for a connection: what it is out of or denies, and those that
// may also be the word of a router far away.
var (
	ownErrors   = []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT, syscall.EACCES, syscall.EPERM}
	routeErrors = []error{syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.ENETDOWN, syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT}
)

func isOne(err error, list []error) bool {
	return slices.ContainsFunc(list, func(e error) bool { return errors.Is(err, e) })
}

// ownFault gives the fault of this machine by which a connection failed with err, before
// any packet was sent; nil where it failed otherwise.
func ownFault(ctx context.Context, dial dialFunc, address string, err error) error {
	switch {
	case isOne(err, routeErrors) && noRoute(ctx, dial, address):
		return fmt.Errorf("%w: %w", ErrNoRoute, err)
	case isOne(err, ownErrors):
		return err
	}
	return nil
}

// noRoute looks for a route to an address: connecting a datagram socket chooses one and
// sends nothing.
func noRoute(ctx context.Context, dial dialFunc, address string) bool {
	conn, err := dial(ctx, "udp", address)
	if err == nil {
		conn.Close()
	}
	return isOne(err, routeErrors)
}

// routed gives the first of some addresses to which this machine has a route.
func (g *Guard) routed(ctx context.Context, addrs []netip.AddrPort) (netip.AddrPort, error) {
	for _, a := range addrs {
		if !noRoute(ctx, g.connect, a.String()) {
			return a, nil
		}
	}
	return netip.AddrPort{}, fmt.Errorf("%w: %s", ErrNoRoute, addrs[0])
}
