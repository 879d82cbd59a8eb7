package resolver

import (
	"fmt"
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
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// world is sites on port 80, and a prober of them that remembers what they were asked.
type world struct {
	*Prober
	mu    sync.Mutex
	asked []string
}

func newWorld(t *testing.T, info bool, sites lab.Web) *world {
	w := &world{}
	at := labtest.Start(t, func(l net.Listener) error {
		return lab.HTTP(l, http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/robots.txt" {
				w.mu.Lock()
				w.asked = append(w.asked, r.Host+r.URL.EscapedPath())
				w.mu.Unlock()
			}
			sites.ServeHTTP(out, r)
		}))
	})
	rule, err := netguard.ParseConnectTo("::" + at)
	if err != nil {
		t.Fatal(err)
	}
	guard := &netguard.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, ConnectTo: []netguard.ConnectRule{rule}}
	o := check.Options{Dialer: guard, Timeout: 5 * time.Second}
	w.Prober = New(Options{Options: o, Web: web.New(web.Options{Options: o, NoSoft404: true}), Info: info})
	for i := range w.services { // without TLS
		s := &w.services[i]
		s.Address, s.API = strings.Replace(s.Address, "https:", "http:", 1), strings.Replace(s.API, "https:", "http:", 1)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func (w *world) ask(t *testing.T, s string) check.Result {
	t.Helper()
	u, err := uri.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return w.Probe(t.Context(), check.Target{URI: u})
}

var registered = lab.Handles(map[string]string{
	"10.1000/here": "http://publisher.org/here", "10.1000/away": "http://publisher.org/away", "10.1000/wall": "http://publisher.org/wall",
	"10.1000/busy": "http://publisher.org/busy", "10.1000/lost": "http://publisher.org/lost", "10.1000/login": "http://publisher.org/login",
	"10.1000/(SICI)1<1>": "http://publisher.org/here", "20.1000/5555": "http://publisher.org/here",
})

func sitesOf(resolver http.HandlerFunc) lab.Web {
	nbn := lab.Site{"/urn:nbn:de:101:1-1": lab.Redirect(302, "http://publisher.org/wall"), "/robots.txt": lab.NotFound}
	return lab.Web{"doi.org": {"*": resolver}, "hdl.handle.net": {"*": resolver}, "nbn-resolving.org": nbn,
		"n2t.net": {"/ark:/12148/x": lab.Redirect(302, "http://publisher.org/here")}, "lccn.loc.gov": {"/85000002": lab.Page("Record", "a record")},
		"publisher.org": {"/here": lab.Page("Here", "the paper"), "/away": lab.Redirect(301, "http://publisher.org/here"), "/wall": lab.Status(403),
			"/busy": lab.Status(429, "Retry-After", "7200"), "/login": lab.Status(401)}}
}

// What the resolver says, and what the publisher says, mean together (OUTCOMES 1.4, names).
func TestNames(t *testing.T) {
	w := newWorld(t, false, sitesOf(registered))
	for _, tt := range []struct {
		uri      string
		outcome  check.Outcome
		reason   check.Reason
		evidence check.Evidence
	}{
		{"doi:10.1000/here", check.OK, "http-200", check.Strong},
		{"doi:10.1000/HERE", check.OK, "http-200", check.Strong},
		{"http://doi.org/10.1000/here", check.OK, "http-200", check.Strong},
		{"http://dx.doi.org/10.1000/here", check.OK, "http-200", check.Strong},
		{"http://doi.org/10.1000/away", check.OK, "http-200", check.Strong}, // a redirect of the publisher is not one of the name
		{"http://doi.org/10.1000/wall", check.Reachable, "registered", check.Strong},
		{"doi:10.1000/busy", check.Reachable, "registered", check.Strong},
		{"http://doi.org/10.1000/login", check.Auth, "http-401", check.None},
		{"http://doi.org/10.1000/lost", check.Gone, "http-404", check.Strong},
		{"http://doi.org/10.1000/none", check.Gone, "not-registered", check.Strong},
		{"doi:10.1000/none", check.Gone, "not-registered", check.Strong},
		{"http://doi.org/10.1000/%28SICI%291%3C1%3E", check.OK, "http-200", check.Strong},
		{"hdl:20.1000/5555", check.OK, "http-200", check.Strong},
		{"http://hdl.handle.net/20.1000/6666", check.Gone, "not-registered", check.Strong},
		{"urn:nbn:de:101:1-1", check.Reachable, "registered", check.Strong},
		{"URN:NBN:de:101:1-1", check.Reachable, "registered", check.Strong},
		{"http://nbn-resolving.org/urn:nbn:de:101:1-2", check.Gone, "not-registered", check.Strong},
		{"http://n2t.net/ark:/12148/x", check.OK, "http-200", check.Strong},
		{"ark:/12148/x", check.OK, "http-200", check.Strong},
		{"ark:/99999/x", check.Gone, "not-registered", check.Strong},
		{"http://n2t.net/ark:/99999/x", check.Gone, "not-registered", check.Strong},
		{"urn:isbn:9780306406157", check.NotDereferenceable, "names-only", check.None},
		{"info:doi/10.1000/none", check.NotDereferenceable, "names-only", check.None},
		{"http://publisher.org/wall", check.Blocked, "http-403", check.None}, // no name: as any page
		{"http://doi.org/help", check.Gone, "http-404", check.Strong},
	} {
		r := w.ask(t, tt.uri)
		if r.Outcome != tt.outcome || r.Reason != tt.reason || r.Evidence != tt.evidence || r.SuggestedURL != "" {
			t.Errorf("%s: %s(%s) %s %q, suggested %q; want %s(%s) %s", tt.uri, r.Outcome, r.Reason, r.Evidence, r.Reply, r.SuggestedURL, tt.outcome, tt.reason, tt.evidence)
		}
		if name := tt.reason == "registered" || tt.reason == "not-registered"; name && !slices.Contains(r.Flags, "persistent-id") {
			t.Errorf("%s: flags %q", tt.uri, r.Flags)
		}
	}
	if r := w.ask(t, "doi:10.1000/busy"); r.RetryAfter != 2*time.Hour || r.FinalURL != "http://publisher.org/busy" {
		t.Errorf("a busy publisher: %s, ended at %q", r.RetryAfter, r.FinalURL)
	}
}

// The resolver is asked once for a name.
func TestOneQuestion(t *testing.T) {
	w := newWorld(t, false, sitesOf(registered))
	w.ask(t, "http://dx.doi.org/10.1000/here")
	if want := []string{"doi.org/api/handles/10.1000/here", "publisher.org/here"}; !slices.Equal(w.asked, want) {
		t.Errorf("asked %q, want %q", w.asked, want)
	}
	u, err := uri.Parse("http://doi.org/10.1000/here")
	if err != nil {
		t.Fatal(err)
	}
	// What was asked so far shows, so that the host's gap is kept.
	if r, next := w.Hooks().Start(t.Context(), check.Target{URI: u}); next == nil || len(r.Hops) == 0 || next.URI.String() != "http://publisher.org/here" {
		t.Errorf("after the resolver: %+v, %+v", r, next)
	}
	if gap := w.Hooks().Gap(u, 2*time.Second); gap != time.Second {
		t.Errorf("a resolver is asked every %s", gap)
	}
	// A name without a host waits at its resolver's too.
	if u, err = uri.Parse("doi:10.1000/here"); err != nil {
		t.Fatal(err)
	}
	if r, next := w.Hooks().Start(t.Context(), check.Target{URI: u}); next == nil || len(r.Hops) != 0 || next.URI.String() != "http://doi.org/10.1000/here" {
		t.Errorf("before the resolver: %+v, %+v", r, next)
	}
}

// What is not registered by the word of a server that cannot be verified is so by weak evidence.
func TestUnverified(t *testing.T) {
	s := httptest.NewTLSServer(registered)
	defer s.Close()
	rule, err := netguard.ParseConnectTo("doi.org:443:" + s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	guard := &netguard.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, ConnectTo: []netguard.ConnectRule{rule}}
	o := check.Options{Dialer: guard, Timeout: 5 * time.Second}
	p := New(Options{Options: o, Web: web.New(web.Options{Options: o})})
	defer p.Close()
	u, err := uri.Parse("doi:10.1000/none")
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Probe(t.Context(), check.Target{URI: u}); r.Reason != "not-registered" || r.Evidence != check.Weak {
		t.Errorf("%s(%s) %s %q", r.Outcome, r.Reason, r.Evidence, r.Reply)
	}
}

// With --resolve-info the resolver's word is additional: the URI stays a name.
func TestInfo(t *testing.T) {
	w := newWorld(t, true, sitesOf(registered))
	for _, tt := range []struct {
		uri     string
		outcome check.Outcome
		reason  check.Reason
		reply   string
	}{
		{"info:doi/10.1000/here", check.NotDereferenceable, "names-only", "the resolver knows it"},
		{"info:doi/10.1000/none", check.Suspect, "not-registered", "handle not found"},
		{"info:hdl/20.1000/5555", check.NotDereferenceable, "names-only", "the resolver knows it"},
		{"info:lccn/85000002", check.NotDereferenceable, "names-only", "the resolver knows it"},
		{"info:lccn/85000003", check.Suspect, "not-registered", "404"},
		{"info:pmid/1", check.NotDereferenceable, "names-only", ""},
	} {
		if r := w.ask(t, tt.uri); r.Outcome != tt.outcome || r.Reason != tt.reason || !strings.Contains(r.Reply, tt.reply) {
			t.Errorf("%s: %s(%s) %q", tt.uri, r.Outcome, r.Reason, r.Reply)
		}
	}
}

// A resolver that is down, busy, or says what nobody understands proves nothing about a name.
func TestNoWord(t *testing.T) {
	text := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/api/") {
				registered(w, r)
				return
			}
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	for name, tt := range map[string]struct {
		api                    http.HandlerFunc
		link, identifier, lost check.Reason // of the address, the name, and an address that is not registered
	}{
		"no interface":   {text(404, "not found"), "http-200", "http-200", "http-404"},
		"not JSON":       {text(200, "<html>"), "http-200", "http-200", "http-404"},
		"another handle": {text(404, `{"responseCode":100,"handle":"10.1/other"}`), "http-200", "http-200", "http-404"},
		"error":          {text(200, `{"responseCode":2}`), "http-200", "http-200", "http-404"},
		"no code":        {text(404, `{"handle":"10.1000/none"}`), "http-200", "http-200", "http-404"},
		"wrong status":   {text(400, `{"responseCode":100}`), "http-200", "http-200", "http-404"},
		"long":           {text(404, `{"responseCode":100,"x":"`+strings.Repeat("x", 1<<20)+`"}`), "http-200", "http-200", "http-404"},
		"bad day":        {text(503, `{"responseCode":100}`), "http-503", "no-resolver", "http-503"},
		"busy":           {text(429, ""), "http-429", "http-429", "http-429"},
		"leave me":       {lab.Status(503, "Retry-After", "3600"), "http-503", "http-503", "http-503"},
		"no values":      {text(200, `{"responseCode":200,"handle":"10.1000/here"}`), "http-200", "http-200", ""},
	} {
		w := newWorld(t, false, sitesOf(tt.api))
		if r := w.ask(t, "http://doi.org/10.1000/here"); r.Reason != tt.link || r.Outcome == check.Gone {
			t.Errorf("%s: the address: %s(%s) %q", name, r.Outcome, r.Reason, r.Reply)
		}
		if r := w.ask(t, "doi:10.1000/here"); r.Reason != tt.identifier || r.Outcome == check.Gone || r.Outcome == check.Temporary || r.Reason == "no-resolver" && r.Bytes == 0 {
			t.Errorf("%s: the name: %s(%s) %q", name, r.Outcome, r.Reason, r.Reply)
		}
		if r := w.ask(t, "http://doi.org/10.1000/none"); tt.lost != "" && r.Reason != tt.lost {
			t.Errorf("%s: an unknown address: %s(%s) %q", name, r.Outcome, r.Reason, r.Reply)
		}
	}
	o := check.Options{Dialer: &netguard.Guard{}, Timeout: 5 * time.Second} // which dials no private address
	p := New(Options{Options: o, Web: web.New(web.Options{Options: o})})
	for i := range p.services {
		p.services[i].Address, p.services[i].API = "http://127.0.0.1/{id}", "http://127.0.0.1/api/{id}"
	}
	u, err := uri.Parse("doi:10.1000/here")
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Probe(t.Context(), check.Target{URI: u}); r.Outcome != check.Skipped || r.Reason != "no-resolver" {
		t.Errorf("a resolver that cannot be asked: %s(%s) %q", r.Outcome, r.Reason, r.Reply)
	}
}

// TestServices: the table can be read, and every name of it finds its address.
func TestServices(t *testing.T) {
	list, err := known()
	if err != nil || len(list) < 8 {
		t.Fatalf("%d services, %v", len(list), err)
	}
	p := New(Options{Web: check.ProbeFunc(nil)})
	for _, tt := range []struct{ uri, address string }{
		{"doi:10.1/a?b", "https://doi.org/10.1/a%3Fb"}, {"hdl:1/2", "https://hdl.handle.net/1/2"}, {"info:lccn/85000002", "https://lccn.loc.gov/85000002"},
		{"urn:nbn:de:101:1-1", "https://nbn-resolving.org/urn:nbn:de:101:1-1"}, {"urn:nbn:fi-fe2010", "https://urn.fi/URN:NBN:fi-fe2010"},
		{"https://nbn-resolving.de/urn:nbn:at:at-ubi:1", "https://nbn-resolving.org/urn:nbn:at:at-ubi:1"},
		{"urn:nbn:se:kb:1", "https://urn.kb.se/resolve?urn=urn:nbn:se:kb:1"}, {"https://n2t.net/ark:/1/2", "https://n2t.net/ark:/1/2"},
		{"urn:nbn:xx:1", ""}, {"urn:isbn:1", ""}, {"doi:11.1/a", ""}, {"https://doi.org/", ""}, {"https://doi.org:8443/10.1/a", ""}, {"https://doi.org/10.1/a?b", ""}, {"mid:a", ""},
	} {
		u, err := uri.Parse(tt.uri)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if s, id := p.find(u); s != nil {
			got = strings.ReplaceAll(s.Address, "{id}", id)
		}
		if got != tt.address {
			t.Errorf("%s: %q, want %q", tt.uri, got, tt.address)
		}
	}
	for _, bad := range []string{"x", "[[resolver]]\nx = 1", "[[resolver]]\nhosts = [\"a\"]\npath = \"/\"\naddress = \"b\""} {
		if _, err := readServices(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// FuzzAnswer plays any answer: nothing panics, nothing goes on for ever, and a handle is
// only gone by the word of the interface about that handle, or as any page is.
func FuzzAnswer(f *testing.F) {
	const head = "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: "
	for _, body := range []string{`{"responseCode":100,"handle":"10.1000/x"}`, `{"responseCode":100}`, `{"responseCode":1,"values":[{"type":"URL","data":{"value":"http://doi.org/y"}}]}`,
		`{"responseCode":1,"values":[{"type":"URL","data":{"value":{}}}]}`, `{"responseCode":"100"}`, `[`, ``} {
		f.Add(fmt.Appendf(nil, "%s%d\r\n\r\n%s", head, len(body), body))
		f.Add(fmt.Appendf(nil, "HTTP/1.1 200 OK\r\n\r\n%s", body))
	}
	f.Add([]byte("HTTP/1.1 301 x\r\nLocation: https://doi.org/\r\n\r\n"))
	f.Fuzz(func(t *testing.T, said []byte) {
		o := check.Options{Dialer: labtest.NewReplay(said), Timeout: time.Second}
		p := New(Options{Options: o, Web: web.New(web.Options{Options: o, NoSoft404: true, IgnoreRobots: true})})
		defer p.Close()
		u, err := uri.Parse("http://doi.org/10.1000/x")
		if err != nil {
			t.Fatal(err)
		}
		r := p.Probe(t.Context(), check.Target{URI: u})
		if _, ok := r.Reason.Meaning(); !ok || r.Outcome == check.Unknown || r.SuggestedURL != "" {
			t.Errorf("%+v", r)
		}
		if r.Reason == check.ReasonNotRegistered && !strings.Contains(strings.ToLower(string(said)), "responsecode") {
			t.Errorf("not registered by %q", said)
		}
	})
}
