package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/internal/testdoc"
)

// A name on the command line may be a link to a file, or a device or pipe: the
// first is followed, the second written to, and neither is replaced.
func TestReportIntoLinkAndPipe(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "mailto:ann@wells.test\n"})
	l.runWell(0)
	file, link, pipe := filepath.Join(l.dir, "r.csv"), filepath.Join(l.dir, "link.csv"), filepath.Join(l.dir, "pipe")
	testdoc.Write(t, file, "old")
	if err := os.Symlink("r.csv", link); err != nil {
		t.Fatal(err)
	}
	if err := mkfifo(pipe); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, name := range []string{link, pipe} {
		before, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		l.ok("report", "--csv", name)
		if after, err := os.Lstat(name); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s was %v, is %v, %v", name, before.Mode(), after.Mode(), err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "mailto:ann@wells.test") {
		t.Errorf("the file behind the link holds %q, %v", text, err)
	}
	if head, err := bufio.NewReader(f).ReadString('\n'); err != nil || !strings.HasPrefix(head, "link_id,") {
		t.Errorf("the pipe holds %q, %v", head, err)
	}
}
