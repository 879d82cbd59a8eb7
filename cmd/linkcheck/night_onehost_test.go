package main

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/check/netguard"
	"linkcheck/check/web"
	"linkcheck/crawl"
	"linkcheck/internal/lab"
)

// connections counts those that are open, on our side.
type connections struct {
	netguard.Dialer
	mu              sync.Mutex
	open, most, all int
}

func (c *connections) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c.mu.Lock()
	c.open++
	c.all++
	c.most = max(c.most, c.open)
	c.mu.Unlock()
	conn, err := c.Dialer.DialContext(ctx, network, address)
	counted := &countedConn{Conn: conn, close: func() {
		c.mu.Lock()
		c.open--
		c.mu.Unlock()
	}}
	if err != nil {
		counted.once.Do(counted.close)
		return nil, err
	}
	return counted, nil
}

// One connection a host, whichever of its servers is asked (OUTCOMES 5.1.15): what
// waits for the next link of one server ends before another is asked.
func TestOneConnectionAHost(t *testing.T) {
	page := http.HandlerFunc(lab.Text("text/plain", "here"))
	tls := httptest.NewUnstartedServer(page)
	tls.Config.ErrorLog = log.New(io.Discard, "", 0) // of the certificate, which is tried before it is passed over
	tls.StartTLS()
	defer tls.Close()
	servers := map[int]func(net.Listener) error{
		80:  func(l net.Listener) error { return lab.HTTP(l, page) },
		21:  func(l net.Listener) error { return lab.FTP(l, map[string]string{"/a": "here", "/b": "here"}) },
		119: func(l net.Listener) error { return lab.NNTP(l, map[string][]string{"mill.news": {"1@mill.test"}}) },
	}
	guard := &netguard.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	lead := func(port int, at net.Addr) {
		guard.ConnectTo = append(guard.ConnectTo, netguard.ConnectRule{Port: port, ToHost: "127.0.0.1", ToPort: at.(*net.TCPAddr).Port})
	}
	lead(443, tls.Listener.Addr())
	for port, serve := range servers {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() { serve(l) })
		defer wg.Wait()
		defer l.Close()
		lead(port, l.Addr())
	}
	for _, c := range []struct {
		name      string
		uris      []string
		most, all int
	}{
		{"one server after another", []string{"http://www.mill-example.org/", "ftp://www.mill-example.org/a", "https://www.mill-example.org/", "news://www.mill-example.org/mill.news",
			"http://www.mill-example.org/b", "ftp://www.mill-example.org/b", "https://www.mill-example.org/b", "http://www.mill-example.org/c"}, 1, 9},
		{"one server alone", []string{"ftp://www.mill-example.org/a", "ftp://www.mill-example.org/b", "ftp://www.mill-example.org/"}, 1, 1},
		{"one web server alone", []string{"https://www.mill-example.org/a", "https://www.mill-example.org/b", "https://www.mill-example.org/c"}, 1, 2},
	} {
		count := &connections{Dialer: guard}
		p := all.Table(all.Options{Options: check.Options{Dialer: count}, Web: web.Options{NoSoft404: true, IgnoreRobots: true}})
		answers := 0
		for a, err := range crawl.Probe(t.Context(), c.uris, crawl.Options{Prober: p, HostDelay: -1}) {
			if answers++; err != nil || a.Result.Outcome != check.OK {
				t.Errorf("%s: %s: %s(%s) %q, %v", c.name, a.URI, a.Result.Outcome, a.Result.Reason, a.Result.Reply, err)
			}
		}
		p.Close()
		if answers != len(c.uris) || count.most != c.most || count.all != c.all || count.open != 0 {
			t.Errorf("%s: %d answers over %d connections, %d at a time, %d left open", c.name, answers, count.all, count.most, count.open)
		}
	}
}
