package browser

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"linkcheck/check/netguard"
)

// toPipes is a guard that refuses whom it is told, and gives others a server in this
// process.
type toPipes struct {
	netguard.Dialer
	refuses map[string]error
	dialed  chan string
	server  func(net.Conn)
}

func (d *toPipes) DialContext(_ context.Context, _, address string) (net.Conn, error) {
	d.dialed <- address
	if err := d.refuses[address]; err != nil {
		return nil, err
	}
	near, far := net.Pipe()
	go d.server(far)
	return near, nil
}

// say sends text to the proxy and gives what comes, up to the end or n octets.
func say(t *testing.T, p *proxy, text string, n int64) string {
	t.Helper()
	c, err := net.Dial("tcp", p.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	_, _ = io.WriteString(c, text) // what is too long is not read to its end
	got, _ := io.ReadAll(io.LimitReader(c, n))
	return string(got)
}

func authorized(password string) string {
	return "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password)) + "\r\n"
}

// The proxy dials for whoever has the password of a question, and only the server of that.
func TestProxy(t *testing.T) {
	d := &toPipes{dialed: make(chan string, 100), refuses: map[string]error{"no.test:80": &netguard.Refusal{Rule: netguard.NoPrivateAddress, What: "no.test"}}, server: func(c net.Conn) {
		defer c.Close()
		r := bufio.NewReader(c)
		for head := ""; ; {
			line, err := r.ReadString('\n')
			if head += line; err != nil || line == "\r\n" {
				fmt.Fprintf(c, "[%s]", head)
				return
			}
		}
	}}
	p, err := newProxy()
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	plain, _, leavePlain := p.begin(t.Context(), d, "Site.test:80", false)
	secure, _, leaveSecure := p.begin(t.Context(), d, "site.test:443", true)
	refusedOne, way, leaveRefused := p.begin(t.Context(), d, "no.test:80", false)
	defer leaveSecure()
	defer leaveRefused()
	const all = 1 << 20
	for _, row := range []struct{ what, text, want, dialed string }{
		{"no password", "GET http://site.test/ HTTP/1.1\r\n\r\n", "HTTP/1.1 407", ""},
		{"a wrong one", "CONNECT site.test:443 HTTP/1.1\r\n" + authorized("x") + "\r\n", "HTTP/1.1 407", ""},
		{"another user", "GET http://site.test/ HTTP/1.1\r\nProxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("x:"+plain)) + "\r\n\r\n", "HTTP/1.1 407", ""},
		{"another scheme", "GET http://site.test/ HTTP/1.1\r\nProxy-Authorization: Bearer " + plain + "\r\n\r\n", "HTTP/1.1 407", ""},
		{"another host", "GET http://127.0.0.1/ HTTP/1.1\r\n" + authorized(plain) + "\r\n", "HTTP/1.1 403", ""},
		{"another port", "GET http://site.test:81/ HTTP/1.1\r\n" + authorized(plain) + "\r\n", "HTTP/1.1 403", ""},
		{"a name in the user's place", "GET http://site.test@127.0.0.1/ HTTP/1.1\r\n" + authorized(plain) + "\r\n", "HTTP/1.1 403", ""},
		{"a tunnel", "CONNECT site.test:80 HTTP/1.1\r\n" + authorized(plain) + "\r\n", "HTTP/1.1 403", ""},
		{"no tunnel", "GET http://site.test:443/ HTTP/1.1\r\n" + authorized(secure) + "\r\n", "HTTP/1.1 403", ""},
		{"another scheme of address", "GET ftp://site.test/ HTTP/1.1\r\n" + authorized(plain) + "\r\n", "HTTP/1.1 403", ""},
		{"of its own", "GET / HTTP/1.1\r\nHost: site.test\r\n" + authorized(plain) + "\r\n", "HTTP/1.1 403", ""},
		{"a change", "POST http://site.test/ HTTP/1.1\r\n" + authorized(plain) + "Content-Length: 1\r\n\r\nx", "HTTP/1.1 403", ""},
		{"too long", "GET http://site.test/ HTTP/1.1\r\n" + strings.Repeat("a: b\r\n", maxRequest), "", ""},
		{"a line too long", "GET http://site.test/" + strings.Repeat("a", 2*maxRequest), "", ""},
		{"a private address", "GET http://no.test/ HTTP/1.1\r\n" + authorized(refusedOne) + "\r\n", "", "no.test:80"},
		{"plain", "GET http://SITE.test/a%20b?c HTTP/1.1\r\nHost: SITE.test\r\nb: 2\r\n" + authorized(plain) + "Proxy-Connection: keep-alive\r\na: 1\r\n\r\nGET http://site.test/again HTTP/1.1\r\n\r\n",
			"[GET /a%20b?c HTTP/1.1\r\nHost: SITE.test\r\nb: 2\r\nConnection: keep-alive\r\na: 1\r\n\r\n]", "site.test:80"},
		{"secure", "CONNECT site.test:443 HTTP/1.1\r\n" + authorized(secure) + "\r\nhello\r\n\r\n", connected + "[hello\r\n\r\n]", "site.test:443"},
	} {
		got, dialed := say(t, p, row.text, all), ""
		select {
		case dialed = <-d.dialed:
		default:
		}
		whole := strings.HasSuffix(row.want, "]")
		if !strings.HasPrefix(got, row.want) || (whole || row.want == "") && got != row.want || dialed != row.dialed {
			t.Errorf("%s: %.200q, dialed %q; want %q, %q", row.what, got, dialed, row.want, row.dialed)
		}
	}
	if _, ok := errors.AsType[*netguard.Refusal](way.failure()); !ok {
		t.Errorf("refused for %v", way.failure())
	}
	leavePlain()
	if got := say(t, p, "GET http://site.test/ HTTP/1.1\r\n"+authorized(plain)+"\r\n", all); !strings.HasPrefix(got, "HTTP/1.1 407") {
		t.Errorf("after its question: %q", got)
	}
}

// One connection at a time, a few in all, and so many octets.
func TestProxyLimits(t *testing.T) {
	d := &toPipes{dialed: make(chan string, 100), server: func(c net.Conn) {
		defer c.Close()
		for block := make([]byte, 64<<10); ; {
			if _, err := c.Write(block); err != nil {
				return
			}
		}
	}}
	p, err := newProxy()
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	password, _, leave := p.begin(t.Context(), d, "site.test:443", true)
	defer leave()
	text := "CONNECT site.test:443 HTTP/1.1\r\n" + authorized(password) + "\r\n"
	for range maxDials {
		if got := len(say(t, p, text, 4*maxDown)); got != maxDown+len(connected) {
			t.Errorf("%d octets, want %d", got, maxDown)
		}
	}
	if got := say(t, p, text, 100); !strings.HasPrefix(got, "HTTP/1.1 403") {
		t.Errorf("once more: %q", got)
	}
	d.server = func(c net.Conn) { // one that says nothing
		defer c.Close()
		_, _ = io.Copy(io.Discard, c)
	}
	password, way, leaveOther := p.begin(t.Context(), d, "site.test:443", true)
	text = "CONNECT site.test:443 HTTP/1.1\r\n" + authorized(password) + "\r\n"
	first, err := net.Dial("tcp", p.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	_, _ = io.WriteString(first, text)
	if _, err := http.ReadResponse(bufio.NewReader(first), &http.Request{Method: "CONNECT"}); err != nil || way.enter() {
		t.Fatalf("%v, or another one is let in", err)
	}
	if got := say(t, p, text, 100); !strings.HasPrefix(got, "HTTP/1.1 403") {
		t.Errorf("a second one beside it: %q", got)
	}
	leaveOther() // ends the first
	_ = first.SetReadDeadline(time.Now().Add(30 * time.Second))
	if _, err := io.Copy(io.Discard, first); errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("still open: %v", err)
	}
}

func FuzzReadRequest(f *testing.F) {
	f.Add("GET http://site.test/ HTTP/1.1\r\nProxy-Authorization: Basic bGlua2NoZWNrOng=\r\n\r\n")
	f.Add("CONNECT [::1]:443 HTTP/1.1\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		q, err := readRequest(bufio.NewReader(strings.NewReader(text)))
		if err != nil || q.text == nil {
			return
		}
		head, rest, ended := strings.Cut(string(q.text), "\r\n\r\n")
		if !ended || rest != "" || strings.Contains(strings.ToLower(head), "\nproxy-authorization:") {
			t.Errorf("%q becomes %q", text, q.text)
		}
	})
}
