package web

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/check/wire"
)

// unasked marks a part of a script that is sent without a request, later one for
// which the server waits until the test says go on.
const (
	unasked = "unasked:"
	later   = "later"
)

// scripted serves one script a connection: each part answers a request. At the
// end of a script the connection stays open, unless the last part is "close" or
// "reset".
// It speaks TLS if config is not nil.
func scripted(t *testing.T, scripts [][]string, config *tls.Config) (address string, proceed, sent chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	proceed = make(chan struct{}, 100)
	sent = make(chan struct{}, 100) // a part that was not asked for is out
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, parts := range scripts {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				if config != nil {
					c = tls.Server(c, config)
				}
				play(c, parts, proceed, sent)
			})
		}
	})
	t.Cleanup(func() { l.Close(); close(proceed); wg.Wait() })
	return l.Addr().String(), proceed, sent
}

func play(c net.Conn, parts []string, proceed <-chan struct{}, sent chan<- struct{}) {
	defer c.Close()
	c.SetDeadline(time.Now().Add(10 * time.Second))
	in := bufio.NewReader(c)
	for _, p := range parts {
		if p == later {
			<-proceed
			continue
		}
		words, alone := strings.CutPrefix(p, unasked)
		if p == "close" || p == "reset" {
			if p == "reset" {
				socket := c
				if secure, ok := c.(*tls.Conn); ok {
					socket = secure.NetConn()
				}
				socket.(*net.TCPConn).SetLinger(0)
				socket.Close()
			}
			c.Close()
			sent <- struct{}{}
			return
		}
		if !alone {
			if _, err := http.ReadRequest(in); err != nil {
				return
			}
		}
		io.WriteString(c, words)
		if alone {
			sent <- struct{}{}
		}
	}
	io.Copy(io.Discard, in)
}

const (
	answerOK  = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	answerNo  = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno"
	answer408 = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"
)

var loopback = &netguard.Guard{ConnectTo: []netguard.ConnectRule{{ToHost: "127.0.0.1"}}}

// clientOf makes a client that connects by d, until the test ends.
func clientOf(t testing.TB, d netguard.Dialer) *client {
	c := newClient(Options{Options: check.Options{Dialer: d}.WithDefaults()}, false)
	t.Cleanup(func() { c.idle.Close() })
	return c
}

// opaque hides the sockets of the connections that it dials.
type opaque struct{ netguard.Dialer }

func (o opaque) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := o.Dialer.DialContext(ctx, network, address)
	return struct{ net.Conn }{c}, err
}

// What becomes of a connection after its first answer. RFC 9112 section 9.
func TestClientConnections(t *testing.T) {
	secure := &tls.Config{Certificates: []tls.Certificate{newIssuer(t).sign(t, "site.org", time.Now().Add(time.Hour))}}
	for _, tc := range []struct {
		name    string
		first   string // method of the first request
		scripts [][]string
		wait    bool // for the part that comes later
	}{
		{"used again", "GET", [][]string{{answerOK, answerOK}}, false},
		{"used again after HEAD", "HEAD", [][]string{{"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", answerOK}}, false},
		{"used again after 304", "GET", [][]string{{"HTTP/1.1 304 Not Modified\r\n\r\n", answerOK}}, false},
		{"used again after chunks", "GET", [][]string{{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", answerOK}}, false},
		{"used again after 1xx", "GET", [][]string{{"HTTP/1.1 103 Early Hints\r\n\r\n" + answerOK, answerOK}}, false},
		{"closed when asked to", "GET", [][]string{{"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"}, {answerOK}}, false},
		{"closed after HTTP/1.0", "GET", [][]string{{"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"}, {answerOK}}, false},
		{"closed when the body goes on", "GET", [][]string{{"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + strings.Repeat("x", 99)}, {answerOK}}, false},
		{"closed when more came than the body", "GET", [][]string{{answerOK + answerNo}, {answerOK}}, false},
		{"closed when more comes later", "GET", [][]string{{answerOK, later, unasked + answerNo}, {answerOK}}, true},
		{"closed when the server left", "GET", [][]string{{answerOK, later, "close"}, {answerOK}}, true},
		{"closed when the server says 408 unasked", "GET", [][]string{{answerOK, later, unasked + answer408, "close"}, {answerOK}}, true},
		{"asked anew when the server leaves on the second request", "GET", [][]string{{answerOK, "", "close"}, {answerOK}}, false},
		{"closed when the body is longer than its length", "GET", [][]string{{answerOK + ", and more"}, {answerOK}}, false},
		{"closed when the body is longer, seen later", "GET", [][]string{{answerOK, later, unasked + "HTTP/1.1 200 OK\r\n"}, {answerOK}}, true},
		{"closed when HEAD brings a body", "HEAD", [][]string{{answerNo}, {answerOK}}, false},
		{"closed when HEAD brings a body later", "HEAD", [][]string{{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", later, unasked + "no"}, {answerOK}}, true},
		{"asked anew when the body for HEAD comes too late", "HEAD", [][]string{{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "no" + answerNo}, {answerOK}}, false},
		{"closed when 204 brings a body", "GET", [][]string{{"HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nno"}, {answerOK}}, false},
		{"closed when 304 brings a body", "GET", [][]string{{"HTTP/1.1 304 Not Modified\r\n\r\n" + answerNo}, {answerOK}}, false},
		{"closed when more follows the chunks", "GET", [][]string{{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n" + answerNo}, {answerOK}}, false},
		{"closed when it was reset", "GET", [][]string{{answerOK, later, "reset"}, {answerOK}}, true},
		{"asked anew when reset on the second request", "GET", [][]string{{answerOK, "", "reset"}, {answerOK}}, false},
		{"asked anew when reset in the second answer", "GET", [][]string{{answerOK, "HTTP/1.1 200 OK\r\nContent-Le", "reset"}, {answerOK}}, false},
		{"asked anew when left in the second answer", "GET", [][]string{{answerOK, "HTTP/1.1 20", "close"}, {answerOK}}, false},
		{"closed after another protocol", "GET", [][]string{{"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"}, {answerOK}}, false},
		{"asked anew when the second answer is 408", "GET", [][]string{{answerOK, answer408}, {answerOK}}, false},
		{"asked anew when the second answer is garbled", "GET", [][]string{{answerOK, "late rubbish\r\n\r\n"}, {answerOK}}, false},
	} {
		for _, way := range []struct {
			name   string
			dialer netguard.Dialer
			tls    *tls.Config
		}{{"", loopback, nil}, {" where the system cannot be asked", opaque{loopback}, nil}, {" over TLS", loopback, secure}, {" over TLS where the system cannot be asked", opaque{loopback}, secure}} {
			t.Run(tc.name+way.name, func(t *testing.T) {
				t.Parallel()
				address, proceed, sent := scripted(t, tc.scripts, way.tls)
				c := clientOf(t, way.dialer)
				c.transport.TLSClientConfig.InsecureSkipVerify = true
				at := resource{scheme: "http", host: address, path: "/"}
				if way.tls != nil {
					at.scheme = "https"
				}
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				if a, err := c.ask(ctx, tc.first, at, http.Header{}, 50); err != nil || a.status >= 400 {
					t.Fatalf("first: %d %v", a.status, err)
				}
				cancel()
				if tc.wait {
					proceed <- struct{}{}
					<-sent
					time.Sleep(5 * time.Millisecond) // from the server's socket to ours: nothing tells
				}
				ctx, cancel = context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				if a, err := c.ask(ctx, "GET", at, http.Header{}, 50); err != nil || a.body != "ok" {
					t.Fatalf("second: %d %q %v", a.status, a.body, err)
				}
			})
		}
	}
}

// A server that answers and leaves before it has read counts as having answered;
// on a fresh connection nothing is asked twice.
func TestClientFreshConnection(t *testing.T) {
	for _, tc := range []struct {
		name   string
		script []string
		status int
		reason check.Reason
	}{
		{"answers unasked", []string{unasked + "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"}, 403, ""},
		{"408", []string{answer408}, 408, ""},
		{"leaves at once", []string{"", "close"}, 0, "eof"},
		{"garbled", []string{"rubbish\r\n\r\n"}, 0, "protocol-mismatch"},
		{"six interim answers", []string{strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 6) + answerOK}, 200, ""},
		{"interim answers without end", []string{strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", maxHeader/20)}, 0, "too-long"},
		{"a line without a colon", []string{"HTTP/1.1 404 Not Found\r\nno colon\r\n and more: of it\r\nContent-Length: 0\r\n\r\n"}, 404, ""},
		{"a line without a colon that is too long", []string{"HTTP/1.1 200 OK\r\n" + strings.Repeat("x", maxHeader)}, 0, "too-long"},
		{"an empty name", []string{"HTTP/1.1 200 OK\r\n: value\r\nContent-Length: 0\r\n\r\n"}, 200, ""},
		{"two lengths", []string{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nshort", "close"}, 200, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			address, _, _ := scripted(t, [][]string{tc.script, {answerOK}}, nil)
			a, err := clientOf(t, loopback).ask(t.Context(), "GET", resource{scheme: "http", host: address, path: "/"}, http.Header{}, 50)
			if a.status != tc.status {
				t.Errorf("status %d, want %d (%v)", a.status, tc.status, err)
			}
			if tc.reason != "" && (err == nil || classify(err).Reason != tc.reason) {
				t.Errorf("%v, want %s", err, tc.reason)
			}
		})
	}
}

// However many connections that waited are dead, a page is asked for twice at most.
func TestClientAsksTwiceAtMost(t *testing.T) {
	dead := []string{"", "close"}
	address, _, _ := scripted(t, [][]string{dead, dead, dead, {answerOK}}, nil)
	c := clientOf(t, loopback)
	at := resource{scheme: "http", host: address, path: "/"}
	for range 3 {
		waiting, _, err := c.connect(t.Context(), at.origin(), true, false)
		if err != nil {
			t.Fatal(err)
		}
		waiting.conn.pause()
		c.idle.Put(at.origin(), waiting)
	}
	if a, err := c.ask(t.Context(), "GET", at, http.Header{}, 50); err != nil || a.body != "ok" {
		t.Errorf("%q %v", a.body, err)
	}
	waiting := 0
	for s, ok := c.idle.Take(at.origin()); ok; s, ok = c.idle.Take(at.origin()) {
		s.Close()
		waiting++
	}
	if waiting != 3 {
		t.Errorf("%d connections wait, want two dead ones and the fresh one", waiting)
	}
}

// What is read is asked for once: a server that ends the connection in place of an answer has
// heard of it. One that leaves after each answer has not, and 408 may have been meant for the
// connection as it waited.
func TestClientReadsOnce(t *testing.T) {
	for _, tc := range []struct {
		name    string
		scripts [][]string
		want    string // "": a failure
	}{
		{"leaves in place of the answer", [][]string{{answerOK, "", "close"}, {answerNo}}, ""},
		{"resets in place of the answer", [][]string{{answerOK, "", "reset"}, {answerNo}}, ""},
		{"resets in the answer", [][]string{{answerOK, "HTTP/1.1 200 OK\r\nContent-Le", "reset"}, {answerNo}}, ""},
		{"leaves after each answer", [][]string{{answerOK, "close"}, {answerNo}}, "no"},
		{"408", [][]string{{answerOK, answer408}, {answerNo}}, "no"},
		{"rubbish before the answer", [][]string{{answerOK, "rubbish\r\n" + answerOK}, {answerNo}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			address, _, _ := scripted(t, tc.scripts, nil)
			c := clientOf(t, loopback)
			var body []byte
			read := func() error {
				_, err := c.askFor(context.WithValue(t.Context(), askedOnce{}, true), "GET", resource{scheme: "http", host: address, path: "/"}, http.Header{}, 50, true, func(_ *answer, r io.Reader) (err error) {
					body, err = io.ReadAll(r)
					return err
				})
				return err
			}
			if err := read(); err != nil || string(body) != "ok" {
				t.Fatalf("first: %q %v", body, err)
			}
			err := read()
			if tc.want == "" && err == nil {
				t.Errorf("second: %q, want a failure", body)
			}
			if tc.want != "" && (err != nil || string(body) != tc.want) {
				t.Errorf("second: %q %v, want %q", body, err, tc.want)
			}
		})
	}
}

// What follows the worst of answers is the answer to the next question.
func TestClientAfterNastyAnswers(t *testing.T) {
	for _, octets := range nasty {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			address, _, _ := scripted(t, [][]string{{octets, answerOK}, {answerOK}}, nil)
			c := clientOf(t, loopback)
			at := resource{scheme: "http", host: address, path: "/"}
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			c.ask(ctx, "GET", at, http.Header{}, 50)
			if a, err := c.ask(t.Context(), "GET", at, http.Header{}, 50); err != nil || a.status != 200 || a.body != "ok" {
				t.Errorf("after %.200q: %q %q %v", octets, a.line, a.body, err)
			}
		})
	}
}

// What stands on the wire, RFC 9112 section 3: nothing of it can make a second
// line or a second request.
func TestClientRequest(t *testing.T) {
	fields := fieldsOf(check.Options{UserAgent: "linkcheck/1", Contact: "librarian@example.org"})
	for _, tc := range []struct {
		name, method string
		at           resource
		header       http.Header
		want         string // "": refused
	}{
		{"usual", "GET", resource{"http", "example.org:8080", "/a%20b", "?q=%"}, fields,
			"GET /a%20b?q=% HTTP/1.1\r\nHost: example.org:8080\r\nUser-Agent: linkcheck/1\r\nAccept: */*\r\nAccept-Encoding: gzip\r\nFrom: librarian@example.org\r\n\r\n"},
		{"an empty query", "HEAD", resource{"http", "[2001:db8::1]", "/", "?"}, fields,
			"HEAD /? HTTP/1.1\r\nHost: [2001:db8::1]\r\nUser-Agent: linkcheck/1\r\nAccept: */*\r\nAccept-Encoding: gzip\r\nFrom: librarian@example.org\r\n\r\n"},
		{"a line end in a value", "GET", resource{"http", "example.org", "/", ""}, http.Header{"If-None-Match": {"\"x\"\r\nHost: other"}}, ""},
		{"a bare one", "GET", resource{"http", "example.org", "/", ""}, http.Header{"Cookie": {"a=b\nc"}}, ""},
		{"a NUL in a value", "GET", resource{"http", "example.org", "/", ""}, http.Header{"If-None-Match": {"\"x\x00\""}}, ""},
		{"a line end in the path", "GET", resource{"http", "example.org", "/\r\nX: y", ""}, nil, ""},
		{"in the query", "GET", resource{"http", "example.org", "/", "?\n"}, nil, ""},
		{"in the host", "GET", resource{"http", "example.org\r\nX: y", "/", ""}, nil, ""},
	} {
		got, err := written(tc.method, tc.at, tc.header)
		if got != tc.want || errors.Is(err, wire.ErrControl) != (tc.want == "") {
			t.Errorf("%s: %q, %v, want %q", tc.name, got, err, tc.want)
		}
	}
}

// written is a request as net/http puts it on the wire.
func written(method string, at resource, header http.Header) (string, error) {
	req, err := newRequest(context.Background(), method, at, header)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = req.Write(&b)
	return b.String(), err
}

// pipe dials one end of a pipe and lets serve have the other.
type pipe func(net.Conn)

func (p pipe) DialContext(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	go p(theirs)
	return ours, nil
}

func (p pipe) ListenPacket(context.Context, string) (net.PacketConn, net.Addr, error) {
	return nil, nil, errors.ErrUnsupported
}

// stuck never comes to a connection.
type stuck struct{ pipe }

func (stuck) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// A time that ran out before there was a connection is not one that ran out later.
func TestConnectionThatDoesNotCome(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		synctest.Test(t, func(t *testing.T) {
			p := New(Options{Options: check.Options{Dialer: stuck{}}})
			if r := p.Probe(t.Context(), check.Target{URI: parse(t, scheme+"://example.org/")}); r.Reason != "tcp-timeout" {
				t.Errorf("%s: %s(%s) %q", scheme, r.Outcome, r.Reason, r.Reply)
			}
		})
	}
}

// halts answers a request with octets, and then no more.
func halts(octets string) pipe {
	return func(c net.Conn) {
		http.ReadRequest(bufio.NewReader(c))
		io.WriteString(c, octets)
		io.Copy(io.Discard, c)
		c.Close()
	}
}

// meddling is a connection that lets something happen in the middle of a call.
type meddling struct {
	net.Conn
	write func([]byte) (int, error)
	came  func([]byte) // before what was read is given
}

func (m *meddling) Read(b []byte) (int, error) {
	n, err := m.Conn.Read(b)
	if m.came != nil {
		m.came(b[:n])
	}
	return n, err
}

func (m *meddling) Write(b []byte) (int, error) {
	if m.write != nil {
		return m.write(b)
	}
	return m.Conn.Write(b)
}

// meddler dials connections that are meddled with.
type meddler struct {
	pipe
	meddling
}

func (m meddler) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := m.pipe.DialContext(ctx, network, address)
	m.meddling.Conn = c
	return &m.meddling, err
}

// What answers a request that did not get through counts, but cannot be asked again.
func TestClientUnsent(t *testing.T) {
	c := clientOf(t, meddler{
		pipe(func(c net.Conn) { io.WriteString(c, answerOK); io.Copy(io.Discard, c) }),
		meddling{write: func(b []byte) (int, error) { return len(b) / 2, syscall.EPIPE }},
	})
	a, err := c.ask(t.Context(), "GET", resource{scheme: "http", host: "example.org", path: "/"}, http.Header{}, 50)
	if err != nil || a.body != "ok" {
		t.Errorf("%q %v", a.body, err)
	}
	if _, kept := c.idle.Take(origin{"http", "example.org"}); kept {
		t.Error("the connection was kept")
	}
}

// Where nothing answers a request that did not get through, that is the reason.
func TestClientUnsentUnanswered(t *testing.T) {
	c := clientOf(t, meddler{
		pipe(func(c net.Conn) { c.Close() }),
		meddling{write: func(b []byte) (int, error) { return 0, syscall.ECONNRESET }},
	})
	_, err := c.ask(t.Context(), "GET", resource{scheme: "http", host: "example.org", path: "/"}, http.Header{}, 50)
	if r := classify(err); r.Reason != "tcp-reset" {
		t.Errorf("%s: %v", r.Reason, err)
	}
}

// A probe that ends while a body does not come ends at once.
func TestClientCancelledInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), uselessTime/2)
		defer cancel()
		c := clientOf(t, halts("HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nbegun"))
		begin := time.Now()
		a, err := c.ask(ctx, "GET", resource{scheme: "http", host: "example.org", path: "/"}, http.Header{}, 50)
		if err != nil || a.broken == nil || time.Since(begin) != uselessTime/2 {
			t.Errorf("%v, broken %v, after %v", err, a.broken, time.Since(begin))
		}
	})
}

// A probe that ends when a connection turns out to be given up fails as ended.
func TestClientGivenUpAndCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		ctx, cancel := context.WithCancel(t.Context())
		c := clientOf(t, meddler{
			pipe(func(c net.Conn) { asked.Add(1); play(c, []string{answerOK, answer408}, nil, nil) }),
			meddling{came: func(b []byte) {
				if string(b) == answer408 {
					cancel()
				}
			}},
		})
		at := resource{scheme: "http", host: "example.org", path: "/"}
		if a, err := c.ask(ctx, "GET", at, http.Header{}, 50); err != nil || a.body != "ok" {
			t.Fatalf("%q %v", a.body, err)
		}
		_, err := c.ask(ctx, "GET", at, http.Header{}, 50)
		if synctest.Wait(); !errors.Is(err, context.Canceled) || asked.Load() != 1 {
			t.Errorf("%v, over %d connections", err, asked.Load())
		}
	})
}

// A head that stops is waited for to the end: a line without its end is no line.
func TestClientHeadThatStops(t *testing.T) {
	const timeout = 20 * time.Second
	for _, head := range []string{"", "HTT", "HTTP/1.1 20", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nX: y\r\n"} {
		synctest.Test(t, func(t *testing.T) {
			c := clientOf(t, halts(head))
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			begin := time.Now()
			_, err := c.ask(ctx, "GET", resource{scheme: "http", host: "example.org", path: "/"}, http.Header{}, 50)
			if err == nil || classify(err).Reason != "timeout" || time.Since(begin) != timeout {
				t.Errorf("%q: %v after %v", head, err, time.Since(begin))
			}
		})
	}
}

// A body that does not come is waited for where it decides, and no longer than
// uselessTime where it does not.
func TestClientBodyThatDoesNotCome(t *testing.T) {
	const timeout = 20 * time.Second
	for status, want := range map[int]time.Duration{200: timeout, 404: uselessTime, 500: uselessTime} {
		synctest.Test(t, func(t *testing.T) {
			c := clientOf(t, halts(fmt.Sprintf("HTTP/1.1 %d Status\r\nContent-Length: 9\r\n\r\nbegun", status)))
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			begin := time.Now()
			a, err := c.ask(ctx, "GET", resource{scheme: "http", host: "example.org", path: "/"}, http.Header{}, 50)
			if err != nil || a.status != status || a.broken == nil || time.Since(begin) != want {
				t.Errorf("%d: %v, broken %v, after %v", a.status, err, a.broken, time.Since(begin))
			}
		})
	}
}
