package web

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/check/netguard"
	"linkcheck/check/wire"
	"linkcheck/internal/lab"
)

// brought is what a reader was handed.
type brought struct {
	check.Answer
	text  string
	err   error // at the end of the body
	times int
}

func bring(t testing.TB, p *Prober, address string, w check.Wanted) (check.Result, brought, error) {
	t.Helper()
	var b brought
	r, err := p.Read(t.Context(), check.Target{URI: parse(t, address)}, w, func(a *check.Answer) error {
		text, err := io.ReadAll(a.Body)
		b = brought{*a, string(text), err, b.times + 1}
		return nil
	})
	return r, b, err
}

var (
	login = lab.Page("Sign in", `<form action="/login" method="post"><input name="user"><input type="password" name="pw"><input type="submit" value="Log in"></form>`)
	long  = strings.Repeat("two hundred comets, reduced to the equinox of 1900\n", 60_000) // 3 MB
)

func versioned(field, version string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(field, version)
		if r.Header.Get("If-None-Match") == version || r.Header.Get("If-Modified-Since") == version {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fine(w, r)
	}
}

func packed(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.WriteString(z, text)
		z.Close()
	}
}

// library is a site with one of each kind of page.
var library = lab.Site{
	"/a": fine, "/": front, "/b": lab.Redirect(301, "/a"), "/port": lab.Redirect(302, "http://site.org:8080/a"), "/away": lab.Redirect(302, "http://other.org/x"),
	"/gopher": lab.Redirect(302, "gopher://site.org/"), "/loop": lab.Redirect(302, "/loop"),
	"/none": lab.NotFound, "/error": says(500, "<p>an error</p>"), "/no": says(403, "no"), "/busy": lab.Status(503, "Retry-After", "100"),
	"/empty": says(200, ""), "/login": login, "/private": lab.Redirect(302, "/login?next=/private"), "/sorry/x": lab.Sorry,
	"/long": lab.Text("text/plain", long), "/packed": packed(long), "/falsely": falsely, "/half": half, "/halfpacked": halfPacked,
	"/list.zip": lab.Text("application/zip", "PK"), "/forbidden/x": fine, "/robots.txt": lab.Text("text/plain", "User-agent: *\nDisallow: /forbidden/\nSitemap: http://site.org/s.xml\n"),
	"/etag": versioned("ETag", `"v1"`), "/date": versioned("Last-Modified", "Mon, 04 Nov 1996 08:49:37 GMT"),
	"/tagged": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("X-Robots-Tag", "noindex")
		w.Header().Add("X-Robots-Tag", "otherbot: nofollow")
		w.Header().Set("Date", "Mon, 04 Nov 1996 08:49:37 GMT")
		fine(w, r)
	},
}

// falsely is sent under the name of a coding that it is not in.
func falsely(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	io.WriteString(w, "plain words")
}

// half of a page comes.
func half(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Length", "100")
	io.WriteString(w, "fifty")
}

// halfPacked is a page whose coding ends early.
func halfPacked(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Encoding", "gzip")
	text := zipped("the words of a page that was packed")
	io.WriteString(w, text[:len(text)-9])
}

var siteWeb = lab.Web{"site.org": library, "other.org": {"*": fine}}

// TestRead: what is handed on, and what the Result says.
func TestRead(t *testing.T) {
	none := check.Wanted{}
	for _, tt := range []struct {
		path   string
		wanted check.Wanted
		result string // outcome and reason
		text   string // part of what was handed on; "": nothing was
		more   func(b brought) bool
	}{
		{"/a", none, "ok(http-200)", "two hundred comets", func(b brought) bool { return b.err == nil && !b.Cut && b.URI.String() == "http://site.org/a" }},
		{"/b", none, "moved(http-200)", "two hundred comets", func(b brought) bool { return b.URI.String() == "http://site.org/a" }},
		{"/port", none, "ok(http-200)", "two hundred comets", func(b brought) bool { return b.URI.String() == "http://site.org:8080/a" }},
		{"/loop", none, "undetermined(redirect-loop)", "", nil},
		{"/none", none, "gone(http-404)", "", nil},
		{"/error", none, "temporary(http-500)", "", nil},
		{"/no", none, "blocked(http-403)", "", nil},
		{"/busy", none, "temporary(http-503)", "", nil},
		{"/empty", none, "suspect(empty)", "", nil},
		{"/private", none, "auth(login-page)", "", nil},
		{"/sorry/x", none, "suspect(error-text)", "", nil},
		{"http://other.org/x/y", none, "suspect(soft-404)", "", nil},
		{"http://other.org/x/y", check.Wanted{AnyStatus: true}, "ok(http-200)", "two hundred comets", nil},
		{"/long", none, "ok(http-200)", "comets", func(b brought) bool { return b.text == long && !b.Cut && b.Media == "text/plain" }},
		{"/long", check.Wanted{MaxBytes: 1000}, "ok(http-200)", "comets", func(b brought) bool { return b.text == long[:1000] && b.Cut }},
		{"/long", check.Wanted{MaxBytes: int64(len(long))}, "ok(http-200)", "comets", func(b brought) bool { return b.text == long && !b.Cut }},
		{"/packed", none, "ok(http-200)", "comets", func(b brought) bool { return b.text == long && !b.Cut }},
		{"/packed", check.Wanted{MaxBytes: 2_000_000}, "ok(http-200)", "comets", func(b brought) bool { return b.text == long[:2_000_000] && b.Cut }},
		{"/falsely", none, "ok(http-200)", "plain words", func(b brought) bool { return b.text == "plain words" && b.err == nil }},
		{"/half", none, "ok(http-200)", "fifty", func(b brought) bool { return b.text == "fifty" && b.err != nil }},
		{"/halfpacked", none, "ok(http-200)", "the words", func(b brought) bool { return b.err != nil }},
		{"/list.zip", none, "ok(http-200)", "PK", nil},
		{"/forbidden/x", none, "blocked(robots)", "", nil},
		{"/forbidden/x", check.Wanted{NoRobots: true}, "ok(http-200)", "two hundred comets", nil},
		{"/etag", none, "ok(http-200)", "two hundred comets", func(b brought) bool { return b.Version == `"v1"` }},
		{"/etag", check.Wanted{Version: `"v1"`}, "ok(http-304)", "", nil},
		{"/etag", check.Wanted{Version: `"v0"`}, "ok(http-200)", "two hundred comets", nil},
		{"/date", none, "ok(http-200)", "two hundred comets", func(b brought) bool { return b.Version == "Mon, 04 Nov 1996 08:49:37 GMT" }},
		{"/date", check.Wanted{Version: "Mon, 04 Nov 1996 08:49:37 GMT"}, "ok(http-304)", "", nil},
		{"/tagged", none, "ok(http-200)", "two hundred comets", func(b brought) bool {
			return b.Robots == "noindex, otherbot: nofollow" && b.Date.Equal(time.Date(1996, 11, 4, 8, 49, 37, 0, time.UTC))
		}},
		{"/error", check.Wanted{AnyStatus: true}, "temporary(http-500)", "an error", nil},
		{"/no", check.Wanted{AnyStatus: true}, "blocked(http-403)", "no", nil},
		{"/robots.txt", none, "ok(http-200)", "Sitemap: http://site.org/s.xml", nil},
	} {
		w := serve(t, siteWeb, Options{})
		address := tt.path
		if strings.HasPrefix(address, "/") {
			address = "http://site.org" + address
		}
		r, b, err := bring(t, w.p, address, tt.wanted)
		if got := fmt.Sprintf("%s(%s)", r.Outcome, r.Reason); got != tt.result || err != nil {
			t.Errorf("%s %+v: %s %q %v, want %s", tt.path, tt.wanted, got, r.Reply, err, tt.result)
		}
		if (b.times == 1) != (tt.text != "") || b.times > 1 || !strings.Contains(b.text, tt.text) || tt.more != nil && !tt.more(b) {
			t.Errorf("%s %+v: handed on %d times: %+.300q, %v", tt.path, tt.wanted, b.times, b.text, b.err)
		}
		if r.At.IsZero() || r.Took <= 0 || (r.Reason == "http-200" && r.Bytes == 0) {
			t.Errorf("%s: at %v, took %v, %d octets", tt.path, r.At, r.Took, r.Bytes)
		}
		if slices.ContainsFunc(w.lines, func(s string) bool { return strings.HasPrefix(s, "HEAD") }) {
			t.Errorf("%s: asked %q", tt.path, w.lines)
		}
	}
}

// TestReadElsewhere: a redirect to another host is not followed.
func TestReadElsewhere(t *testing.T) {
	for path, to := range map[string]string{"/away": "http://other.org/x", "/gopher": "gopher://site.org/"} {
		w := serve(t, siteWeb, Options{Elsewhere: check.ProbeFunc(nil), Follows: func(scheme string) bool { return scheme == "gopher" }})
		r, b, err := bring(t, w.p, "http://site.org"+path, check.Wanted{})
		if it, ok := errors.AsType[*check.Elsewhere](err); !ok || it.To.String() != to || b.times != 0 || r.Outcome != check.Unknown || len(r.Hops) != 1 {
			t.Errorf("%s: %v, %+v, handed on %d times", path, err, r, b.times)
		}
		if got := w.requests(); len(got) != 1 {
			t.Errorf("%s: asked %q", path, got)
		}
	}
}

// TestReadHad: a redirect to what the reader has is the end, and is judged by itself.
func TestReadHad(t *testing.T) {
	for path, want := range map[string]string{"/b": "moved(http-304)", "/a": "ok(http-200)"} {
		w := serve(t, siteWeb, Options{})
		r, b, err := bring(t, w.p, "http://site.org"+path, check.Wanted{Had: func(to string) bool { return to == "http://site.org/a" }})
		if got := fmt.Sprintf("%s(%s)", r.Outcome, r.Reason); got != want || err != nil || (b.times == 0) != (path == "/b") {
			t.Errorf("%s: %s, %v, handed on %d times", path, got, err, b.times)
		}
		if path == "/b" && (r.FinalURL != "http://site.org/a" || len(r.Hops) != 1 || slices.Contains(w.requests(), "GET site.org/a")) {
			t.Errorf("%+v, asked %q", r, w.requests())
		}
	}
}

// TestReadAsProbe: the Result is that of a probe.
func TestReadAsProbe(t *testing.T) {
	n := 0
	for path := range library {
		if strings.HasSuffix(path, "*") || path == "/away" || path == "/gopher" || largeFile(path) { // of large files a probe asks for the header
			continue
		}
		n++
		w, v := serve(t, siteWeb, Options{}), serve(t, siteWeb, Options{})
		r, _, err := bring(t, w.p, "http://site.org"+path, check.Wanted{})
		want := v.probe("http://site.org" + path)
		r.At, r.Took, r.Bytes, want.At, want.Took, want.Bytes = time.Time{}, 0, 0, time.Time{}, 0, 0
		if got, want := fmt.Sprintf("%+v", r), fmt.Sprintf("%+v", want); got != want || err != nil {
			t.Errorf("%s: %v\nread:  %s\nprobe: %s", path, err, got, want)
		}
	}
	if n < 20 {
		t.Errorf("only %d pages", n)
	}
}

// TestReadTakeFails: the error of the caller comes back.
func TestReadTakeFails(t *testing.T) {
	w := serve(t, siteWeb, Options{})
	enough := errors.New("enough")
	r, err := w.p.Read(t.Context(), check.Target{URI: parse(t, "http://site.org/a")}, check.Wanted{}, func(*check.Answer) error { return enough })
	if err != enough || r.Outcome != check.OK {
		t.Errorf("%v, %s", err, r.Outcome)
	}
}

// TestReadFiles: a long document waits in a file, which is gone afterwards.
func TestReadFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	w := serve(t, siteWeb, Options{})
	if _, b, err := bring(t, w.p, "http://site.org/long", check.Wanted{}); b.text != long || err != nil {
		t.Errorf("%d octets, %v", len(b.text), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	os.Remove(dir)
	if r, b, err := bring(t, w.p, "http://site.org/long", check.Wanted{}); r.Reason != check.ReasonLocalResources || b.times > 0 || err != nil {
		t.Errorf("without a disk: %s(%s), %v", r.Outcome, r.Reason, err)
	}
}

// TestReadRobots: robots.txt is asked once in a run, for walk and probe together.
func TestReadRobots(t *testing.T) {
	asked := func(w *world) (n int) {
		for _, line := range w.lines {
			if strings.HasSuffix(line, "/robots.txt") {
				n++
			}
		}
		return n
	}
	w := serve(t, siteWeb, Options{NoSoft404: true})
	for range 2 {
		if r, b, err := bring(t, w.p, "http://site.org/robots.txt", check.Wanted{Strict: true}); !strings.Contains(b.text, "Sitemap") || r.Outcome != check.OK || err != nil {
			t.Errorf("%s(%s) %q %v", r.Outcome, r.Reason, b.text, err)
		}
	}
	bring(t, w.p, "http://site.org/a", check.Wanted{Strict: true})
	w.probe("http://site.org/etag")
	if n := asked(w); n != 1 {
		t.Errorf("asked %d times: %q", n, w.lines)
	}
	w = serve(t, siteWeb, Options{NoSoft404: true})
	w.probe("http://site.org/etag")
	if _, b, _ := bring(t, w.p, "http://site.org/robots.txt", check.Wanted{}); !strings.Contains(b.text, "Sitemap") || asked(w) != 2 {
		t.Errorf("behind a probe: %q, asked %d times", b.text, asked(w))
	}
	for _, tt := range []struct {
		name   string
		robots http.HandlerFunc
		strict string // of a page
		file   string // of robots.txt itself
		usual  string // of a page for those who are not strict
	}{
		{"503", says(503, "down"), "temporary(http-503)", "temporary(http-503)", "ok(http-200)"},
		{"503 for a while", lab.Status(503, "Retry-After", "60"), "blocked(http-503)", "blocked(http-503)", "blocked(http-503)"},
		{"403", says(403, "no"), "ok(http-200)", "blocked(http-403)", "ok(http-200)"},
		{"404", says(404, "no"), "ok(http-200)", "gone(http-404)", "ok(http-200)"},
		{"cut", half, "temporary(eof)", "temporary(eof)", "ok(http-200)"},
		{"no answer", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "temporary(eof)", "temporary(eof)", "ok(http-200)"},
		{"redirect", lab.Redirect(302, "/rules"), "blocked(robots)", "ok(http-200)", "blocked(robots)"},
		{"redirect to another host", lab.Redirect(302, "http://other.org/rules"), "blocked(robots)", "ok(http-200)", "blocked(robots)"},
	} {
		rules := lab.Text("text/plain", "User-agent: *\nDisallow: /a\n")
		w := serve(t, lab.Web{"site.org": {"/robots.txt": tt.robots, "/a": fine, "/rules": rules}, "other.org": {"*": rules}}, Options{NoSoft404: true})
		strict, b, _ := bring(t, w.p, "http://site.org/a", check.Wanted{Strict: true})
		if handed := strings.HasPrefix(tt.strict, "ok"); handed != (b.times == 1) {
			t.Errorf("%s: handed on %d times", tt.name, b.times)
		}
		file, _, _ := bring(t, w.p, "http://site.org/robots.txt", check.Wanted{Strict: true})
		usual, _, _ := bring(t, w.p, "http://site.org/a", check.Wanted{})
		if got := fmt.Sprintf("%s(%s) %s(%s) %s(%s)", strict.Outcome, strict.Reason, file.Outcome, file.Reason, usual.Outcome, usual.Reason); got != tt.strict+" "+tt.file+" "+tt.usual {
			t.Errorf("%s: %s, want %s %s %s", tt.name, got, tt.strict, tt.file, tt.usual)
		}
		if strings.HasPrefix(tt.strict, "temporary") && !strings.HasPrefix(strict.Reply, "robots.txt: ") {
			t.Errorf("%s: %q", tt.name, strict.Reply)
		}
	}
}

// TestReadSecret: the secret of a root goes to the server that was asked, and nowhere else.
func TestReadSecret(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"`+r.Header.Get("Authorization")+`"`)
		lab.Page("Annals "+r.Header.Get("Authorization"), "Volume seven holds the positions of two hundred comets.")(w, r)
	}
	redirect := func(to string) http.HandlerFunc { return lab.Redirect(http.StatusFound, to) }
	site := lab.Site{"/a": echo, "/b": redirect("/a"), "/port": redirect("http://127.0.0.1:8080/back"), "/back": redirect("http://127.0.0.1/a"), "/": front}
	web := lab.Web{"127.0.0.1": site, "site.org": site}
	basic, bearer := check.Secret{User: "ann", Password: "hiddenword"}, check.Secret{Token: "hiddentoken"}
	for _, tt := range []struct {
		uri    string
		secret check.Secret
		told   string
	}{
		{"http://127.0.0.1/a", basic, "127.0.0.1/a"},
		{"http://127.0.0.1/a", bearer, "127.0.0.1/a"},
		{"http://127.0.0.1/b", basic, "127.0.0.1/b 127.0.0.1/a"},
		{"http://127.0.0.1/port", basic, "127.0.0.1/port"},
		{"http://site.org/a", basic, ""}, // without TLS
		{"http://127.0.0.1/a", check.Secret{}, ""},
	} {
		w := serve(t, web, Options{NoSoft404: true})
		w.p.opt.Dialer.(*netguard.Guard).AllowPrivate = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		r, b, err := bring(t, w.p, tt.uri, check.Wanted{Secret: tt.secret})
		var told []string
		for i, line := range w.lines {
			if said := w.headers[i].Get("Authorization"); said != "" {
				told = append(told, strings.TrimPrefix(line, "GET "))
				if want := "Basic YW5uOmhpZGRlbndvcmQ="; tt.secret == basic && said != want || tt.secret == bearer && said != "Bearer hiddentoken" {
					t.Errorf("%s: said %q", tt.uri, said)
				}
			}
		}
		if strings.Join(told, " ") != tt.told || r.Outcome != check.OK || err != nil {
			t.Errorf("%s: %s(%s) %v, told %q", tt.uri, r.Outcome, r.Reason, err, told)
		}
		b.Body = nil
		if all := fmt.Sprintf("%+v %+v", r, b.Answer); strings.Contains(all, "hidden") || strings.Contains(all, "YW5u") {
			t.Errorf("%s: %s", tt.uri, all)
		}
	}
}

// TestReadSecretTLS: it goes to a server that proves who it is, and wins over that of the host.
func TestReadSecretTLS(t *testing.T) {
	issuer := newIssuer(t)
	good := issuer.sign(t, "site.org", time.Now().Add(time.Hour))
	files := map[string]string{"ca": pemOf(issuer), "basic": "ann:otherword"}
	for _, tt := range []struct {
		name, reason string
		table        map[string]any
	}{
		{"known", "http-200", map[string]any{"match": "site.org", "ca-file": "ca", "basic-auth-file": "basic"}},
		{"not known", "http-401", map[string]any{"match": "site.org"}},
	} {
		addr := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{good}}, lab.Site{"/a": func(w http.ResponseWriter, r *http.Request) {
			if _, password, _ := r.BasicAuth(); password != "hiddenword" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			fine(w, r)
		}})
		p := New(Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: rules4(t, addr)}}, NoSoft404: true, Hosts: hostTable(t, files, tt.table)})
		r, _, err := bring(t, p, "https://site.org/a", check.Wanted{Secret: check.Secret{User: "ann", Password: "hiddenword"}})
		if string(r.Reason) != tt.reason || err != nil {
			t.Errorf("%s: %s(%s) %v", tt.name, r.Outcome, r.Reason, err)
		}
		p.Close()
	}
}

// TestReadGuard: each redirect passes the guard.
func TestReadGuard(t *testing.T) {
	w := serve(t, lab.Web{"site.org": {"/a": lab.Redirect(302, "http://site.org:8080/b")}}, Options{NoSoft404: true})
	guard := w.p.opt.Dialer.(*netguard.Guard)
	rule, err := netguard.ParseConnectTo("site.org:80:" + strings.TrimPrefix(fmt.Sprint(guard.ConnectTo[0].ToHost, ":", guard.ConnectTo[0].ToPort), ":"))
	if err != nil {
		t.Fatal(err)
	}
	guard.ConnectTo = []netguard.ConnectRule{rule}
	guard.Resolver = resolveFunc(func() ([]netip.Addr, error) { return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil })
	r, b, err := bring(t, w.p, "http://site.org/a", check.Wanted{})
	if r.Outcome != check.Skipped || r.Reason != check.ReasonPrivateAddress || b.times != 0 || err != nil || len(r.Hops) != 1 {
		t.Errorf("%s(%s) %v %v", r.Outcome, r.Reason, r.Hops, err)
	}
}

// TestReadPatience: what comes slowly is waited for as long as it comes, and ten minutes in
// all; what stops is given up after the time of a probe.
func TestReadPatience(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	for name, tt := range map[string]struct {
		begin  string
		every  time.Duration // an octet then; 0: none
		octets int           // after which it ends
		took   time.Duration
		result string
		text   int  // octets handed on
		broken bool // their end is an error
	}{
		"slow and whole":     {head + "Content-Length: 100\r\n\r\n", 4 * time.Second, 100, 400 * time.Second, "ok(http-200)", 100, false},
		"slow without end":   {head + "\r\n", 4100 * time.Millisecond, 1 << 30, 10 * time.Minute, "ok(http-200)", 146, true},
		"stops in the body":  {head + "Content-Length: 100\r\n\r\nsome", 0, 0, 5 * time.Second, "ok(http-200)", 4, true},
		"no octet of a body": {head + "Content-Length: 100\r\n\r\n", 0, 0, 5 * time.Second, "temporary(timeout)", 0, false},
		"silent":             {"", 0, 0, 5 * time.Second, "temporary(timeout)", 0, false},
		"a slow header":      {head + "X-A: ", time.Second, 1 << 30, 5 * time.Second, "temporary(timeout)", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				left := make(chan struct{}, 1)
				server := pipe(func(c net.Conn) {
					defer func() { c.Close(); left <- struct{}{} }()
					if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
						return
					}
					_, err := io.WriteString(c, tt.begin)
					for n := 0; tt.every > 0 && n < tt.octets && err == nil; n++ {
						time.Sleep(tt.every)
						_, err = io.WriteString(c, "x")
					}
					io.Copy(io.Discard, c)
				})
				p := New(Options{Options: check.Options{Dialer: server, Timeout: 5 * time.Second}, NoSoft404: true})
				begin := time.Now()
				r, b, err := bring(t, p, "http://site.org/a", check.Wanted{NoRobots: true})
				if took := time.Since(begin).Round(time.Second); took != tt.took || err != nil {
					t.Errorf("took %v, %v", took, err)
				}
				if got := fmt.Sprintf("%s(%s)", r.Outcome, r.Reason); got != tt.result || len(b.text) != tt.text || (b.err != nil) != tt.broken {
					t.Errorf("%s %q, handed on %d octets, %v", got, r.Reply, len(b.text), b.err)
				}
				p.Close()
				<-left
			})
		})
	}
}

// TestReadDoubt: the questions of doubt have the time of a probe, and what they do not
// answer is not held against the page.
func TestReadDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left := make(chan struct{}, 10)
		server := pipe(func(c net.Conn) {
			defer func() { c.Close(); left <- struct{}{} }()
			in := bufio.NewReader(c)
			for {
				r, err := http.ReadRequest(in)
				if err != nil {
					return
				}
				if r.URL.Path == "/d/page" {
					io.WriteString(c, goodReply)
				}
			}
		})
		p := New(Options{Options: check.Options{Dialer: server, Timeout: 5 * time.Second}, IgnoreRobots: true})
		begin := time.Now()
		r, b, err := bring(t, p, "http://site.org/d/page", check.Wanted{})
		if took := time.Since(begin); r.Outcome != check.OK || b.times != 1 || err != nil || took != 5*time.Second {
			t.Errorf("%s(%s) %v, handed on %d times after %v", r.Outcome, r.Reason, err, b.times, took)
		}
		p.Close()
		<-left
	})
}

// TestReadEndless: a body without end is read for as much as is wanted.
func TestReadEndless(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for name, reply := range map[string]string{
		"by length":  "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99999999999\r\n\r\n",
		"to the end": "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",
	} {
		server := pipe(func(c net.Conn) {
			defer c.Close()
			if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
				return
			}
			for _, err := io.WriteString(c, reply); err == nil; {
				_, err = io.WriteString(c, long[:1<<16])
			}
		})
		p := New(Options{Options: check.Options{Dialer: server}, NoSoft404: true})
		r, b, err := bring(t, p, "http://site.org/a", check.Wanted{NoRobots: true, MaxBytes: 2 << 20})
		if r.Outcome != check.OK || len(b.text) != 2<<20 || !b.Cut || b.err != nil || err != nil || r.Bytes > 3<<20 {
			t.Errorf("%s: %s(%s) %d octets of %d, %v", name, r.Outcome, r.Reason, len(b.text), r.Bytes, err)
		}
		p.Close()
	}
}

// TestReadBomb: neither side of a coding exceeds the bound.
func TestReadBomb(t *testing.T) {
	empties := []byte(strings.Repeat("\x00\x00\x00\xff\xff", 1<<20)) // of deflate: stored blocks without an octet
	w := serve(t, lab.Web{"site.org": {"/zeros": packed(strings.Repeat("\x00", 20<<20)), "/empties": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, gzipBegin+"\x00\x00\x00\x00\x00\x00\x03")
		for range 10 {
			w.Write(empties)
		}
	}}}, Options{NoSoft404: true, IgnoreRobots: true})
	if _, b, _ := bring(t, w.p, "http://site.org/zeros", check.Wanted{MaxBytes: 1 << 20}); len(b.text) != 1<<20 || !b.Cut {
		t.Errorf("zeros: %d octets", len(b.text))
	}
	if r, b, _ := bring(t, w.p, "http://site.org/empties", check.Wanted{MaxBytes: 1 << 20}); r.Bytes > 4<<20 || len(b.text) > 0 {
		t.Errorf("empties: %d octets of %d", len(b.text), r.Bytes)
	}
}

// reader probes by Read, for the suite of all probers.
type reader struct{ *Prober }

func (p reader) Probe(ctx context.Context, t check.Target) check.Result {
	r, err := p.Read(ctx, t, check.Wanted{MaxBytes: 64 << 10}, func(a *check.Answer) error {
		_, err := io.Copy(io.Discard, a.Body)
		if errors.Is(err, wire.ErrSpool) {
			return err
		}
		return nil
	})
	if it, ok := errors.AsType[*check.Elsewhere](err); ok {
		return check.New(check.Undetermined, check.ReasonRedirectScheme, it.Error())
	}
	return r
}

func (p reader) Hooks() check.Hooks { return check.Hooks{} }

func TestReadConformance(t *testing.T) {
	checktest.Run(t, checktest.Case{
		New:    func(c check.Options) check.Prober { return reader{New(Options{Options: c})} },
		URL:    "http://bob:sesame@{at}/dir/page",
		Speaks: "http", Reply: goodReply, Lying: lies,
		MaxRead: 2*maxHeader + 2<<20,
		Never:   []string{"sesame", "Authorization"},
	})
}
