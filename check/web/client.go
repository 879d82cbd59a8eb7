package web

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"linkcheck/check/netguard"
	"linkcheck/check/wire"
)

const (
	maxHeader   = 256 << 10            // octets of a response's header, as browsers take them
	maxStream   = 128 << 10            // octets that an HTTP/2 server may send unread on one stream
	maxStreams  = 512 << 10            // and on one connection
	maxFrames   = 1 << 20              // octets that TLS and HTTP/2 may add to an answer
	uselessTime = 2 * time.Second      // that the body of an answer other than a success may take
	leaveTime   = 2 * time.Millisecond // in which a server leaves that has answered and does not say that it will
)

// client asks web servers through net/http, one request at a time on a connection,
// and keeps connections for the next request to a server.
type client struct {
	transport *http.Transport
	idle      wire.Sessions[origin, *session]
	buffers   sync.Pool // of *bytes.Buffer, into which bodies are read
}

// askedOnce is the key of whether nothing is asked for twice in a context.
type askedOnce struct{}

// newClient makes a client through the guard. A lax one accepts any certificate and
// the ciphers and versions of servers long unattended: what it reads is judged,
// never trusted. Certificates of ours are for the strict one.
func newClient(o Options, lax bool) *client {
	config := &tls.Config{InsecureSkipVerify: lax, NextProtos: []string{"h2", "http/1.1"},
		RootCAs: o.Roots, MinVersion: o.MinTLS, Renegotiation: tls.RenegotiateOnceAsClient} // how servers ask for a certificate of one page's readers
	if lax {
		config.MinVersion = tls.VersionTLS10
		for _, list := range [][]*tls.CipherSuite{tls.CipherSuites(), tls.InsecureCipherSuites()} {
			for _, c := range list {
				config.CipherSuites = append(config.CipherSuites, c.ID)
			}
		}
	}
	dial := func(ctx context.Context, address string, secure bool) (net.Conn, error) {
		socket, err := dialSocket(ctx, o.Dialer, address, secure)
		if err != nil {
			return nil, err
		}
		c := socket
		if secure {
			config := config.Clone()
			config.ServerName, _, _ = net.SplitHostPort(address)
			ours := new(tls.Certificate) // none
			if !lax {
				ours = withHost(config, o.Hosts, address)
			}
			config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
				ctx.Value(dialed{}).(*session).certificate.Store(true)
				return ours, nil
			}
			meter := &metered{Conn: socket}
			meter.left.Store(maxFrames)
			ctx.Value(dialed{}).(*session).meter = meter
			secured := tls.Client(meter, config)
			if err := secured.HandshakeContext(ctx); err != nil {
				socket.Close()
				return nil, err
			}
			if c = secured; secured.ConnectionState().NegotiatedProtocol == "h2" {
				return c, nil
			}
		}
		s := ctx.Value(dialed{}).(*session)
		if fields, relay, ok := netguard.Absolute(socket); ok {
			s.relay, s.relayFields = relay, fields
		}
		http1 := newConn(c, rawOf(socket))
		ctx.Value(dialed{}).(*session).conn = http1
		return http1, nil
	}
	return &client{transport: &http.Transport{
		DialContext:            func(ctx context.Context, _, address string) (net.Conn, error) { return dial(ctx, address, false) },
		DialTLSContext:         func(ctx context.Context, _, address string) (net.Conn, error) { return dial(ctx, address, true) },
		TLSClientConfig:        config,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // we bound the decoded side ourselves
		MaxResponseHeaderBytes: maxHeader,
		HTTP2:                  &http.HTTP2Config{MaxReceiveBufferPerStream: maxStream, MaxReceiveBufferPerConnection: maxStreams},
	}}
}

// dialSocket connects to a server, or to a proxy before it.
func dialSocket(ctx context.Context, d netguard.Dialer, address string, secure bool) (net.Conn, error) {
	scheme := "http"
	if secure {
		scheme = "https"
	}
	socket, err := d.DialContext(netguard.ForWeb(ctx, scheme), "tcp", address)
	if err != nil && !isRelays(err) && (ctx.Err() == context.DeadlineExceeded || err == context.DeadlineExceeded) { // the dialer may see the deadline before the context does
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded} // so that check.Classify tells it from the silence of a server that took the connection
	}
	return socket, err
}

// ask sends one request and reads at most limit octets of the answer's body. Where
// the status decides alone, a body that does not come is not waited for.
func (c *client) ask(ctx context.Context, method string, at resource, header http.Header, limit int64) (answer, error) {
	return c.askFor(ctx, method, at, header, limit, false, nil)
}

// askFor is ask where read, if there is one, takes the body, of which at most limit octets
// come. anyBody: the body of an answer that is no success is waited for too.
func (c *client) askFor(ctx context.Context, method string, at resource, header http.Header, limit int64, anyBody bool, read func(a *answer, body io.Reader) error) (a answer, err error) {
	s, resp, err := c.exchange(ctx, method, at, header, limit)
	if err != nil {
		return answer{}, err
	}
	defer c.release(at.origin(), s, resp)
	a = answer{status: resp.StatusCode, line: resp.Proto + " " + resp.Status, header: resp.Header}
	if resp.StatusCode/100 != 2 && !anyBody {
		defer time.AfterFunc(uselessTime, func() { s.Close() }).Stop()
	}
	if s.conn != nil {
		s.conn.expectBody(resp.ContentLength)
	}
	switch {
	case method == http.MethodHead, resp.StatusCode == http.StatusSwitchingProtocols:
	case read == nil:
		buffer, _ := c.buffers.Get().(*bytes.Buffer)
		if buffer == nil {
			buffer = new(bytes.Buffer)
		}
		a.read(resp.Body, buffer, limit)
		c.buffers.Put(buffer)
		a.broken = named(a.broken, s.conn == nil)
	default:
		whole := a // apart, so that the answer to a probe stays off the heap
		err = read(&whole, &namedErrors{resp.Body, s.conn == nil})
		a = whole
	}
	return a, err
}

// exchange sends a request and gives the answer and its session. A connection that
// waited may have died, or may have been given up by the server: what fails on one
// is asked anew on a fresh one (RFC 9110 section 9.2.2, RFC 9112 section 9.3.1). With askedOnce
// a server that leaves, resets or says what is no answer was asked; it is asked anew only
// where it says that no request came: 408.
func (c *client) exchange(ctx context.Context, method string, at resource, header http.Header, limit int64) (*session, *http.Response, error) {
	req, err := newRequest(ctx, method, at, header)
	if err != nil {
		return nil, nil, err
	}
	once, _ := ctx.Value(askedOnce{}).(bool)
	for fresh := false; ; fresh = true {
		s, used, err := c.connect(ctx, at.origin(), fresh, once)
		if err != nil {
			return nil, nil, err
		}
		if s.meter != nil {
			s.meter.left.Store(limit + maxHeader + maxFrames)
		}
		resp, err := s.RoundTrip(s.throughRelay(req, at))
		err = s.explain(err)
		if err == nil && s.relay != "" {
			if err = s.ofRelay(resp); err != nil {
				s.Close()
				return nil, nil, err
			}
		}
		if err == nil && !(used && resp.StatusCode == http.StatusRequestTimeout) {
			return s, resp, nil
		}
		s.Close()
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case !used || once && err != nil:
			return nil, nil, &badAnswer{err, s.conn == nil}
		}
	}
}

// connect gives a session that waited and is still sound, or makes one, a fresh one
// in any case if so wanted. With once, a server that leaves after its answer gets the time
// to do so, and is not taken for one that leaves in place of the next.
func (c *client) connect(ctx context.Context, to origin, fresh, once bool) (s *session, used bool, err error) {
	for !fresh {
		s, used := c.idle.Take(to)
		if !used {
			break
		}
		if once {
			time.Sleep(leaveTime - time.Since(s.ended))
		}
		if s.conn == nil && s.Available() > 0 || s.conn != nil && s.conn.resume() {
			return s, true, nil
		}
		s.Close()
	}
	s = &session{}
	s.ClientConn, err = c.transport.NewClientConn(context.WithValue(ctx, dialed{}, s), to.scheme, to.address())
	return s, false, s.explain(err)
}

// release lets a session wait for its next request where its answer was read to the
// end, or closes it. It never reads on.
func (c *client) release(to origin, s *session, resp *http.Response) {
	resp.Body.Close()
	if s.Available() > 0 && (s.conn == nil || s.conn.pause()) {
		s.ended = time.Now()
		c.idle.Put(to, s)
	} else {
		s.Close()
	}
}

// closeIdle closes the connections with a host that wait for their next request.
func (c *client) closeIdle(host string) {
	c.idle.CloseWhere(func(to origin) bool { return wire.SameHost(to.address(), host) })
}
