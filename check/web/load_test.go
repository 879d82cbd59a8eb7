package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"

	"go.uber.org/goleak"
)

// moody serves connections that end after one to five answers, each in one of the
// ways in which servers end them. A body names what was asked for.
type moody struct {
	accepted atomic.Int64
	wg       sync.WaitGroup
}

func (m *moody) serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		seed := uint64(m.accepted.Add(1))
		m.wg.Go(func() {
			defer c.Close()
			c.SetDeadline(time.Now().Add(30 * time.Second))
			m.talk(c.(*net.TCPConn), rand.New(rand.NewPCG(seed, 0)))
		})
	}
}

func (m *moody) talk(c *net.TCPConn, r *rand.Rand) {
	in := bufio.NewReader(c)
	for last := r.IntN(5); ; last-- {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body := req.Host + req.RequestURI
		sized := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		if last > 0 {
			m.answer(c, r, body, sized)
			continue
		}
		switch r.IntN(7) {
		case 0: // leaves
			io.WriteString(c, sized)
		case 1: // says so
			io.WriteString(c, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"+body)
		case 2: // speaks HTTP/1.0
			io.WriteString(c, "HTTP/1.0 200 OK\r\n\r\n"+body)
		case 3: // sends more than it was asked for
			io.WriteString(c, sized+"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong")
			io.Copy(io.Discard, in)
		case 4: // takes another request, and leaves
			io.WriteString(c, sized)
			http.ReadRequest(in)
		case 5: // resets the connection on it
			io.WriteString(c, sized)
			http.ReadRequest(in)
			c.SetLinger(0)
		case 6: // has grown tired of it
			io.WriteString(c, sized)
			http.ReadRequest(in)
			io.WriteString(c, "HTTP/1.1 408 Request Timeout\r\nContent-Length: 5\r\n\r\nwrong")
		}
		return
	}
}

// answer is one after which the connection goes on.
func (m *moody) answer(c net.Conn, r *rand.Rand, body, sized string) {
	switch r.IntN(4) {
	case 0:
		io.WriteString(c, sized)
	case 1:
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	case 2:
		io.WriteString(c, "HTTP/1.1 103 Early Hints\r\n\r\n")
		io.WriteString(c, sized)
	case 3:
		cut := r.IntN(len(sized))
		io.WriteString(c, sized[:cut])
		time.Sleep(time.Millisecond)
		io.WriteString(c, sized[cut:])
	}
}

// Many probes at a time of servers that end connections as they like: whoever
// asks gets his own answer, or none where his own time ran out.
func TestClientUnderLoad(t *testing.T) {
	const crowd, each, hosts = 200, 25, 20
	leak := goleak.IgnoreCurrent()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var m moody
	m.wg.Go(func() { m.serve(l) })
	c := newClient(Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: rules4(t, l.Addr().String())}}}, false)
	var good, late atomic.Int64
	var wg sync.WaitGroup
	for i := range uint64(crowd) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(i, 1))
			for n := range each {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				hasty := r.IntN(10) == 0
				if hasty {
					time.AfterFunc(time.Duration(r.IntN(5000))*time.Microsecond, cancel)
				}
				at := resource{scheme: "http", host: fmt.Sprintf("h%d.org", r.IntN(hosts)), path: fmt.Sprintf("/%d/%d", i, n)}
				a, err := c.ask(ctx, "GET", at, http.Header{}, 100)
				switch {
				case hasty && (err != nil || a.broken != nil):
					late.Add(1)
				case err != nil || a.broken != nil || a.body != at.host+at.path:
					t.Errorf("%s: %q, %v, %v", at, a.body, err, a.broken)
				default:
					good.Add(1)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	c.idle.Close()
	l.Close()
	m.wg.Wait() // every connection has ended
	if err := goleak.Find(leak); err != nil {
		t.Error(err)
	}
	t.Logf("%d answers, %d of the hasty got none, over %d connections", good.Load(), late.Load(), m.accepted.Load())
	if n := m.accepted.Load(); n < crowd || n > crowd*each*9/10 {
		t.Errorf("%d connections for %d requests", n, crowd*each)
	}
}
