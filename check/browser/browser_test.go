package browser

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/internal/lab"
)

// TestMain is the helper too.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == HelperArgument {
		os.Exit(Help(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// chromiumPath finds a browser, or skips the test; where LINKCHECK_CHROMIUM is "require"
// it fails.
func chromiumPath(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("LINKCHECK_CHROMIUM") == "require" {
		t.Fatal("chromium is missing and LINKCHECK_CHROMIUM=require")
	}
	t.Skip("chromium is missing")
	return ""
}

// begin starts the browser; all names lead to at.
func begin(t *testing.T, at net.Addr) *Client {
	t.Helper()
	scratch := t.TempDir()
	t.Setenv("TMPDIR", scratch)
	b, err := Start(Options{Path: chromiumPath(t), NoSandbox: os.Geteuid() == 0, Confine: true, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.Close()
		left, err := os.ReadDir(scratch)
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
		if alive := processesOf(t, scratch); len(alive) > 0 {
			t.Errorf("still there: %q", alive)
		}
	})
	guard := &netguard.Guard{Resolver: nobody{}}
	for _, name := range []string{"site.test:80", "site.test:443", "other.test:80"} {
		rule, err := netguard.ParseConnectTo(name + ":" + at.String())
		if err != nil {
			t.Fatal(err)
		}
		guard.ConnectTo = append(guard.ConnectTo, rule)
	}
	return b.Through(guard)
}

// nobody resolves no name.
type nobody struct{}

func (nobody) Resolve(_ context.Context, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// processesOf lists the processes whose command line has a word in it.
func processesOf(t *testing.T, word string) (list []string) {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if line, err := os.ReadFile(name); err == nil && strings.Contains(string(line), word) {
			list = append(list, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return list
}

// get asks for a page.
func get(t *testing.T, b *Client, address string, fields ...string) (*http.Response, string, error) {
	t.Helper()
	ctx, release, err := b.Turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	req := (&http.Request{Method: "GET", URL: u, Host: u.Host, Header: http.Header{}}).WithContext(ctx)
	for i := 0; i < len(fields); i += 2 {
		req.Header.Set(fields[i], fields[i+1])
	}
	resp, err := b.RoundTrip(req)
	if err != nil {
		return nil, "", err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body), nil
}

// serve starts a web server; asked gives what it was asked for.
func serve(t *testing.T, handler http.HandlerFunc) (at net.Addr, asked func() []*http.Request) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var list []*http.Request
	done := make(chan error, 1)
	go func() {
		done <- lab.HTTP(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			list = append(list, r)
			mu.Unlock()
			handler(w, r)
		}))
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr(), func() []*http.Request {
		mu.Lock()
		defer mu.Unlock()
		return append([]*http.Request(nil), list...)
	}
}

// A browser's answer is the status, header and beginning of the body of the one page
// that was asked for.
func TestAnswers(t *testing.T) {
	at, asked := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<title>Grist</title><img src=/img.png><link rel=stylesheet href=/style.css><script src=/script.js></script><iframe src=/frame></iframe>")
		case "/moved":
			w.Header().Add("Set-Cookie", "a=b")
			w.Header().Add("Set-Cookie", "c=d")
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/file":
			w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
			w.Write(make([]byte, 1<<20))
		case "/late":
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(503)
			io.WriteString(w, strings.Repeat("x", 5000))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/none":
			c, _, _ := w.(http.Hijacker).Hijack()
			c.Close()
		case "/login":
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(401)
		case "/empty":
			w.WriteHeader(204)
		default:
			http.NotFound(w, r)
		}
	})
	b := begin(t, at)
	for _, row := range []struct {
		path, status, header, body string
		octets                     int
	}{
		{"/page", "200 OK", "Content-Type: text/html", "<title>Grist", -1},
		{"/moved", "302 Found", "Location: file:///etc/passwd", "", 0},
		{"/file", "200 OK", "Content-Disposition: attachment; filename=x.bin", "\x00", usualLimit + 1},
		{"/late", "503 Service Unavailable", "", "", -1},
		{"/login", "401 Unauthorized", "", "", 0},
		{"/empty", "204 No Content", "", "", 0},
		{"/%7Ehobbit/a%20b?c=|", "404 Not Found", "", "404 page", -1},
	} {
		resp, body, err := get(t, b, "http://site.test"+row.path, "User-Agent", "linkcheck/9", "Cookie", "one=1; two=2")
		if err != nil {
			t.Errorf("%s: %v", row.path, err)
			continue
		}
		name, value, _ := strings.Cut(row.header, ": ")
		if resp.Status != row.status || resp.Header.Get(name) != value || !strings.HasPrefix(body, row.body) || row.octets >= 0 && len(body) != row.octets {
			t.Errorf("%s: %s %v, %d octets %.30q", row.path, resp.Status, resp.Header, len(body), body)
		}
		if row.path == "/moved" && len(resp.Cookies()) < 2 {
			t.Errorf("cookies %v", resp.Cookies())
		}
	}
	if _, _, err := get(t, b, "http://site.test/none"); check.Classify(err).Reason != check.ReasonEOF {
		t.Errorf("no answer: %v", err)
	}
	for i, r := range asked() {
		agent := r.UserAgent()
		if i < 7 && (!strings.HasPrefix(agent, "Mozilla/5.0 (X11") || !strings.HasSuffix(agent, " (linkcheck/9)") || strings.Contains(agent, "Headless") ||
			r.Header.Get("Sec-Fetch-Mode")+r.Header.Get("Upgrade-Insecure-Requests") == "" || r.Header.Get("Cookie") != "one=1; two=2" || r.Header.Get("Proxy-Authorization") != "") {
			t.Errorf("%s was asked with %v", r.URL, r.Header)
		}
		if i >= 9 || i < 7 && r.RequestURI != []string{"/page", "/moved", "/file", "/late", "/login", "/empty", "/%7Ehobbit/a%20b?c=|"}[i] {
			t.Errorf("request %d is %s %s", i, r.Method, r.RequestURI)
		}
	}
}

// A browser that ended before it read a command has ended: a broken pipe says less.
func TestEndedBeforeCommand(t *testing.T) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	theirs.Close()
	d := newDevtools(strings.NewReader(""), ours)
	defer d.stop()
	if err := d.call(t.Context(), "", "Browser.getVersion", struct{}{}, nil); !errors.Is(err, errEnded) {
		t.Errorf("%v, want %v", err, errEnded)
	}
}
