package interop

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/check/web"
)

// gopherTree makes a folder of files for the Gopher servers.
func gopherTree(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(publicDir(t), "tree")
	for name, text := range map[string]string{
		"hello.txt":             "Hello, gopherspace.\n",
		"docs/rfc1436.txt":      "RFC 1436\n.\n..dots\nend\n",
		"dir with space/a file": "spaces\n",
		"data.bin":              "\x00\x01\x02\xff",
		"empty.txt":             "",
	} {
		write(t, dir, name, text)
	}
	if err := os.Chmod(write(t, dir, "denied.txt", "secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestGophernicus(t *testing.T) {
	path, tree := need(t, "gophernicus"), gopherTree(t)
	write(t, tree, "gophermap", "Welcome\n0Hello\thello.txt\n1Documents\t/docs\n*\n")
	search := write(t, tree, "cgi-bin/search", "#!/bin/sh\n"+
		`[ "$SEARCHREQUEST" = none ] || printf '0found: %s\t/hello.txt\tlocalhost\t70\r\n' "$SEARCHREQUEST"`+"\n")
	os.Chmod(search, 0o755)
	addr := inetd(t, func() *exec.Cmd {
		return asUser(t, command(path, "-nu", "-nv", "-h", "127.0.0.1", "-r", tree), "nobody")
	})
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{
		{"gopher://{at}/", check.OK, "gopher-menu", check.Strong},
		{"gopher://{at}/1/docs", check.OK, "gopher-menu", check.Strong},
		{"gopher://{at}/0/hello.txt", check.OK, "gopher-item", check.Strong},
		{"gopher://{at}/0/docs/rfc1436.txt", check.OK, "gopher-item", check.Strong},
		{"gopher://{at}/0/dir%20with%20space/a%20file", check.OK, "gopher-item", check.Strong},
		{"gopher://{at}/9/data.bin", check.OK, "gopher-item", check.Strong},
		{"gopher://{at}/0/hello.txt%09%09+", check.OK, "gopher-item", check.Strong},
		{"gopher://{at}/7/cgi-bin/search%09foo", check.OK, "gopher-menu", check.Strong},
		{"gopher://{at}/7/cgi-bin/search", check.Reachable, "gopher-service", check.Strong},
		{"gopher://{at}/0/none.txt", check.Gone, "gopher-error-text", check.Weak},
		{"gopher://{at}/9/none.bin", check.Gone, "gopher-error-text", check.Weak},
		{"gopher://{at}/1/none/", check.Gone, "gopher-error-item", check.Strong},
		{"gopher://{at}/0/none.txt%09%09+", check.Gone, "gopher-error-text", check.Weak},
		{"gopher://{at}/0/../../etc/passwd", check.Blocked, "access-list", check.Weak},
		{"gopher://{at}/0/denied.txt", check.Blocked, "access-list", check.Weak},
		{"gopher://{at}/0/empty.txt", check.Suspect, "empty", check.Weak},
	})
}

func TestPygopherd(t *testing.T) {
	path, tree, dir, n := need(t, "pygopherd"), gopherTree(t), publicDir(t), port(t)
	types, _ := filepath.Abs(filepath.Join(servers, "etc/mime.types"))
	distributed, err := os.ReadFile(filepath.Join(servers, "etc/pygopherd/pygopherd.conf"))
	if err != nil {
		missing(t, err.Error())
	}
	var config strings.Builder
	for l := range strings.Lines(string(distributed)) {
		switch key, _, _ := strings.Cut(l, "="); strings.TrimSpace(key) {
		case "port":
			l = fmt.Sprintf("port = %d\n", n)
		case "root":
			l = "root = " + tree + "\n"
		case "mimetypes":
			l = "mimetypes = " + types + "\n"
		case "usechroot":
			l = "usechroot = no\n"
		case "logmethod":
			l = "logmethod = none\n"
		case "setuid", "setgid", "pidfile":
			l = ""
		case "# interface":
			l = "interface = 127.0.0.1\n"
		case "# servername":
			l = "servername = 127.0.0.1\n"
		}
		config.WriteString(l)
	}
	server := asUser(t, command(path, write(t, dir, "pygopherd.conf", config.String())), "nobody")
	addr := daemon(t, n, server)
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{
		{"gopher://{at}/", check.OK, "gopher-menu", check.Strong},
		{"gopher://{at}/1/docs", check.OK, "gopher-menu", check.Strong},
		{"gopher://{at}/0/hello.txt", check.OK, "gopher-item", check.Strong},
		{"gopher://{at}/9/data.bin", check.OK, "gopher-item", check.Strong},
		{"gopher://{at}/0/hello.txt%09%09+", check.OK, "gopher-item", check.Strong},
		{"gopher://{at}/0/hello.txt%09%09!", check.OK, "gopher-item", check.Strong},
		{"gopher://{at}/1/%09%09$", check.OK, "gopher-item", check.Strong},
		{"gopher://{at}/0/none.txt", check.Gone, "gopher-error-item", check.Strong},
		{"gopher://{at}/1/none", check.Gone, "gopher-error-item", check.Strong},
		{"gopher://{at}/9/none.bin", check.Gone, "gopher-error-item", check.Strong},
		{"gopher://{at}/0/none.txt%09%09+", check.Gone, "gopher-error-1", check.Strong},
		{"gopher://{at}/0/none.txt%09%09!", check.Gone, "gopher-error-1", check.Strong},
		{"gopher://{at}/0/denied.txt", check.Blocked, "access-list", check.Weak},
	})
	stop(t, server)
	probeAll(t, newProbers(t, all.Options{Options: check.Options{Timeout: time.Second}}), addr, []expectation{
		{"gopher://{at}/0/hello.txt", check.Temporary, "timeout", check.Weak},
	})
}

// Items that point elsewhere are judged there, and a Gopher port that speaks
// HTTP is no Gopher server.
func TestGopherElsewhere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	l.Close()
	addr, _ := nginx(t)
	probeAll(t, newProbers(t, all.Options{Web: web.Options{IgnoreRobots: true, NoSoft404: true}}), addr, []expectation{
		{"gopher://" + closed + "/hURL:http://{at}/hello.html", check.OK, "http-200", check.Strong},
		{"gopher://" + closed + "/hURL:http://{at}/404", check.Gone, "http-404", check.Strong},
		{"gopher://" + closed + "/8", check.Unreachable, "tcp-refused", check.Weak},
		{"gopher://{at}/0/hello.html", check.Undetermined, "protocol-mismatch", check.None},
	})
}
