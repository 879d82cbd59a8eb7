package web

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// newRequest makes a request. Nothing of it can make a second line.
func newRequest(ctx context.Context, method string, at resource, header http.Header) (*http.Request, error) {
	safe := wire.LineSafe(at.host, at.path, at.query)
	for _, values := range header {
		safe = safe && wire.LineSafe(values...)
	}
	if !safe {
		return nil, wire.ErrControl
	}
	req := noRequest.WithContext(ctx)
	req.Method, req.URL, req.Host, req.Header = method, at.url(), at.host, header
	req.Proto, req.ProtoMajor, req.ProtoMinor = "HTTP/1.1", 1, 1
	return req, nil
}

var noRequest http.Request // of which each is a copy with a context

// resource is a page to ask for. Path and query are kept as written, but for
// octets that may not stand in a request line: those are escaped.
type resource struct {
	scheme string
	host   string // host[:port] as in a URL, lower case, without a default port
	path   string // never empty
	query  string // with its question mark, or ""
}

// resourceOf is what a web URI names, its fragment and credentials left out.
func resourceOf(u *uri.HTTP) resource {
	at := originOf(u)
	p := resource{scheme: at.scheme, host: at.host, path: cmp.Or(escapeForWire(u.Path), "/")}
	if u.Query != nil {
		p.query = "?" + escapeForWire(*u.Query)
	}
	return p
}

func (p resource) String() string { return p.scheme + "://" + p.host + p.path + p.query }

// hostname is the host without its port.
func (p resource) hostname() string {
	if colon := portAt(p.host); colon >= 0 {
		return p.host[:colon]
	}
	return p.host
}

// portAt is where the port begins in host[:port], with its colon; -1: there is none.
func portAt(host string) int {
	colon := strings.LastIndexByte(host, ':')
	if colon < strings.LastIndexByte(host, ']') { // one of an address
		return -1
	}
	return colon
}

// origin is the server of a resource; its host is as in resource.
type origin struct{ scheme, host string }

// originOf is the server that a web URI names.
func originOf(u *uri.HTTP) origin {
	at := origin{u.Scheme(), u.At.Host}
	if port := u.At.Port; port != 0 && (at.scheme != "http" || port != 80) && (at.scheme != "https" || port != 443) {
		at.host += ":" + strconv.Itoa(port)
	}
	return at
}

// address is what to dial.
func (s origin) address() string {
	switch {
	case portAt(s.host) >= 0:
		return s.host
	case s.scheme == "https":
		return s.host + ":443"
	}
	return s.host + ":80"
}

func (p resource) origin() origin { return origin{p.scheme, p.host} }

// bareHost is the host without a default port, whichever of the two schemes.
func (p resource) bareHost() string {
	return strings.TrimSuffix(strings.TrimSuffix(p.host, ":80"), ":443")
}

// url is what net/http takes. Opaque keeps the path as it stands, but what follows
// two slashes in it passes for a host. Such a path net/http keeps only where its
// escapes are sound; otherwise the request line names our host as well, RFC 9112
// section 3.2.2.
func (p resource) url() *url.URL {
	u := &url.URL{Scheme: p.scheme, Host: p.host, RawQuery: strings.TrimPrefix(p.query, "?"), ForceQuery: p.query == "?"}
	if !strings.HasPrefix(p.path, "//") {
		u.Opaque = p.path
	} else if path, err := url.PathUnescape(p.path); err == nil {
		u.Path, u.RawPath = path, p.path
	} else {
		u.Opaque = "//" + p.host + p.path
	}
	return u
}

// base is the resource as cookies know it: host and path, decoded by net/url.
func (p resource) base() *url.URL {
	u, err := url.Parse(p.String())
	if err != nil { // a stray percent sign
		return &url.URL{Scheme: p.scheme, Host: p.host, Path: "/"}
	}
	return u
}

// escapeForWire escapes what may not stand in a request line, RFC 9112 section 3.2, and
// leaves the rest as the document had it.
func escapeForWire(s string) string { return wire.Escape(s, "\"<>\\^`{|}#") }

// redirectTo resolves a Location, RFC 9110 section 10.2.2, to a resource and its URI. The
// third result is the reason why it cannot be followed by this package, or "".
func (p resource) redirectTo(location string) (resource, uri.URI, check.Reason) {
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
		return resourceOf(h), h, ""
	} else if err == nil {
		return p, u, check.ReasonRedirectScheme
	} else if errors.As(err, &bad) && bad.Scheme != "http" && bad.Scheme != "https" {
		return p, nil, check.ReasonRedirectScheme
	}
	return p, nil, check.ReasonRedirectInvalid
}

// indexName matches the names under which servers keep the page of a directory.
var indexName = regexp.MustCompile(`(?i)^(index|default|home|welcome)\.[a-z]{2,5}$`)

// root says whether the resource is the front page of its host.
func root(p resource) bool {
	return p.query == "" && (p.path == "/" || strings.Count(p.path, "/") == 1 && indexName.MatchString(path.Base(p.path)))
}

// trivial says whether two resources differ only by scheme or final slash, and in which.
func trivial(from, to resource) (flags []check.Flag, same bool) {
	if from.scheme == "http" && to.scheme == "https" {
		flags = append(flags, check.FlagSchemeUpgrade)
	} else if from.scheme != to.scheme {
		return nil, false
	}
	if strings.TrimSuffix(from.path, "/") == strings.TrimSuffix(to.path, "/") && from.path != to.path {
		flags = append(flags, check.FlagTrailingSlash)
	} else if from.path != to.path {
		return nil, false
	}
	return flags, from.query == to.query && from.bareHost() == to.bareHost()
}
