package interop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/uri"
)

// nginx serves a few pages and every status; the second address is over TLS.
func nginx(t *testing.T) (plain, secure string) {
	path, dir, n, m := need(t, "nginx"), publicDir(t), port(t), port(t)
	write(t, dir, "www/hello.html", "<title>Hello</title><p>Hello, library.</p>\n")
	write(t, dir, "www/dir with space/a b.txt", "spaces\n")
	write(t, dir, "tmp/x", "")
	write(t, dir, "logs/x", "")
	var status strings.Builder
	for _, code := range []int{403, 404, 410, 451, 500, 502} {
		fmt.Fprintf(&status, "location = /%d { return %d; }\n", code, code)
	}
	cert := certificate(t, dir)
	config := strings.NewReplacer("DIR", dir, "PLAIN", fmt.Sprint(n), "SECURE", fmt.Sprint(m), "CERT", cert,
		"STATUS", status.String()).Replace(`daemon off; pid DIR/pid; error_log DIR/error.log; worker_processes 1; user root;
events {}
http {
  access_log off; client_body_temp_path DIR/tmp; proxy_temp_path DIR/tmp;
  gzip on; gzip_types *; gzip_min_length 1;
  fastcgi_temp_path DIR/tmp; uwsgi_temp_path DIR/tmp; scgi_temp_path DIR/tmp;
  server {
    listen 127.0.0.1:PLAIN; listen 127.0.0.1:SECURE ssl http2;
    ssl_certificate CERT; ssl_certificate_key CERT;
    root DIR/www; absolute_redirect off;
    location = /moved   { return 301 /hello.html; }
    location = /chain   { return 302 /moved; }
    location = /loop    { return 302 /loop; }
    location = /nohead.zip { if ($request_method = HEAD) { return 405; } return 200 ok; }
    location = /private { add_header WWW-Authenticate 'Basic realm="x"' always; return 401; }
    location = /busy    { add_header Retry-After 2 always; return 503; }
    location = /slowdown { add_header Retry-After 1 always; return 429; }
    location = /reset   { return 444; }
    location = /empty   { return 204; }
    location /sorry/    { try_files $uri /hello.html; }
    location = /robots.txt { return 200 "User-agent: *\nDisallow: /secret\nCrawl-delay: 3\n"; }
    STATUS
  }
}
`)
	if os.Getuid() != 0 {
		config = strings.Replace(config, "user root;", "", 1)
	}
	file := write(t, dir, "nginx.conf", config)
	plain = daemon(t, n, command(path, "-c", file, "-p", dir, "-e", filepath.Join(dir, "error.log")))
	return plain, fmt.Sprintf("127.0.0.1:%d", m)
}

func TestNginx(t *testing.T) {
	plain, secure := nginx(t)
	p := newProbers(t, all.Options{})
	probeAll(t, p, plain, []expectation{
		{"http://{at}/hello.html", check.OK, "http-200", check.Strong},
		{"http://{at}/dir%20with%20space/a%20b.txt", check.OK, "http-200", check.Strong},
		{"http://{at}/nohead.zip", check.OK, "http-200", check.Strong},
		{"http://{at}/moved", check.Moved, "http-200", check.Strong},
		{"http://{at}/loop", check.Undetermined, "redirect-loop", check.None},
		{"http://{at}/none.html", check.Gone, "http-404", check.Strong},
		{"http://{at}/410", check.Gone, "http-410", check.Strong},
		{"http://{at}/private", check.Auth, "http-401", check.None},
		{"http://{at}/403", check.Blocked, "http-403", check.None},
		{"http://{at}/451", check.Blocked, "http-451", check.None},
		{"http://{at}/slowdown", check.Blocked, "http-429", check.None},
		{"http://{at}/busy", check.Temporary, "http-503", check.Weak},
		{"http://{at}/500", check.Temporary, "http-500", check.Weak},
		{"http://{at}/reset", check.Temporary, "eof", check.Weak},
		{"http://{at}/chain", check.OK, "http-200", check.Strong},
		{"http://{at}/empty", check.Suspect, "empty", check.Weak},
		{"http://{at}/sorry/x", check.Suspect, "soft-404", check.Weak},
		{"http://{at}/secret/x", check.Blocked, "robots", check.None},
		{"https://{at}/hello.html", check.Undetermined, "protocol-mismatch", check.None},
	})
	probeAll(t, p, secure, []expectation{
		{"https://{at}/hello.html", check.OK, "http-200", check.Strong},
		{"https://{at}/none.html", check.Gone, "http-404", check.Strong},
	})
	if r := probe(t, p, secure, "https://{at}/hello.html"); len(r.Flags) != 1 || !strings.HasPrefix(r.Flags[0], "tls-") {
		t.Errorf("flags %q", r.Flags)
	}
	first := probe(t, p, secure, "https://{at}/hello.html")
	if !strings.HasPrefix(first.Reply, "HTTP/2") || first.Title != "Hello" || first.ETag == "" {
		t.Errorf("got %q, title %q, ETag %q", first.Reply, first.Title, first.ETag)
	}
	u, err := uri.Parse("https://" + secure + "/hello.html")
	if err != nil {
		t.Fatal(err)
	}
	if again := p.Probe(t.Context(), check.Target{URI: u, Prior: &first}); again.Reason != "http-304" || again.Digest != first.Digest {
		t.Errorf("asked again: %s(%s), digest %q", again.Outcome, again.Reason, again.Digest)
	}
	if u, err = uri.Parse("http://" + plain + "/"); err != nil || p.Hooks().Gap(u, 0) != 3*time.Second {
		t.Errorf("Crawl-delay is %v, %v", p.Hooks().Gap(u, 0), err)
	}
}
