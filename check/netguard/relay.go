package netguard

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"
	"golang.org/x/net/proxy"
)

// Relay is a proxy of the network through which servers are reached: by CONNECT (RFC 9110
// section 9.3.6), web pages without TLS in absolute form (RFC 9112 section 3.2.2), or by
// SOCKS 5 (RFC 1928, RFC 1929). It is dialled wherever it is: the person named it.
type Relay struct {
	scheme, host, port string
	user               *url.Userinfo
}

// ParseRelay reads http://, https:// or socks5://[user:password@]host[:port]. Its errors
// repeat nothing of the text, which may hold a password.
func ParseRelay(text string) (*Relay, error) {
	u, err := url.Parse(text)
	ports := map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}
	if err != nil || ports[u.Scheme] == "" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("it is no proxy such as http://proxy.example.org:3128, https://... or socks5://user:password@host:1080")
	}
	if u.Scheme == "socks5h" { // as curl calls it where the proxy resolves
		u.Scheme = "socks5"
	}
	return &Relay{u.Scheme, u.Hostname(), cmp.Or(u.Port(), ports[u.Scheme]), u.User}, nil
}

// String is the address of the relay without its user.
func (r *Relay) String() string { return r.scheme + "://" + net.JoinHostPort(r.host, r.port) }

// RelayError is a failure of the relay, which says nothing of the server behind it.
type RelayError struct {
	Relay string
	Err   error
}

// Error says which relay failed, and how.
func (e *RelayError) Error() string { return "the proxy " + e.Relay + " failed: " + e.Err.Error() }

// Unwrap returns the failure.
func (e *RelayError) Unwrap() error { return e.Err }

// UnreachedError is the word of a relay that it could not reach the server.
type UnreachedError struct{ Relay, Said string }

// Error repeats what the relay said.
func (e *UnreachedError) Error() string {
	return "the proxy " + e.Relay + " could not reach the server: " + e.Said
}

// webScheme is the key under which a context holds the scheme of the web that is spoken.
type webScheme struct{}

// ForWeb says that the web is spoken over connections under the context, with TLS or
// without. One without TLS through an HTTP proxy is not switched through: see Absolute.
func ForWeb(ctx context.Context, scheme string) context.Context {
	return context.WithValue(ctx, webScheme{}, scheme)
}

// absolute is a connection with an HTTP proxy that is asked for each page.
type absolute struct {
	net.Conn
	relay *Relay
}

// Absolute says whether requests over a connection are for an HTTP proxy, in absolute form,
// and gives the fields that they have for it and how errors name it.
func Absolute(c net.Conn) (fields http.Header, relay string, ok bool) {
	a, ok := c.(*absolute)
	if !ok {
		return nil, "", false
	}
	fields = http.Header{}
	if s := a.relay.authorization(); s != "" {
		fields.Set("Proxy-Authorization", s)
	}
	return fields, a.relay.String(), true
}

// authorization is the value of Proxy-Authorization; "" without a user.
func (r *Relay) authorization() string {
	if r.user == nil {
		return ""
	}
	password, _ := r.user.Password()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(r.user.Username()+":"+password))
}

// through connects to "host:port" behind a relay. Where the name can be resolved here its
// address is judged, and that is what the relay is asked for. Where it cannot, as on
// machines that have no name server for names outside, the relay is given the name:
// what it may mean there cannot be judged here, but numbers, local and reserved names are.
func (g *Guard) through(ctx context.Context, r *Relay, address string) (net.Conn, error) {
	target, err := g.target(ctx, address)
	if err != nil {
		return nil, err
	}
	if r.scheme == "socks5" {
		return g.socks(ctx, r, target)
	}
	conn, err := g.dialRelay(ctx, r)
	if err != nil {
		return nil, err
	}
	if ctx.Value(webScheme{}) == "http" {
		return &absolute{conn, r}, nil
	}
	open, err := r.open(ctx, conn, target)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return open, nil
}

// target is what a relay is asked for.
func (g *Guard) target(ctx context.Context, address string) (string, error) {
	route, err := g.Lookup(ctx, address)
	if err == nil {
		return route.Addrs[0].String(), nil
	}
	host, port, split := net.SplitHostPort(address)
	if _, refused := errors.AsType[*Refusal](err); refused || split != nil || ctx.Err() != nil || errors.Is(err, ErrNoRoute) {
		return "", err
	}
	name, invalid := asciiHost(host)
	if _, number := numeric(name); number || invalid != nil || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", err
	}
	return net.JoinHostPort(name, port), nil
}

// dialRelay connects to a relay.
func (g *Guard) dialRelay(ctx context.Context, r *Relay) (net.Conn, error) {
	network := map[int]string{0: "tcp", 4: "tcp4", 6: "tcp6"}[g.Family]
	conn, err := g.connect(ctx, network, net.JoinHostPort(r.host, r.port))
	if err != nil {
		return nil, &RelayError{r.String(), err}
	}
	if r.scheme != "https" {
		return conn, nil
	}
	secure := tls.Client(conn, &tls.Config{ServerName: r.host, NextProtos: []string{"http/1.1"}})
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, &RelayError{r.String(), err}
	}
	return secure, nil
}

// maxConnect is how many octets the answer to CONNECT may have.
const maxConnect = 64 << 10

// open asks an HTTP proxy for a connection with a server.
func (r *Relay) open(ctx context.Context, conn net.Conn, target string) (net.Conn, error) {
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	request := "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"
	if s := r.authorization(); s != "" {
		request += "Proxy-Authorization: " + s + "\r\n"
	}
	if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
		return nil, &RelayError{r.String(), err}
	}
	limited := &io.LimitedReader{R: conn, N: maxConnect}
	in := bufio.NewReader(limited)
	resp, err := http.ReadResponse(in, &http.Request{Method: http.MethodConnect})
	switch {
	case ctx.Err() != nil: // it may have waited for the server
		return nil, &UnreachedError{r.String(), "no answer in time"}
	case err != nil:
		return nil, &RelayError{r.String(), err}
	case resp.StatusCode/100 == 2:
		limited.N = 1 << 62
		return &read{conn, in}, nil
	case CouldNotReach(resp.StatusCode):
		return nil, &UnreachedError{r.String(), resp.Status}
	}
	return nil, &RelayError{r.String(), errors.New(resp.Status)}
}

// CouldNotReach says whether an HTTP proxy tells by a status that it could not reach the
// server, rather than that it will not or cannot serve us.
func CouldNotReach(status int) bool {
	return slices.Contains([]int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, status)
}

// read is a connection of which something was read ahead.
type read struct {
	net.Conn
	in *bufio.Reader
}

func (c *read) Read(p []byte) (int, error) { return c.in.Read(p) }

// relayDialer dials nothing but the relay.
type relayDialer struct {
	g *Guard
	r *Relay
}

func (d relayDialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

func (d relayDialer) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	return d.g.dialRelay(ctx, d.r)
}

// unreached are the words of SOCKS replies 3 to 6, by which a server could not be reached
// (RFC 1928 section 6), as the library writes them.
var unreached = []string{"network unreachable", "host unreachable", "connection refused", "TTL expired"}

// socks asks a SOCKS proxy for a connection with a server.
func (g *Guard) socks(ctx context.Context, r *Relay, target string) (net.Conn, error) {
	var auth *proxy.Auth
	if r.user != nil {
		password, _ := r.user.Password()
		auth = &proxy.Auth{User: r.user.Username(), Password: password}
	}
	d, err := proxy.SOCKS5("tcp", net.JoinHostPort(r.host, r.port), auth, relayDialer{g, r})
	if err != nil {
		return nil, &RelayError{r.String(), err}
	}
	conn, err := d.(proxy.ContextDialer).DialContext(ctx, "tcp", target)
	failed, ours := errors.AsType[*RelayError](err)
	switch {
	case err == nil:
		return conn, nil
	case ours:
		return nil, failed
	case ctx.Err() != nil || errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &UnreachedError{r.String(), "no answer in time"}
	}
	said := err.Error()
	for _, word := range unreached {
		if strings.HasSuffix(said, word) {
			return nil, &UnreachedError{r.String(), word}
		}
	}
	if op, ok := errors.AsType[*net.OpError](err); ok { // which names the target
		err = op.Err
	}
	return nil, &RelayError{r.String(), fmt.Errorf("SOCKS: %w", err)}
}

// RelaysOf gives the relays that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name, in
// capitals or not: the first two for the web, the third for what has no other.
func RelaysOf(getenv func(string) string) (RelayFunc, error) {
	value := map[string]string{}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"} {
		value[name] = cmp.Or(getenv(name), getenv(strings.ToLower(name)))
		if value[name] == "" || name == "NO_PROXY" {
			continue
		}
		if !strings.Contains(value[name], "://") {
			value[name] = "http://" + value[name]
		}
		if _, err := ParseRelay(value[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	of := func(proxy string) func(*url.URL) (*url.URL, error) {
		proxy = cmp.Or(proxy, value["ALL_PROXY"])
		return (&httpproxy.Config{HTTPProxy: proxy, HTTPSProxy: proxy, NoProxy: value["NO_PROXY"]}).ProxyFunc()
	}
	by := map[string]func(*url.URL) (*url.URL, error){"http": of(value["HTTP_PROXY"]), "https": of(value["HTTPS_PROXY"]), "": of("")}
	return func(scheme, host string, port int) *Relay {
		u, err := by[scheme](&url.URL{Scheme: "https", Host: net.JoinHostPort(host, strconv.Itoa(port))})
		if err != nil || u == nil {
			return nil
		}
		relay, err := ParseRelay(u.String())
		if err != nil {
			return nil
		}
		return relay
	}, nil
}
