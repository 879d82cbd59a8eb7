package web

import (
	"net"
	"sync"

	"linkcheck/check/wire"
)

// kept knows the connections that net/http keeps, which it closes for all hosts or
// for none. The zero value is ready.
type kept struct {
	mu   sync.Mutex
	open map[*keptConn]string // its address
}

// keptConn is a connection that says when it is closed.
type keptConn struct {
	net.Conn
	by *kept
}

func (k *kept) add(c net.Conn, address string) net.Conn {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.open == nil {
		k.open = map[*keptConn]string{}
	}
	it := &keptConn{c, k}
	k.open[it] = address
	return it
}

// Close implements net.Conn.
func (c *keptConn) Close() error {
	c.by.mu.Lock()
	delete(c.by.open, c)
	c.by.mu.Unlock()
	return c.Conn.Close()
}

// leave closes the connections with a host.
func (k *kept) leave(host string) {
	k.mu.Lock()
	var left []*keptConn
	for c, address := range k.open {
		if wire.SameHost(address, host) {
			left = append(left, c)
		}
	}
	k.mu.Unlock()
	for _, c := range left {
		c.Close()
	}
}
