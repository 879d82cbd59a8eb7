package interop

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// testGopher walks over the menus of Gophernicus: what they lead to on this server is
// read once, what did not change is read and is the same, and what is not found on two
// nights is gone.
func testGopher(t *testing.T, program string) {
	path, tree := need(t, "gophernicus"), filepath.Join(publicDir(t), "tree")
	write(t, tree, "minutes.txt", "See mailto:mill@wells.example.\n")
	write(t, tree, "docs/a file.txt", "See mailto:reeve@wells.example.\n")
	write(t, tree, "docs/b.txt", "Nothing to see.\n")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, outside, _ := net.SplitHostPort(l.Addr().String()) // which the menus name: that of the relay
	l.Close()
	addr := inetd(t, func() *exec.Cmd {
		return asUser(t, command(path, "-nu", "-nv", "-h", "127.0.0.1", "-p", outside, "-r", tree), "nobody")
	})
	a := newArchive(t, program, "gopher://"+oneAtATime(t, "127.0.0.1:"+outside, addr)+"/1/")
	a.night(0).is(t, 5, 5, 0, 0, "whole")
	if got := a.urls(); len(got) != 7 || got[5] != "not-checkable mailto:mill@wells.example" || got[6] != "not-checkable mailto:reeve@wells.example" {
		t.Errorf("links %q", got) // and two menus with three files
	}
	a.night(0).is(t, 5, 0, 0, 0, "whole")
	if err := os.Remove(filepath.Join(tree, "docs/b.txt")); err != nil {
		t.Fatal(err)
	}
	a.night(0).is(t, 5, 0, 1, 0, "whole") // its menu
	a.night(0).is(t, 4, 0, 0, 1, "whole")
}
