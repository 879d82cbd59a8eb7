package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// place is a page to ask for. Path and query are kept as written, but for
// octets that may not stand in a request line: those are escaped.
type place struct {
	scheme string
	host   string // host[:port] as in a URL, lower case, without a default port
	path   string // never empty
	query  string // with its question mark, or ""
}

func pageOf(u *uri.HTTP) place {
	p := place{scheme: u.Scheme(), host: authority(u.Scheme(), u.At.Host, u.At.Port), path: escapeForWire(u.Path)}
	if p.path == "" {
		p.path = "/"
	}
	if u.Query != nil {
		p.query = "?" + escapeForWire(*u.Query)
	}
	return p
}

// authority writes host and port, the port only where it is not the scheme's own.
func authority(scheme, host string, port int) string {
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	if port == 0 || scheme == "http" && port == 80 || scheme == "https" && port == 443 {
		return host
	}
	return host + ":" + strconv.Itoa(port)
}

func (p place) String() string { return p.scheme + "://" + p.host + p.path + p.query }

// hostname is the host without its port.
func (p place) hostname() string {
	if colon := p.colon(); colon >= 0 {
		return p.host[:colon]
	}
	return p.host
}

// colon is where the port begins; -1: there is none.
func (p place) colon() int {
	colon := strings.LastIndexByte(p.host, ':')
	if colon < strings.LastIndexByte(p.host, ']') { // one of an address
		return -1
	}
	return colon
}

// server is what to connect to.
func (p place) server() server {
	switch {
	case p.colon() >= 0:
		return server{p.scheme, p.host}
	case p.scheme == "https":
		return server{p.scheme, p.host + ":443"}
	}
	return server{p.scheme, p.host + ":80"}
}

// newRequest makes a request. Nothing of it can make a second line.
func newRequest(ctx context.Context, method string, at place, header http.Header) (*http.Request, error) {
	safe := wire.LineSafe(at.host, at.path, at.query)
	for _, values := range header {
		safe = safe && wire.LineSafe(values...)
	}
	if !safe {
		return nil, wire.ErrControl
	}
	if header == nil {
		header = http.Header{}
	}
	req := &http.Request{Method: method, URL: at.url(), Host: at.host, Header: header, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	return req.WithContext(ctx), nil
}

// site is the server of a place.
type site struct{ scheme, host string }

func (p place) site() site { return site{p.scheme, p.host} }

// bareHost is the host without a default port, whichever of the two schemes.
func (p place) bareHost() string {
	return strings.TrimSuffix(strings.TrimSuffix(p.host, ":80"), ":443")
}

// url is what net/http takes. Opaque keeps the path as it stands, but what follows
// two slashes in it passes for a host. Such a path net/http keeps only where its
// escapes are sound; otherwise the request line names our host as well, RFC 9112
// section 3.2.2.
func (p place) url() *url.URL {
	u := &url.URL{Scheme: p.scheme, Host: p.host, RawQuery: strings.TrimPrefix(p.query, "?"), ForceQuery: p.query == "?"}
	switch path, err := url.PathUnescape(p.path); {
	case !strings.HasPrefix(p.path, "//"):
		u.Opaque = p.path
	case err == nil:
		u.Path, u.RawPath = path, p.path
	default:
		u.Opaque = "//" + p.host + p.path
	}
	return u
}

// base is the place as cookies know it: host and path, decoded by net/url.
func (p place) base() *url.URL {
	u, err := url.Parse(p.String())
	if err != nil { // a stray percent sign
		return &url.URL{Scheme: p.scheme, Host: p.host, Path: "/"}
	}
	return u
}

// wire escapes what may not stand in a request line, RFC 9112 section 3.2, and
// leaves the rest as the document had it.
func escapeForWire(s string) string {
	const hex = "0123456789ABCDEF"
	n := 0
	for n < len(s) && inLine(s[n]) {
		n++
	}
	if n == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:n])
	for _, c := range []byte(s[n:]) {
		if inLine(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

func inLine(c byte) bool {
	return c > ' ' && c < 0x7f && strings.IndexByte("\"<>\\^`{|}#", c) < 0
}

// follow resolves a Location, RFC 9110 section 10.2.2, to a place and its URI. The
// third result is the reason why it cannot be followed, or "".
func (p place) follow(location string) (place, uri.URI, check.Reason) {
	location, _, _ = strings.Cut(strings.TrimSpace(location), "#")
	if location == "" {
		return p, nil, check.ReasonRedirectNoLocation
	}
	target, err := uri.Resolve(p.String(), escapeForWire(location))
	if err != nil {
		return p, nil, check.ReasonRedirectInvalid
	}
	u, err := uri.Parse(target)
	var bad *uri.Error
	if h, ok := u.(*uri.HTTP); ok && err == nil {
		return pageOf(h), h, ""
	} else if err == nil || errors.As(err, &bad) && bad.Scheme != "http" && bad.Scheme != "https" {
		return p, nil, check.ReasonRedirectScheme
	}
	return p, nil, check.ReasonRedirectInvalid
}
