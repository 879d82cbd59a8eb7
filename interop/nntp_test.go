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
	"linkcheck/check/nntp"
)

// post sends one article and waits until the server can find it.
func post(t *testing.T, addr, group, id string, login bool) {
	t.Helper()
	c, say := reader(t, addr)
	defer c.Close()
	if login {
		say("AUTHINFO USER reader\r\n")
		say("AUTHINFO PASS secret\r\n")
	}
	say("POST\r\n")
	date := time.Now().UTC().Format("Mon, 02 Jan 2006 15:04:05 -0700")
	answer := say(fmt.Sprintf("From: Ann <ann@archive.example>\r\nNewsgroups: %s\r\nSubject: one\r\nDate: %s\r\nMessage-ID: <%s>\r\n\r\nA body.\r\n.\r\n",
		group, date, id))
	if !strings.HasPrefix(answer, "240") {
		t.Fatalf("post %s: %q", id, answer)
	}
	say("QUIT\r\n")
	p := newProbers(t, all.Options{})
	for range 250 {
		r := probe(t, p, addr, "news://{at}/"+id)
		p.Close() // some servers show news to new sessions only
		if r.Outcome == check.OK || r.Outcome == check.Auth {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("the server does not store %s", id)
}

// reader opens a session for reading. A server that has just started may cut
// the first ones.
func reader(t *testing.T, addr string) (c net.Conn, say func(command string) string) {
	t.Helper()
	for range 100 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		c.SetDeadline(time.Now().Add(20 * time.Second))
		r := bufio.NewReader(c)
		say := func(command string) string {
			fmt.Fprint(c, command)
			line, _ := r.ReadString('\n')
			return line
		}
		if say("") != "" && say("MODE READER\r\n") != "" {
			return c, say
		}
		c.Close()
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the server cuts every session")
	return nil, nil
}

// inn starts INN with three groups of which one needs a password. access is
// what readers.conf grants to guests; run makes a command of a program of INN.
func inn(t *testing.T, access, more string) (addr string, run func(program string, args ...string) *exec.Cmd) {
	root(t)
	innd, dir, n := need(t, "innd"), publicDir(t), port(t)
	bin := filepath.Dir(innd)
	for _, name := range []string{"filter", "db", "run", "log", "articles", "overview", "archive", "outgoing", "incoming/bad", "incoming/tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	replace := strings.NewReplacer("DIR", dir, "BIN", bin, "PORT", fmt.Sprint(n), "ACCESS", access, "MORE", more).Replace
	for name, text := range map[string]string{
		"etc/inn.conf": `mta: "/bin/true"
organization: "test"
domain: archive.example
pathhost: news.archive.example
fromhost: archive.example
nnrpdloadlimit: 0
hismethod: hisv6
ovmethod: tradindexed
enableoverview: true
bindaddress: 127.0.0.1
port: PORT
nnrpdpostport: PORT
server: 127.0.0.1
pathnews: DIR
pathbin: BIN
pathetc: DIR/etc
pathfilter: DIR/filter
pathdb: DIR/db
pathrun: DIR/run
pathlog: DIR/log
pathspool: DIR
patharticles: DIR/articles
pathoverview: DIR/overview
patharchive: DIR/archive
pathoutgoing: DIR/outgoing
pathincoming: DIR/incoming
pathtmp: DIR/incoming/tmp
MORE
`,
		"etc/newsfeeds":     "ME:*::\n",
		"etc/storage.conf":  "method tradspool {\n newsgroups: *\n class: 0\n}\n",
		"etc/incoming.conf": "\n",
		"etc/expire.ctl":    "/remember/:1\n*:A:1:1:1\n",
		"etc/readers.conf": `auth all { hosts: "*" default: "guest" auth: "ckpasswd -f DIR/etc/passwd" }
ACCESS
access known { users: "reader" newsgroups: "*" access: RPA }
`,
		"db/active": "control 0000000000 0000000001 n\ncontrol.cancel 0000000000 0000000001 n\njunk 0000000000 0000000001 n\n" +
			"test.linkcheck 0000000000 0000000001 y\ntest.empty 0000000000 0000000001 y\ntest.private 0000000000 0000000001 y\n",
		"db/newsgroups":   "test.linkcheck\tArticles with known message-ids\n",
		"db/active.times": "",
		"db/history":      "",
	} {
		write(t, dir, name, replace(text))
	}
	hash, err := exec.Command(need(t, "openssl"), "passwd", "-1", "secret").Output()
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "etc/passwd", "reader:"+string(hash))
	if out, err := exec.Command("chown", "-R", "news:news", dir).CombinedOutput(); err != nil {
		t.Fatalf("chown: %s", out)
	}
	conf := "INNCONF=" + filepath.Join(dir, "etc/inn.conf")
	run = func(program string, args ...string) *exec.Cmd {
		cmd := asUser(t, command(filepath.Join(bin, program), args...), "news")
		cmd.Env = append(cmd.Env, conf)
		return cmd
	}
	if out, err := run("makedbz", "-i", "-o", "-s", "1000", "-f", filepath.Join(dir, "db/history")).CombinedOutput(); err != nil {
		t.Fatalf("makedbz: %v: %s", err, out)
	}
	return daemon(t, n, run("innd", "-f", "-P", fmt.Sprint(n))), run
}

const guests = `access guest { users: "guest" newsgroups: "*,!test.private" access: RPA }`

func TestINN(t *testing.T) {
	addr, _ := inn(t, guests, "")
	post(t, addr, "test.linkcheck", "one@archive.example", false)
	post(t, addr, "test.private", "hidden@archive.example", true)
	p := newProbers(t, all.Options{NNTP: nntp.Options{Servers: []string{addr}}})
	probeAll(t, p, addr, []expectation{
		{"news://{at}/one@archive.example", check.OK, "nntp-223", check.Strong},
		{"news:one@archive.example", check.OK, "nntp-223", check.Strong},
		{"news:test.linkcheck", check.OK, "nntp-211", check.Strong},
		{"news:test.*", check.OK, "nntp-215", check.Strong},
		{"news:*", check.Reachable, "nntp-200", check.Strong},
		{"nntp://{at}/test.linkcheck/1", check.OK, "nntp-223", check.Strong},
		{"nntp://{at}/test.empty", check.OK, "nntp-211", check.Strong},
		{"news://{at}/none@archive.example", check.Gone, "nntp-430", check.Strong},
		{"news:none@archive.example", check.Gone, "nntp-430", check.Strong},
		{"news:no.such.group", check.Gone, "nntp-411", check.Strong},
		{"news:none.*", check.Gone, "nntp-215", check.Strong},
		{"nntp://{at}/test.linkcheck/99", check.Gone, "nntp-423", check.Strong},
		{"nntp://{at}/test.empty/1", check.Gone, "nntp-423", check.Strong},
		{"news://{at}/hidden@archive.example", check.Auth, "nntp-480", check.None},
		{"nntp://{at}/test.private/1", check.Auth, "nntp-480", check.None},
	})
}

// readers.conf may name nobody, and a server may be closed to all.
func TestINNRefuses(t *testing.T) {
	addr, _ := inn(t, "", "noreader: true")
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{
		{"news://{at}/one@archive.example", check.Blocked, "nntp-502", check.None},
	})
}

func TestINNBusy(t *testing.T) {
	addr, run := inn(t, guests, "")
	if out, err := run("ctlinnd", "readers", "n", "back in an hour").CombinedOutput(); err != nil {
		t.Fatalf("ctlinnd: %v: %s", err, out)
	}
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{
		{"news://{at}/one@archive.example", check.Temporary, "nntp-400", check.Weak},
	})
}

// The reader's part of INN, started as inetd does on port 563.
func TestINNTLS(t *testing.T) {
	root(t)
	cert := certificate(t, publicDir(t))
	if out, err := exec.Command("chown", "news", cert).CombinedOutput(); err != nil {
		t.Fatalf("chown: %s", out)
	}
	plain, run := inn(t, guests, "tlscertfile: "+cert+"\ntlskeyfile: "+cert)
	post(t, plain, "test.linkcheck", "one@archive.example", false)
	addr := inetd(t, func() *exec.Cmd { return run("nnrpd", "-S") })
	p := newProbers(t, all.Options{})
	probeAll(t, p, addr, []expectation{
		{"snews://{at}/one@archive.example", check.OK, "nntp-223", check.Strong},
		{"snews://{at}/none@archive.example", check.Gone, "nntp-430", check.Strong},
		{"nntps://{at}/test.linkcheck/1", check.OK, "nntp-223", check.Strong},
	})
	if r := probe(t, p, addr, "snews://{at}/test.linkcheck"); len(r.Flags) != 1 || !strings.HasPrefix(r.Flags[0], "tls-") {
		t.Errorf("flags %q", r.Flags)
	}
	p.Close()
}

// sn starts sn with two groups. run makes a command of a program of sn.
func sn(t *testing.T) (addr string, run func(program string, args ...string) *exec.Cmd) {
	path, spool := need(t, "snntpd.bin"), filepath.Join(publicDir(t), "spool")
	run = func(program string, args ...string) *exec.Cmd {
		cmd := command(need(t, program), args...)
		cmd.Env = append(cmd.Env, "SNROOT="+spool, "POSTING_OK=1", "PATH="+filepath.Dir(path)+":"+os.Getenv("PATH"))
		return cmd
	}
	if err := os.Mkdir(spool, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, group := range []string{"test.linkcheck", "test.empty"} {
		if out, err := run("snnewgroup", group).CombinedOutput(); err != nil {
			t.Fatalf("snnewgroup: %v: %s", err, out)
		}
	}
	return inetd(t, func() *exec.Cmd { return run("snntpd.bin") }), run
}

func TestSn(t *testing.T) {
	addr, _ := sn(t)
	post(t, addr, "test.linkcheck", "one@archive.example", false)
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{
		{"news://{at}/one@archive.example", check.OK, "nntp-223", check.Strong},
		{"news://{at}/test.linkcheck", check.OK, "nntp-211", check.Strong},
		{"news://{at}/test.empty", check.OK, "nntp-211", check.Strong},
		{"news://{at}/none@archive.example", check.Gone, "nntp-430", check.Strong},
		{"nntp://{at}/test.linkcheck/9999", check.Gone, "nntp-430", check.Strong},
		{"nntp://{at}/no.such.group/1", check.Gone, "nntp-411", check.Strong},
	})
}
