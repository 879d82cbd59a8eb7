package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/testdoc"
	"linkcheck/report/serve"
)

// served is a report that is being served.
type served struct {
	t      *testing.T
	at     string // its address, with a token if it has one
	db     string
	night  func() int
	cancel context.CancelFunc
	ended  chan int
}

// serveReport serves a small store until the test ends it.
func serveReport(t *testing.T, args ...string) *served {
	t.Helper()
	s := &served{t: t, db: filepath.Join(t.TempDir(), "s.db"), ended: make(chan int, 1)}
	docs := t.TempDir()
	testdoc.Write(t, filepath.Join(docs, "a.txt"), "info:lccn/85000002 and <http://www.example.com/>\n")
	s.night = func() int {
		return run(t.Context(), nil, []string{"run", "--config", "/dev/null", "--quiet", "--store", s.db, docs}, strings.NewReader(""), io.Discard, io.Discard)
	}
	if code := s.night(); code != exit.OK {
		t.Fatalf("run: exit %d", code)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s.cancel = cancel
	said, stderr := io.Pipe()
	go func() {
		s.ended <- run(ctx, nil, append([]string{"serve", "--config", "/dev/null", "--store", s.db, "--listen", "127.0.0.1:0"}, args...), strings.NewReader(""), io.Discard, stderr)
		stderr.Close()
	}()
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if s.at = regexp.MustCompile(`http://[^ ]+`).FindString(line); s.at == "" {
		t.Fatalf("no address in %q", line)
	}
	return s
}

// has asks for an address and wants a word in the answer.
func (s *served) has(client *http.Client, at, want string) {
	s.t.Helper()
	res, err := client.Get(at)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
		s.t.Errorf("%s: %s without %q", at, res.Status, want)
	}
}

// end ends the server as Ctrl-C does.
func (s *served) end() {
	s.t.Helper()
	s.cancel()
	if code := <-s.ended; code != exit.OK {
		s.t.Errorf("serve: exit %d", code)
	}
}

// TestServe asks the server as a browser would, and holds that it keeps no lock
// on the store while it shows it.
func TestServe(t *testing.T) {
	s := serveReport(t)
	for path, want := range map[string]string{"": "2 links", "links": "info:lccn/<wbr>85000002", "metrics": "linkcheck_links"} {
		s.has(http.DefaultClient, s.at+path, want)
	}
	if code := s.night(); code != exit.OK {
		t.Errorf("run while the report is served: exit %d", code)
	}
	s.end()
}

// With --public the printed address has a token, which is asked for whoever reads.
func TestServePublic(t *testing.T) {
	for listen, code := range map[string]int{":0": exit.BadUsage, "0.0.0.0:0": exit.BadUsage, "[::]:0": exit.BadUsage, "192.0.2.1:80": exit.BadUsage} {
		got := call(t.Context(), "", "serve", "--store", "none.db", "--listen", listen)
		if got.code != code || !strings.Contains(got.err, "--public") {
			t.Errorf("%s: exit %d, %s", listen, got.code, got.err)
		}
	}
	short := filepath.Join(t.TempDir(), "token")
	testdoc.Write(t, short, "guess me\n")
	if got := call(t.Context(), "", "serve", "--public", "--token-file", short); got.code != exit.BadUsage || !strings.Contains(got.err, "easy to guess") {
		t.Errorf("a short token: exit %d, %s", got.code, got.err)
	}
	s := serveReport(t, "--public")
	bare, _, ok := strings.Cut(s.at, "?token=")
	if !ok {
		t.Fatalf("no token in %s", s.at)
	}
	res, err := http.Get(bare + "links")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %s", res.Status)
	}
	jar := &oneCookie{}
	s.has(&http.Client{Jar: jar}, s.at, "2 links")
	s.has(&http.Client{Jar: jar}, bare+"links", "info:lccn/")
	s.end()
}

// oneCookie keeps the last cookies that it was given.
type oneCookie struct{ held []*http.Cookie }

func (j *oneCookie) SetCookies(_ *url.URL, list []*http.Cookie) { j.held = list }
func (j *oneCookie) Cookies(*url.URL) []*http.Cookie            { return j.held }

// TestCrowd: connections that are kept for nothing, five ways, keep no reader away, and do
// not keep the server from ending.
func TestCrowd(t *testing.T) {
	s := serveReport(t)
	host := strings.Trim(strings.TrimPrefix(s.at, "http://"), "/")
	request := "GET /links HTTP/1.1\r\nHost: " + host + "\r\n"
	for i := range 200 {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		switch i % 5 {
		case 0: // silent
		case 1:
			io.WriteString(c, request[:20])
		case 2:
			go io.Copy(c, io.MultiReader(strings.NewReader(request+"X: "), bytes.NewReader(make([]byte, 1<<20))))
		case 3: // asks, and reads nothing
			go io.WriteString(c, strings.Repeat(request+"\r\n", 20))
		case 4:
			go func() {
				for b := range strings.SplitSeq(request, "") {
					if _, err := io.WriteString(c, b); err != nil {
						return
					}
				}
			}()
		}
		if i%20 == 0 {
			s.has(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, s.at+"links", "info:lccn/")
		}
	}
	s.has(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, s.at, "2 links")
	s.end()
}

// Who does not read keeps neither a page nor a run from others.
func TestSlow(t *testing.T) {
	s := serveReport(t)
	host := strings.Trim(strings.TrimPrefix(s.at, "http://"), "/")
	for range 10 {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		go fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: %s\r\n\r\n", host)
	}
	if code := s.night(); code != exit.OK {
		t.Errorf("run: exit %d", code)
	}
	s.has(http.DefaultClient, s.at, "2 links")
	http.DefaultClient.CloseIdleConnections()
	s.end()
}

// slowReader takes nothing until it is let go.
type slowReader struct {
	http.ResponseWriter
	asked, letGo chan struct{}
}

func (w *slowReader) Write(p []byte) (int, error) {
	close(w.asked)
	<-w.letGo
	return len(p), nil
}

// A copy of the store can be replaced while a page of it is on its way to a reader.
func TestSlowReaderHoldsNoLock(t *testing.T) {
	m := &mirror{}
	w := &slowReader{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	done := make(chan struct{})
	go func() {
		m.handler().ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		close(done)
	}()
	<-w.asked
	m.replace(nil, nil)
	close(w.letGo)
	<-done
}

// A page that a fault of the program ends is one that failed, and is told.
func TestFaultOfPage(t *testing.T) {
	var told strings.Builder
	m := &mirror{app: &app{log: logTo(&told)}, server: new(serve.Server)}
	for range 2 {
		w := httptest.NewRecorder()
		m.handler().ServeHTTP(w, nil) // as no caller does
		if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "a fault of linkcheck") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
	if strings.Count(told.String(), "a fault of linkcheck") != 2 {
		t.Errorf("told: %s", told.String())
	}
}
