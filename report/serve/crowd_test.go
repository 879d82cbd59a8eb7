package serve

import (
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

// caller is a connection from an address.
type caller struct {
	net.Conn
	from  string
	ended bool
}

func (c *caller) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(c.from), Port: 1000} }
func (c *caller) Close() error         { c.ended = true; return nil }

// queue is a listener to which callers come.
type queue struct {
	net.Listener
	next chan *caller
}

func (q *queue) Accept() (net.Conn, error) { return <-q.next, nil }

// One connection too many ends the oldest of the address that holds most.
func TestLimit(t *testing.T) {
	q := &queue{next: make(chan *caller, 1)}
	l := Limit(q, 4)
	var came []*caller
	var open []net.Conn
	come := func(from string) {
		c := &caller{from: from}
		came = append(came, c)
		q.next <- c
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, conn)
	}
	ended := func() (list []int) {
		for i, c := range came {
			if c.ended {
				list = append(list, i)
			}
		}
		return list
	}
	for _, step := range []struct {
		from  string
		close int // -1: none
		ended []int
	}{{"1.1.1.1", -1, nil}, {"1.1.1.1", -1, nil}, {"1.1.1.1", -1, nil}, {"2.2.2.2", -1, nil}, {"3.3.3.3", -1, []int{0}}, {"1.1.1.1", -1, []int{0, 1}},
		{"4.4.4.4", -1, []int{0, 1, 2}}, {"5.5.5.5", 0, []int{0, 1, 2, 7}}, {"1.1.1.1", 3, []int{0, 1, 2, 3, 5, 7}}} {
		come(step.from)
		if step.close >= 0 { // closing twice, or after being ended, counts once
			open[step.close].Close()
			open[step.close].Close()
		}
		if got := ended(); !slices.Equal(got, step.ended) {
			t.Errorf("after %d: ended %v, want %v", len(came), got, step.ended)
		}
	}
}

// Without the token nothing is said; with it once, the cookie is enough.
func TestWithToken(t *testing.T) {
	h := WithToken(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("inside")) }), "a long secret word")
	ask := func(target string, head ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", target, nil)
		if len(head) > 0 {
			r.Header.Set(head[0], head[1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for _, refused := range [][]string{{"/"}, {"/?token="}, {"/?token=a+long"}, {"/", "Authorization", "Bearer x"}, {"/", "Authorization", "a"},
		{"/", "Cookie", "linkcheck=a long secret word"}, {"/", "Cookie", "linkcheck="}, {"/metrics"}, {"/", "Authorization", "Basic a long secret word"}} {
		if w := ask(refused[0], refused[1:]...); w.Code != http.StatusUnauthorized || w.Header().Get("Set-Cookie") != "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%q: %d %v", refused, w.Code, w.Header())
		}
	}
	if w := ask("/", "Authorization", "Bearer a long secret word"); w.Code != http.StatusOK {
		t.Errorf("bearer: %d", w.Code)
	}
	for target, to := range map[string]string{"/links?group=fix&token=a+long+secret+word": "/links?group=fix", "//evil.example/?token=a+long+secret+word": "/evil.example/", "/%5Cevil.example/?token=a+long+secret+word": "/evil.example/"} {
		w := ask(target)
		c := w.Result().Cookies()
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != to || len(c) != 1 || !c[0].HttpOnly || c[0].SameSite != http.SameSiteLaxMode || w.Header().Get("Referrer-Policy") != "no-referrer" {
			t.Fatalf("%s: %d %v", target, w.Code, w.Header())
		}
		if w := ask("/", "Cookie", "linkcheck="+c[0].Value); w.Code != http.StatusOK {
			t.Errorf("the cookie: %d", w.Code)
		}
	}
}
