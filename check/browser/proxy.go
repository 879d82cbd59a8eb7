package browser

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"linkcheck/check/netguard"
)

const (
	maxConnections = 32               // of browsers to us, at a time
	maxRequest     = 64 << 10         // octets of a request's header
	maxUp          = 256 << 10        // octets that go to a server in one connection
	maxDown        = 2 << 20          // octets that come from it, TLS and header among them
	requestTime    = 10 * time.Second // for the header of a request
	maxDials       = 3                // connections to the server of one question, one after another
)

// proxy is the way out of the browsers: HTTP on loopback. It knows whoever comes by the
// password of a passage, and dials only where that leads.
type proxy struct {
	listener net.Listener
	slots    chan struct{} // one taken for each connection
	running  sync.WaitGroup
	mu       sync.Mutex
	passages map[string]*passage // by password
}

// passage is the way to the one server of a question.
type passage struct {
	ctx     context.Context
	dialer  netguard.Dialer
	address string // host:port, in lower case
	secure  bool   // by CONNECT

	mu    sync.Mutex
	open  bool // a connection stands
	dials int
	err   error // why the first did not
}

func newProxy() (*proxy, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: l, slots: make(chan struct{}, maxConnections), passages: map[string]*passage{}}
	p.running.Go(p.accept)
	return p, nil
}

func (p *proxy) port() uint16 { return uint16(p.listener.Addr().(*net.TCPAddr).Port) }

// close ends the proxy. No passage is open.
func (p *proxy) close() {
	p.listener.Close()
	p.running.Wait()
}

func (p *proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			if temporary, ok := err.(net.Error); ok && temporary.Timeout() {
				continue
			}
			return
		}
		select {
		case p.slots <- struct{}{}:
			p.running.Go(func() {
				defer func() { <-p.slots }()
				defer c.Close()
				p.serve(c)
			})
		default:
			c.Close()
		}
	}
}

// user is the name that goes with every password.
const user = "linkcheck"

// begin opens a passage, which ends with leave.
func (p *proxy) begin(ctx context.Context, dialer netguard.Dialer, address string, secure bool) (password string, way *passage, leave func()) {
	password = rand.Text()
	ctx, cancel := context.WithCancel(ctx)
	way = &passage{ctx: ctx, dialer: dialer, address: strings.ToLower(address), secure: secure}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.passages[password] = way
	return password, way, func() {
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.passages, password)
	}
}

// The answers of a proxy that is asked for what it does not do.
const (
	wantsPassword = "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"linkcheck\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
	refused       = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
	connected     = "HTTP/1.1 200 Connection established\r\n\r\n"
)

// serve answers one request of a browser. The one behind it, on the same connection, is
// not heard.
func (p *proxy) serve(c net.Conn) {
	_ = c.SetDeadline(time.Now().Add(requestTime))
	r := bufio.NewReaderSize(c, 4<<10)
	q, err := readRequest(r)
	if err != nil {
		return
	}
	p.mu.Lock()
	way := p.passages[q.password]
	p.mu.Unlock()
	if way == nil {
		_, _ = io.WriteString(c, wantsPassword)
		return
	}
	if q.secure != way.secure || q.address != way.address || !way.enter() {
		_, _ = io.WriteString(c, refused)
		return
	}
	defer way.exit()
	server, err := way.dialer.DialContext(way.ctx, "tcp", way.address)
	if err != nil {
		way.fail(err)
		return
	}
	defer server.Close()
	stop := context.AfterFunc(way.ctx, func() { server.Close(); c.Close() })
	defer stop()
	_ = c.SetDeadline(time.Time{}) // the passage has its own end
	first, from := server, q.text
	if q.secure {
		first, from = c, []byte(connected)
	}
	if _, err := first.Write(from); err != nil {
		return
	}
	if q.secure {
		go func() {
			_, _ = io.Copy(server, io.LimitReader(r, maxUp))
		}() // ends with the connections
	}
	_, _ = io.Copy(c, io.LimitReader(server, maxDown))
}

// enter says whether a connection to the server may be made: one at a time.
func (w *passage) enter() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open || w.dials >= maxDials || w.ctx.Err() != nil {
		return false
	}
	w.open = true
	w.dials++
	return true
}

func (w *passage) exit() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = false
}

// fail keeps why the server could not be reached.
func (w *passage) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
}

func (w *passage) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// request is what a browser asks of its proxy.
type request struct {
	secure   bool   // CONNECT
	address  string // host:port, in lower case
	password string // "": none
	text     []byte // of GET, as the server is to see it: every line of the browser's own, in its order
}

// readRequest reads a request. RFC 9112 section 3.2.2, RFC 9110 section 9.3.6.
func readRequest(r *bufio.Reader) (q request, err error) {
	var lines [][]byte
	for size := 0; ; {
		line, err := readUpTo(r, '\n', maxRequest)
		if size += len(line); err != nil || size > maxRequest {
			return q, errLong
		}
		if line = bytes.TrimSuffix(line, []byte("\r")); len(line) == 0 {
			break
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return q, errLong
	}
	method, rest, _ := strings.Cut(string(lines[0]), " ")
	target, version, _ := strings.Cut(rest, " ")
	switch method {
	case "CONNECT":
		q.secure, q.address = true, strings.ToLower(target)
	case "GET":
		host, path := origin(target)
		q.address = host
		q.text = append(q.text, "GET "+path+" "+version+"\r\n"...)
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(string(line), ":")
		switch {
		case strings.EqualFold(name, "Proxy-Authorization"):
			q.password = passwordOf(strings.TrimSpace(value))
		case strings.EqualFold(name, "Proxy-Connection"):
			q.text = append(q.text, "Connection:"+value+"\r\n"...)
		default:
			q.text = append(append(q.text, line...), "\r\n"...)
		}
	}
	if q.text = append(q.text, "\r\n"...); q.secure || q.address == "" {
		q.text = nil
	}
	return q, nil
}

// origin parts the target of a request to a proxy: the server's address, and what that is
// asked for.
func origin(target string) (address, path string) {
	rest, plain := strings.CutPrefix(target, "http://")
	end := strings.IndexAny(rest, "/?")
	if !plain || end < 0 {
		return "", ""
	}
	address, path = strings.ToLower(rest[:end]), rest[end:]
	if u := (url.URL{Host: address}); u.Port() == "" {
		address += ":80"
	}
	return address, path
}

// passwordOf reads the credentials of RFC 7617.
func passwordOf(value string) string {
	scheme, encoded, _ := strings.Cut(value, " ")
	text, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	name, password, _ := strings.Cut(string(text), ":")
	if !strings.EqualFold(scheme, "Basic") || err != nil || subtle.ConstantTimeCompare([]byte(name), []byte(user)) != 1 {
		return ""
	}
	return password
}
