//go:build linux

package hardening

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// served starts `serve` on a store of hostile documents and calls ask with its
// address; then it sends TERM and waits for the end.
func served(t *testing.T, args []string, ask func(p *place, address, token string)) *outcome {
	t.Helper()
	p := newPlace(t, map[string]string{
		"docs/a.html": `<title>"><script>alert(1)</script></title><a href="http://a.example/'&quot;><img src=x onerror=alert(1)>">"><svg onload=alert(1)></a><a href="javascript:alert(1)">x</a><a href="data:text/html,<script>alert(1)</script>">y</a>`,
		"docs/b.txt":  "http://b.example/\n",
	})
	p.run(slices.Concat([]string{"run", "--store", "s.db", "--collection", `"><script>alert(1)</script>`}, offline, []string{"docs"})...)
	o := p.start(start{patience: 50 * time.Second, during: func(proc *os.Process, err *heard) bool {
		defer proc.Signal(syscall.SIGTERM)
		said := regexp.MustCompile(`https?://([0-9.]+|\[[0-9a-f:]+\]|localhost):([0-9]+)/?(\S*)`)
		for range 200 {
			if m := said.FindStringSubmatch(err.text(4000)); m != nil {
				token := ""
				if _, after, ok := strings.Cut(m[3], "token="); ok {
					token = after
				}
				ask(p, "127.0.0.1:"+m[2], token)
				return true
			}
			time.Sleep(20 * time.Millisecond)
		}
		return false
	}}, slices.Concat([]string{"serve", "--store", "s.db"}, args)...)
	p.within(o, ceiling{cpu: 8 * time.Second})
	return o
}

// asks sends a request as it stands and gives what comes back within ten seconds.
func asks(address, request string) string {
	c, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		return "no connection: " + err.Error()
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(10 * time.Second))
	io.WriteString(c, request)
	answer, _ := io.ReadAll(io.LimitReader(c, 4*mega))
	return string(answer)
}

func TestServe(t *testing.T) {
	t.Parallel()
	served(t, []string{"--listen", "127.0.0.1:0"}, func(p *place, at, _ string) {
		get := func(path, host, more string) string {
			return asks(at, "GET "+path+" HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n"+more+"\r\n")
		}
		if answer := get("/links", at, ""); !strings.HasPrefix(answer, "HTTP/1.1 200") || !strings.Contains(answer, "b.example") {
			t.Errorf("the page is %.200q", answer)
		}
		for _, host := range []string{"evil.example", "evil.example:80", at + ".evil.example", "127.0.0.1.evil.example", "a@" + at, "", "localhost.evil.example", "[::1]evil", "127.0.0.1:1:2", "10.0.0.1"} {
			if answer := get("/links", host, ""); strings.HasPrefix(answer, "HTTP/1.1 200") || strings.Contains(answer, "b.example") {
				t.Errorf("the host %q is answered %.60q", host, answer)
			}
		}
		for _, request := range []string{"GET /links HTTP/1.0\r\n\r\n", "GET http://evil.example/links HTTP/1.1\r\nHost: evil.example" + "\r\nConnection: close\r\n\r\n", "GET /links HTTP/1.1\r\nHost: " + at + "\r\nHost: evil.example\r\nConnection: close\r\n\r\n"} {
			if answer := asks(at, request); strings.Contains(answer, "b.example") {
				t.Errorf("%q is answered with the page", request)
			}
		}
		for _, path := range []string{"/", "/links", "/links?q=<script>alert(1)</script>", "/links?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "/<script>alert(1)</script>", "/links?page=99999999999999999999", "/links?page=-1", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//evil.example/", "/metrics", "/links?" + strings.Repeat("a=b&", 20000), "/%00", "/\\evil.example"} {
			answer := get(path, at, "")
			body := answer[strings.Index(answer+"\r\n\r\n", "\r\n\r\n"):]
			for _, bad := range []string{"<script>alert", "<img src=x", "<svg onload", `href="javascript:`, `href="data:text/html`, "href=javascript:", "root:x:0", "Location: //evil", "Location: http://evil"} {
				if strings.Contains(answer, bad) {
					t.Errorf("%.60q: the answer holds %q", path, bad)
				}
			}
			if i := strings.Index(body, "\x1b"); i >= 0 {
				t.Errorf("%.60q: an escape", path)
			}
			if head := answer[:len(answer)-len(body)]; strings.HasPrefix(answer, "HTTP/1.1 200") && strings.Contains(head, "text/html") && !strings.Contains(head, "Content-Security-Policy: ") {
				t.Errorf("%.60q: no policy in %q", path, head)
			}
		}
		for _, method := range []string{"POST", "PUT", "DELETE", "CONNECT", "TRACE", "OPTIONS", "PATCH", "BREW"} {
			if answer := asks(at, method+" / HTTP/1.1\r\nHost: "+at+"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"); strings.HasPrefix(answer, "HTTP/1.1 200") {
				t.Errorf("%s is answered %.60q", method, answer)
			}
		}
		if answer := get("/", at, "Cookie: "+strings.Repeat("a", 3*mega)+"\r\n"); strings.HasPrefix(answer, "HTTP/1.1 200") {
			t.Errorf("a field of 3 MB is answered")
		}
	})
}

// A crowd of readers who are slow, silent or endless keeps no other from the page, nor the program from its end.
func TestServeCrowd(t *testing.T) {
	long(t)
	t.Parallel()
	var open []net.Conn
	o := served(t, []string{"--listen", "127.0.0.1:0"}, func(p *place, at, _ string) {
		for i := range 200 {
			c, err := net.DialTimeout("tcp", at, time.Second)
			if err != nil {
				continue
			}
			open = append(open, c)
			switch i % 4 {
			case 1:
				io.WriteString(c, "GET / HTTP/1.1\r\nHost: "+at+"\r\nX: ")
			case 2:
				io.WriteString(c, strings.Repeat("GET /links HTTP/1.1\r\nHost: "+at+"\r\n\r\n", 20))
			case 3:
				io.WriteString(c, "POST / HTTP/1.1\r\nHost: "+at+"\r\nContent-Length: 999999999\r\n\r\nx")
			}
		}
		if answer := asks(at, "GET /links HTTP/1.1\r\nHost: "+at+"\r\nConnection: close\r\n\r\n"); !strings.Contains(answer, "b.example") {
			t.Errorf("in the crowd the page is %.200q", answer)
		}
	})
	for _, c := range open {
		c.Close()
	}
	if o.killed {
		t.Error("TERM was not heard in the crowd")
	}
}

// Who listens for others says so, and hands out a token.
func TestServePublic(t *testing.T) {
	long(t)
	t.Parallel()
	p := newPlace(t, map[string]string{"docs/a.txt": "http://a.example/\n"})
	p.run(slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"})...)
	for _, listen := range []string{":0", "0.0.0.0:0", "[::]:0", "0:0", "[::ffff:0.0.0.0]:0", "*:0"} {
		o := p.start(start{patience: 4 * time.Second, during: func(*os.Process, *heard) bool { return true }}, "serve", "--store", "s.db", "--listen", listen)
		if o.code != 2 || o.killed {
			t.Errorf("--listen %s: exit %d, %q", listen, o.code, o.err.text(200))
		}
	}
	served(t, []string{"--listen", "0.0.0.0:0", "--public"}, func(_ *place, at, token string) {
		if token == "" {
			t.Error("no token is given out")
			return
		}
		for _, path := range []string{"/", "/links", "/metrics", "/?token=", "/?token=" + token[:len(token)-1], "/?token=" + strings.Repeat("0", len(token))} {
			if answer := asks(at, "GET "+path+" HTTP/1.1\r\nHost: "+at+"\r\nConnection: close\r\n\r\n"); strings.HasPrefix(answer, "HTTP/1.1 200") || strings.Contains(answer, "b.example") {
				t.Errorf("%s without the token is answered %.80q", path, answer)
			}
		}
		if answer := asks(at, "GET /?token="+token+" HTTP/1.1\r\nHost: "+at+"\r\nConnection: close\r\n\r\n"); !strings.HasPrefix(answer, "HTTP/1.1 200") && !strings.HasPrefix(answer, "HTTP/1.1 30") {
			t.Errorf("with the token: %.200q", answer)
		}
	})
}

// A hundred requests at once cost what they show, not more.
func TestServeTogether(t *testing.T) {
	long(t)
	t.Parallel()
	served(t, []string{"--listen", "127.0.0.1:0"}, func(_ *place, at, _ string) {
		var all sync.WaitGroup
		bad := make([]string, 50)
		for i := range bad {
			all.Go(func() {
				c, err := net.DialTimeout("tcp", at, 5*time.Second)
				if err != nil {
					return // one connection too many may be refused
				}
				defer c.Close()
				c.SetDeadline(time.Now().Add(20 * time.Second))
				fmt.Fprintf(c, "GET /links?q=%d HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", i, at)
				if line, err := bufio.NewReader(c).ReadString('\n'); err == nil && !strings.HasPrefix(line, "HTTP/1.1 ") {
					bad[i] = line
				}
			})
		}
		all.Wait()
		if i := slices.IndexFunc(bad, func(s string) bool { return s != "" }); i >= 0 {
			t.Errorf("request %d is answered %q", i, bad[i])
		}
	})
}

// Who may change a store by serve --edit shows the token, and comes from nowhere else.
func TestServeEdit(t *testing.T) {
	long(t)
	t.Parallel()
	for _, listen := range []string{":0", "0.0.0.0:0", "[::]:0", "192.0.2.1:80"} {
		p := newPlace(t, map[string]string{"docs/a.txt": "http://a.example/\n"})
		p.run(slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"})...)
		for _, more := range [][]string{nil, {"--public"}} {
			o := p.start(start{patience: 4 * time.Second, during: func(*os.Process, *heard) bool { return true }}, slices.Concat([]string{"serve", "--store", "s.db", "--edit", "--listen", listen}, more)...)
			if o.code != 2 || o.killed {
				t.Errorf("--edit --listen %s %q: exit %d, %q", listen, more, o.code, o.err.text(200))
			}
		}
	}
	served(t, []string{"--edit", "--listen", "127.0.0.1:0"}, func(_ *place, at, token string) {
		if len(token) < 16 {
			t.Fatalf("the token is %q", token)
		}
		post := func(host, body string, head ...string) string {
			return asks(at, fmt.Sprintf("POST /api/v1/notes HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s", host, len(body), strings.Join(head, ""), body))
		}
		bearer, note := "Authorization: Bearer "+token+"\r\n", `{"url":"http://b.example/","text":"<script>alert(1)</script>\u001b[2J"}`
		for name, answer := range map[string]string{
			"no token":       post(at, note),
			"half a token":   post(at, note, "Authorization: Bearer "+token[:len(token)/2]+"\r\n"),
			"another origin": post(at, note, bearer, "Origin: http://evil.example\r\n"),
			"another host":   post("evil.example", note, bearer),
			"another site":   post(at, note, bearer, "Sec-Fetch-Site: cross-site\r\n"),
			"much":           post(at, `{"text":"`+strings.Repeat("x", mega)+`"}`, bearer),
			"deep":           post(at, strings.Repeat("[", 10000), bearer),
			"two lengths":    post(at, note, bearer, "Content-Length: 3\r\n"),
		} {
			if strings.HasPrefix(answer, "HTTP/1.1 200") || strings.Contains(answer, token) {
				t.Errorf("%s is answered %.200q", name, answer)
			}
		}
		if answer := post(at, note, bearer); !strings.HasPrefix(answer, "HTTP/1.1 200") {
			t.Errorf("with the token: %.300q", answer)
		}
		for _, path := range []string{"/links", "/log", "/api/v1/log", "/link/1", "/export.csv"} {
			answer := asks(at, "GET "+path+" HTTP/1.1\r\nHost: "+at+"\r\nConnection: close\r\n"+bearer+"\r\n")
			if !strings.HasPrefix(answer, "HTTP/1.1 200") || strings.Contains(answer, "\x1b") || strings.Contains(answer, token) || strings.Contains(answer, "<script>alert") && path != "/export.csv" {
				t.Errorf("%s is answered %.300q", path, answer)
			}
		}
	})
}
