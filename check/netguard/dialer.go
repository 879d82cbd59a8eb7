package netguard

import (
	"context"
	"net"

	"linkcheck/internal/fault"
)

// Dialer is the only way to the network. Names are resolved, the address is
// judged, and that very address is dialled; a refusal is a *Refusal.
type Dialer interface {
	// DialContext connects over "tcp" to "host:port".
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
	// ListenPacket opens an unconnected UDP socket and gives the judged address
	// of "host:port" to write to. Answers may come from any port.
	ListenPacket(ctx context.Context, address string) (net.PacketConn, net.Addr, error)
}

// Refusal is the error for an address or name that policy forbids.
type Refusal struct {
	Rule Rule   // that forbids it
	What string // host or address that was refused
}

// Error returns the rule and what it forbids.
func (r *Refusal) Error() string { return string(r.Rule) + ": " + r.What }

// Rule is a rule of the policy.
type Rule string

// The rules.
const (
	NoPrivateAddress Rule = "private-address"
	NoReservedName   Rule = "reserved-name"
	NoDeniedPort     Rule = "port-denied"
	NoLocalName      Rule = "local-name"
)

// DialContext implements [Dialer].
func (g *Guard) DialContext(ctx context.Context, network, address string) (conn net.Conn, err error) {
	defer fault.Catch(&err) // net/http dials in a goroutine of its own
	if relay := g.relayFor(ctx, address); relay != nil {
		return g.through(ctx, relay, address)
	}
	return g.direct(ctx, address)
}
