package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// TestMain is the confined process too: what it may open is in the environment.
func TestMain(m *testing.M) {
	if dir := os.Getenv("SANDBOX_TEST_DIR"); dir != "" {
		os.Exit(confined(dir))
	}
	os.Exit(m.Run())
}

// confined enters the sandbox and prints what does not go as it should.
func confined(dir string) int {
	at := func(name string) string { return filepath.Join(dir, name) }
	threads, ready := sync.WaitGroup{}, make(chan bool)
	for range 4 { // threads that were there before
		threads.Go(func() {
			runtime.LockOSThread()
			<-ready
			_, err := os.ReadFile(at("outside/secret"))
			expect("read in another thread", err, fs.ErrPermission)
		})
	}
	err := Enter(Files{
		Read:    []string{at("read"), at("one.txt"), at("missing/below/it"), at("fifo"), "/dev/stdin"},
		Write:   []string{at("written/new"), at("written/link"), "/dev/null", "/dev/stdout", at("missing/folder/x")},
		Create:  []string{at("filled/a/b")},
		Scratch: at("scratch"),
	})
	expect("enter", err, nil)
	close(ready)
	threads.Wait()
	read := func(name string, want error) {
		_, err := os.ReadFile(at(name))
		expect("read "+name, err, want)
	}
	write := func(name string, want error) {
		expect("write "+name, os.WriteFile(at(name), []byte("x"), 0o600), want)
	}
	read("read/below/a", nil)
	read("one.txt", nil)
	read("written/old", nil)
	for _, name := range []string{"outside/secret", "two.txt", "read/out", "missing.txt"} {
		read(name, map[bool]error{true: fs.ErrNotExist, false: fs.ErrPermission}[name == "missing.txt"])
	}
	read("read/../outside/secret", fs.ErrPermission)
	write("written/new", nil)
	write("linked/new", nil) // where the link leads
	write("filled/file", nil)
	write("scratch/file", nil)
	expect("mkdir", os.MkdirAll(at("filled/a/b"), 0o700), nil)
	expect("rename", os.Rename(at("written/new"), at("written/other")), nil)
	expect("link", os.Link(at("written/other"), at("written/third")), nil)
	expect("remove", errors.Join(os.Remove(at("scratch/old")), os.Remove(at("scratch/file")), os.Remove(at("scratch"))), nil)
	for _, name := range []string{"outside/secret", "outside/new", "read/below/a", "read/new", "one.txt", "written/../outside/secret", "read/out"} {
		write(name, fs.ErrPermission)
	}
	expect("truncate", os.Truncate(at("one.txt"), 0), fs.ErrPermission)
	expect("remove read", os.Remove(at("read/below/a")), fs.ErrPermission)
	expect("remove outside", os.Remove(at("outside/secret")), fs.ErrPermission)
	expect("mkdir outside", os.Mkdir(at("outside/dir"), 0o700), fs.ErrPermission)
	expect("mkdir written", os.Mkdir(at("written/dir"), 0o700), fs.ErrPermission)
	expect("symlink", os.Symlink(at("outside/secret"), at("written/sym")), fs.ErrPermission)
	if err := os.Rename(at("written/other"), at("outside/moved")); err == nil {
		fmt.Println("moved out")
	}
	if err := os.Link(at("outside/secret"), at("written/in")); err == nil {
		fmt.Println("linked in")
	}
	_, err = os.ReadDir(at("outside"))
	expect("list", err, fs.ErrPermission)
	expect("run", exec.Command("/bin/sh", "-c", "exit 0").Run(), fs.ErrPermission)
	expect("device", os.WriteFile("/dev/null", []byte("x"), 0), nil)
	expect("output", os.WriteFile("/dev/stdout", nil, 0), nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	expect("listen", err, nil)
	l.Close()
	return 0
}

func expect(what string, err, want error) {
	if !errors.Is(err, want) || want == nil && err != nil {
		fmt.Printf("%s: %v, want %v\n", what, err, want)
	}
}

// TestEnter: a confined process reads and writes what it named, and nothing else, in every
// thread.
func TestEnter(t *testing.T) {
	if !Available() {
		t.Skip("this system has no Landlock that denies reading and writing")
	}
	dir := t.TempDir()
	for _, name := range []string{"read/below/a", "one.txt", "two.txt", "outside/secret", "written/old", "linked/old", "filled/old", "scratch/old", "fifo"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"read/out": "../outside/secret", "written/link": "../linked/old"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "SANDBOX_TEST_DIR="+dir)
	cmd.Stdin = strings.NewReader("")
	out, err := cmd.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "outside/secret")); err != nil || string(text) != "x" {
		t.Errorf("outside: %q, %v", text, err)
	}
}
