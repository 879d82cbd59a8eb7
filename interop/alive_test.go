package interop

import (
	"os/exec"
	"testing"

	"linkcheck/check"
	"linkcheck/check/all"
)

func TestRsyncd(t *testing.T) {
	path := need(t, "rsync")
	dir := publicDir(t)
	config := write(t, dir, "rsyncd.conf", "motd file = "+write(t, dir, "motd", "Wells\n")+"\nuse chroot = no\n"+
		"[maps]\npath = "+dir+"\n[members]\npath = "+dir+"\nauth users = anna\nsecrets file = "+write(t, dir, "secrets", "anna:x\n"))
	addr := inetd(t, func() *exec.Cmd { return command(path, "--daemon", "--config="+config) })
	probeAll(t, newProbers(t, all.Options{}), addr, []expectation{
		{"rsync://{at}/", check.Reachable, "server-greeting", check.Strong},
		{"rsync://{at}/maps/wells.txt", check.OK, "rsync-module", check.Strong},
		{"rsync://{at}/none", check.Gone, "rsync-no-module", check.Strong},
		{"rsync://{at}/members/", check.Auth, "rsync-login", check.None},
	})
}
