package web

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/internal/lab"
	"linkcheck/uri"
)

// world is a loopback web that all names lead to, and a prober for it.
type world struct {
	t       testing.TB
	p       *Prober
	mu      sync.Mutex
	lines   []string // method, host and path of every request
	headers []http.Header
}

func serve(t testing.TB, web lab.Web, o Options) *world {
	t.Helper()
	w := &world{t: t}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		lab.HTTP(l, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			w.mu.Lock()
			w.lines = append(w.lines, r.Method+" "+r.Host+r.RequestURI)
			w.headers = append(w.headers, r.Header)
			w.mu.Unlock()
			web.ServeHTTP(rw, r)
		}))
	}()
	rule, err := netguard.ParseConnectTo("::" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	o.Dialer = &netguard.Guard{ConnectTo: []netguard.ConnectRule{rule}}
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Second
	}
	w.p = New(o)
	t.Cleanup(func() { w.p.Close(); l.Close(); <-done })
	return w
}

func (w *world) probe(raw string) check.Result { return w.probeAfter(raw, nil) }

func (w *world) probeAfter(raw string, prior *check.Result) check.Result {
	w.t.Helper()
	u, err := uri.Parse(raw)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.p.Probe(w.t.Context(), check.Target{URI: u, Prior: prior})
}

// requests lists what was asked, robots.txt left out.
func (w *world) requests() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, s := range w.lines {
		if !strings.HasSuffix(s, "/robots.txt") {
			out = append(out, s)
		}
	}
	return out
}

var (
	fine  = lab.Page("Annals of the Observatory", "Volume seven holds the positions of two hundred comets, reduced to the equinox of 1900.")
	front = lab.Page("The Observatory", "Welcome. Here you find the annals, the library catalogue and the way to the hill.")
)

// row is one reply of OUTCOMES section 1.3 or 1.4, "http".
type row struct {
	name    string
	uri     string
	site    lab.Site
	outcome check.Outcome
	reason  check.Reason
	flags   string
}

const deepPage = "http://site.org/a/b"

// says answers with a status and a page.
func says(status int, page string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		fmt.Fprint(w, page)
	}
}

func at(h http.HandlerFunc) lab.Site { return lab.Site{"/a/b": h, "/": front} }

func statusRows() []row {
	var rows []row
	for code, outcome := range map[int]check.Outcome{
		200: check.OK, 201: check.OK, 202: check.OK, 203: check.OK, 206: check.OK, 207: check.OK, 226: check.OK,
		401: check.Auth, 402: check.Auth, 407: check.Auth,
		403: check.Blocked, 429: check.Blocked, 451: check.Blocked, 999: check.Blocked,
		404: check.Gone, 410: check.Gone,
		400: check.Undetermined, 405: check.Undetermined, 406: check.Undetermined, 409: check.Undetermined,
		412: check.Undetermined, 415: check.Undetermined, 417: check.Undetermined, 418: check.Undetermined,
		426: check.Undetermined, 428: check.Undetermined, 501: check.Undetermined, 505: check.Undetermined, 305: check.Undetermined,
		408: check.Temporary, 421: check.Temporary, 425: check.Temporary, 500: check.Temporary, 502: check.Temporary,
		503: check.Temporary, 504: check.Temporary, 507: check.Temporary, 508: check.Temporary,
		520: check.Temporary, 525: check.Temporary, 530: check.Temporary,
	} {
		rows = append(rows, row{fmt.Sprint(code), deepPage, at(lab.Status(code)), outcome, check.Reason(fmt.Sprintf("http-%d", code)), ""})
	}
	return rows
}

func redirectRows() []row {
	return []row{
		{"302 to a page", deepPage, lab.Site{"/a/b": lab.Redirect(302, "/c/d"), "/c/d": fine}, check.OK, "http-200", ""},
		{"303 to a page", deepPage, lab.Site{"/a/b": lab.Redirect(303, "/c/d"), "/c/d": fine}, check.OK, "http-200", ""},
		{"307 to a page", deepPage, lab.Site{"/a/b": lab.Redirect(307, "/c/d"), "/c/d": fine}, check.OK, "http-200", ""},
		{"301 to a page", deepPage, lab.Site{"/a/b": lab.Redirect(301, "/c/d"), "/c/d": fine}, check.Moved, "http-200", ""},
		{"308 to a page", deepPage, lab.Site{"/a/b": lab.Redirect(308, "c"), "/a/c": fine}, check.Moved, "http-200", ""},
		{"301 to nowhere", deepPage, lab.Site{"/a/b": lab.Redirect(301, "/c/d")}, check.Gone, "http-404", ""},
		{"301 to a locked page", deepPage, lab.Site{"/a/b": lab.Redirect(301, "/c/d"), "/c/d": lab.Status(401)}, check.Auth, "http-401", ""},
		{"slash only", "http://site.org/a", lab.Site{"/a": lab.Redirect(301, "/a/"), "/a/": fine}, check.OK, "http-200", "trailing-slash"},
		{"to the front page", deepPage, lab.Site{"/a/b": lab.Redirect(302, "/"), "/": front}, check.Suspect, "redirect-to-root", ""},
		{"to the front page for good", deepPage, lab.Site{"/a/b": lab.Redirect(301, "/"), "/": front}, check.Suspect, "redirect-to-root", ""},
		{"to another front page", deepPage, lab.Site{"/a/b": lab.Redirect(301, "http://other.org/")}, check.Suspect, "redirect-to-root", ""},
		{"front page to front page", "http://site.org/index.html", lab.Site{"/index.html": lab.Redirect(301, "/"), "/": front}, check.Moved, "http-200", ""},
		{"to an error page", deepPage, lab.Site{"/a/b": lab.Redirect(302, "/errors/404.html"), "/errors/404.html": lab.Page("Oh", "It is not here.")}, check.Suspect, "redirect-to-error", ""},
		{"to not found", deepPage, lab.Site{"/a/b": lab.Redirect(302, "/NotFound"), "/NotFound": lab.Page("Oh", "It is not here.")}, check.Suspect, "redirect-to-error", ""},
		{"to a parking host", deepPage, lab.Site{"/a/b": lab.Redirect(302, "http://www.sedo.com/buy?d=site.org")}, check.Suspect, "parked", ""},
		{"no Location", deepPage, at(lab.Status(302)), check.Undetermined, "redirect-no-location", ""},
		{"Location without host", deepPage, at(lab.Redirect(302, "http:///x")), check.Undetermined, "redirect-invalid", ""},
		{"to itself", deepPage, at(lab.Redirect(302, "/a/b")), check.Undetermined, "redirect-loop", ""},
		{"to mail", deepPage, at(lab.Redirect(302, "mailto:a@b.org")), check.Undetermined, "redirect-scheme", ""},
		{"to ftp", deepPage, at(lab.Redirect(302, "ftp://site.org/x")), check.Undetermined, "redirect-scheme", ""},
		{"to a private address", deepPage, at(lab.Redirect(302, "http://host.test/x")), check.Skipped, "reserved-name", ""},
		{"robots behind a redirect", deepPage, lab.Site{"/a/b": lab.Redirect(302, "/c"), "/c": fine, "/robots.txt": lab.Text("text/plain", "User-agent: *\nDisallow: /c\n")}, check.Blocked, "robots", ""},
		{"soft 404 by redirect", deepPage, lab.Site{"*": lab.Redirect(302, "/home/page"), "/home/page": front, "/robots.txt": lab.NotFound}, check.Suspect, "soft-404", ""},
		{"persistent", "http://doi.org/10.1000/1", lab.Site{"/10.1000/1": lab.Redirect(301, "http://site.org/x")}, check.OK, "http-200", "persistent-id"},
		{"the page to which unknown names are sent", "http://site.org/a/b", lab.Site{"/a/b": fine, "*": lab.Redirect(302, "/a/b"), "/robots.txt": lab.NotFound}, check.OK, "http-200", ""},
	}
}

func otherRows() []row {
	return []row{
		{"page", deepPage, at(fine), check.OK, "http-200", ""},
		{"300", deepPage, at(lab.Status(300)), check.OK, "http-300", "multiple-choices"},
		{"304 unasked", deepPage, at(lab.Status(304)), check.OK, "http-304", ""},
		{"204", deepPage, at(lab.Status(204)), check.Suspect, "empty", ""},
		{"205", deepPage, at(lab.Status(205)), check.Suspect, "empty", ""},
		{"203 with nothing", deepPage, at(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(203) }), check.Suspect, "empty", ""},
		{"200 with nothing", deepPage, at(lab.Text("text/plain", "")), check.Suspect, "empty", ""},
		{"503 from a wall", deepPage, at(lab.Status(503, "cf-mitigated", "challenge")), check.Blocked, "challenge", ""},
		{"200 from a wall", deepPage, at(lab.Text("text/html", "<title>Just a moment...</title>")), check.Blocked, "challenge", ""},
		{"parked page that hides", "http://site.org/", lab.Site{"/": lab.Text("text/html", `<script>window.onload=function(){window.location.href="/lander"}</script>`)}, check.Suspect, "parked", ""},
		{"parked page", deepPage, at(lab.ParkedPage), check.Suspect, "parked", ""},
		{"robots", deepPage, lab.Site{"/a/b": fine, "/robots.txt": lab.Text("text/plain", "User-agent: *\nDisallow: /a\n")}, check.Blocked, "robots", ""},
		{"robots for others", deepPage, lab.Site{"/a/b": fine, "/robots.txt": lab.Text("text/plain", "User-agent: evilbot\nDisallow: /\n")}, check.OK, "http-200", ""},
		{"robots 503 for a while", deepPage, lab.Site{"/a/b": fine, "/robots.txt": lab.Status(503, "Retry-After", "120")}, check.Blocked, "http-503", ""},
		{"robots 429 for a while", deepPage, lab.Site{"/a/b": fine, "/robots.txt": lab.Status(429, "Retry-After", "120")}, check.Blocked, "http-429", ""},
		{"robots 503", deepPage, lab.Site{"/a/b": fine, "/robots.txt": lab.Status(503)}, check.OK, "http-200", ""},
		{"robots 429", deepPage, lab.Site{"/a/b": fine, "/robots.txt": lab.Status(429)}, check.OK, "http-200", ""},
		{"client certificate, nginx", deepPage, at(says(400, "<html><head><title>400 No required SSL certificate was sent</title></head></html>")), check.Auth, "client-certificate", ""},
		{"client certificate, IIS 6", deepPage, at(says(403, "<h2>HTTP Error 403.7 - Forbidden: SSL client certificate is required.</h2>")), check.Auth, "client-certificate", ""},
		{"client certificate revoked, IIS", deepPage, at(says(403, "<h2>HTTP Error 403.13 - Forbidden</h2>The page requires a valid SSL client certificate.")), check.Auth, "client-certificate", ""},
		{"client certificate untrusted, IIS", deepPage, at(says(403, "<title>IIS 10.0 Detailed Error - 403.16 - Forbidden</title>")), check.Auth, "client-certificate", ""},
		{"IIS 403.14, no listing", deepPage, at(says(403, "<h2>HTTP Error 403.14 - Forbidden</h2>")), check.Blocked, "http-403", ""},
		{"plain HTTP to a port of TLS, nginx", deepPage, at(says(400, "<title>400 The plain HTTP request was sent to HTTPS port</title>")), check.Undetermined, "http-400", ""},
		{"robots 500", deepPage, lab.Site{"/a/b": fine, "/robots.txt": lab.Status(500)}, check.OK, "http-200", ""},
		{"robots 403", deepPage, lab.Site{"/a/b": fine, "/robots.txt": lab.Status(403)}, check.OK, "http-200", ""},
		{"robots behind a redirect to where we may not go, 5.1 (14)", deepPage, lab.Site{"/a/b": fine, "/robots.txt": lab.Redirect(301, "http://host.test/robots.txt")}, check.OK, "http-200", ""},
		{"soft 404", deepPage, lab.Site{"*": lab.Sorry, "/robots.txt": lab.NotFound}, check.Suspect, "soft-404", ""},
		{"dishonest, but a page of its own", deepPage, lab.Site{"/a/b": fine, "*": lab.Sorry, "/robots.txt": lab.NotFound}, check.OK, "http-200", ""},
		{"front page of a dishonest site", "http://site.org/", lab.Site{"*": lab.Sorry, "/robots.txt": lab.NotFound}, check.OK, "http-200", "error-title"},
		{"meta refresh", deepPage, at(lab.Text("text/html", `<meta http-equiv="Refresh" content="11; URL=/c"><p>We moved.`)), check.OK, "http-200", "meta-refresh"},
		{"credentials", "http://bob:sesame@site.org/a/b", at(fine), check.OK, "http-200", "credentials-in-url"},
		{"proxied", "http://site.org/login?url=http://x.org/", lab.Site{"/login": fine}, check.OK, "http-200", "proxied"},
		{"HEAD refused", "http://site.org/a.zip", lab.Site{"/a.zip": lab.HeadRefuser(404, lab.Text("application/zip", "PK"))}, check.OK, "http-200", ""},
		{"HEAD 405", "http://site.org/a.zip", lab.Site{"/a.zip": lab.HeadRefuser(405, lab.Text("application/zip", "PK"))}, check.OK, "http-200", ""},
		{"HEAD 403", "http://site.org/a.zip", lab.Site{"/a.zip": lab.HeadRefuser(403, lab.Text("application/zip", "PK"))}, check.OK, "http-200", ""},
		{"HEAD 500", "http://site.org/a.zip", lab.Site{"/a.zip": lab.HeadRefuser(500, lab.Text("application/zip", "PK"))}, check.OK, "http-200", ""},
		{"HEAD 200", "http://site.org/a.zip", lab.Site{"/a.zip": lab.Text("application/zip", "PK")}, check.OK, "http-200", ""},
		{"HEAD 200, gone", "http://site.org/a.zip", lab.Site{"/a.zip": lab.HeadRefuser(200, lab.Status(404))}, check.OK, "http-200", ""},
		{"broken escapes", "http://site.org/100%", lab.Site{"*": fine, "/robots.txt": lab.NotFound}, check.Undetermined, "http-400", ""},
	}
}

func TestTable(t *testing.T) {
	for _, r := range slices.Concat(statusRows(), redirectRows(), otherRows()) {
		t.Run(r.name, func(t *testing.T) {
			w := serve(t, lab.Web{"site.org": r.site, "other.org": {"/": front}, "www.sedo.com": {"/buy": front}, "doi.org": r.site}, Options{})
			if r.uri == "http://doi.org/10.1000/1" {
				w = serve(t, lab.Web{"doi.org": r.site, "site.org": {"/x": fine}}, Options{})
			}
			got := w.probe(r.uri)
			if got.Outcome != r.outcome || got.Reason != r.reason || strings.Join(got.Flags, " ") != r.flags {
				t.Errorf("got %s(%s) %q %v, want %s(%s) [%s]\n%v", got.Outcome, got.Reason, got.Reply, got.Flags, r.outcome, r.reason, r.flags, w.requests())
			}
			if want := check.New(got.Outcome, "", "").Evidence; got.Evidence != want {
				t.Errorf("evidence %s, want %s", got.Evidence, want)
			}
			if _, ok := got.Reason.Meaning(); !ok {
				t.Errorf("reason %q is not on the list", got.Reason)
			}
			for _, s := range w.requests() {
				if strings.Contains(s, "sesame") {
					t.Errorf("sent %q", s)
				}
			}
		})
	}
}

func TestRequestPlan(t *testing.T) {
	t.Run("robots.txt asks for a while: the page waits as well", func(t *testing.T) {
		for _, status := range []int{429, 503} {
			w := serve(t, lab.Web{"site.org": {"/robots.txt": lab.Status(status, "Retry-After", "120"), "*": fine}}, Options{})
			if r := w.probe("http://site.org/a"); r.RetryAfter != 2*time.Minute || r.Evidence != check.None {
				t.Errorf("%d: %v, %s", status, r.RetryAfter, r.Evidence)
			}
			if got := w.requests(); len(got) != 0 {
				t.Errorf("%d: asked %v", status, got)
			}
		}
	})
	t.Run("robots forbids: nothing else is asked", func(t *testing.T) {
		w := serve(t, lab.Web{"site.org": {"/robots.txt": lab.Text("text/plain", "User-agent: linkcheck\nDisallow: /\nCrawl-delay: 99")}}, Options{})
		w.probe("http://site.org/a")
		if got := w.requests(); len(got) != 0 {
			t.Errorf("asked %v", got)
		}
		u, _ := uri.Parse("http://site.org/b")
		if got := w.p.Gap(u, 0); got != maxCrawlDelay {
			t.Errorf("Pace is %v", got)
		}
	})
	t.Run("one sibling a directory", func(t *testing.T) {
		w := serve(t, lab.Web{"site.org": {"/robots.txt": lab.NotFound, "*": fine}}, Options{})
		for i := range 5 {
			w.probe(fmt.Sprintf("http://site.org/d/%d", i))
		}
		if got := w.requests(); len(got) != 6 {
			t.Errorf("asked %v", got)
		}
	})
	t.Run("no sibling when told so", func(t *testing.T) {
		w := serve(t, lab.Web{"site.org": {"*": fine}}, Options{NoSoft404: true, IgnoreRobots: true})
		w.probe("http://site.org/d/1")
		if got := w.requests(); !slices.Equal(got, []string{"GET site.org/d/1"}) {
			t.Errorf("asked %v", got)
		}
	})
	t.Run("HEAD for a large file", func(t *testing.T) {
		w := serve(t, lab.Web{"site.org": {"/a.tar.gz": lab.Text("application/gzip", "x")}}, Options{})
		w.probe("http://site.org/a.tar.gz")
		if got := w.requests(); !slices.Equal(got, []string{"HEAD site.org/a.tar.gz"}) {
			t.Errorf("asked %v", got)
		}
	})
	t.Run("GET where HEAD is not answered", func(t *testing.T) {
		zip := lab.Text("application/zip", "PK")
		w := serve(t, lab.Web{"site.org": {"/a.zip": func(rw http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodHead {
				<-r.Context().Done()
				return
			}
			zip(rw, r)
		}}}, Options{Options: check.Options{Timeout: 3 * time.Second}})
		if r := w.probe("http://site.org/a.zip"); r.Outcome != check.OK {
			t.Errorf("got %s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
	})
	for _, secure := range []bool{false, true} {
		t.Run(fmt.Sprintf("a redirect whose body never ends, TLS %v", secure), func(t *testing.T) {
			t.Parallel()
			site := lab.Site{"/robots.txt": lab.NotFound, "/b/c": fine, "/a/b": func(rw http.ResponseWriter, r *http.Request) {
				rw.Header().Set("Location", "/b/c")
				rw.Header().Set("Content-Length", "5000")
				rw.WriteHeader(301)
				rw.(http.Flusher).Flush()
				<-r.Context().Done()
			}}
			o := Options{NoSoft404: true, Options: check.Options{Timeout: 4 * time.Second}}
			w, uri := serve(t, lab.Web{"site.org": site}, o), "http://site.org/a/b"
			if secure {
				o.Dialer = &netguard.Guard{ConnectTo: rules4(t, serveTLS(t, &tls.Config{Certificates: []tls.Certificate{newIssuer(t).sign(t, "site.org", time.Now().Add(time.Hour))}}, site))}
				w, uri = &world{t: t, p: New(o)}, "https://site.org/a/b"
				t.Cleanup(func() { w.p.Close() })
			}
			if r := w.probe(uri); r.Outcome != check.Moved || r.Took > 3*time.Second {
				t.Errorf("got %s(%s) %q after %v", r.Outcome, r.Reason, r.Reply, r.Took)
			}
		})
	}
	t.Run("silence in the middle of a header", func(t *testing.T) {
		w := serve(t, lab.Web{"site.org": {"/a": func(rw http.ResponseWriter, r *http.Request) {
			c, _, err := rw.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			io.WriteString(c, "HTTP/1.1 404 Not Found\r\nContent-Le")
			io.Copy(io.Discard, c)
		}}}, Options{Options: check.Options{Timeout: time.Second}})
		if r := w.probe("http://site.org/a"); r.Outcome != check.Temporary || r.Reason != "timeout" {
			t.Errorf("got %s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
	})
	t.Run("names beyond ASCII", func(t *testing.T) {
		w := serve(t, lab.Web{"xn--mller-kva.de": {"/\u00fc": fine}}, Options{NoSoft404: true})
		if r := w.probe("http://M\u00fcller.de/\u00fc"); r.Outcome != check.OK {
			t.Errorf("got %s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
		if got := w.requests(); !slices.Equal(got, []string{"GET xn--mller-kva.de/%C3%BC"}) {
			t.Errorf("asked %v", got)
		}
	})
	t.Run("path and query as written", func(t *testing.T) {
		w := serve(t, lab.Web{"site.org": {"*": fine}}, Options{NoSoft404: true})
		w.probe("http://site.org/%7Efoo/a%2Fb;c=d?q=%zz&r=a|b")
		if got := w.requests(); !slices.Equal(got, []string{"GET site.org/%7Efoo/a%2Fb;c=d?q=%zz&r=a%7Cb"}) {
			t.Errorf("asked %v", got)
		}
	})
}

func TestMoved(t *testing.T) {
	web := lab.Web{"site.org": {
		"/1": lab.Redirect(301, "/2"), "/2": lab.Redirect(308, "/3"), "/3": lab.Redirect(302, "/4"), "/4": fine,
		"/t": lab.Redirect(302, "/2"),
	}}
	w := serve(t, web, Options{})
	r := w.probe("http://site.org/1#sec2")
	if r.Outcome != check.Moved || r.SuggestedURL != "http://site.org/3#sec2" || r.FinalURL != "http://site.org/4" || len(r.Hops) != 3 || r.Hops[0].Code != 301 {
		t.Errorf("got %+v", r)
	}
	r = w.probe("http://site.org/t")
	if r.Outcome != check.OK || r.SuggestedURL != "" || r.FinalURL != "http://site.org/4" {
		t.Errorf("got %+v", r)
	}
}

func TestTooManyRedirects(t *testing.T) {
	site := lab.Site{}
	for i := range 20 {
		site[fmt.Sprintf("/%d", i)] = lab.Redirect(302, fmt.Sprintf("/%d", i+1))
	}
	w := serve(t, lab.Web{"site.org": site}, Options{})
	if r := w.probe("http://site.org/0"); r.Reason != "redirect-too-many" || len(r.Hops) != maxHops {
		t.Errorf("got %s, %d hops", r.Reason, len(r.Hops))
	}
}

func TestCookieWall(t *testing.T) {
	w := serve(t, lab.Web{"site.org": {"/a": func(rw http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie("seen"); err == nil {
			fine(rw, r)
			return
		}
		http.SetCookie(rw, &http.Cookie{Name: "seen", Value: "1"})
		lab.Redirect(302, "/a")(rw, r)
	}}}, Options{})
	if r := w.probe("http://site.org/a"); r.Outcome != check.OK {
		t.Errorf("got %s(%s)", r.Outcome, r.Reason)
	}
}

func TestSink(t *testing.T) {
	w := serve(t, lab.Web{"site.org": {
		"/1": lab.Redirect(302, "/new/x"), "/2": lab.Redirect(301, "/new/x"), "/3": lab.Redirect(302, "/new/x"),
		"/4": lab.Redirect(302, "/new/y"), "/5": lab.Redirect(302, "/new/y"), "/new/x": fine, "/new/y": front,
		"/new/y/": lab.Redirect(301, "/new/y"),
	}}, Options{})
	if r := w.probe("http://site.org/new/y/"); r.Outcome != check.OK { // the same page: no third way into it
		t.Errorf("got %s(%s)", r.Outcome, r.Reason)
	}
	for i := range 5 {
		if r := w.probe(fmt.Sprintf("http://site.org/%d", i+1)); r.Outcome != check.OK && r.Outcome != check.Moved {
			t.Errorf("%d: got %s(%s)", i+1, r.Outcome, r.Reason)
		}
	}
	var got []string
	for _, a := range w.p.Amendments() {
		got = append(got, a.URI)
		if r := a.Apply(check.Result{Outcome: check.Moved, SuggestedURL: "x"}); r.Outcome != check.Suspect || r.Reason != "redirect-sink" || r.SuggestedURL != "" {
			t.Errorf("got %+v", r)
		}
	}
	if !slices.Equal(got, []string{"http://site.org/1", "http://site.org/2", "http://site.org/3"}) {
		t.Errorf("got %v", got)
	}
	if got := w.p.Amendments(); len(got) != 0 {
		t.Errorf("a second time: %v", got)
	}
}

func TestConditional(t *testing.T) {
	w := serve(t, lab.Web{"site.org": {"/a": func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"v1"` {
			rw.WriteHeader(304)
			return
		}
		rw.Header().Set("ETag", `"v1"`)
		fine(rw, r)
	}}}, Options{})
	one := w.probe("http://site.org/a")
	two := w.probeAfter("http://site.org/a", &one)
	if one.ETag != `"v1"` || one.Title != "Annals of the Observatory" || !strings.HasPrefix(one.Digest, "simhash:") {
		t.Errorf("first: %+v", one)
	}
	if two.Reason != "http-304" || two.Title != one.Title || two.Digest != one.Digest || two.ETag != one.ETag {
		t.Errorf("second: %+v", two)
	}
	suspect := one
	suspect.Outcome = check.Suspect
	if three := w.probeAfter("http://site.org/a", &suspect); three.Reason != "http-200" {
		t.Errorf("after a suspect answer: %+v", three)
	}
}

func TestContentTypeChanged(t *testing.T) {
	body := fine
	w := serve(t, lab.Web{"site.org": {"/a": func(rw http.ResponseWriter, r *http.Request) { body(rw, r) }}}, Options{})
	one := w.probe("http://site.org/a")
	if two := w.probeAfter("http://site.org/a", &one); len(two.Flags) != 0 {
		t.Errorf("the same page: %v", two.Flags)
	}
	body = lab.Text("application/pdf", "%PDF-1.4 ...")
	if two := w.probeAfter("http://site.org/a", &one); !slices.Equal(two.Flags, []string{"content-type-changed"}) {
		t.Errorf("another type: %v", two.Flags)
	}
}

func TestRetryAfter(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) }
	tests := map[string]time.Duration{
		"120": 2 * time.Minute, "": 0, "soon": 0, "-5": 0, "999999999999": 0, "99999999": maxRetryAfter,
		"Sat, 21 Nov 2026 01:00:00 GMT": time.Hour, "Sat, 21 Nov 2020 01:00:00 GMT": 0,
	}
	for value, want := range tests {
		if got := check.RetryAfter(http.Header{"Retry-After": {value}}, now, maxRetryAfter); got != want {
			t.Errorf("%q: got %v, want %v", value, got, want)
		}
	}
}

func TestFragments(t *testing.T) {
	body := `<h1 id="one">A</h1><a name="two">B</a><h2 id="d&uuml;nn">C</h2>`
	w := serve(t, lab.Web{"site.org": {"/a": lab.Text("text/html; charset=utf-8", body)}}, Options{Fragments: true})
	for fragment, flags := range map[string]string{"": "", "#one": "", "#two": "", "#d%C3%BCnn": "", "#top": "", "#:~:text=x": "", "#three": "fragment-missing"} {
		if r := w.probe("http://site.org/a" + fragment); strings.Join(r.Flags, " ") != flags {
			t.Errorf("%q: got %v", fragment, r.Flags)
		}
	}
}

// A PDF lacks the pages behind its last one (RFC 8118 section 3), where they could be counted.
func TestFragmentsOfPDF(t *testing.T) {
	paper := "%PDF-1.4\n" + strings.Repeat("x", 3000)
	w := serve(t, lab.Web{"site.org": {
		"/a": lab.Text("application/pdf", paper), "/odd": lab.Text("application/pdf", paper+"odd"), "/long": lab.Text("application/pdf", paper+strings.Repeat("y", 1<<17)), "/text": lab.Text("text/plain", "x"),
	}}, Options{Fragments: true, Pages: func(file []byte) (int, bool) {
		if strings.HasSuffix(string(file), "odd") {
			return 0, false
		}
		return 3, true
	}})
	for address, flags := range map[string]string{
		"a#page=3": "", "a#page=4": "fragment-missing", "a#zoom=9&page=4": "fragment-missing", "a#name": "",
		"odd#page=4": "", "long#page=4": "", "text#page=4": "",
	} {
		if r := w.probe("http://site.org/" + address); strings.Join(r.Flags, " ") != flags {
			t.Errorf("%s: got %v", address, r.Flags)
		}
	}
}

// raw serves the same octets to every connection, after its first request.
func raw(t testing.TB, reply string) string { return rawTLS(t, reply, nil) }

// rawTLS does so over TLS, unless config is nil.
func rawTLS(t testing.TB, reply string, config *tls.Config) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if config != nil {
		l = tls.NewListener(l, config)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				c.Read(make([]byte, 4096))
				c.Write([]byte(reply))
				c.(interface{ CloseWrite() error }).CloseWrite()
				io.Copy(io.Discard, c)
			})
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	return l.Addr().String()
}

func rules4(t testing.TB, addr string) []netguard.ConnectRule {
	t.Helper()
	r, err := netguard.ParseConnectTo("::" + addr)
	if err != nil {
		t.Fatal(err)
	}
	return []netguard.ConnectRule{r}
}
