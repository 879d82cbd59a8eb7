package all

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/uri"
)

const (
	hostileTimeout = 3 * time.Second  // of one probe
	hostileTime    = 20 * time.Second // of all, on a busy machine
	hostileMemory  = 100 << 20        // resident, servers included
)

// hostileServer is one hostile server and what a probe of it must say.
type hostileServer struct {
	name   string
	uri    string // of the host HOST, which leads to the server
	serve  func(net.Conn)
	packet func(net.PacketConn, net.Addr, []byte) // for datagrams
	want   string                                 // outcome(reason); two where chance decides
}

const block = 32 << 10

func flood(words string) func(net.Conn) {
	b := bytes.Repeat([]byte(words), block/len(words)+1)
	return func(c net.Conn) {
		for {
			if _, err := c.Write(b); err != nil {
				return
			}
		}
	}
}

// after says words, then does more.
func after(words string, more func(net.Conn)) func(net.Conn) {
	return func(c net.Conn) {
		if _, err := io.WriteString(c, words); err == nil {
			more(c)
		}
	}
}

// asked waits for the client's first octets.
func asked(then func(net.Conn)) func(net.Conn) {
	return func(c net.Conn) {
		c.Read(make([]byte, 4096))
		then(c)
	}
}

func silent(c net.Conn) { io.Copy(io.Discard, c) }

func drip(words string) func(net.Conn) {
	return func(c net.Conn) {
		for i := 0; ; i++ {
			if _, err := io.WriteString(c, words[i%len(words):i%len(words)+1]); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

func words(s string) func(net.Conn) { return asked(after(s, silent)) }

// page answers every request on a connection by reply, whose length it tells.
func page(fields, body string) func(net.Conn) {
	return func(c net.Conn) {
		for {
			if _, err := c.Read(make([]byte, 4096)); err != nil {
				return
			}
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n%s\r\n%s", len(body), fields, body)
		}
	}
}

func after200(fields string, then func(net.Conn)) func(net.Conn) {
	return asked(after("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"+fields+"\r\n", then))
}

func bomb() string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for range 1000 {
		z.Write(make([]byte, block))
	}
	z.Close()
	return b.String()
}

// maze sends everyone on to a place never seen, with a cookie never seen.
func maze() func(net.Conn) {
	var n atomic.Int64
	return func(c net.Conn) {
		for {
			if _, err := c.Read(make([]byte, 4096)); err != nil {
				return
			}
			i := n.Add(1)
			fmt.Fprintf(c, "HTTP/1.1 302 Found\r\nLocation: /maze/%d\r\nSet-Cookie: a=%d\r\nContent-Length: 0\r\n\r\n", i, i)
		}
	}
}

func redirect(to string) func(net.Conn) {
	return asked(after("HTTP/1.1 302 Found\r\nLocation: "+to+"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", func(net.Conn) {}))
}

func hostileServers() []hostileServer {
	const h = "http://HOST/dir/page"
	repeat := strings.Repeat
	return []hostileServer{
		{"http tarpit", h, silent, nil, "temporary(timeout)"},
		{"http header by drops", h, asked(drip("HTTP/1.1 200 OK\r\nX-A: " + repeat("b", 999))), nil, "temporary(timeout)"},
		{"http body by drops", h, after200("Content-Length: 99999\r\n", drip("word ")), nil, "ok(http-200)"},
		{"http 10 GB", h, after200("Content-Length: 10737418240\r\n", flood("many words ")), nil, "suspect(soft-404)"},
		{"http endless chunks", h, after200("Transfer-Encoding: chunked\r\n", flood("8\r\nmany wor\r\n")), nil, "suspect(soft-404)"},
		{"http endless chunk extension", h, after200("Transfer-Encoding: chunked\r\n", after("8;", flood("x=y;"))), nil, "undetermined(too-long)"},
		{"http gzip bomb", h, page("Content-Encoding: gzip\r\n", bomb()), nil, "suspect(soft-404)"},
		{"http header flood", h, asked(after("HTTP/1.1 200 OK\r\n", flood("X-A: b\r\n"))), nil, "undetermined(too-long)"},
		{"http endless header", h, asked(after("HTTP/1.1 200 OK\r\nX-A: ", flood("b"))), nil, "undetermined(too-long)"},
		{"http endless status", h, asked(flood("HTTP/1.1 200 ")), nil, "undetermined(too-long)"},
		{"http endless 100", h, asked(flood("HTTP/1.1 100 Continue\r\n\r\n")), nil, "undetermined(too-long)"},
		{"http redirect maze", h, maze(), nil, "undetermined(redirect-too-many)"},
		{"http to loopback", h, redirect("http://127.0.0.1:8080/admin"), nil, "skipped(private-address)"},
		{"http to metadata", h, redirect("http://169.254.169.254/latest/meta-data/"), nil, "skipped(private-address)"},
		{"http to mapped", h, redirect("http://[::ffff:10.0.0.1]/"), nil, "skipped(private-address)"},
		{"http to a NAT64 of ours", h, redirect("http://[64:ff9b::10.0.0.1]/"), nil, "skipped(private-address)"},
		{"http to mail", h, redirect("http://mail.hostile.org:25/"), nil, "skipped(port-denied)"},
		{"http to gopher", h, redirect("gopher://HOST:6379/_FLUSHALL"), nil, "skipped(port-denied)"},
		{"http to itself", h, redirect("/dir/page"), nil, "undetermined(redirect-loop)"},
		{"http to a long place", h, redirect("/" + repeat("a/", 20000)), nil, "undetermined(redirect-loop)"},
		{"http names that change", "http://rebind.hostile.org/dir/page", words("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"), nil, "skipped(private-address)"},
		{"http deep page", h, page("", repeat("<b>", 20000)), nil, "suspect(soft-404)"},
		{"http page of attributes", h, page("", "<p "+repeat("a=b ", 15000)+">"), nil, "suspect(soft-404)"},
		{"http reset", h, asked(func(c net.Conn) { c.(*net.TCPConn).SetLinger(0) }), nil, "temporary(tcp-reset) temporary(eof)"},
		{"http nothing", h, asked(func(net.Conn) {}), nil, "temporary(eof)"},
		{"http zeros", h, asked(flood("\x00")), nil, "undetermined(protocol-mismatch)"},
		{"https tarpit", "https://HOST/", silent, nil, "temporary(timeout)"},
		{"https flood", "https://HOST/", flood("\x16\x03\x03\x3f\xff"), nil, "undetermined(tls-handshake)"},
		{"ftp endless greeting", "ftp://HOST/pub/a.txt", flood("220-welcome\r\n"), nil, "undetermined(too-long)"},
		{"ftp endless line", "ftp://HOST/pub/a.txt", after("220-", flood("x")), nil, "undetermined(line-too-long)"},
		{"ftp 120 for ever", "ftp://HOST/pub/a.txt", flood("120 soon\r\n"), nil, "temporary(ftp-120)"},
		{"ftp tarpit", "ftp://HOST/pub/a.txt", silent, nil, "temporary(timeout)"},
		{"ftp by drops", "ftp://HOST/pub/a.txt", drip("220-x\r\n"), nil, "temporary(timeout)"},
		{"gopher endless line", "gopher://HOST/1/", asked(flood("x")), nil, "undetermined(gopher-not-a-menu)"},
		{"gopher tarpit", "gopher://HOST/0/a", silent, nil, "temporary(timeout)"},
		{"nntp endless greeting", "nntp://HOST/comp.lang/1", flood("200-x\r\n"), nil, "undetermined(protocol-mismatch)"},
		{"nntp by drops", "nntp://HOST/comp.lang/1", drip("2"), nil, "temporary(timeout)"},
		{"telnet DO storm", "telnet://HOST/", flood("\xff\xfd\x18\xff\xfb\x01"), nil, "reachable(telnet-answer)"},
		{"telnet closed", "telnet://HOST/", func(net.Conn) {}, nil, "temporary(closed)"},
		{"z39.50 BER bomb", "z39.50s://HOST/db?id", asked(flood("\xb5\x80")), nil, "undetermined(garbled)"},
		{"z39.50 lying length", "z39.50s://HOST/db?id", asked(after("\xb5\x88\x7f\xff\xff\xff\xff\xff\xff\xff", flood("\x00"))), nil, "undetermined(too-long)"},
		{"z39.50 tarpit", "z39.50s://HOST/db?id", silent, nil, "temporary(timeout)"},
		{"wais lying length", "wais://HOST/db", asked(after("9999999999z2wais        0", flood("\x00"))), nil, "undetermined(protocol-mismatch)"},
		{"wais tarpit", "wais://HOST/db", silent, nil, "temporary(timeout)"},
		{"cnrp billion laughs", "go://HOST/?id=1", page("", `<!DOCTYPE a [<!ENTITY b "`+repeat("b", 1000)+`"><!ENTITY c "`+repeat("&b;", 1000)+`">]><cnrp>`+repeat("&c;", 1000)+`</cnrp>`), nil, "undetermined(protocol-mismatch)"},
		{"cnrp deep", "go://HOST/?id=1", page("", repeat("<a>", 20000)), nil, "undetermined(protocol-mismatch)"},
		{"finger flood", "finger://HOST/joe", flood("x"), nil, "reachable(finger-answer)"},
		{"whois flood", "whois://HOST/", flood("x"), nil, "reachable(tcp-accepted)"},
		{"prospero silence", "prospero://HOST/a", nil, func(net.PacketConn, net.Addr, []byte) {}, "undetermined(no-udp-reply)"},
		{"prospero storm", "prospero://HOST/a", nil, func(c net.PacketConn, to net.Addr, _ []byte) {
			for range 1000 {
				c.WriteTo(bytes.Repeat([]byte{0xff}, 1400), to)
			}
		}, "undetermined(too-long)"},
	}
}

// rebinding returns a name two addresses in turn: one that may be dialled, one that may not.
type rebinding struct{ calls atomic.Int64 }

func (r *rebinding) Resolve(_ context.Context, host string) ([]netip.Addr, error) {
	if host != "rebind.hostile.org" {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if r.calls.Add(1) == 1 {
		return []netip.Addr{netip.MustParseAddr("127.9.9.9")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// TestHostileServers probes all hostile servers at once: every result says what happened,
// in time, within memory.
func TestHostileServers(t *testing.T) {
	servers := hostileServers()
	if len(servers) < 40 {
		t.Fatalf("only %d servers", len(servers))
	}
	g := &netguard.Guard{Resolver: &rebinding{}, AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.9.9.9/32")}}
	targets := make([]check.Target, len(servers))
	for i, a := range servers {
		host := fmt.Sprintf("n%d.hostile.org", i)
		port := startHostile(t, a)
		text := fmt.Sprintf("%s::127.0.0.1:%d", host, port)
		if strings.Contains(a.uri, "rebind") {
			text = fmt.Sprintf("rebind.hostile.org::127.9.9.9:%d", port)
		}
		rule, err := netguard.ParseConnectTo(text)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(a.uri, "rebind") {
			rule.ToHost = "rebind.hostile.org" // by name: resolved and judged
		}
		g.ConnectTo = append(g.ConnectTo, rule)
		u, err := uri.Parse(strings.ReplaceAll(a.uri, "HOST", host))
		if err != nil {
			t.Fatalf("%s: %v", a.name, err)
		}
		targets[i].URI = u
	}
	p := Table(Options{Options: check.Options{Dialer: g, Timeout: hostileTimeout}})
	results := make([]check.Result, len(servers))
	begin := time.Now()
	var wg sync.WaitGroup
	for i := range servers {
		wg.Go(func() { results[i] = p.Probe(t.Context(), targets[i]) })
	}
	wg.Wait()
	if took := time.Since(begin); took > hostileTime {
		t.Errorf("took %v", took)
	}
	if rss := peak(t); rss > hostileMemory && !testing.Short() { // the race detector takes more than the program
		t.Errorf("%d MB resident", rss>>20)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for i, a := range servers {
		r := results[i]
		got := fmt.Sprintf("%s(%s)", r.Outcome, r.Reason)
		if !strings.Contains(" "+a.want+" ", " "+got+" ") {
			t.Errorf("%s: got %s %.80q, want %s", a.name, got, r.Reply, a.want)
		}
		if _, ok := r.Reason.Meaning(); !ok || r.Took > 3*hostileTimeout {
			t.Errorf("%s: %s after %v", a.name, r.Reason, r.Took)
		}
	}
	t.Logf("%d servers, %v, %d MB", len(servers), time.Since(begin).Round(time.Millisecond), peak(t)>>20)
}

// startHostile starts a hostile server and gives its port.
func startHostile(t *testing.T, a hostileServer) int {
	t.Helper()
	var wg sync.WaitGroup
	if a.packet != nil {
		c, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			buf := make([]byte, 4096)
			for {
				n, from, err := c.ReadFrom(buf)
				if err != nil {
					return
				}
				a.packet(c, from, buf[:n])
			}
		})
		t.Cleanup(func() { c.Close(); wg.Wait() })
		return c.LocalAddr().(*net.UDPAddr).Port
	}
	host := "127.0.0.1:0"
	if strings.Contains(a.uri, "rebind") {
		host = "127.9.9.9:0"
	}
	l, err := net.Listen("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				c.SetDeadline(time.Now().Add(hostileTime))
				a.serve(c)
			})
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	return l.Addr().(*net.TCPAddr).Port
}

// peak is the largest resident set of this process so far.
func peak(t *testing.T) int64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("no /proc/self/status")
	}
	var kb int64
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	fmt.Sscan(rest, &kb)
	return kb << 10
}
