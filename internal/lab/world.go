package lab

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// World is a small internet on loopback: every server of the demo, each behind
// its name. It is a netguard.Resolver, too: names that it does not know do not exist.
type World struct {
	night   atomic.Int64
	rules   []string
	addrs   map[string]netip.Addr
	closers []func() error
	running errgroup.Group
}

// server is one listening server and the names behind which it stands.
type server struct {
	port  int // in the world; the real one is chosen by the system
	names []string
	serve func(net.Listener) error
	udp   func(net.PacketConn) error
}

// Start opens every server of the world.
func Start() (*World, error) {
	w := &World{addrs: map[string]netip.Addr{}}
	for _, s := range w.servers() {
		if err := w.open(s); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	for _, name := range refusing {
		if err := w.refuse(name); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	for name, addr := range elsewhere {
		w.addrs[name] = netip.MustParseAddr(addr)
		w.keepName(name)
	}
	for _, name := range departed {
		w.keepName(name)
	}
	slices.Sort(w.rules)
	return w, nil
}

func (w *World) open(s server) error {
	var at string
	if s.udp != nil {
		c, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			return fmt.Errorf("lab: %w", err)
		}
		at = c.LocalAddr().String()
		w.closers = append(w.closers, c.Close)
		w.running.Go(func() error { return s.udp(c) })
	} else {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return fmt.Errorf("lab: %w", err)
		}
		at = l.Addr().String()
		w.closers = append(w.closers, l.Close)
		w.running.Go(func() error { return s.serve(l) })
	}
	for _, name := range s.names {
		w.addrs[name] = netip.MustParseAddr("127.0.0.1")
		w.rules = append(w.rules, fmt.Sprintf("%s:%d:%s", name, s.port, at))
	}
	return nil
}

// refuse puts a name before a port on which nobody listens.
func (w *World) refuse(name string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("lab: %w", err)
	}
	host, port, _ := strings.Cut(name, ":")
	w.addrs[host] = netip.MustParseAddr("127.0.0.1")
	w.rules = append(w.rules, fmt.Sprintf("%s:%s:%s", host, port, l.Addr()))
	return l.Close()
}

// keepName has connections to a name go where they would go anyway: named in a
// rule, a name of the demo is asked for although its top-level domain is reserved.
func (w *World) keepName(name string) {
	w.rules = append(w.rules, fmt.Sprintf("%s::%s:", name, name))
}

// ConnectTo returns the rules, in the form of --connect-to, that lead to the world.
func (w *World) ConnectTo() []string { return slices.Clone(w.rules) }

// CatchAll returns rules that lead every other name to the first server of each port.
func (w *World) CatchAll() []string {
	var rules []string
	seen := map[string]bool{}
	for _, r := range w.rules {
		_, rest, _ := strings.Cut(r, ":")
		port, at, _ := strings.Cut(rest, ":")
		if strings.HasPrefix(at, "127.0.0.1:") && !seen[port] && !slices.Contains(refusing, strings.TrimSuffix(r, ":"+at)) {
			seen[port] = true
			rules = append(rules, ":"+rest)
		}
	}
	return rules
}

// SetNight moves the world on: some servers answer otherwise as nights go by.
func (w *World) SetNight(n int) { w.night.Store(int64(n)) }

// Resolve implements netguard.Resolver.
func (w *World) Resolve(_ context.Context, host string) ([]netip.Addr, error) {
	if a, ok := w.addrs[strings.ToLower(host)]; ok {
		return []netip.Addr{a}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// Close ends every server and waits for it.
func (w *World) Close() error {
	var errs []error
	for _, c := range w.closers {
		errs = append(errs, c())
	}
	return errors.Join(append(errs, w.running.Wait())...)
}
