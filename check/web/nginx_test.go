package web

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
)

const nginxConfig = `daemon off; master_process off; pid DIR/pid; error_log DIR/error.log; worker_processes 1;
events {}
http {
  access_log off; client_body_temp_path DIR/tmp; proxy_temp_path DIR/tmp;
  fastcgi_temp_path DIR/tmp; uwsgi_temp_path DIR/tmp; scgi_temp_path DIR/tmp;
  gzip on; gzip_types *; gzip_min_length 1;
  server {
    listen 127.0.0.1:PORT; listen 127.0.0.1:TLS ssl http2;
    ssl_certificate DIR/cert.pem; ssl_certificate_key DIR/key.pem;
    root DIR/www; absolute_redirect off;
    location = /moved { return 301 /page.html; }
    location = /chain { return 302 /moved; }
    location = /loop { return 302 /loop; }
    location = /nohead.zip { if ($request_method = HEAD) { return 405; } return 200 ok; }
    location = /locked { add_header WWW-Authenticate 'Basic realm="x"' always; return 401; }
    location = /busy { add_header Retry-After 2 always; return 503; }
    location = /slowdown { add_header Retry-After 1 always; return 429; }
    location = /403 { return 403; }
    location = /410 { return 410; }
    location = /451 { return 451; }
    location = /500 { return 500; }
    location = /cut { return 444; }
    location = /empty { return 204; }
    location /sorry/ { try_files $uri /page.html; }
    location = /robots.txt { return 200 "User-agent: *\nDisallow: /secret\nCrawl-delay: 3\n"; }
  }
}
`

// TestNginx asks a real server, over HTTP and over HTTP/2 with a certificate
// that nobody knows.
func TestNginx(t *testing.T) {
	port, tlsPort := nginx(t)
	loop := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	site := []check.ConnectRule{{Host: "site.org", ToHost: "127.0.0.1"}}
	p := New(Options{Options: check.Options{Dialer: &check.Guard{AllowPrivate: loop, ConnectTo: site}}})
	defer p.Close()
	rows := []struct {
		path    string
		outcome check.Outcome
		reason  check.Reason
		flags   string
	}{
		{"/page.html", check.OK, "http-200", ""},
		{"/file.tar.gz", check.OK, "http-200", ""},
		{"/dir%20with%20space/a%20b.txt", check.OK, "http-200", ""},
		{"/sub", check.OK, "http-200", "trailing-slash"},
		{"/moved", check.Moved, "http-200", ""},
		{"/chain", check.OK, "http-200", ""},
		{"/loop", check.Undetermined, "redirect-loop", ""},
		{"/nohead.zip", check.OK, "http-200", ""},
		{"/locked", check.Auth, "http-401", ""},
		{"/busy", check.Temporary, "http-503", ""},
		{"/slowdown", check.Blocked, "http-429", ""},
		{"/403", check.Blocked, "http-403", ""},
		{"/absent", check.Gone, "http-404", ""},
		{"/410", check.Gone, "http-410", ""},
		{"/451", check.Blocked, "http-451", ""},
		{"/500", check.Temporary, "http-500", ""},
		{"/empty", check.Suspect, "empty", ""},
		{"/sorry/x", check.Suspect, "soft-404", ""},
		{"/secret/x", check.Blocked, "robots", ""},
		{"/cut", check.Temporary, "eof", ""},
	}
	for _, row := range rows {
		u := fmt.Sprintf("http://127.0.0.1:%d%s", port, row.path)
		r := p.Probe(t.Context(), check.Target{URI: parse(t, u)})
		if r.Outcome != row.outcome || r.Reason != row.reason || strings.Join(r.Flags, " ") != row.flags {
			t.Errorf("%s: got %s(%s) %q %v", u, r.Outcome, r.Reason, r.Reply, r.Flags)
		}
	}
	if got := p.Pace(parse(t, fmt.Sprintf("http://127.0.0.1:%d/", port))); got != 3*time.Second {
		t.Errorf("Crawl-delay is %v", got)
	}
	u := fmt.Sprintf("https://site.org:%d/page.html", tlsPort)
	r := p.Probe(t.Context(), check.Target{URI: parse(t, u)})
	if r.Outcome != check.OK || !strings.HasPrefix(r.Reply, "HTTP/2") || strings.Join(r.Flags, " ") != "tls-untrusted" || r.Title != "A page" {
		t.Errorf("%s: got %s(%s) %q %v %q", u, r.Outcome, r.Reason, r.Reply, r.Flags, r.Title)
	}
	again := p.Probe(t.Context(), check.Target{URI: parse(t, u), Prior: &r})
	if again.Reason != "http-304" || again.Digest != r.Digest {
		t.Errorf("asked again: %s(%s), digest %q", again.Outcome, again.Reason, again.Digest)
	}
	plain := fmt.Sprintf("https://127.0.0.1:%d/", port)
	if r := p.Probe(t.Context(), check.Target{URI: parse(t, plain)}); r.Reason != "protocol-mismatch" {
		t.Errorf("TLS to a plain port: %s(%s) %q", r.Outcome, r.Reason, r.Reply)
	}
}

// nginx starts a server and gives its ports for HTTP and HTTPS.
func nginx(t *testing.T) (port, tlsPort int) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed")
	}
	dir := t.TempDir()
	port, tlsPort = freePort(t), freePort(t)
	i := newIssuer(t)
	cert := i.sign(t, "site.org", time.Now().Add(time.Hour))
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	config := strings.NewReplacer("DIR", dir, "PORT", fmt.Sprint(port), "TLS", fmt.Sprint(tlsPort)).Replace(nginxConfig)
	files := map[string]string{
		"nginx.conf":                 config,
		"cert.pem":                   string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Certificate[0]})),
		"key.pem":                    string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})),
		"www/page.html":              "<title>A page</title><p>with a few words of its own, and no more.",
		"www/file.tar.gz":            "x",
		"www/sub/index.html":         "<title>Below</title><p>what lies under it",
		"www/dir with space/a b.txt": "x",
		"tmp/.keep":                  "",
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, "-c", filepath.Join(dir, "nginx.conf"), "-e", filepath.Join(dir, "error.log"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	await(t, port)
	return port, tlsPort
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// await returns once something accepts connections.
func await(t *testing.T, port int) {
	t.Helper()
	for range 500 {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			c.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("nothing listens on port %d", port)
}
