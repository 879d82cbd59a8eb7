package web

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
)

// A server of HTTP/2 that sends frames which belong to no answer, without end, is read
// for some megabytes and no longer.
func TestEndlessFrames(t *testing.T) {
	const settings = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	for name, frame := range map[string]string{
		"ping":          "\x00\x00\x08\x06\x00\x00\x00\x00\x0012345678",
		"settings":      settings,
		"window update": "\x00\x00\x04\x08\x00\x00\x00\x00\x00\x00\x00\x00\x01",
		"unknown":       "\x00\x40\x00\xee\x00\x00\x00\x00\x00" + strings.Repeat("x", 0x4000),
		"priority":      "\x00\x00\x05\x02\x00\x00\x00\x00\x01\x00\x00\x00\x00\x01",
		"hints":         "\x00\x00\x05\x01\x04\x00\x00\x00\x01\x08\x03103",
		"empty data":    "\x00\x00\x00\x00\x00\x00\x00\x00\x01",
	} {
		t.Run(name, func(t *testing.T) {
			var sent atomic.Int64
			addr := framing(t, settings, frame, &sent)
			p := New(Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: rules4(t, addr)}, Timeout: 20 * time.Second}, NoSoft404: true, IgnoreRobots: true})
			defer p.Close()
			r := p.Probe(t.Context(), check.Target{URI: parse(t, "https://site.org/a")})
			if r.Outcome == check.OK || r.Outcome == check.Gone || r.Took > 10*time.Second {
				t.Errorf("%s(%s) %q after %v", r.Outcome, r.Reason, r.Reply, r.Took)
			}
			if n := sent.Load(); n > 16<<20 { // with what waits in the system's buffers
				t.Errorf("%d octets were taken", n)
			}
		})
	}
}

// framing is a server of HTTP/2 that says a beginning, and then the same without end.
func framing(t *testing.T, begin, repeat string, sent *atomic.Int64) string {
	t.Helper()
	config := &tls.Config{Certificates: []tls.Certificate{newIssuer(t).sign(t, "site.org", time.Now().Add(time.Hour))}, NextProtos: []string{"h2"}}
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	block := bytes.Repeat([]byte(repeat), 1+16<<10/len(repeat))
	var wg sync.WaitGroup
	serve := func(c net.Conn) {
		defer c.Close()
		go io.Copy(io.Discard, c)
		if _, err := io.WriteString(c, begin); err != nil {
			return
		}
		for {
			n, err := c.Write(block)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	}
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { serve(c) })
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	return l.Addr().String()
}
