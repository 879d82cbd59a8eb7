package crawl

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/check/web"
	"linkcheck/internal/lab"
)

// visitors is the log of a server.
type visitors struct {
	mu      sync.Mutex
	handler http.Handler
	asked   []string // host and path
	between []time.Duration
	last    time.Time // end of the answer before
	busy    int
	most    int // requests at a time
}

func (v *visitors) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begin := time.Now()
	v.mu.Lock()
	if v.busy++; !v.last.IsZero() {
		v.between = append(v.between, begin.Sub(v.last))
	}
	v.most = max(v.most, v.busy)
	v.asked = append(v.asked, r.Host+r.URL.Path)
	v.mu.Unlock()
	v.handler.ServeHTTP(w, r)
	v.mu.Lock()
	v.busy--
	v.last = time.Now()
	v.mu.Unlock()
}

// oneAtATime counts connections on our side.
type oneAtATime struct {
	netguard.Dialer
	mu         sync.Mutex
	open, most int
	all        int
}

type counted struct {
	net.Conn
	once sync.Once
	done func()
}

func (c *counted) Close() error {
	defer c.once.Do(c.done)
	return c.Conn.Close()
}

func (d *oneAtATime) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open, d.all = d.open+1, d.all+1
	d.most = max(d.most, d.open)
	return &counted{Conn: c, done: func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.open--
	}}, nil
}

// TestNightOfHarvestAndProbe reads two archives of one server at once and then probes the
// links to it. From the server's own log: never two requests at a time, never a gap too
// short, and no address asked twice.
func TestNightOfHarvestAndProbe(t *testing.T) {
	const gap = 40 * time.Millisecond
	log := &visitors{handler: lab.Web{"a.org": {"*": lab.Text("text/plain", "two hundred comets"), "/robots.txt": lab.Text("text/plain", "")},
		"b.org": {"*": lab.Text("text/plain", "the way to the hill"), "/robots.txt": lab.NotFound}}}
	server := httptest.NewServer(log)
	defer server.Close()
	rule, err := netguard.ParseConnectTo("::" + server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	dialer := &oneAtATime{Dialer: &netguard.Guard{ConnectTo: []netguard.ConnectRule{rule}}}
	p := web.New(web.Options{Options: check.Options{Dialer: dialer, Timeout: 5 * time.Second}, NoSoft404: true})
	defer p.Close()
	o := options(p, func(o *Options) {
		o.HostDelay = gap
		o.Route = func(context.Context, string) (netguard.Route, error) {
			return netguard.Route{Addrs: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:80")}}, nil
		}
	})
	turns := NewTurns(o)
	var urls []string
	var wg sync.WaitGroup
	for _, host := range []string{"a.org", "b.org"} {
		for i := range 6 {
			urls = append(urls, fmt.Sprintf("http://%s/%d", host, i))
		}
		wg.Go(func() {
			for _, path := range []string{"robots.txt", "0", "1", "2"} { // the others are found by links alone
				u := mustParse(t, "http://"+host+"/"+path)
				_, err := turns.Reader(p).Read(t.Context(), check.Target{URI: u}, check.Wanted{Strict: true}, func(a *check.Answer) error {
					_, err := io.Copy(io.Discard, a.Body)
					return err
				})
				if err != nil {
					t.Errorf("%s: %v", u, err)
				}
			}
		})
	}
	wg.Wait()
	o.Turns = turns
	st := newStore(t, urls...)
	if sum, err := Check(t.Context(), st, o); err != nil || sum.Checked != len(urls) || sum.Last[check.OK] != len(urls) {
		t.Fatalf("%+v, %v", sum, err)
	}
	if log.most != 1 || dialer.most != 1 {
		t.Errorf("%d requests and %d connections at a time", log.most, dialer.most)
	}
	for i, d := range log.between {
		if robots := strings.HasSuffix(log.asked[i], "/robots.txt"); d < gap && !robots { // which begins a visit
			t.Errorf("%s %v after %s", log.asked[i+1], d, log.asked[i])
		}
	}
	slices.Sort(log.asked)
	if once := slices.Compact(slices.Clone(log.asked)); len(once) != len(log.asked) || len(once) != len(urls)+2 {
		t.Errorf("asked %q", log.asked)
	}
	t.Logf("%d requests over %d connections", len(log.asked), dialer.all)
}

// TestRedirectToMoved: a redirect to an address that was heard tonight as a redirect goes on from
// where that led, if the reader has it: it is not asked for again.
func TestRedirectToMoved(t *testing.T) {
	log := &visitors{handler: lab.Web{"a.org": {"/robots.txt": lab.Text("text/plain", ""), "/new": lab.Text("text/plain", "two hundred comets"), "/moved": lab.Redirect(301, "/new"),
		"/go": lab.Redirect(302, "/moved"), "/go.html": lab.Redirect(301, "/moved"), "/other": lab.Redirect(302, "/moved")}}}
	server := httptest.NewServer(log)
	defer server.Close()
	rule, err := netguard.ParseConnectTo("::" + server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	p := web.New(web.Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: []netguard.ConnectRule{rule}}, Timeout: 5 * time.Second}, NoSoft404: true})
	defer p.Close()
	turns := NewTurns(options(p, func(o *Options) {
		o.HostDelay = time.Millisecond
		o.Route = func(context.Context, string) (netguard.Route, error) {
			return netguard.Route{Addrs: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:80")}}, nil
		}
	}))
	for _, c := range []struct {
		path, end, suggested string
		had                  bool
	}{
		{"/new", "", "", false},
		{"/moved", "/new", "/new", true},
		{"/go", "/new", "", true},
		{"/go.html", "/new", "/new", true},
		{"/other", "/new", "", false}, // who does not have it is handed it
	} {
		taken := 0
		had := func(to string) bool { return c.had && to == "http://a.org/new" }
		r, err := turns.Reader(p).Read(t.Context(), check.Target{URI: mustParse(t, "http://a.org"+c.path)}, check.Wanted{Strict: true, Had: had}, func(a *check.Answer) error {
			taken++
			_, err := io.Copy(io.Discard, a.Body)
			return err
		})
		if err != nil || (taken == 0) != c.had || strings.TrimPrefix(r.FinalURL, "http://a.org") != c.end || strings.TrimPrefix(r.SuggestedURL, "http://a.org") != c.suggested {
			t.Errorf("%s: %+v, %v, taken %d times", c.path, r, err, taken)
		}
	}
	want := []string{"a.org/robots.txt", "a.org/new", "a.org/moved", "a.org/go", "a.org/go.html", "a.org/other", "a.org/moved", "a.org/new"}
	if got := fmt.Sprint(log.asked); got != fmt.Sprint(want) {
		t.Errorf("asked %s, want %s", got, want)
	}
}
