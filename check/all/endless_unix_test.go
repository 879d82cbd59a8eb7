//go:build unix

package all

import (
	"bytes"
	"context"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/uri"
)

const (
	endlessCPU  = time.Second // of one probe: a factor of ten over what the worst takes
	endlessRead = 4 << 20     // octets that one probe may take, all its connections together
)

// endless is a server that says a beginning and then the same for ever, and its dialer.
type endless struct {
	begin, repeat string
	read          atomic.Int64
}

func (e *endless) DialContext(context.Context, string, string) (net.Conn, error) {
	return &endlessConn{of: e, left: e.begin}, nil
}

// ListenPacket opens a socket on which the same is said for ever.
func (e *endless) ListenPacket(context.Context, string) (net.PacketConn, net.Addr, error) {
	at := &net.UDPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1525}
	return &endlessPackets{Conn: &endlessConn{of: e}, at: at}, at, nil
}

type endlessConn struct {
	of   *endless
	left string
	shut atomic.Bool
}

func (c *endlessConn) Read(p []byte) (int, error) {
	if c.shut.Load() {
		return 0, net.ErrClosed
	}
	n := 0
	for n < len(p) {
		if c.left == "" {
			if c.left = c.of.repeat; c.left == "" {
				break
			}
		}
		m := copy(p[n:], c.left)
		c.left = c.left[m:]
		n += m
	}
	if n == 0 {
		return 0, net.ErrClosed
	}
	c.of.read.Add(int64(n))
	return n, nil
}

func (c *endlessConn) Write(p []byte) (int, error)      { return len(p), nil }
func (c *endlessConn) Close() error                     { c.shut.Store(true); return nil }
func (c *endlessConn) LocalAddr() net.Addr              { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
func (c *endlessConn) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 2} }
func (c *endlessConn) SetDeadline(time.Time) error      { return nil }
func (c *endlessConn) SetReadDeadline(time.Time) error  { return nil }
func (c *endlessConn) SetWriteDeadline(time.Time) error { return nil }

type endlessPackets struct {
	net.Conn
	at net.Addr
}

func (c *endlessPackets) ReadFrom(p []byte) (int, net.Addr, error) {
	n, err := c.Read(p)
	return n, c.at, err
}

func (c *endlessPackets) WriteTo(p []byte, _ net.Addr) (int, error) { return len(p), nil }

// endlessAnswers are beginnings with what is said after them for ever.
func endlessAnswers() [][2]string {
	const page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	long := strings.Repeat("x", 3000)
	list := [][2]string{
		{"", "\x00"}, {"", "\xff"}, {"", "\n"}, {"", "\r\n"}, {"", "x"}, {"", " "}, {"", "\x1b["}, {"", "<a "}, {"", "\xff\xfd\x18"}, {"", "\xff\xfa"}, {"", "\xff\xff"},
		{"", "220-hi\r\n"}, {"220 hi\r\n", "250-x\r\n"}, {"220 a\r\n331 b\r\n230 c\r\n", "213-x\r\n"}, {"220 a\r\n", "331 b\r\n"}, {"", "120 soon\r\n"}, {"", "220 " + long + "\r\n"},
		{"", "200 hi\r\n"}, {"200 hi\r\n211 1 1 1 a\r\n", "x\r\n"}, {"200 hi\r\n", "223 1 <a@b>\r\n"}, {"", "480 no\r\n"},
		{"", "0a\tb\tc\t70\r\n"}, {"+-1\r\n", "+INFO: 0a\tb\tc\t70\r\n"}, {"+-2\r\n", "x\r\n"}, {"", "3" + long + "\t\terror.host\t1\r\n"}, {"", "i\t\terror.host\t1\r\n"},
		{"", "150 9 d\r\n151 w d d\r\n"}, {"220 d\r\n", "150 1 d\r\n"}, {"", "-200:1:x\r\n"},
		{"", "\xb5\x80"}, {"", "\xb5\x84\x00\x0f\xff\xff"}, {"\xb5\x80", "\xa0\x80"}, {"\xb5\x80", "\x83\x00"}, {"\xb5\x84\x00\x0f\xff\xff", "\xbf\x7f\x00"}, {"\xb5\x82\xff\xff", "\xa0\x03\xa0\x01\x00"},
		{"0000999999z2wais        0", "\x00"}, {"0001048576z2wais        0\x00\x05\x15\x01\x03\x01\x80", "\x63\x01a"}, {"", "0000000007z2wais        0\x00\x05\x15\x01\x03\x01\x80"},
		{"", "HTTP/1.1 200 OK\r\n"}, {"", "HTTP/1.1 100 Continue\r\n\r\n"}, {"", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"}, {"HTTP/1.1 200 OK\r\n", "X-A: b\r\n"},
		{"HTTP/1.1 200 OK\r\n", ": \r\n"}, {"HTTP/1.1 200 OK\r\nX-A: b\r\n", " c\r\n"}, {"HTTP/1.1 302 Found\r\n", "Set-Cookie: a=b; Path=/\r\n"}, {"HTTP/1.1 302 Found\r\nLocation: /", "a/"},
		{"", "HTTP/1.1 302 Found\r\nLocation: /" + long + "\r\nContent-Length: 0\r\n\r\n"}, {"", "HTTP/1.1 302 Found\r\nLocation: ?\r\nContent-Length: 0\r\n\r\n"},
		{page + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"}, {page + "Transfer-Encoding: chunked\r\n\r\n8;", "x=y;"}, {page + "Transfer-Encoding: chunked\r\n\r\n", "0"},
		{page + "Transfer-Encoding: chunked\r\n\r\n0\r\n", "X-A: b\r\n"}, {"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\n", "Disallow: /*a*b*c*d\n"},
		{"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n", "<a>"}, {"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<cnrp>", "<resourcedescriptor><uri>x</uri></resourcedescriptor>"},
		{page + "Content-Encoding: gzip\r\n\r\n" + bomb(), "\x00"}, {page + "Content-Type: text/html; charset=iso-2022-jp\r\n\r\n", "\x1b$B\x1b(B"},
		{"\x09\x4c\x4c", "ATTRIBUTE '"}, {"", "VERSION\n"},
	}
	for _, markup := range []string{"<", "<a", "<a b=c ", "<!--", "<!", "</", "&", "&#", "<b>", "<title>", "<meta http-equiv=refresh content='0;url=x'>", "<p>x", "<a href='", "<script>", "<svg><math>", "<table>", "a b ", "&notit;"} {
		list = append(list, [2]string{page + "\r\n", markup})
	}
	return list
}

// No endless answer costs a probe much, whatever it says in whichever protocol.
func TestEndlessAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("some thousand probes")
	}
	urls := []string{"http://h.org/dir/page#f", "https://h.org/x.zip", "ftp://h.org/a/b", "ftp://h.org/a/", "gopher://h.org/1/x", "gopher://h.org/0/x", "gopher://h.org/0/x%09%09+", "gopher://h.org/7/x%09y",
		"gopher://h.org/2", "gopher://h.org/8", "nntp://h.org/a.b/1", "news://h.org/1@b", "snews://h.org/a.b", "finger://h.org/x", "dict://h.org/d:x", "dict://h.org/m:x", "telnet://h.org/", "tn3270://h.org/", "whois://h.org/x", "cso://h.org/",
		"wais://h.org/db", "wais://h.org/db?x", "wais://h.org/db/TEXT/1=h;2=db;3=x;", "z39.50s://h.org/db?x", "z39.50r://h.org/a+b?x;esn=F;rs=marc", "prospero://h.org/a", "go://h.org/?x", "go://h.org/?id=x"}
	worst, of, probes := time.Duration(0), "", 0
	for _, url := range urls {
		u, err := uri.Parse(url)
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range endlessAnswers() {
			server := &endless{begin: said[0], repeat: said[1]}
			o := Options{Options: check.Options{Dialer: server, Timeout: 2 * time.Second}}
			o.Web.Fragments = true
			p := Table(o)
			before := cpuTime(t)
			r := p.Probe(t.Context(), check.Target{URI: u})
			p.Close()
			spent := cpuTime(t) - before
			probes++
			what := url + " " + r.Outcome.String() + "(" + string(r.Reason) + ") " + string(bytes.ToValidUTF8([]byte(said[0][:min(len(said[0]), 60)]+" "+said[1][:min(len(said[1]), 20)]), nil))
			if spent > worst {
				worst, of = spent, what
			}
			if spent > endlessCPU {
				t.Errorf("%q: %v of CPU", what, spent)
			}
			if n := server.read.Load(); n > endlessRead {
				t.Errorf("%q: %d octets read", what, n)
			}
			if r.Outcome == check.Internal || r.Outcome == check.Unknown {
				t.Errorf("%q: %s(%s) %s", what, r.Outcome, r.Reason, r.Reply)
			}
		}
	}
	t.Logf("%d probes, at most %v of CPU: %q", probes, worst, of)
}

// cpuTime is the time that this process has taken of all processors.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
