package labtest

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/uri"
)

const (
	waitLimit    = 30 * time.Second // how long a server waits for the client's next octets
	connectLimit = 5 * time.Second  // and, when a test ends, for a connection that was to come
)

// Server plays one script a connection.
type Server struct {
	At uri.Endpoint

	t       testing.TB
	l       net.Listener
	scripts []string
	wg      sync.WaitGroup
	served  int           // of accept, until wg is done
	all     chan struct{} // closed when every script has its connection
}

// Serve starts a server that plays the scripts, one for each connection in
// order. When the test ends, every script must have been played to its end.
func Serve(t testing.TB, scripts ...string) *Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{At: uri.Endpoint{Host: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port}, t: t, l: l, scripts: scripts, all: make(chan struct{})}
	if len(scripts) == 0 {
		close(s.all)
	}
	s.wg.Go(s.accept)
	t.Cleanup(s.stop)
	return s
}

func (s *Server) stop() {
	select { // a client that only connects is gone before its connection is taken
	case <-s.all:
	case <-time.After(connectLimit):
	}
	s.l.Close()
	s.wg.Wait()
	if s.served != len(s.scripts) {
		s.t.Errorf("labtest: %d connections, the script has %d", s.served, len(s.scripts))
	}
}

func (s *Server) accept() {
	for {
		c, err := s.l.Accept()
		if err != nil {
			return
		}
		n := s.served
		if s.served++; s.served == len(s.scripts) {
			close(s.all)
		}
		if n >= len(s.scripts) {
			c.Close()
			continue
		}
		s.wg.Go(func() {
			p := &player{server: s, raw: c.(*net.TCPConn), conn: c}
			if err := p.play(s.scripts[n]); err != nil {
				s.t.Errorf("labtest: connection %d: %v", n+1, err)
			}
		})
	}
}

// URI parses text with the server's "host:port" in the place of {at}.
func (s *Server) URI(text string) uri.URI {
	s.t.Helper()
	return URI(s.t, net.JoinHostPort(s.At.Host, strconv.Itoa(s.At.Port)), text)
}

// URI parses text with address, a server's "host:port", in the place of {at}.
func URI(t testing.TB, address, text string) uri.URI {
	t.Helper()
	u, err := uri.Parse(strings.ReplaceAll(text, "{at}", address))
	if err != nil {
		t.Fatalf("labtest: %s: %v", text, err)
	}
	return u
}

// Dialer reaches the server whatever host is asked for, at its own port and by the
// addresses given. It is a netguard.Dialer without its guard.
func (s *Server) Dialer(addresses ...string) Dialer { return Dialer{s, addresses} }

// Dialer is given by [Server.Dialer].
type Dialer struct {
	s     *Server
	known []string
}

// DialContext dials 127.0.0.1 at the port of address: the script's data
// connections have ports of their own.
func (d Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if slices.Contains(d.known, address) {
		port = strconv.Itoa(d.s.At.Port)
	}
	var nd net.Dialer
	return nd.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
}

// ListenPacket refuses: line protocols speak TCP.
func (d Dialer) ListenPacket(context.Context, string) (net.PacketConn, net.Addr, error) {
	return nil, nil, net.ErrClosed
}

// player plays one script on one connection.
type player struct {
	server *Server
	raw    *net.TCPConn
	conn   net.Conn
	data   net.Listener
}

func (p *player) play(script string) error {
	defer p.raw.Close()
	defer p.closeData()
	turns, err := parse(script)
	if err != nil {
		return err
	}
	var may []string
	for i, t := range turns {
		if t.who == 'c' {
			continue
		}
		may = allowed(turns[i+1:])
		if done, err := p.turn(t.who, t.what, may); done || err != nil {
			return err
		}
	}
	return p.drain("the script", may)
}

func (p *player) turn(who byte, what string, may []string) (done bool, err error) {
	p.raw.SetDeadline(time.Now().Add(waitLimit))
	switch {
	case who == 'S' && what == "<closes>":
		p.raw.CloseWrite()
		return true, p.drain("the server closed", may)
	case who == 'S' && what == "<resets>":
		return true, p.raw.SetLinger(0)
	case who == 'S' && what == "<silent>":
		return true, p.drain("silence", may)
	case who == 'S' && what == "<tls>":
		return false, p.startTLS()
	case who == 'S':
		text, err := p.withPort(Unescape(what))
		if err == nil {
			_, err = p.conn.Write(text)
		}
		return err != nil, nil // a client may go in the midst of an answer
	case who == 'D':
		return false, p.send(Unescape(what))
	case who == 'C':
		return false, p.expect(Unescape(what))
	}
	return true, fmt.Errorf("bad turn %q", what)
}

func (p *player) expect(want []byte) error {
	got := make([]byte, len(want))
	n, err := io.ReadFull(p.conn, got)
	if !bytes.Equal(got[:n], want) {
		return fmt.Errorf("client sent %q, script has %q (%v)", got[:n], want, err)
	}
	return nil
}

// drain waits for the client to go. It must not say anything more, but for
// the end of its TLS.
func (p *player) drain(after string, may []string) error {
	rest, _ := io.ReadAll(p.conn)
	if len(rest) > 0 && !slices.Contains(may, string(rest)) {
		return fmt.Errorf("client sent %q after %s", rest, after)
	}
	return nil
}

func (p *player) startTLS() error {
	certified := httptest.NewTLSServer(nil) // for its certificate of its own making
	certified.Close()
	c := tls.Server(p.conn, &tls.Config{Certificates: certified.TLS.Certificates})
	p.conn = c
	return c.Handshake()
}

// withPort opens a listener for the data connection that text announces.
func (p *player) withPort(text []byte) ([]byte, error) {
	if !bytes.Contains(text, []byte("{p")) {
		return text, nil
	}
	p.closeData()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p.data = l
	port := l.Addr().(*net.TCPAddr).Port
	s := strings.NewReplacer("{port}", strconv.Itoa(port), "{p1}", strconv.Itoa(port>>8), "{p2}", strconv.Itoa(port&255)).Replace(string(text))
	return []byte(s), nil
}

func (p *player) send(data []byte) error {
	if p.data == nil {
		return fmt.Errorf("data without a port")
	}
	c, err := p.data.Accept()
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Write(data)
	return err
}

func (p *player) closeData() {
	if p.data != nil {
		p.data.Close()
	}
}
