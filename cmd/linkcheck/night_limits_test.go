package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// countingListener counts the connections that a server has open.
type countingListener struct {
	net.Listener
	open, most, all atomic.Int32
}

type countedConn struct {
	net.Conn
	once  sync.Once
	close func()
}

func (m *countingListener) Accept() (net.Conn, error) {
	c, err := m.Listener.Accept()
	if err != nil {
		return nil, err
	}
	m.all.Add(1)
	for n := m.open.Add(1); ; {
		if was := m.most.Load(); n <= was || m.most.CompareAndSwap(was, n) {
			break
		}
	}
	return &countedConn{Conn: c, close: func() { m.open.Add(-1) }}, nil
}

func (c *countedConn) Close() error {
	c.once.Do(c.close)
	return c.Conn.Close()
}

// OUTCOMES section 6, story 9: one connection to a host at a time, with a gap.
func TestOneConnectionWithGap(t *testing.T) {
	const gap, links = 20 * time.Millisecond, 100
	var text strings.Builder
	for i := range links {
		fmt.Fprintf(&text, "http://www.mill.test/%d\n", i)
	}
	l := newLibrary(t, map[string]string{"a.txt": text.String()})
	var mu sync.Mutex
	var at []time.Time
	m := &countingListener{}
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			lab.NotFound(w, r)
			return
		}
		mu.Lock()
		at = append(at, time.Now())
		mu.Unlock()
		lab.Text("text/plain", "here")(w, r)
	})
	l.serve(func(at net.Listener) error { m.Listener = at; return lab.HTTP(m, site) }, "www.mill.test:80")
	l.runQuietly(0, "--host-delay", gap.String())
	if len(at) != links || m.most.Load() != 1 {
		t.Errorf("%d requests over at most %d connections, want %d over 1", len(at), m.most.Load(), links)
	}
	for i := 1; i < len(at); i++ {
		if between := at[i].Sub(at[i-1]); between < gap {
			t.Errorf("request %d came %v after the one before, want %v at least", i, between, gap)
		}
	}
}

// Redirects of many sites to one come there one after another (DESIGN law 6).
func TestRedirectsToOneHostQueue(t *testing.T) {
	const sites = 10
	l := newLibrary(t, nil)
	from := lab.Web{}
	for i := range sites {
		name := fmt.Sprintf("h%d.test", i)
		from[name] = lab.Site{"/x": lab.Redirect(301, fmt.Sprintf("http://hub.test/%d/x", i))}
		l.write(name+".txt", "http://"+name+"/x")
	}
	m := &countingListener{}
	hub := lab.Web{"hub.test": {"*": lab.Slow(20*time.Millisecond, lab.Text("text/plain", "here")), "/robots.txt": lab.NotFound}}
	l.serveWeb(from)
	l.serve(func(at net.Listener) error { m.Listener = at; return lab.HTTP(m, hub) }, "hub.test:80")
	l.runWell(0)
	if n := m.most.Load(); n != 1 {
		t.Errorf("%d connections to the one host at a time", n)
	}
	for url, got := range l.links() {
		if got.State != "moved" {
			t.Errorf("%s: %+v", url, got)
		}
	}
}

// An address that is not public is never dialled, however it comes (story 9).
func TestPrivateAddressesAreNotDialled(t *testing.T) {
	l := newLibrary(t, nil)
	m := &countingListener{}
	inner := l.serve(func(at net.Listener) error { m.Listener = at; return lab.HTTP(m, http.HandlerFunc(lab.NotFound)) })
	_, port, _ := net.SplitHostPort(inner.String())
	site := lab.Site{}
	targets := []string{"http://127.0.0.1:" + port + "/", "http://localhost:" + port + "/", "http://[::1]:" + port + "/", "http://10.0.0.1/",
		"http://169.254.169.254/latest/meta-data/", "http://[::ffff:127.0.0.1]:" + port + "/",
		"http://0.0.0.0:" + port + "/", "http://[::]:" + port + "/", "http://192.168.1.1/"}
	for i, to := range targets {
		site[fmt.Sprintf("/%d", i)] = lab.Redirect(302, to)
	}
	l.serveWeb(lab.Web{"www.mill.test": site})
	l.rules = append(l.rules, "inner.mill.test:80:localhost:"+port) // as if its name server said 127.0.0.1
	ask := func(uri string) answerRow {
		args := l.netArgs(0)
		args = slices.Delete(args, slices.Index(args, "--allow-private"), slices.Index(args, "--allow-private")+2)
		s := call(t.Context(), "", slices.Concat([]string{"check", "--json", "--fail-on", "never"}, args, []string{uri})...)
		return decode[answerRow](t, s.out)
	}
	for i, to := range targets {
		got := ask(fmt.Sprintf("http://www.mill.test/%d", i))
		if got.Outcome != "skipped" && got.Reason != "redirect-invalid" {
			t.Errorf("redirect to %s: %+v", to, got)
		}
	}
	for _, uri := range append(slices.Clone(targets), "http://inner.mill.test/") {
		if got := ask(uri); got.Reason != "private-address" && got.Outcome != "invalid" {
			t.Errorf("%s: %+v", uri, got)
		}
	}
	for _, scheme := range []string{"ftp", "gopher", "nntp", "telnet", "finger", "wais", "z39.50r", "z39.50s", "prospero", "go"} {
		if got := ask(scheme + "://10.0.0.1:" + port + "/x"); got.Outcome != "skipped" && got.Outcome != "invalid" && got.Outcome != "not-dereferenceable" {
			t.Errorf("%s: %+v", scheme, got)
		}
	}
	if n := m.all.Load(); n != 0 {
		t.Errorf("%d connections to a private address", n)
	}
}

// Servers that never end are left in time, and little is read of them (story 9).
func TestEndlessAnswersAreCut(t *testing.T) {
	const patience = 500 * time.Millisecond
	var sent atomic.Int64
	pour := func(w io.Writer, block []byte) {
		for range 10 << 30 / len(block) {
			n, err := w.Write(block)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(make([]byte, 64<<20))
	z.Close()
	raw := func(head string, block []byte) func(net.Listener) error {
		return eachConn(func(c net.Conn) {
			io.WriteString(c, head)
			pour(c, block)
		})
	}
	drip := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for range 10_000 {
			select {
			case <-r.Context().Done():
				return
			case <-time.After(20 * time.Millisecond):
				fmt.Fprint(w, "<p>")
				w.(http.Flusher).Flush()
			}
		}
	}
	l := newLibrary(t, nil)
	l.serveWeb(lab.Web{"big.test": {"/x": func(w http.ResponseWriter, r *http.Request) { pour(w, make([]byte, 64<<10)) }},
		"bomb.test": {"/x": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			lab.Text("text/html", bomb.String())(w, r)
		}},
		"tar.test": {"/x": drip}})
	line := bytes.Repeat([]byte("X-Filler: and so on and on\r\n"), 1000)
	l.serve(raw("HTTP/1.1 200 OK\r\n", line), "headers.test:80")
	l.serve(raw("", bytes.Repeat([]byte("x"), 64<<10)), "gopher.test:70", "line.test:80", "ftp.test:21", "nntp.test:119")
	for _, row := range []struct{ uri, outcomes string }{
		{"http://big.test/x", "ok"}, {"http://bomb.test/x", "ok"}, {"http://tar.test/x", "temporary ok"},
		{"http://headers.test/x", "undetermined"}, {"http://line.test/x", "undetermined"},
		{"gopher://gopher.test/0x", "ok"}, {"gopher://gopher.test/1x", "undetermined"},
		{"ftp://ftp.test/x", "undetermined temporary"}, {"nntp://nntp.test/a.b/1", "undetermined temporary"},
	} {
		sent.Store(0)
		began := time.Now()
		got := l.check(row.uri, "--timeout", patience.String())
		if took := time.Since(began); took > 2*patience+5*time.Second { // a busy machine
			t.Errorf("%s: %v", row.uri, took)
		}
		if !slices.Contains(strings.Fields(row.outcomes), got.Outcome) {
			t.Errorf("%s: %+v, want %s", row.uri, got, row.outcomes)
		}
		if n := sent.Load(); n > 16<<20 { // what the buffers of two kernels hold, at most
			t.Errorf("%s: %d octets were taken", row.uri, n)
		}
	}
}

// The network is cut in the midst of a run: what was answered is kept, nothing
// else gets a strike (stories 2 and 9, section 5.1.6).
func TestNetworkLostDuringRun(t *testing.T) {
	const hosts = 30
	l := newLibrary(t, nil)
	sites := lab.Web{}
	var answers atomic.Int64
	for i := range hosts {
		name := fmt.Sprintf("h%02d.mill.test", i)
		sites[name] = lab.Site{"/robots.txt": lab.NotFound, "*": func(w http.ResponseWriter, r *http.Request) {
			if answers.Add(-1) < 0 {
				panic(http.ErrAbortHandler)
			}
			lab.Text("text/plain", "here")(w, r)
		}}
		l.write(name+".txt", "http://"+name+"/a")
	}
	l.serveWeb(sites)
	answers.Store(1000)
	l.runQuietly(0)
	answers.Store(4)
	if s := l.run(7, "--fail-on", "any"); s.code != exit.Distrusted || !strings.Contains(s.err, "no strikes were counted") {
		t.Errorf("network cut: %+v", s)
	}
	if s := call(t.Context(), "", "report", "--store", l.store(), "--summary"); !strings.Contains(s.out, "The last run ended early: the network of this machine looks down") {
		t.Errorf("the summary of that night: %+v", s)
	}
	fresh := 0
	for url, got := range l.links() {
		if got.FailStreak != 0 || got.State != "alive" {
			t.Errorf("%s has a strike: %+v", url, got)
		}
		if got.LastOK > day(6) {
			fresh++
		}
	}
	if fresh != 4 {
		t.Errorf("%d answers of the night kept, want 4", fresh)
	}
	answers.Store(1000)
	l.runQuietly(8)
}
