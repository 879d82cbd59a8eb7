package interop

import (
	"os"
	"os/exec"
	"testing"

	"linkcheck/check"
	"linkcheck/check/all"
)

func TestTelnetd(t *testing.T) {
	root(t)
	path := need(t, "telnetd")
	login := write(t, publicDir(t), "login.sh", "#!/bin/sh\nprintf 'Test Library Catalogue\\r\\nlogin: '\nread -r user\n")
	os.Chmod(login, 0o755)
	addr := inetd(t, func() *exec.Cmd { return command(path, "-h", "-E", login) })
	p := newProbers(t, all.Options{})
	probeAll(t, p, addr, []expectation{
		{"telnet://{at}/", check.Reachable, "telnet-answer", check.Strong},
		{"telnet://alice:wonder@{at}/", check.Reachable, "telnet-answer", check.Strong},
		{"tn3270://{at}/", check.Reachable, "telnet-answer", check.Strong},
		{"gopher://{at}/8", check.Reachable, "telnet-answer", check.Strong},
	})
	if r := probe(t, p, addr, "telnet://{at}/"); r.Reply != "Test Library Catalogue login:" {
		t.Errorf("reply %q", r.Reply)
	}
}
