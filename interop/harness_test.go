package interop

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/check/netguard"
	"linkcheck/internal/testdoc"
	"linkcheck/uri"
)

// servers is where install.sh unpacks.
const servers = ".servers"

// need gives the path of a server's program. Without it the test skips, or
// fails where everything must be there.
func need(t *testing.T, program string) string {
	t.Helper()
	for _, dir := range []string{"usr/sbin", "usr/bin", "usr/lib/news/bin"} {
		if path, err := filepath.Abs(filepath.Join(servers, dir, program)); err == nil && executable(path) {
			return path
		}
	}
	if path, err := exec.LookPath(program); err == nil {
		return path
	}
	missing(t, program+" is not installed: run interop/install.sh")
	return ""
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// root skips where the server needs rights that we have not.
func root(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		missing(t, "this server needs root")
	}
}

func missing(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("LINKCHECK_INTEROP") == "require" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// command is a server's program with the libraries that were unpacked beside it.
func command(path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	libs, _ := filepath.Glob(filepath.Join(servers, "usr/lib/*-linux-gnu"))
	libs = append(libs, filepath.Join(servers, "usr/lib/news"))
	for i := range libs {
		libs[i], _ = filepath.Abs(libs[i])
	}
	python, _ := filepath.Abs(filepath.Join(servers, "usr/lib/python3/dist-packages"))
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(libs, ":"), "PYTHONPATH="+python)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// asUser makes cmd run as another user, where we may.
func asUser(t *testing.T, cmd *exec.Cmd, name string) *exec.Cmd {
	t.Helper()
	if os.Getuid() != 0 {
		return cmd
	}
	u, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return cmd
}

// port gives a free port of the loopback.
func port(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// daemon runs a server until the test ends, and waits until it listens.
func daemon(t *testing.T, port int, cmd *exec.Cmd) string {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	go func() { cmd.Wait(); close(gone) }()
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-gone
		if words, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("%s said: %s", cmd.Path, words)
		}
		log.Close()
	})
	addr := fmt.Sprintf("127.0.0.1:%d", port)
	deadline := time.After(20 * time.Second)
	for tick := time.Tick(20 * time.Millisecond); ; {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return addr
		}
		select {
		case <-tick:
			continue
		case <-gone:
		case <-deadline:
		}
		words, _ := os.ReadFile(log.Name())
		t.Fatalf("%s does not listen: %s", cmd.Path, words)
	}
}

// stop leaves a server alive and unable to answer, as one that has too much to do.
func stop(t *testing.T, server *exec.Cmd) {
	t.Helper()
	if err := syscall.Kill(-server.Process.Pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}

// inetd serves every connection with a process of its own, as inetd does.
func inetd(t *testing.T, make func() *exec.Cmd) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			wg.Go(func() { serveOne(t, c.(*net.TCPConn), make()) })
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	return l.Addr().String()
}

func serveOne(t *testing.T, c *net.TCPConn, cmd *exec.Cmd) {
	socket, err := c.File()
	c.Close()
	if err != nil {
		t.Error(err)
		return
	}
	defer socket.Close()
	syscall.SetNonblock(int(socket.Fd()), false)
	cmd.Stdin, cmd.Stdout = socket, socket
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return
	}
	kill := time.AfterFunc(20*time.Second, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer kill.Stop()
	cmd.Wait()
}

// write puts text into a file below dir and gives its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	return testdoc.Write(t, filepath.Join(dir, name), text)
}

// publicDir is a temporary folder that other users may enter.
func publicDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// certificate makes a self-signed certificate and its key in one file.
func certificate(t *testing.T, dir string) string {
	t.Helper()
	openssl := need(t, "openssl")
	key, crt := filepath.Join(dir, "key.pem"), filepath.Join(dir, "crt.pem")
	out, err := exec.Command(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", crt,
		"-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost").CombinedOutput()
	if err != nil {
		t.Fatalf("openssl: %v: %s", err, out)
	}
	k, _ := os.ReadFile(key)
	c, _ := os.ReadFile(crt)
	path := write(t, dir, "cert.pem", string(k)+string(c))
	os.Chmod(path, 0o600)
	return path
}

// expectation is one URI and the result that its probe must give. The text holds {at} for "host:port".
type expectation struct {
	url      string
	outcome  check.Outcome
	reason   check.Reason
	evidence check.Evidence
}

// newProbers makes the probers of the program, over the guarded dialer.
func newProbers(t *testing.T, o all.Options, rules ...netguard.ConnectRule) *all.Probers {
	t.Helper()
	o.Dialer = &netguard.Guard{ConnectTo: rules, AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	o.Contact = contact
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	p := all.Table(o)
	t.Cleanup(func() { p.Close() })
	return p
}

// probeAll probes each URI at the server at addr.
func probeAll(t *testing.T, p *all.Probers, addr string, list []expectation) {
	t.Helper()
	if len(list) == 0 {
		t.Fatal("nothing is asked")
	}
	for _, w := range list {
		r := probe(t, p, addr, w.url)
		if r.Outcome != w.outcome || r.Reason != w.reason || r.Evidence != w.evidence {
			t.Errorf("%s: %s(%s) %s, want %s(%s) %s; reply %q", w.url, r.Outcome, r.Reason, r.Evidence,
				w.outcome, w.reason, w.evidence, r.Reply)
		}
	}
	p.Close()
}

func probe(t *testing.T, p *all.Probers, addr, url string) check.Result {
	t.Helper()
	u, err := uri.Parse(strings.ReplaceAll(url, "{at}", addr))
	if err != nil {
		t.Fatal(err)
	}
	return p.Probe(context.Background(), check.Target{URI: u})
}
