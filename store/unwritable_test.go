package store

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const childTest = "LINKCHECK_TEST_CHILD" // the test that runs in a process of its own

// inChild runs the test again in a process with other attributes; true there.
func inChild(t *testing.T, attr *syscall.SysProcAttr) bool {
	t.Helper()
	if os.Getenv(childTest) == t.Name() {
		return true
	}
	dir, err := os.MkdirTemp("", "store") // the folders of a test are closed to other users
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "test")
	if err := errors.Join(copyFile(program, os.Args[0]), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.SysProcAttr = dir, attr
	cmd.Env = append(os.Environ(), childTest+"="+t.Name(), "TMPDIR="+dir)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		t.Skipf("this machine does not let us: %v", err)
	case err == nil && bytes.Contains(out, []byte("--- SKIP: "+t.Name())):
		t.Skipf("%s", out)
	case err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())):
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close(), os.Chmod(to, 0o755))
}

// TestUnwritableFolders: files and folders that may not be written give a clear
// error and stay as they are; what may be read is read. Permissions do not bind
// root, so root lets nobody try.
func TestUnwritableFolders(t *testing.T) {
	const nobody = 65534
	if os.Geteuid() == 0 && !inChild(t, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}) {
		return
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "s.db")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	lived(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(path, 0o444), os.Chmod(dir, 0o555)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if _, err := Open(path, nil); !errors.Is(err, ErrUnwritable) {
		t.Errorf("a read-only file: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "new.db"), nil); !errors.Is(err, ErrUnwritable) {
		t.Errorf("a new store in a read-only folder: %v", err)
	}
	r, err := Open(path, &Options{ReadOnly: true})
	if err != nil {
		t.Fatalf("to read a read-only file: %v", err)
	}
	mustVerify(t, r)
	if err := r.Backup(t.Context(), filepath.Join(dir, "copy.db")); !errors.Is(err, ErrUnwritable) {
		t.Errorf("a copy in a read-only folder: %v", err)
	}
	r.Close()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Compact(t.Context(), path, nil); !errors.Is(err, ErrUnwritable) {
		t.Errorf("compaction in a read-only folder: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed: %v", err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

// TestFullFileSystem writes a store until its file system is full: the error says
// so, and once there is space again all that was said to be done is there.
func TestFullFileSystem(t *testing.T) {
	attr := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}},
	}
	if !inChild(t, attr) {
		return
	}
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=1500k"); err != nil {
		t.Skipf("no file system can be made here: %v", err)
	}
	defer syscall.Unmount(dir, 0)
	ballast, path := filepath.Join(dir, "ballast"), filepath.Join(dir, "s.db")
	if err := os.WriteFile(ballast, make([]byte, 500<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var done []committed
	for round := 0; err == nil && round < 1000; round++ {
		err = crashRound(s, round, func(d committed) { done = append(done, d) })
	}
	if !errors.Is(err, ErrUnwritable) || !errors.Is(err, syscall.ENOSPC) || len(done) == 0 {
		t.Fatalf("after %d results: %v", len(done), err)
	}
	if err := s.Close(); err != nil && !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("closing: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "new.db"), nil); !errors.Is(err, ErrUnwritable) {
		t.Errorf("a new store on a full disk: %v", err)
	}
	if r, err := Open(path, &Options{ReadOnly: true}); err == nil {
		mustVerify(t, r)
		r.Close()
	} else if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "a run was cut off") {
		t.Errorf("reading on a full disk: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(path, nil); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustVerify(t, s)
	for _, d := range done {
		if l, err := s.link(d.id); err != nil || l.LastRun < d.run {
			t.Fatalf("link %d was done in run %d: %+v, %v", d.id, d.run, l.LastRun, err)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}
