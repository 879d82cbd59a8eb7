package web

import (
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/check/wire"
)

// session is a connection with a server.
type session struct {
	*http.ClientConn
	conn  *conn     // nil: it speaks HTTP/2
	ended time.Time // when the last answer had come
	meter *metered  // nil: no TLS
	relay string    // HTTP proxy that is asked for each page; "": none

	relayFields http.Header // what the relay alone is told: our name and password for it

	certificate atomic.Bool // the server asked for a certificate of ours
}

// endedBeforeRequest is how net/http words the end of an HTTP/2 connection on which no
// request was sent yet. It exports no value for that.
const endedBeforeRequest = "http2: client conn could not be established"

// explain says what a failed exchange means where the server asked for a certificate:
// one that does not go on without ends the session with an alert (RFC 8446 section
// 4.4.2.4), which is lost where the connection is reset over a request that nobody read,
// or where HTTP/2 sees the end before the alert.
func (s *session) explain(err error) error {
	switch {
	case err == nil || !s.certificate.Load():
	case strings.Contains(err.Error(), "remote error: tls: "):
		return check.ResultError(check.Auth, check.ReasonClientCertificate, err.Error())
	case errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE):
		return check.ResultError(check.Auth, check.ReasonClientCertificate, "connection reset after the server asked for a certificate")
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), endedBeforeRequest):
		return check.ResultError(check.Auth, check.ReasonClientCertificate, "connection closed after the server asked for a certificate")
	}
	return err
}

// metered is a connection below TLS on which only so many octets can be read: HTTP/2 has
// frames that belong to no answer, and no end of them.
type metered struct {
	net.Conn
	left atomic.Int64
}

func (m *metered) Read(p []byte) (int, error) {
	if m.left.Load() <= 0 {
		return 0, wire.ErrTooLong
	}
	n, err := m.Conn.Read(p)
	m.left.Add(-int64(n))
	return n, err
}

// dialed is the key under which a context holds the session that is being dialed.
type dialed struct{}

// throughRelay is a request as an HTTP proxy wants it, where there is one: in absolute form,
// RFC 9112 section 3.2.2, with our name and password for it.
func (s *session) throughRelay(req *http.Request, at resource) *http.Request {
	if s.relay == "" {
		return req
	}
	req = req.Clone(req.Context())
	req.URL.Opaque, req.URL.Path, req.URL.RawPath = "//"+at.host+at.path, "", ""
	maps.Copy(req.Header, s.relayFields)
	return req
}

// ofRelay is the error where an answer is that of an HTTP proxy itself: it wants another
// password, or could not reach the server. Squid and tinyproxy sign theirs, the latter asks
// for a password with 401 and cannot connect with 500. Whose a 502, 503 or 504 is cannot be
// told else, unless it says when to come again.
func (s *session) ofRelay(resp *http.Response) error {
	own := resp.Header.Get("X-Squid-Error") != "" || strings.HasPrefix(resp.Header.Get("Server"), "tinyproxy")
	switch {
	case own && resp.StatusCode/100 == 5, netguard.CouldNotReach(resp.StatusCode) && resp.Header.Get("Retry-After") == "":
		return &netguard.UnreachedError{Relay: s.relay, Said: resp.Status}
	case own, resp.StatusCode == http.StatusProxyAuthRequired:
		return &netguard.RelayError{Relay: s.relay, Err: errors.New(resp.Status)}
	}
	return nil
}
