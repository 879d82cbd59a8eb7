package serve

import (
	"net"
	"sync"
)

// Limit gives a listener that keeps at most that many connections open. One more ends the
// oldest of the address that holds most, so that who opens many ends their own, and one
// reader more is always let in.
func Limit(l net.Listener, most int) net.Listener {
	return &crowd{Listener: l, most: most, by: map[string][]*guest{}}
}

type crowd struct {
	net.Listener
	most int

	mu    sync.Mutex
	count int
	by    map[string][]*guest // the open connections of an address, oldest first
}

// guest is a connection of a crowd.
type guest struct {
	net.Conn
	of   *crowd
	from string
}

// Accept implements net.Listener.
func (c *crowd) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	g := &guest{Conn: conn, of: c, from: conn.RemoteAddr().String()}
	if host, _, err := net.SplitHostPort(g.from); err == nil {
		g.from = host
	}
	if out := c.add(g); out != nil {
		_ = out.Conn.Close() // who is sent away hears no more
	}
	return g, nil
}

// add counts a connection, and gives the one that must end for it.
func (c *crowd) add(g *guest) (out *guest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.by[g.from] = append(c.by[g.from], g)
	if c.count++; c.count <= c.most {
		return nil
	}
	most := g.from
	for from, list := range c.by {
		if len(list) > len(c.by[most]) {
			most = from
		}
	}
	out = c.by[most][0]
	c.remove(out)
	return out
}

// remove forgets a connection; one that is forgotten already stays so.
func (c *crowd) remove(g *guest) {
	list := c.by[g.from]
	for i := range list {
		if list[i] == g {
			c.count--
			if list = append(list[:i:i], list[i+1:]...); len(list) == 0 {
				delete(c.by, g.from)
				return
			}
			c.by[g.from] = list
			return
		}
	}
}

// Close implements net.Conn.
func (g *guest) Close() error {
	g.of.mu.Lock()
	g.of.remove(g)
	g.of.mu.Unlock()
	return g.Conn.Close()
}
