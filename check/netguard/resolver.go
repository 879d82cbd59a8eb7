package netguard

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"

	"golang.org/x/net/dns/dnsmessage"

	"linkcheck/internal/fault"
)

// NoAddress is the text of a DNSError for a name that exists without an address.
const NoAddress = "name has no address"

// SystemResolver asks the name servers of the system, with absolute names: the
// search list of a machine must not turn a dead name into a neighbour's. The
// hosts file is used for names with a dot.
type SystemResolver struct {
	Server string // "host:port" of the name server to ask in place of the system's; "": theirs

	dial dialFunc // in tests; nil: net.Dialer
}

// Resolve implements [Resolver]. Addresses of the two families are asked for apart, and
// those of one suffice. Without any, the failure of one family counts more than the
// other's word that there is none: servers that know no AAAA records answer questions
// for them with all kinds of errors (RFC 4074 section 4.2). A name that does not exist
// is told from one without addresses, which net.Resolver reports alike.
func (s SystemResolver) Resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	var four, six family
	var both fault.Group
	both.Go(func() { four = s.ask(ctx, "ip4", host) })
	both.Go(func() { six = s.ask(ctx, "ip6", host) })
	both.Wait()
	if addrs := interleaved(four.addrs, six.addrs); len(addrs) > 0 {
		return addrs, nil
	}
	for _, f := range []family{four, six} {
		if !f.none() {
			return nil, f.err
		}
	}
	none := &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	if four.exists || six.exists {
		none.Err = NoAddress
	}
	return nil, none
}

// interleaved gives the addresses of both families by turns: few of them are tried, and
// this machine may have no route for one family.
func interleaved(four, six []netip.Addr) (addrs []netip.Addr) {
	for i := range max(len(four), len(six)) {
		addrs = append(addrs, four[min(i, len(four)):min(i+1, len(four))]...)
		addrs = append(addrs, six[min(i, len(six)):min(i+1, len(six))]...)
	}
	return addrs
}

// family is what a look-up found for the addresses of one family.
type family struct {
	addrs  []netip.Addr
	err    error
	exists bool // the name does, whether it has such addresses or not
}

// none says that the DNS knows of no address, rather than not having answered.
func (f family) none() bool {
	e, ok := errors.AsType[*net.DNSError](f.err)
	return f.exists && f.err == nil || ok && e.IsNotFound
}

// ask looks for the addresses of one family, "ip4" or "ip6". Where no question left this
// machine, the error is that of the system and no *net.DNSError.
func (s SystemResolver) ask(ctx context.Context, network, host string) family {
	w := watch{server: s.Server, connect: s.dial}
	if w.connect == nil {
		w.connect = new(net.Dialer).DialContext
	}
	r := net.Resolver{PreferGo: true, Dial: w.dial}
	addrs, err := r.LookupNetIP(ctx, network, host+".")
	f := family{addrs: addrs, err: err, exists: w.exists.Load()}
	if e, ok := err.(*net.DNSError); ok {
		e.Name = strings.TrimSuffix(e.Name, ".")
		if unsent := w.unsent.Load(); unsent != nil && !e.IsNotFound {
			f.err = *unsent
		}
	} else if _, ok := err.(*net.AddrError); ok { // the hosts file has an address of the other family
		f.err, f.exists = nil, true
	}
	return f
}

// watch looks at the questions and answers of a resolver.
type watch struct {
	server  string
	connect dialFunc
	exists  atomic.Bool           // an answer knew the name
	unsent  atomic.Pointer[error] // why a question could not be sent: this machine is out of files, or has no route
}

func (w *watch) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if w.server != "" {
		address = w.server
	}
	conn, err := w.connect(ctx, network, address)
	if own := ownFault(ctx, w.connect, address, err); own != nil {
		w.unsent.Store(&own)
	}
	if udp, ok := conn.(*net.UDPConn); ok {
		return &watchedUDP{udp, w}, err
	}
	return conn, err
}

// watchedUDP stays a net.PacketConn, by which the resolver knows datagrams.
type watchedUDP struct {
	*net.UDPConn
	watch *watch
}

func (u *watchedUDP) Read(b []byte) (int, error) {
	n, err := u.UDPConn.Read(b)
	var p dnsmessage.Parser
	h, bad := p.Start(b[:n])
	if bad == nil && h.Response && h.RCode == dnsmessage.RCodeSuccess { // RFC 1035 section 4.1.1
		u.watch.exists.Store(true)
	}
	return n, err
}
