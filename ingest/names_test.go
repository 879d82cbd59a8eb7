package ingest

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
)

func TestReadNames(t *testing.T) {
	dir := t.TempDir()
	for name, id := range map[string]string{"box/cur/1": "1@a", "box/cur/2": "2@a", "x.txt": ""} {
		testdoc.Write(t, filepath.Join(dir, name), "From: a@b\nSubject: x\nMessage-ID: <"+id+">\n\n<news:2@a>\n")
	}
	n := ReadNames(t.Context(), []string{dir}, Selection{}, extract.Options{})
	for ref, want := range map[string]string{"mid:1@a": filepath.Join(dir, "box/cur/1") + ":1", "mid:2%40a": filepath.Join(dir, "box/cur/2") + ":1", "news:3@a": ""} {
		if got := n[extract.NameOf(ref)]; got != want {
			t.Errorf("%s is at %q, want %q", ref, got, want)
		}
	}
}

// What comes through a pipe comes once: reading it for names would take links away.
func TestReadNamesLeavesPipes(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that opening it to read would not wait
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const message = "From a@b Sat Jan  3 01:05:34 1996\nMessage-ID: <1@a>\n\ntext\n"
	if _, err := f.WriteString(message); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	ReadNames(ctx, []string{pipe}, Selection{}, extract.Options{})
	if ctx.Err() != nil {
		t.Fatal("the pipe was read")
	}
	left := make([]byte, len(message))
	if _, err := io.ReadFull(f, left); err != nil || string(left) != message {
		t.Errorf("%q is left: %v", left, err)
	}
}
