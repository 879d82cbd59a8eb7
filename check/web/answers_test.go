package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
)

const answerLimit = 40 // octets of a body in these tests

// sends answers any request with octets, in two portions, and leaves.
func sends(octets []byte, split int) pipe {
	return func(c net.Conn) {
		defer c.Close()
		if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
			return
		}
		for _, part := range [][]byte{octets[:split], octets[split:]} {
			if len(part) > 0 {
				c.Write(part)
			}
		}
	}
}

// byUs is what our own client makes of an answer.
func byUs(ctx context.Context, method string, server pipe) (answer, error) {
	c := newClient(Options{Options: check.Options{Dialer: server}}, false)
	defer c.idle.Close()
	return c.ask(ctx, method, resource{scheme: "http", host: "example.org", path: "/"}, http.Header{}, answerLimit)
}

// byThem is what a bare net/http client makes of it.
func byThem(ctx context.Context, method string, server pipe) (answer, error) {
	t := &http.Transport{DialContext: server.DialContext, DisableCompression: true, DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeader}
	req, err := http.NewRequestWithContext(ctx, method, "http://example.org/", nil)
	if err != nil {
		return answer{}, err
	}
	resp, err := t.RoundTrip(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, line: resp.Proto + " " + resp.Status, header: resp.Header}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, answerLimit+1))
	a.bytes, a.broken, a.cut = int64(len(raw)), err, len(raw) > answerLimit
	raw = raw[:min(len(raw), answerLimit)]
	if kind := strings.ToLower(a.header.Get("Content-Encoding")); kind == "gzip" || kind == "x-gzip" {
		raw = a.unzip(raw, answerLimit)
	}
	a.body = string(raw)
	return a, nil
}

// understood says whether a difference between the two is meant: we asked for no
// other protocol and read nothing of it.
func understood(ours, theirs answer) bool {
	return ours.status == http.StatusSwitchingProtocols && theirs.status == ours.status
}

// sameAnswer holds that we read an answer as net/http does.
func sameAnswer(t *testing.T, method string, octets []byte, split int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	ours, failed := byUs(ctx, method, sends(octets, split))
	theirs, err := byThem(ctx, method, sends(octets, split))
	switch {
	case ctx.Err() != nil:
		t.Errorf("%s %q: no end", method, octets)
	case understood(ours, theirs):
	case failed == nil && err != nil && passedOver(err):
		if want := statusOf(octets); ours.status != want {
			t.Errorf("%s %.300q: status %d, sent %d", method, octets, ours.status, want)
		}
	case (failed == nil) != (err == nil):
		t.Errorf("%s %.300q: we say %v, net/http %v", method, octets, failed, err)
	case failed != nil:
		if _, known := classify(failed).Reason.Meaning(); !known || classify(failed).Outcome == check.Internal {
			t.Errorf("%s %.300q: %v is %s", method, octets, failed, classify(failed).Reason)
		}
	case ours.status != theirs.status || ours.line != theirs.line || !reflect.DeepEqual(ours.header, theirs.header):
		t.Errorf("%s %.300q: %q %v, net/http %q %v", method, octets, ours.line, ours.header, theirs.line, theirs.header)
	case ours.body != theirs.body || ours.cut != theirs.cut || ours.bytes != theirs.bytes || (ours.broken == nil) != (theirs.broken == nil):
		t.Errorf("%s %.300q: %q (cut %v, broken %v), net/http %q (cut %v, broken %v)", method, octets,
			ours.body, ours.cut, ours.broken, theirs.body, theirs.cut, theirs.broken)
	}
}

// passedOver says whether net/http refuses an answer for lines that we leave out.
func passedOver(err error) bool {
	return errors.As(err, new(textproto.ProtocolError)) || strings.Contains(err.Error(), "Content-Length") || strings.Contains(err.Error(), "transfer encoding")
}

// statusOf is the status of the first answer that is not interim, read by hand.
func statusOf(octets []byte) int {
	for lines := strings.SplitAfter(string(octets), "\n"); ; {
		status, _ := strconv.Atoi(strings.Fields(lines[0])[1])
		if status/100 != 1 || status == http.StatusSwitchingProtocols {
			return status
		}
		for strings.Trim(lines[0], "\r\n") != "" {
			lines = lines[1:]
		}
		lines = lines[1:]
	}
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

// nasty are answers as servers should not send them, and some that they may.
// RFC 9112 sections 2.2, 4, 5, 6, 7, 8 and 9.
var nasty = append(lies[:len(lies):len(lies)],
	goodReply,
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5;ext=\"a\"\r\nhello\r\n0;last\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5 \r\nhello\r\n0\r\nno trailer\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\n0\n\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello world\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+strings.Repeat("1\r\nx\r\n", answerLimit+3)+"0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: xchunked\r\n\r\nabc",
	"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.0 200 OK\r\n\r\nuntil the end",
	"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"+strings.Repeat("long ", 20),
	"HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n"+strings.Repeat("long ", 8),
	"HTTP/1.1 200 OK\r\nContent-Length: 41\r\n\r\n"+strings.Repeat("long ", 8)+".",
	"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok",
	"HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok",
	"HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nok",
	"HTTP/1.1 099 Low\r\n\r\n", "HTTP/1.1 000 Zero\r\n\r\n", "HTTP/1.1 999 High\r\n\r\n", "HTTP/1.1 -20 Minus\r\n\r\n", "HTTP/1.1 +20 Plus\r\n\r\n",
	"HTTP/1 200 OK\r\n\r\n", "HTTP/01.1 200 OK\r\n\r\n", "HTTP/2.0 200 OK\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/0.9 200 OK\r\n\r\nx", "http/1.1 200 OK\r\n\r\n",
	"HTTP", "HTTP/", "HTTP/1.1 200 OK", "\r\nHTTP/1.1 200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n", "\x00", "\xef\xbb\xbfHTTP/1.1 200 OK\r\n\r\n",
	"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
	strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 6)+answerOK,
	"HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nhello",
	"HTTP/1.1 100 Continue\r\nTransfer-Encoding: chunked\r\n\r\n"+answerOK,
	"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nother words",
	"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello",
	"HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello",
	"HTTP/1.1 205 Reset Content\r\n\r\nrest",
	"HTTP/1.1 200 OK\r\nX-A: one\r\n two\r\n\tthree\r\nContent-Length: 2\r\n\r\nok",
	"HTTP/1.1 200 OK\nContent-Length: 2\nX: y\n\nok",
	"HTTP/1.1 200 OK\rContent-Length: 2\r\rok",
	"HTTP/1.1 200 OK\r\n\n",
	"HTTP/1.1 200 OK\r\nX-Nul: a\x00b\r\nContent-Length: 2\r\n\r\nok",
	"HTTP/1.1 200 OK\r\nX\x00: a\r\n\r\n", "HTTP/1.1 200 O\x00K\r\n\r\n", "HTTP/1.1 200 OK\r\nX-A: \xff\xfe\r\nX-B: a\rb\r\n\r\n",
	"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\n: no name\r\n\r\n", "HTTP/1.1 200 OK\r\nX : space\r\n\r\n", "HTTP/1.1 200 OK\r\nX:\r\nX:  \r\nx: y \r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
	"HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
	"HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 2 \r\n\r\nokay",
	"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nmore",
	"HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nshort",
	"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nshort",
	"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"+zipped("hello"),
	"HTTP/1.1 200 OK\r\nContent-Encoding: x-gzip\r\nTransfer-Encoding: chunked\r\n\r\n19\r\n"+zipped("a")+"\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Encoding: GZip\r\n\r\n"+zipped("hello"),
	"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"+zipped(strings.Repeat("a", 500)),
	"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\nnothing of it",
	"HTTP/1.1 200 OK\r\nX-A: "+strings.Repeat("b", maxHeader-23-4)+"\r\n\r\n",
	"HTTP/1.1 200 OK\r\nX-A: "+strings.Repeat("b", maxHeader-23)+"\r\n\r\n",
	answerOK+answerNo,
	answer408,
)

// Nasty answers, each of them cut at each octet of its first few hundred.
func TestAnswersAsNetHTTPReadsThem(t *testing.T) {
	const most = 300
	for _, a := range nasty {
		sameAnswer(t, "GET", []byte(a), 0)
		sameAnswer(t, "HEAD", []byte(a), len(a)/2)
		for n := range min(len(a), most) {
			sameAnswer(t, "GET", []byte(a[:n]), n/2)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for i, a := range nasty {
		if len(a) < 2000 {
			f.Add([]byte(a), i%4 == 3, uint16(i))
		}
	}
	f.Fuzz(func(t *testing.T, octets []byte, head bool, split uint16) {
		method := "GET"
		if head {
			method = "HEAD"
		}
		sameAnswer(t, method, octets, min(int(split), len(octets)))
	})
}

// The same answer over TLS means the same.
func TestAnswersOverTLS(t *testing.T) {
	config := &tls.Config{Certificates: []tls.Certificate{newIssuer(t).sign(t, "site.org", time.Now().Add(time.Hour))}}
	ask := func(scheme, octets string, config *tls.Config) check.Result {
		p := New(Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: rules4(t, rawTLS(t, octets, config))}}, NoSoft404: true, IgnoreRobots: true})
		defer p.Close()
		p.strict.transport.TLSClientConfig.InsecureSkipVerify = true
		return p.Probe(t.Context(), check.Target{URI: parse(t, scheme+"://site.org/a/b")})
	}
	for _, octets := range nasty {
		if one, two := ask("http", octets, nil), ask("https", octets, config); one.Outcome != two.Outcome || one.Reason != two.Reason {
			t.Errorf("%.300q: %s(%s) %q, over TLS %s(%s) %q", octets, one.Outcome, one.Reason, one.Reply, two.Outcome, two.Reason, two.Reply)
		}
	}
}
