package all

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// The table and the servers of the demo understand each other.
func TestLineLab(t *testing.T) {
	at := map[string]string{
		"{ftp}": labtest.Start(t, func(l net.Listener) error {
			return lab.FTP(l, map[string]string{"/pub/doc/memo.txt": "hello"})
		}),
		"{gopher}": labtest.Start(t, func(l net.Listener) error {
			return lab.Gopher(l, map[string]string{"": "0About\t0/about\tlab\t70\t+\r\n.\r\n", "0/about": "About us.\r\n", "/s\tcat": "0Cat\t0/cat\tlab\t70\r\n.\r\n"})
		}),
		"{nntp}":   labtest.Start(t, func(l net.Listener) error { return lab.NNTP(l, map[string][]string{"lab.talk": {"one@lab"}}) }),
		"{dict}":   labtest.Start(t, func(l net.Listener) error { return lab.Dict(l, map[string]string{"sun": "A star."}) }),
		"{telnet}": labtest.Start(t, func(l net.Listener) error { return lab.Telnet(l, "Catalogue\r\nlogin: ") }),
	}
	table := Table(Options{Options: check.Options{Dialer: labtest.Serve(t).Dialer(), Timeout: 2 * time.Second}})
	t.Cleanup(func() { table.Close() })
	for _, c := range []struct {
		url    string
		want   check.Outcome
		reason check.Reason
	}{
		{"ftp://{ftp}/", check.OK, "ftp-230"},
		{"ftp://{ftp}/pub/doc/", check.OK, "ftp-250"},
		{"ftp://{ftp}/pub/doc/memo.txt", check.OK, "ftp-213"},
		{"ftp://{ftp}/pub/doc", check.OK, "ftp-250"},
		{"ftp://{ftp}/pub/doc/none", check.Gone, "ftp-550"},
		{"ftp://alice@{ftp}/", check.Auth, "ftp-331"},
		{"gopher://{gopher}/", check.OK, "gopher-menu"},
		{"gopher://{gopher}/00/about", check.OK, "gopher-item"},
		{"gopher://{gopher}/00/about%09%09+", check.OK, "gopher-item"},
		{"gopher://{gopher}/7/s%09cat", check.OK, "gopher-menu"},
		{"gopher://{gopher}/00/none", check.Gone, "gopher-error-item"},
		{"gopher://{gopher}/00/none%09%09+", check.Gone, "gopher-error-1"},
		{"nntp://{nntp}/lab.talk/1", check.OK, "nntp-223"},
		{"nntp://{nntp}/lab.talk/2", check.Gone, "nntp-423"},
		{"news://{nntp}/one@lab", check.OK, "nntp-223"},
		{"news://{nntp}/lab.none", check.Gone, "nntp-411"},
		{"dict://{dict}/d:sun", check.OK, "dict-150"},
		{"dict://{dict}/m:sun:wells:exact", check.OK, "dict-152"},
		{"dict://{dict}/d:moon", check.Gone, "dict-552"},
		{"dict://{dict}/d:sun:none", check.Gone, "dict-550"},
		{"dict://{dict}/", check.Reachable, "dict-220"},
		{"telnet://{telnet}/", check.Reachable, "telnet-answer"},
		{"gopher://{telnet}/8", check.Reachable, "telnet-answer"},
	} {
		url := c.url
		for name, addr := range at {
			url = strings.ReplaceAll(url, name, addr)
		}
		u, err := uri.Parse(url)
		if err != nil {
			t.Fatal(err)
		}
		if r := table.Probe(t.Context(), check.Target{URI: u}); r.Outcome != c.want || r.Reason != c.reason {
			t.Errorf("%s: %s(%s) %q, want %s(%s)", c.url, r.Outcome, r.Reason, r.Reply, c.want, c.reason)
		}
	}
}

// A redirect out of the web is asked by the protocol that it names, as OUTCOMES 1.4 says;
// what no server is asked about is not followed.
func TestRedirectsOutOfTheWeb(t *testing.T) {
	ftp := labtest.Start(t, func(l net.Listener) error { return lab.FTP(l, map[string]string{"/pub/memo.txt": "hello"}) })
	gopher := labtest.Start(t, func(l net.Listener) error { return lab.Gopher(l, map[string]string{"0/about": "About us.\r\n"}) })
	var here string
	site := http.NewServeMux()
	for path, to := range map[string]string{
		"/file": "ftp://" + ftp + "/pub/memo.txt", "/gone": "ftp://" + ftp + "/pub/none", "/item": "gopher://" + gopher + "/00/about",
		"/mail": "mailto:a@lib.org", "/local": "file:///etc/passwd", "/far": "ftp://localhost:1/x", "/circle": "",
	} {
		for prefix, status := range map[string]int{"": 301, "/for-now": 302} {
			site.HandleFunc(prefix+path, func(w http.ResponseWriter, r *http.Request) {
				if to == "" {
					to = "gopher://" + gopher + "/hURL:http://" + here + "/circle"
				}
				http.Redirect(w, r, to, status)
			})
		}
	}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	here = server.Listener.Addr().String()
	table := Table(Options{Options: check.Options{Dialer: labtest.Serve(t).Dialer(), Timeout: 2 * time.Second}})
	t.Cleanup(func() { table.Close() })
	for _, c := range []struct {
		path      string
		want      check.Outcome
		reason    check.Reason
		suggested bool
		hops      int
	}{
		{"/file", check.Moved, "ftp-213", true, 1},
		{"/for-now/file", check.OK, "ftp-213", false, 1},
		{"/gone", check.Gone, "ftp-550", false, 1},
		{"/item", check.Moved, "gopher-item", true, 1},
		{"/mail", check.Undetermined, "redirect-scheme", false, 0},
		{"/local", check.Undetermined, "redirect-scheme", false, 0},
		{"/far", check.Unreachable, "tcp-refused", false, 1},
		{"/circle", check.Undetermined, "redirect-too-many", false, 10},
	} {
		u, err := uri.Parse("http://" + here + c.path)
		if err != nil {
			t.Fatal(err)
		}
		r := table.Probe(t.Context(), check.Target{URI: u})
		if r.Outcome != c.want || r.Reason != c.reason || (r.SuggestedURL != "") != c.suggested || len(r.Hops) != c.hops {
			t.Errorf("%s: %s(%s) %q to %q by %d redirects, want %s(%s)", c.path, r.Outcome, r.Reason, r.Reply, r.SuggestedURL, len(r.Hops), c.want, c.reason)
		}
		if c.hops == 1 && r.FinalURL != r.Hops[0].URL {
			t.Errorf("%s: ends at %q, redirected to %q", c.path, r.FinalURL, r.Hops[0].URL)
		}
	}
}

// Gopher in TLS is asked as gopher is, whatever the certificate.
func TestGopherInTLS(t *testing.T) {
	s := labtest.Serve(t, "S: <tls>\nC: /maps\\r\\n\nS: 0Wells\\t/maps/wells\\tgopher.example\\t70\\r\\n.\\r\\n\nS: <closes>")
	table := Table(Options{Options: check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second}})
	t.Cleanup(func() { table.Close() })
	if r := table.Probe(t.Context(), check.Target{URI: s.URI("gophers://{at}/1/maps")}); r.Outcome != check.OK || r.Reason != "gopher-menu" {
		t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
	}
}
