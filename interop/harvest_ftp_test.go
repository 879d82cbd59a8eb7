package interop

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A conversation is what the program says to an FTP server.
type conversation struct {
	mu   sync.Mutex
	said bytes.Buffer
}

// Write implements io.Writer.
func (c *conversation) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.said.Write(p)
}

// lines gives what was sent since the last time.
func (c *conversation) lines() (list []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for line := range strings.Lines(c.said.String()) {
		list = append(list, strings.TrimRight(line, "\r\n"))
	}
	c.said.Reset()
	return list
}

// sent gives what was sent since the last time by commands, sorted: "RETR a.txt".
func (c *conversation) sent(commands ...string) (list []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for line := range strings.Lines(c.said.String()) {
		line = strings.TrimRight(line, "\r\n")
		if name, _, _ := strings.Cut(line, " "); slices.Contains(commands, name) {
			list = append(list, line)
		}
	}
	c.said.Reset()
	slices.Sort(list)
	return list
}

// testFTP walks over the folders of a server that lists them by a command: all files are
// found, on the second night the lists alone are asked for, what changed is read again, and
// what the lists name no more is gone, unless a list is empty at once. A link to its own
// folder is asked for as a file, which it is not, and leads nowhere.
func testFTP(t *testing.T, program, command string, serve func(t *testing.T, tree string) string) {
	dir := filepath.Join(publicDir(t), "tree")
	put := func(name, text string) {
		t.Helper()
		file := write(t, dir, name, text)
		at := time.Date(2020, 1, 5, 12, 0, 0, 0, time.UTC).Add(time.Duration(len(text)) * time.Hour)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	text := "See mailto:mill@wells.example.\n" // nobody is asked for it
	for _, name := range []string{"minutes.txt", "a#b%20c.txt", "caf\xe9.txt", "mill.png", "old/a file", "old/deeper/b.txt", "old/deeper/stays.txt", "once/c.txt"} {
		put("tree/"+name, text)
	}
	put("outside.txt", text)
	if err := os.Symlink(".", filepath.Join(dir, "tree/loop")); err != nil {
		t.Fatal(err)
	}
	var c conversation
	a := newArchive(t, program, "ftp://"+overheard(t, anyPort, serve(t, dir), &c)+"/tree/")
	asked := func(files ...string) {
		t.Helper()
		want := slices.Concat([]string{command, command, command, command}, with("RETR ", files, ""))
		once(t, c.sent(command, "RETR"), want...)
	}

	a.night(0).is(t, 11, 11, 0, 0, "whole") // with four folders
	asked("loop", "minutes.txt", "a#b%20c.txt", "caf\xe9.txt", "a file", "b.txt", "stays.txt", "c.txt")
	if got := a.urls(); !slices.Equal(got, []string{"not-checkable mailto:mill@wells.example"}) {
		t.Errorf("links %q", got)
	}
	if err := os.Chmod(filepath.Join(dir, "tree/minutes.txt"), 0o444); err != nil { // its row in LIST says so
		t.Fatal(err)
	}
	a.night(0).is(t, 11, 0, 0, 0, "whole")
	asked()

	put("tree/old/a file", text+"See mailto:reeve@wells.example.\n")
	for _, name := range []string{"old/deeper/b.txt", "once/c.txt"} {
		if err := os.Remove(filepath.Join(dir, "tree", name)); err != nil {
			t.Fatal(err)
		}
	}
	a.night(0).is(t, 10, 0, 1, 1, "/tree/once/ is empty, and had 1 document")
	asked("a file", "b.txt", "c.txt")
	if got := a.urls(); !slices.Equal(got, []string{"not-checkable mailto:mill@wells.example", "not-checkable mailto:reeve@wells.example"}) {
		t.Errorf("links %q", got)
	}
	a.night(0).is(t, 9, 0, 0, 1, "whole") // not found on two nights
	asked("c.txt")
	a.night(0).is(t, 9, 0, 0, 0, "whole")
	asked()
}
