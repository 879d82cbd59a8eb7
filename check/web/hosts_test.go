package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/internal/hostsettings"
	"linkcheck/internal/lab"
)

// hostTable makes settings of tables; files holds what they name.
func hostTable(t *testing.T, files map[string]string, tables ...map[string]any) *hostsettings.Table {
	t.Helper()
	dir := t.TempDir()
	var list []hostsettings.Source
	for _, values := range tables {
		for key, v := range values {
			if text, ok := files[fmt.Sprint(v)]; ok {
				name := filepath.Join(dir, fmt.Sprint(v))
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				values[key] = name
			}
		}
		list = append(list, hostsettings.Source{Values: values, Where: func(key string) string { return key }})
	}
	table, err := hostsettings.Parse(list)
	if err == nil {
		err = table.Load(t.Context(), os.Getenv, func(s string) { t.Log(s) })
	}
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestHostSecrets: secrets go to the host and port that they are for, through all questions
// of a probe, and nowhere else.
func TestHostSecrets(t *testing.T) {
	redirect := func(to string) http.HandlerFunc { return lab.Redirect(http.StatusFound, to) }
	site := lab.Site{"/a": fine, "/here": redirect("/a"), "/other": redirect("http://other.org/a"), "/port": redirect("http://site.org:8080/a"), "/secure": redirect("https://site.org/a"), "/": front}
	hosts := hostTable(t, map[string]string{"basic": "ann:hiddenword", "headers": "X-Key: hiddenkey"},
		map[string]any{"match": "site.org:80", "basic-auth-file": "basic", "headers-file": "headers"})
	for path, told := range map[string]string{"/a": "site.org/a", "/here": "site.org/here site.org/a", "/other": "site.org/other", "/port": "site.org/port", "/secure": "site.org/secure"} {
		w := serve(t, lab.Web{"site.org": site, "other.org": {"*": fine}, "site.org:8080": {"*": fine}}, Options{Hosts: hosts, NoSoft404: true})
		w.probe("http://site.org" + path)
		var got []string
		for i, line := range w.lines {
			if h := w.headers[i]; h.Get("Authorization") != "" && h.Get("X-Key") == "hiddenkey" && !strings.HasSuffix(line, "robots.txt") {
				got = append(got, strings.TrimPrefix(line, "GET "))
			} else if !strings.HasPrefix(line, "GET other.org") && !strings.HasPrefix(line, "GET site.org:8080") && !strings.HasSuffix(line, "robots.txt") {
				t.Errorf("%s: %s without", path, line)
			} else if strings.HasPrefix(line, "GET site.org/robots") && h.Get("X-Key") == "" {
				t.Errorf("%s: robots.txt without", path)
			}
		}
		if strings.Join(got, " ") != told {
			t.Errorf("%s: told %v, want %s", path, got, told)
		}
	}
}

// TestHostSecretsHidden: a server may repeat what it was told.
func TestHostSecretsHidden(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		said := r.Header.Get("Authorization") + " and " + r.Header.Get("X-Key")
		if r.URL.Path == "/moved" {
			w.Header().Set("Location", "http://other.org/?k="+r.Header.Get("X-Key"))
			w.WriteHeader(http.StatusMovedPermanently)
			return
		}
		w.Header().Set("ETag", `"`+r.Header.Get("X-Key")+`"`)
		w.Header().Set("Content-Type", "text/html; x="+r.Header.Get("X-Key"))
		fmt.Fprintf(w, "<title>%s</title><p>some words of a page that is there</p>", said)
	}
	hosts := hostTable(t, map[string]string{"basic": "ann:hiddenword", "headers": "X-Key: hiddenkey"},
		map[string]any{"match": "site.org:80", "basic-auth-file": "basic", "headers-file": "headers"})
	w := serve(t, lab.Web{"site.org": {"*": echo}, "other.org": {"*": fine}}, Options{Hosts: hosts, NoSoft404: true})
	for _, path := range []string{"/a", "/moved"} {
		r := w.probe("http://site.org" + path)
		if all := fmt.Sprintf("%+v", r); strings.Contains(all, "hidden") || strings.Contains(all, "YW5u") || !strings.Contains(all, "***") {
			t.Errorf("%s: %s", path, all)
		}
	}
}

func pemOf(i issuer) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: i.cert.Raw}))
}

// TestHostTLS: secrets and our certificate go to a server that proves who it is, and the
// certificates of the host are believed.
func TestHostTLS(t *testing.T) {
	issuer := newIssuer(t)
	good := issuer.sign(t, "site.org", time.Now().Add(time.Hour))
	ca := pemOf(issuer)
	key, err := x509.MarshalPKCS8PrivateKey(good.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"ca": ca, "basic": "ann:hiddenword", "cert": string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: good.Certificate[0]})),
		"key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}))}
	for _, tt := range []struct {
		name   string
		table  map[string]any
		config *tls.Config
		reason check.Reason
		flags  string
	}{
		{"known", map[string]any{"match": "site.org", "basic-auth-file": "basic", "ca-file": "ca"}, &tls.Config{}, "http-200", ""},
		{"not known", map[string]any{"match": "site.org", "basic-auth-file": "basic"}, &tls.Config{}, "http-401", "tls-untrusted"},
		{"other port", map[string]any{"match": "site.org:8443", "basic-auth-file": "basic", "ca-file": "ca"}, &tls.Config{}, "http-401", "tls-untrusted"},
		{"certificate", map[string]any{"match": "site.org", "basic-auth-file": "basic", "ca-file": "ca", "client-cert": "cert", "client-key": "key"}, &tls.Config{ClientAuth: tls.RequireAnyClientCert}, "http-200", ""},
		{"no certificate", map[string]any{"match": "site.org", "basic-auth-file": "basic", "ca-file": "ca"}, &tls.Config{ClientAuth: tls.RequireAnyClientCert}, "client-certificate", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.config.Certificates = []tls.Certificate{good}
			addr := serveTLS(t, tt.config, lab.Site{"/a": func(w http.ResponseWriter, r *http.Request) {
				if _, password, _ := r.BasicAuth(); password != "hiddenword" {
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				fine(w, r)
			}})
			p := New(Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: rules4(t, addr)}}, NoSoft404: true, Hosts: hostTable(t, files, tt.table)})
			defer p.Close()
			r := p.Probe(t.Context(), check.Target{URI: parse(t, "https://site.org/a")})
			if r.Reason != tt.reason || strings.Join(r.Flags, " ") != tt.flags {
				t.Errorf("got %s(%s) %q %v", r.Outcome, r.Reason, r.Reply, r.Flags)
			}
		})
	}
}

// TestHostSettings: what a status means, who asks, what is not asked.
func TestHostSettings(t *testing.T) {
	closed := lab.Site{"/robots.txt": says(200, "User-agent: *\nDisallow: /"), "/a": fine}
	web := lab.Web{"site.org": {"/a": says(403, "no"), "/b": says(404, "none"), "/c": says(503, "busy"), "/d": fine, "/to": lab.Redirect(http.StatusMovedPermanently, "/a"), "/skip": lab.Redirect(http.StatusFound, "http://skip.org/")},
		"other.org": {"*": says(403, "no")}, "closed.org": closed, "skip.org": {"*": fine}}
	hosts := hostTable(t, nil, map[string]any{"match": "site.org", "user-agent": "ours/1", "verdict": map[string]any{"403": "alive", "404": "temporary", "503": "gone", "200": "blocked"}},
		map[string]any{"match": "closed.org", "robots": false, "robots-reason": "asked"}, map[string]any{"match": "*.org", "gap": "7s"}, map[string]any{"match": "skip.org", "skip": "it is ours"})
	w := serve(t, web, Options{Hosts: hosts})
	for _, tt := range []struct {
		uri     string
		outcome check.Outcome
		reason  check.Reason
		reply   string
	}{
		{"http://site.org/a", check.OK, "http-403", "HTTP/1.1 403 Forbidden, alive by your setting for site.org"},
		{"http://site.org/b", check.Temporary, "http-404", "HTTP/1.1 404 Not Found, temporary by your setting for site.org"},
		{"http://site.org/c", check.Gone, "http-503", "HTTP/1.1 503 Service Unavailable, gone by your setting for site.org"},
		{"http://site.org/d", check.Blocked, "http-200", "HTTP/1.1 200 OK, blocked by your setting for site.org"},
		{"http://site.org/to", check.Moved, "http-403", "HTTP/1.1 403 Forbidden, alive by your setting for site.org"},
		{"http://other.org/a", check.Blocked, "http-403", "HTTP/1.1 403 Forbidden"},
		{"http://closed.org/a", check.OK, "http-200", "HTTP/1.1 200 OK"},
		{"http://skip.org/a", check.Skipped, "excluded", "by your setting for skip.org: it is ours"},
		{"http://site.org/skip", check.Skipped, "excluded", "by your setting for skip.org: it is ours"},
	} {
		if r := w.probe(tt.uri); r.Outcome != tt.outcome || r.Reason != tt.reason || r.Reply != tt.reply {
			t.Errorf("%s: %s(%s) %q", tt.uri, r.Outcome, r.Reason, r.Reply)
		}
		if gap := w.p.Gap(parse(t, tt.uri), 2*time.Second); gap != 7*time.Second {
			t.Errorf("%s: gap %s", tt.uri, gap)
		}
	}
	for i, line := range w.lines {
		if ours := w.headers[i].Get("User-Agent") == "ours/1"; ours != strings.Contains(line, " site.org/") {
			t.Errorf("%s: %s", line, w.headers[i].Get("User-Agent"))
		}
		if strings.Contains(line, "skip.org") {
			t.Errorf("asked: %s", line)
		}
	}
}

// TestHostTimeout: a slow host may have more time, and another less.
func TestHostTimeout(t *testing.T) {
	slow := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(1500 * time.Millisecond):
		case <-r.Context().Done():
		}
		fine(w, r)
	}
	w := serve(t, lab.Web{"slow.org": {"/a": slow}, "other.org": {"/a": slow}}, Options{Options: check.Options{Timeout: time.Second}, NoSoft404: true,
		Hosts: hostTable(t, nil, map[string]any{"match": "slow.org", "timeout": "1m"})})
	for host, want := range map[string]check.Outcome{"slow.org": check.OK, "other.org": check.Temporary} {
		if r := w.probe("http://" + host + "/a"); r.Outcome != want {
			t.Errorf("%s: %s(%s) %q", host, r.Outcome, r.Reason, r.Reply)
		}
	}
}

// TestMaxRedirects: so many are followed, by Location and Refresh, and no more.
func TestMaxRedirects(t *testing.T) {
	site := lab.Site{"/1": lab.Redirect(302, "/2"), "/2": lab.Redirect(302, "/3"), "/3": fine,
		"/r": lab.Page("moved", `<meta http-equiv="refresh" content="0; url=/3">`)}
	for _, tt := range []struct {
		max    int
		path   string
		reason check.Reason
		hops   int
	}{{0, "/1", "http-200", 2}, {2, "/1", "http-200", 2}, {1, "/1", "redirect-too-many", 1}, {-1, "/1", "redirect-too-many", 0}, {-1, "/3", "http-200", 0}} {
		w := serve(t, lab.Web{"site.org": site}, Options{MaxRedirects: tt.max, NoSoft404: true})
		if r := w.probe("http://site.org" + tt.path); r.Reason != tt.reason || len(r.Hops) != tt.hops {
			t.Errorf("%d, %s: %s(%s), %v", tt.max, tt.path, r.Outcome, r.Reason, r.Hops)
		}
	}
}

// TestMinTLS: a server below the minimum is there all the same, and flagged.
func TestMinTLS(t *testing.T) {
	issuer := newIssuer(t)
	pool := x509.NewCertPool()
	pool.AddCert(issuer.cert)
	for _, tt := range []struct {
		least, speaks uint16
		flags         string
	}{{0, tls.VersionTLS12, ""}, {tls.VersionTLS12, tls.VersionTLS12, ""}, {tls.VersionTLS13, tls.VersionTLS12, "tls-old"}, {tls.VersionTLS13, tls.VersionTLS13, ""}, {tls.VersionTLS13, tls.VersionTLS10, "tls-old"}} {
		addr := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{issuer.sign(t, "site.org", time.Now().Add(time.Hour))}, MinVersion: tls.VersionTLS10, MaxVersion: tt.speaks}, lab.Site{"/a": fine})
		p := New(Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: rules4(t, addr)}, Roots: pool}, NoSoft404: true, MinTLS: tt.least})
		r := p.Probe(t.Context(), check.Target{URI: parse(t, "https://site.org/a")})
		if r.Outcome != check.OK || strings.Join(r.Flags, " ") != tt.flags {
			t.Errorf("%x, %x: got %s(%s) %q %v", tt.least, tt.speaks, r.Outcome, r.Reason, r.Reply, r.Flags)
		}
		p.Close()
	}
}

// TestRelay: pages without TLS are asked of an HTTP proxy in absolute form, others through
// it; its own failures are no server's, and what it cannot reach is told weakly.
func TestRelay(t *testing.T) {
	issuer := newIssuer(t)
	pool := x509.NewCertPool()
	pool.AddCert(issuer.cert)
	plain := httptest.NewServer(lab.Web{"site.org": {"/a": fine, "//b": fine, "/busy": lab.Status(503, "Retry-After", "100"), "/bad": lab.Status(502), "/squid": lab.Status(403, "X-Squid-Error", "ERR_ACCESS_DENIED 0"), "/tiny": lab.Status(401, "Server", "tinyproxy/1.11"), "/tinydown": lab.Status(500, "Server", "tinyproxy/1.11"), "/broken": lab.Status(500), "/no": lab.Status(403), "/none": lab.Status(404)}})
	defer plain.Close()
	secure := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{issuer.sign(t, "site.org", time.Now().Add(time.Hour))}}, lab.Site{"/a": fine})
	relay := &lab.Relay{User: "ann", Password: "hiddenword", Reach: func(target string) (net.Conn, error) {
		switch {
		case strings.HasPrefix(target, "down."):
			return nil, errors.New("no")
		case strings.HasPrefix(target, "denied."):
			return nil, lab.ErrDenied
		case strings.HasSuffix(target, ":443"):
			return net.Dial("tcp", secure)
		}
		return net.Dial("tcp", plain.Listener.Addr().String())
	}}
	noDNS := resolveFunc(func() ([]netip.Addr, error) { return nil, &net.DNSError{Err: "no server", IsTemporary: true} })
	for scheme, serve := range map[string]func(net.Listener) error{"http": relay.HTTP, "socks5": relay.SOCKS} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go serve(l)
		prober := func(user string) *Prober {
			by, err := netguard.ParseRelay(scheme + "://" + user + l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			guard := &netguard.Guard{Resolver: noDNS, Relays: func(string, string, int) *netguard.Relay { return by }}
			return New(Options{Options: check.Options{Dialer: guard, Roots: pool, Timeout: 5 * time.Second}, NoSoft404: true})
		}
		p := prober("ann:hiddenword@")
		defer p.Close()
		for _, tt := range []struct {
			uri, asked string
			outcome    check.Outcome
			reason     check.Reason
		}{
			{"http://site.org/a?b=%zz", "http://site.org/a?b=%zz", check.OK, "http-200"}, {"http://site.org//b", "http://site.org//b", check.OK, "http-200"}, {"https://site.org/a", "site.org:443", check.OK, "http-200"},
			{"http://site.org/busy", "", check.Temporary, "http-503"}, {"http://site.org/no", "", check.Blocked, "http-403"}, {"http://site.org/none", "", check.Gone, "http-404"},
			{"http://down.org/a", "", check.Unreachable, "no-route"}, {"https://down.org/a", "", check.Unreachable, "no-route"},
			{"https://denied.org/a", "", check.Internal, "own-network"},
			{"http://10.1.2.3/", "", check.Skipped, "private-address"}, {"http://localhost/", "", check.Skipped, "private-address"}, {"http://a.example/", "", check.Skipped, "reserved-name"},
		} {
			r := p.Probe(t.Context(), check.Target{URI: parse(t, tt.uri)})
			if r.Outcome != tt.outcome || r.Reason != tt.reason || len(r.Flags) > 0 {
				t.Errorf("%s %s: %s(%s) %q %v", scheme, tt.uri, r.Outcome, r.Reason, r.Reply, r.Flags)
			}
			if strings.Contains(fmt.Sprintf("%+v", r), "hidden") {
				t.Errorf("%s %s: %+v", scheme, tt.uri, r)
			}
			if asked := relay.Targets(); scheme == "http" && tt.asked != "" && asked[len(asked)-1] != tt.asked {
				t.Errorf("%s: asked for %s", tt.uri, asked[len(asked)-1])
			}
		}
		if scheme == "http" { // SOCKS knows nothing of pages
			for path, want := range map[string]string{"/bad": "unreachable(no-route)", "/squid": "internal(own-network)", "/tiny": "internal(own-network)", "/tinydown": "unreachable(no-route)", "/broken": "temporary(http-500)"} {
				if r := p.Probe(t.Context(), check.Target{URI: parse(t, "http://site.org"+path)}); fmt.Sprintf("%s(%s)", r.Outcome, r.Reason) != want {
					t.Errorf("%s: %s(%s) %q", path, r.Outcome, r.Reason, r.Reply)
				}
			}
		}
		for _, uri := range []string{"http://site.org/a", "https://site.org/a"} {
			other := prober("ann:hiddenother@")
			if r := other.Probe(t.Context(), check.Target{URI: parse(t, uri)}); r.Outcome != check.Internal || r.Reason != "own-network" {
				t.Errorf("%s, %s, another password: %s(%s) %q", scheme, uri, r.Outcome, r.Reason, r.Reply)
			}
			other.Close()
		}
	}
}

type resolveFunc func() ([]netip.Addr, error)

func (f resolveFunc) Resolve(context.Context, string) ([]netip.Addr, error) { return f() }
