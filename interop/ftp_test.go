package interop

import (
	"bufio"
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
	"linkcheck/check/netguard"
)

// ftpTree is a small public tree with awkward names, readable by all but for
// one folder.
func ftpTree(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(publicDir(t), "tree")
	for name, text := range map[string]string{
		"pub/hello.txt":             "Hello, archive.\n",
		"pub/rfc/rfc2056.txt":       "RFC 2056\n",
		"pub/dir with space/a file": "spaces\n",
		"pub/a#b%20c.txt":           "hash and percent\n",
		"pub/caf\xe9.txt":           "latin-1 name\n",
		"pub/denied/no.txt":         "secret\n",
	} {
		write(t, dir, name, text)
	}
	if err := os.Mkdir(filepath.Join(dir, "pub/empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "pub/denied"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "pub/denied"), 0o755) })
	return dir
}

// present is there on every FTP server; the names of octets beyond ASCII are not.
func present() []expectation {
	var list []expectation
	for url, reason := range map[string]check.Reason{
		"ftp://{at}/":                                     "ftp-230",
		"ftp://{at}/pub/":                                 "ftp-250",
		"ftp://{at}/pub;type=d":                           "ftp-250",
		"ftp://{at}/pub/rfc":                              "ftp-250",
		"ftp://{at}/pub/empty/":                           "ftp-250",
		"ftp://{at}/pub/hello.txt":                        "ftp-213",
		"ftp://{at}/pub/hello.txt;type=a":                 "ftp-213",
		"ftp://{at}/%2Fpub/hello.txt":                     "ftp-213",
		"ftp://{at}//pub//hello.txt":                      "ftp-213",
		"ftp://{at}/pub/dir%20with%20space/a%20file":      "ftp-213",
		"ftp://{at}/pub/a%23b%2520c.txt":                  "ftp-213",
		"ftp://anonymous:secret@{at}/pub/rfc/rfc2056.txt": "ftp-213",
	} {
		list = append(list, expectation{url, check.OK, reason, check.Strong})
	}
	return list
}

// contact is the password of anonymous logins.
const contact = "archive@lib.example"

// contactHash is crypt(3) of it by MD5: the hash that pure-pw makes takes a second or
// more to check at each login.
const contactHash = "$1$archive$uiX8RBBHk/jhISv7XKCaj1"

// hold keeps one session open, so that a server of one client is full. The
// server may not have noticed yet that an earlier client went.
func hold(t *testing.T, addr string) {
	t.Helper()
	for range 100 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if loggedIn(c) {
			t.Cleanup(func() { c.Close() })
			return
		}
		c.Close()
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the server lets nobody in")
}

func loggedIn(c net.Conn) bool {
	r := bufio.NewReader(c)
	last := ""
	for _, command := range []string{"", "USER anonymous\r\n", "PASS " + contact + "\r\n"} {
		fmt.Fprint(c, command)
		for last = ""; len(last) < 4 || last[3] != ' '; {
			var err error
			if last, err = r.ReadString('\n'); err != nil {
				return false
			}
		}
	}
	return last[:3] == "230"
}

func vsftpd(t *testing.T, more string) string { return vsftpdOf(t, ftpTree(t), more) }

// vsftpdOf starts a server of a tree; more is added to its settings.
func vsftpdOf(t *testing.T, tree, more string) string {
	root(t)
	path, dir, n := need(t, "vsftpd"), publicDir(t), port(t)
	os.Mkdir(filepath.Join(dir, "empty"), 0o755)
	config := write(t, dir, "vsftpd.conf", fmt.Sprintf(`listen=YES
listen_address=127.0.0.1
listen_port=%d
background=NO
seccomp_sandbox=NO
anonymous_enable=YES
local_enable=NO
ftp_username=daemon
anon_root=%s
secure_chroot_dir=%s
vsftpd_log_file=%s
%s`, n, tree, filepath.Join(dir, "empty"), filepath.Join(dir, "log"), more))
	return daemon(t, n, command(path, config))
}

func TestVsftpd(t *testing.T) {
	addr := vsftpd(t, "")
	probeAll(t, newProbers(t, all.Options{}), addr, append(present(),
		expectation{"ftp://{at}/pub/caf%E9.txt", check.OK, "ftp-213", check.Strong},
		expectation{"ftp://{at}/pub/none.txt", check.Gone, "ftp-550", check.Weak},
		expectation{"ftp://{at}/none/none.txt", check.Gone, "ftp-550", check.Weak},
		expectation{"ftp://{at}/pub/denied/no.txt", check.Gone, "ftp-550", check.Weak}, // REAL-SERVERS E 3
		expectation{"ftp://alice:wonder@{at}/pub/hello.txt", check.Auth, "ftp-530", check.None},
		expectation{"ftp://{at}/pub/hello.txt/x", check.Gone, "ftp-550", check.Weak}))
}

func TestVsftpdBusy(t *testing.T) {
	addr := vsftpd(t, "max_clients=1\n")
	hold(t, addr)
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{{"ftp://{at}/pub/hello.txt", check.Temporary, "full", check.Weak}})
}

// A server that anonymous readers may not enter.
func TestVsftpdRefuses(t *testing.T) {
	addr := vsftpd(t, "deny_email_enable=YES\nbanned_email_file="+write(t, publicDir(t), "banned", contact+"\n")+"\n")
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{{"ftp://{at}/pub/hello.txt", check.Auth, "ftp-530", check.None}})
}

func TestVsftpdTLS(t *testing.T) {
	addr := vsftpd(t, "ssl_enable=YES\nallow_anon_ssl=YES\nforce_anon_logins_ssl=YES\nforce_anon_data_ssl=YES\n"+
		"require_ssl_reuse=NO\nrsa_cert_file="+certificate(t, t.TempDir())+"\n")
	p := newProbers(t, all.Options{})
	probeAll(t, p, addr, []expectation{
		{"ftp://{at}/pub/hello.txt", check.OK, "ftp-213", check.Strong},
		{"ftp://{at}/pub/none.txt", check.Gone, "ftp-550", check.Weak},
	})
	if r := probe(t, p, addr, "ftp://{at}/pub/hello.txt"); len(r.Flags) != 1 || !strings.HasPrefix(r.Flags[0], "tls-") {
		t.Errorf("flags %q", r.Flags)
	}
}

// proftpd starts a server; hosts are sections of its file for other names.
func proftpd(t *testing.T, more string, hosts ...string) string {
	return proftpdOf(t, ftpTree(t), more, hosts...)
}

// proftpdOf starts a server of a tree.
func proftpdOf(t *testing.T, tree, more string, hosts ...string) string {
	root(t)
	path, dir, n := need(t, "proftpd"), t.TempDir(), port(t)
	modules, _ := filepath.Abs(filepath.Join(servers, "usr/lib/proftpd"))
	write(t, dir, "passwd", "ftp:*:65534:65534::/:/bin/sh\n")
	write(t, dir, "group", "ftp:*:65534:\n")
	os.Chmod(filepath.Join(dir, "passwd"), 0o600)
	os.Chmod(filepath.Join(dir, "group"), 0o600)
	values := strings.NewReplacer("DIR", dir, "TREE", tree, "MODULES", modules, "PORT", fmt.Sprint(n), "MORE", more)
	config := write(t, dir, "proftpd.conf", values.Replace(`ModulePath MODULES
ServerType standalone
DefaultAddress 127.0.0.1
SocketBindTight on
Port PORT
User nobody
Group nogroup
UseIPv6 off
UseReverseDNS off
WtmpLog off
PidFile DIR/pid
ScoreboardFile DIR/scoreboard
DelayTable none
SystemLog DIR/system.log
TransferLog none
AuthOrder mod_auth_file.c
AuthUserFile DIR/passwd
AuthGroupFile DIR/group
RequireValidShell off
MORE
<Anonymous TREE>
  User ftp
  Group ftp
  UserAlias anonymous ftp
  <Limit WRITE>
    DenyAll
  </Limit>
</Anonymous>
`+strings.Join(hosts, "")))
	return daemon(t, n, command(path, "-n", "-q", "-c", config))
}

func TestProftpd(t *testing.T) {
	addr := proftpd(t, "")
	probeAll(t, newProbers(t, all.Options{}), addr, append(present(),
		expectation{"ftp://{at}/pub/caf%E9.txt", check.OK, "ftp-213", check.Strong},
		expectation{"ftp://{at}/pub/none.txt", check.Gone, "ftp-550", check.Strong},
		expectation{"ftp://{at}/none/none.txt", check.Gone, "ftp-550", check.Strong},
		expectation{"ftp://{at}/pub/denied/no.txt", check.Auth, "ftp-550", check.None},
		expectation{"ftp://alice:wonder@{at}/pub/hello.txt", check.Auth, "ftp-331", check.None}))
}

func TestProftpdBusy(t *testing.T) {
	addr := proftpd(t, "MaxClients 1 \"Sorry, max %m users -- try again later\"\n")
	hold(t, addr)
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{{"ftp://{at}/pub/hello.txt", check.Temporary, "full", check.Weak}})
}

// Its access list closes the connection without a word, as a busy server may.
func TestProftpdRefuses(t *testing.T) {
	addr := proftpd(t, "<Limit LOGIN>\n  DenyAll\n</Limit>\n")
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{{"ftp://{at}/pub/hello.txt", check.Temporary, "closed", check.Weak}})
}

func TestProftpdTLS(t *testing.T) {
	cert := certificate(t, t.TempDir())
	addr := proftpd(t, "LoadModule mod_tls.c\nTLSEngine on\nTLSRequired on\nTLSRSACertificateFile "+cert+
		"\nTLSRSACertificateKeyFile "+cert+"\nTLSOptions NoSessionReuseRequired\n")
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{
		{"ftp://{at}/pub/hello.txt", check.OK, "ftp-213", check.Strong},
		{"ftp://{at}/pub/none.txt", check.Gone, "ftp-550", check.Strong},
	})
}

// A server of several names has a tree for each: HOST says which is meant (RFC 7151), and
// a name that the server does not know is that of its first tree.
func TestProftpdHost(t *testing.T) {
	section := func(name, file string) string {
		dir := publicDir(t)
		write(t, dir, "tree/pub/"+file, "of "+name+"\n")
		return "<VirtualHost 127.0.0.1>\n  ServerName " + name + "\n  ServerAlias " + name + "\n  Port PORT\n  AuthOrder mod_auth_file.c\n" +
			"  AuthUserFile DIR/passwd\n  AuthGroupFile DIR/group\n  RequireValidShell off\n  WtmpLog off\n  TransferLog none\n" +
			"  <Anonymous " + filepath.Join(dir, "tree") + ">\n    User ftp\n    Group ftp\n    UserAlias anonymous ftp\n  </Anonymous>\n</VirtualHost>\n"
	}
	addr := proftpd(t, "", section("ships.museum.test", "ships.txt"), section("mills.museum.test", "mills.txt"))
	_, port, _ := net.SplitHostPort(addr)
	var rules []netguard.ConnectRule
	for _, name := range []string{"ships", "mills", "other"} {
		rules = append(rules, netguard.ConnectRule{Host: name + ".museum.test", ToHost: "127.0.0.1"})
	}
	probeAll(t, newProbers(t, all.Options{}, rules...), port, []expectation{
		{"ftp://ships.museum.test:{at}/pub/ships.txt", check.OK, "ftp-213", check.Strong},
		{"ftp://ships.museum.test:{at}/pub/mills.txt", check.Gone, "ftp-550", check.Strong},
		{"ftp://mills.museum.test:{at}/pub/mills.txt", check.OK, "ftp-213", check.Strong},
		{"ftp://mills.museum.test:{at}/pub/ships.txt", check.Gone, "ftp-550", check.Strong},
		{"ftp://other.museum.test:{at}/pub/hello.txt", check.OK, "ftp-213", check.Strong},
		{"ftp://127.0.0.1:{at}/pub/hello.txt", check.OK, "ftp-213", check.Strong},
		{"ftp://127.0.0.1:{at}/pub/ships.txt", check.Gone, "ftp-550", check.Strong},
	})
}

// pureftpd serves the tree to a user "anonymous" of its own database: real
// anonymous logins would need a system user and files below /etc.
func pureftpd(t *testing.T, args ...string) string {
	root(t)
	path, dir, n := need(t, "pure-ftpd"), publicDir(t), port(t)
	users := write(t, dir, "users", "anonymous:"+contactHash+":1:1::"+ftpTree(t)+"/./::::::::::::\n")
	if out, err := command(need(t, "pure-pw"), "mkdb", filepath.Join(dir, "users.pdb"), "-f", users).CombinedOutput(); err != nil {
		t.Fatalf("pure-pw: %v: %s", err, out)
	}
	return daemon(t, n, command(path, append([]string{"-S", fmt.Sprintf("127.0.0.1,%d", n), "-E", "-H", "-u", "1",
		"-l", "puredb:" + filepath.Join(dir, "users.pdb"), "-g", filepath.Join(dir, "pid")}, args...)...))
}

func TestPureftpd(t *testing.T) {
	addr := pureftpd(t)
	probeAll(t, newProbers(t, all.Options{}), addr, append(present(),
		expectation{"ftp://{at}/pub/caf%E9.txt", check.OK, "ftp-213", check.Strong},
		expectation{"ftp://{at}/pub/none.txt", check.Gone, "ftp-550", check.Strong},
		expectation{"ftp://{at}/none/none.txt", check.Gone, "ftp-550", check.Strong},
		expectation{"ftp://{at}/pub/denied/no.txt", check.Auth, "ftp-550", check.None},
		expectation{"ftp://alice:wonder@{at}/pub/hello.txt", check.Auth, "ftp-331", check.None}))
}

func TestPureftpdTLS(t *testing.T) {
	addr := pureftpd(t, "-Y", "2", "-2", certificate(t, t.TempDir()))
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{
		{"ftp://{at}/pub/hello.txt", check.OK, "ftp-213", check.Strong},
		{"ftp://{at}/pub/none.txt", check.Gone, "ftp-550", check.Strong},
	})
}

func TestPureftpdBusy(t *testing.T) {
	addr := pureftpd(t, "-c", "1")
	hold(t, addr)
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{{"ftp://{at}/pub/hello.txt", check.Temporary, "full", check.Weak}})
}

// pyftpdlib starts a server that wants TLS; more is Python that may change its
// handler.
func pyftpdlib(t *testing.T, more string) string {
	python, dir, n := need(t, "python3"), t.TempDir(), port(t)
	if debian, err := exec.LookPath("/usr/bin/python3"); err == nil {
		python = debian // the unpacked modules are made for it
	}
	if command(python, "-c", "import pyftpdlib").Run() != nil {
		missing(t, "pyftpdlib is not installed: run interop/install.sh")
	}
	script := write(t, dir, "server.py", `import sys
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import TLS_FTPHandler
from pyftpdlib.servers import FTPServer
authorizer = DummyAuthorizer()
authorizer.add_anonymous(sys.argv[2])
handler = TLS_FTPHandler
handler.authorizer, handler.certfile = authorizer, sys.argv[3]
handler.tls_control_required = True
`+more+`
FTPServer(("127.0.0.1", int(sys.argv[1])), handler).serve_forever()
`)
	return daemon(t, n, command(python, script, fmt.Sprint(n), ftpTree(t), certificate(t, dir)))
}

func TestPyftpdlib(t *testing.T) {
	addr := pyftpdlib(t, "")
	probeAll(t, newProbers(t, all.Options{}), addr, append(present(),
		expectation{"ftp://{at}/pub/none.txt", check.Gone, "ftp-550", check.Strong},
		expectation{"ftp://{at}/none/none.txt", check.Gone, "ftp-550", check.Strong}))
}

// A server that knows none of the questions is asked for a name list, over a
// data connection that it wants in TLS as well.
func TestPyftpdlibBare(t *testing.T) {
	addr := pyftpdlib(t, `handler.tls_data_required = True
handler.proto_cmds = {k: v for k, v in handler.proto_cmds.items() if k not in ("SIZE", "MDTM", "MLST", "MLSD")}
`)
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{
		{"ftp://{at}/pub/hello.txt", check.OK, "ftp-is-a-file", check.Strong},
		{"ftp://{at}/pub/hello.txt;type=d", check.OK, "listed", check.Strong},
		{"ftp://{at}/pub/rfc", check.OK, "ftp-250", check.Strong},
		{"ftp://{at}/pub/none.txt", check.Gone, "ftp-550", check.Weak},
	})
}

func TestPyftpdlibBusy(t *testing.T) {
	addr := pyftpdlib(t, "FTPServer.max_cons_per_ip = 1\n")
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for line := ""; !strings.HasPrefix(line, "220 "); { // the server may not have noticed that another went
		if line, err = bufio.NewReader(c).ReadString('\n'); err != nil || strings.HasPrefix(line, "421") {
			c.Close()
			if c, err = net.Dial("tcp", addr); err != nil {
				t.Fatal(err)
			}
		}
	}
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{{"ftp://{at}/pub/hello.txt", check.Temporary, "full", check.Weak}})
}

func TestPyftpdlibRefuses(t *testing.T) {
	addr := pyftpdlib(t, "authorizer.remove_user('anonymous')\n")
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{{"ftp://{at}/pub/hello.txt", check.Auth, "ftp-530", check.None}})
}
