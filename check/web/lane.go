package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"linkcheck/check"
)

const (
	maxHeader   = 64 << 10        // octets of a response's header
	maxIdle     = 256             // idle connections in all
	maxIdleHost = 128             // and to one host: twice what crawl opens, for net/http dials ahead
	idleTime    = 5 * time.Second // longer than the usual gap between two links of a host
	maxStream   = 128 << 10       // octets that an HTTP/2 server may send unread on one stream
	maxStreams  = 512 << 10       // and on one connection
	firstRead   = 16 << 10        // octets that most bodies have room in
	uselessTime = 2 * time.Second // that the body of an answer other than a success may take
)

// lane is one way to speak to web servers: http through cleartext, which all lanes
// share, https through net/http.
type lane struct {
	*http.Transport
	plain *cleartext
}

// newLane makes a transport through the guard. The old one accepts any
// certificate and the ciphers and versions of servers long unattended: what it
// reads is judged, never trusted.
func newLane(o check.Options, plain *cleartext, kept *kept, old bool) lane {
	t := &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, o.Timeout) // net/http dials without the deadline of the request
			defer cancel()
			c, err := o.Dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return kept.add(c, address), nil
		},
		TLSClientConfig:        &tls.Config{InsecureSkipVerify: old},
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // we bound the decoded side ourselves
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdleHost,
		IdleConnTimeout:        idleTime,
		TLSHandshakeTimeout:    o.Timeout,
		MaxResponseHeaderBytes: maxHeader,
		HTTP2:                  &http.HTTP2Config{MaxReceiveBufferPerStream: maxStream, MaxReceiveBufferPerConnection: maxStreams},
	}
	if old {
		t.TLSClientConfig.MinVersion = tls.VersionTLS10
		for _, list := range [][]*tls.CipherSuite{tls.CipherSuites(), tls.InsecureCipherSuites()} {
			for _, c := range list {
				t.TLSClientConfig.CipherSuites = append(t.TLSClientConfig.CipherSuites, c.ID)
			}
		}
	}
	return lane{t, plain}
}

// answer is what one request brought.
type answer struct {
	status int
	line   string // protocol and status, the server's own words
	header http.Header
	body   string // decoded, at most MaxBytes
	cut    bool   // the body is longer
	broken error  // the body ended in an error
	bytes  int64  // octets of the body as sent
	text   *page  // of the body, once read
	folded string // the body in lower case, once texts were looked for
}

// ask sends one request and reads at most limit octets of the answer's body. Where
// the status decides alone, a body that does not come is not waited for.
func (l lane) ask(ctx context.Context, method string, at place, header http.Header, limit int64) (answer, error) {
	var resp *http.Response
	var err error
	if at.scheme == "http" {
		resp, err = l.plain.ask(ctx, method, at, header)
	} else {
		var hurry context.CancelFunc
		ctx, hurry = context.WithCancel(ctx)
		defer hurry()
		if resp, err = l.secure(ctx, method, at, header); err == nil && resp.StatusCode/100 != 2 {
			defer time.AfterFunc(uselessTime, hurry).Stop()
		}
	}
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, line: resp.Proto + " " + resp.Status, header: resp.Header}
	if method != http.MethodHead {
		room, _ := l.plain.rooms.Get().(*[]byte)
		if room == nil {
			room = new(make([]byte, 0, firstRead))
		}
		a.read(resp.Body, room, limit)
		l.plain.rooms.Put(room)
	}
	return a, nil
}

// secure makes a round trip over TLS, and tells a time that ran out before there
// was a connection from one that ran out later.
func (l lane) secure(ctx context.Context, method string, at place, header http.Header) (*http.Response, error) {
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:     func(httptrace.GotConnInfo) { connected.Store(true) },
		ConnectDone: func(_, _ string, err error) { connected.Store(err == nil) },
	})
	req := &http.Request{Method: method, URL: at.url(), Host: at.host, Header: header, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	resp, err := l.RoundTrip(req.WithContext(ctx))
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil && !connected.Load() {
		err = dialing(ctx, err)
	}
	return resp, err
}

// read takes the body by way of room, and one octet more to know that it ended: a
// connection is used again only after that.
func (a *answer) read(body io.Reader, room *[]byte, limit int64) {
	raw, err := readUpTo(body, (*room)[:0], limit+1)
	*room = raw
	a.bytes, a.broken, a.cut = int64(len(raw)), err, int64(len(raw)) > limit
	raw = raw[:min(int64(len(raw)), limit)]
	switch strings.ToLower(a.header.Get("Content-Encoding")) { // RFC 9110 section 8.4.1
	case "gzip", "x-gzip":
		raw = a.unzip(raw, limit)
	}
	a.body = string(raw)
}

// readUpTo appends to b what is read, up to a length of limit.
func readUpTo(r io.Reader, b []byte, limit int64) ([]byte, error) {
	for int64(len(b)) < limit {
		if len(b) == cap(b) {
			b = slices.Grow(b, len(b))
		}
		n, err := r.Read(b[len(b):min(int64(cap(b)), limit)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

// unzip decodes what came of a gzip body, again at most limit octets.
func (a *answer) unzip(raw []byte, limit int64) []byte {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return raw // sent under a wrong name: judged as it is
	}
	plain, err := io.ReadAll(io.LimitReader(z, limit+1))
	a.cut = a.cut || int64(len(plain)) > limit || err != nil
	return plain[:min(int64(len(plain)), limit)]
}

// html says whether the answer calls itself a page.
func (a *answer) html() bool {
	kind := a.mediaType()
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// mediaType is the content type without parameters, in lower case.
func (a *answer) mediaType() string { return mediaType(a.header.Get("Content-Type")) }

func mediaType(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}
