package main

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// truth is what a link of ours really is.
type truth string

// The truths. The path of each link begins with its own.
const (
	live     truth = "live"     // a page with a text of its own
	dead     truth = "dead"     // 404
	moved    truth = "moved"    // 301 to a live page
	walled   truth = "walled"   // 403 to programs
	soft     truth = "soft-404" // 200 with a page that says that there is none, for any name
	slow     truth = "slow"     // live, after two seconds
	flapping truth = "flapping" // 503 when it is asked first, then live
)

var truths = []truth{live, dead, moved, walled, soft, slow, flapping}

const slowness = 2 * time.Second

// server answers on many addresses of loopback. Softness belongs to a host: that of
// soft-404 knows its live pages, and has one page for all other names.
type server struct {
	port     int
	delay    atomic.Int64 // of each answer
	lateHost atomic.Value // string: the host that answers late
	late     time.Duration
	gap      bool         // programs are to keep their own
	page     atomic.Value // string: what /page is
	requests atomic.Int64
	conns    atomic.Int64

	mu    sync.Mutex
	asked map[string]bool
	first time.Time // request since reset
	quick time.Time // when the last answer was sent of a host that is not late

	listeners []net.Listener
	web       *http.Server
}

// serve begins to answer on addresses of loopback, all on one port.
func serve(addrs ...string) (*server, error) {
	s := &server{asked: map[string]bool{}}
	s.lateHost.Store("")
	s.page.Store("")
	s.web = &http.Server{Handler: s, ConnState: func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.conns.Add(1)
		}
	}}
	for _, addr := range addrs {
		l, err := net.Listen("tcp", fmt.Sprintf("%s:%d", addr, s.port))
		if err != nil {
			s.close()
			return nil, err
		}
		s.port = l.Addr().(*net.TCPAddr).Port
		s.listeners = append(s.listeners, l)
		go s.web.Serve(l)
	}
	return s, nil
}

func (s *server) close() { _ = s.web.Close() }

// reset forgets who asked, before a program begins.
func (s *server) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.asked)
	s.first, s.quick = time.Time{}, time.Time{}
	s.requests.Store(0)
	s.conns.Store(0)
}

// quickDone is how long the hosts that are not late took, from the first request of all.
func (s *server) quickDone() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.quick.Sub(s.first)
}

// note counts a request, and says whether its path was asked for before by GET or HEAD.
func (s *server) note(r *http.Request) (before bool) {
	s.requests.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first.IsZero() {
		s.first = time.Now()
	}
	before = s.asked[r.URL.Path]
	s.asked[r.URL.Path] = true
	return before
}

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	before := s.note(r)
	host, _, _ := strings.Cut(r.Host, ":")
	late := host == s.lateHost.Load().(string)
	time.Sleep(time.Duration(s.delay.Load()))
	if late {
		time.Sleep(s.late)
	}
	s.answer(w, r, before)
	if !late {
		s.mu.Lock()
		s.quick = time.Now()
		s.mu.Unlock()
	}
}

func (s *server) answer(w http.ResponseWriter, r *http.Request, before bool) {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	n, err := strconv.Atoi(rest)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if !s.gap {
		w.Header().Set("LinkChecker", "may ask as fast as it likes") // the one way to lift its limit
	}
	switch {
	case kind == "page":
		fmt.Fprint(w, s.page.Load())
	case r.URL.Path == "/robots.txt":
		http.NotFound(w, r)
	case err == nil && truth(kind) == live:
		fmt.Fprint(w, livePage(n))
	case err == nil && truth(kind) == slow:
		time.Sleep(slowness)
		fmt.Fprint(w, livePage(n))
	case err == nil && truth(kind) == moved:
		http.Redirect(w, r, fmt.Sprintf("/live/%d", n+1_000_000), http.StatusMovedPermanently)
	case err == nil && truth(kind) == walled:
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, "<html><head><title>Forbidden</title></head><body>Programs are not served.</body></html>")
	case err == nil && truth(kind) == flapping && before:
		fmt.Fprint(w, livePage(n))
	case err == nil && truth(kind) == flapping:
		http.Error(w, "busy", http.StatusServiceUnavailable)
	case strings.HasPrefix(r.Host, softHost+":"):
		fmt.Fprint(w, "<html><head><title>Our library</title></head><body><p>Sorry, what you look for could not be found here. Try the search above, or go back to the first page of our library.</p></body></html>")
	default:
		http.NotFound(w, r)
	}
}

var vocabulary = strings.Fields("river market stone letter garden bridge winter harvest music engine paper island copper village school forest carpet window silver record harbour candle mirror summer basket hammer pocket ribbon tunnel valley")

// livePage is a page with a title and a text of its own.
func livePage(n int) string {
	var b strings.Builder
	word := func(i int) string { return vocabulary[(n*7+i*(n%13+3)+i*i)%len(vocabulary)] }
	fmt.Fprintf(&b, "<html><head><title>The %s of the %s, volume %d</title></head><body><h1>Volume %d</h1><p>", word(1), word(2), n, n)
	for i := range 60 {
		b.WriteString(word(i+3) + " ")
	}
	b.WriteString("</p></body></html>")
	return b.String()
}

const (
	honestHost = "127.0.0.1"
	softHost   = "127.0.0.2"
)

// link is one of ours, with what it is.
type link struct {
	url string
	is  truth
}

// at gives the nth link that is so, on its host.
func (s *server) at(is truth, n int) link {
	host := honestHost
	if is == soft {
		host = softHost
	}
	return s.on(host, is, n)
}

func (s *server) on(host string, is truth, n int) link {
	return link{fmt.Sprintf("http://%s:%d/%s/%d", host, s.port, is, n), is}
}
