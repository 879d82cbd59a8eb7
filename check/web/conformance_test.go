package web

import (
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/check/netguard"
	"linkcheck/uri"
)

func parse(t testing.TB, s string) uri.URI {
	t.Helper()
	u, err := uri.Parse(s)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return u
}

const goodReply = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 44\r\n\r\n<title>A page</title><p>with a little text.\n"

// lies are answers whose lengths, encodings and counts do not hold.
var lies = []string{
	"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nshort",
	"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nshort",
	"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nshort",
	"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nshort",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nshort",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nshort",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nshort",
	"HTTP/1.1 200 OK\r\n" + strings.Repeat("X-A: b\r\n", 20000) + "\r\n",
	"HTTP/1.1 200 OK\r\nX-A: " + strings.Repeat("b", 200000) + "\r\n\r\n",
	strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 1000),
	strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n", 1000),
	"HTTP/1.1 20 OK\r\n\r\n",
	"HTTP/1.1 2000 OK\r\n\r\n",
	"HTTP/9.9 200 OK\r\n\r\n",
	"HTTP/1.1\r\n\r\n",
	"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 302 Found\r\nLocation: " + strings.Repeat("/a", 5000) + "\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n",
	"<html>a page of HTTP/0.9</html>",
}

func TestConformance(t *testing.T) {
	for name, o := range map[string]Options{"": {}, "without robots.txt": {IgnoreRobots: true}} {
		t.Run(name, func(t *testing.T) {
			checktest.Run(t, checktest.Case{
				New: func(c check.Options) check.Prober {
					o := o
					o.Options = c
					return New(o)
				},
				URL:    "http://bob:sesame@{at}/dir/page",
				Speaks: "http",
				Reply:  goodReply,
				Lying:  lies,
				// The headers of robots.txt and of the page, and some of their bodies.
				MaxRead: 2*maxHeader + 64<<10,
				Never:   []string{"sesame", "Authorization"},
			})
		})
	}
	t.Run("tls", func(t *testing.T) {
		checktest.Run(t, checktest.Case{
			New:    func(c check.Options) check.Prober { return New(Options{Options: c}) },
			URL:    "https://{at}/dir/page",
			Speaks: "tls",
			Lying:  []string{"\x16\x03\x03\xff\xff\x02", "\x16\x03\x03\x40\x00\x02\xff\xff\xff"},
		})
	})
}

// Answers that are no HTTP, or broken HTTP, in words of the table.
func TestBrokenAnswers(t *testing.T) {
	tests := []struct {
		reply   string
		outcome check.Outcome
		reason  check.Reason
		words   string // in the reply
	}{
		{"<html>a page of HTTP/0.9</html>", check.Undetermined, "protocol-mismatch", "<html>a page of HTTP/0.9</html>"},
		{"SSH-2.0-OpenSSH_9.2\r\nmore", check.Undetermined, "protocol-mismatch", "SSH-2.0-OpenSSH_9.2"},
		{"OK", check.Undetermined, "protocol-mismatch", "OK"},
		{"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello", check.OK, "http-200", ""},
		{"HTTP/1.1 404 Not Found\r\nContent-Length: -5\r\n\r\nhello", check.Gone, "http-404", ""},
		{"HTTP/1.1 abc OK\r\n\r\n", check.Undetermined, "protocol-mismatch", ""},
		{"HTTP/1.1 200 OK\r\n no name\r\n\r\nhello", check.OK, "http-200", ""},
		{"HTTP/1.1 410 Gone\r\n: nothing\r\nX(y): z\r\nX-A: a\x00b\r\n\r\nhello", check.Gone, "http-410", ""},
		{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nshort", check.OK, "http-200", ""},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nshort", check.OK, "http-200", ""},
		{"HTTP/1.1 200 OK\r\nX-A: " + strings.Repeat("b", 200000) + "\r\n\r\nhello", check.OK, "http-200", ""},
		{"HTTP/1.1 200 OK\r\nX-A: " + strings.Repeat("b", 256<<10) + "\r\n\r\nhello", check.Undetermined, "too-long", ""},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nshort", check.Undetermined, "garbled", ""},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", check.Temporary, "eof", ""},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\n", check.Temporary, "eof", ""},
		{"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", check.Temporary, "eof", ""},
		{"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", check.OK, "http-200", ""},
		{"", check.Temporary, "eof", ""},
		{"HTTP/1.1 200 OK\r\nContent-Leng", check.Undetermined, "garbled", ""},
	}
	for _, tt := range tests {
		addr := raw(t, tt.reply)
		p := New(Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: rules4(t, addr)}}, IgnoreRobots: true})
		r := p.Probe(t.Context(), check.Target{URI: parse(t, "http://site.org/x")})
		p.Close()
		if r.Outcome != tt.outcome || r.Reason != tt.reason || tt.words != "" && r.Reply != tt.words {
			t.Errorf("%.40q: got %s(%s) %q, want %s(%s)", tt.reply, r.Outcome, r.Reason, r.Reply, tt.outcome, tt.reason)
		}
	}
}
