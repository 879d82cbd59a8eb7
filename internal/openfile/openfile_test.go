//go:build unix

package openfile

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func fifo(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// release opens and closes both ends of a FIFO, so that an open that was given up returns.
func release(t *testing.T, name string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(10 * time.Millisecond)
	f.Close()
}

// TestOpenEnds: the open of a FIFO whose other end nobody opens ends with its context.
func TestOpenEnds(t *testing.T) {
	for name, open := range map[string]func(context.Context, string) (*File, error){"read": Read, "write": Write} {
		fifo := fifo(t)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if _, err := open(ctx, fifo); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
		release(t, fifo)
	}
}

// TestReadEnds: so does a read that waits for the other end, and a write that does.
func TestReadEnds(t *testing.T) {
	name := fifo(t)
	other, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.WriteString("one"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in, err := Read(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := Write(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p := make([]byte, 3)
	if _, err := io.ReadFull(in, p); err != nil || string(p) != "one" {
		t.Errorf("%q, %v", p, err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := in.Read(p); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
	if _, err := out.Write(p); !errors.Is(err, context.Canceled) {
		t.Errorf("write: %v", err)
	}
}

// TestWriteEnds: a write into a full pipe ends with its context.
func TestWriteEnds(t *testing.T) {
	name := fifo(t)
	other, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	ctx, cancel := context.WithCancel(t.Context())
	out, err := Write(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := out.Write(make([]byte, 4<<20)); !errors.Is(err, context.Canceled) {
		t.Errorf("write: %v", err)
	}
}

// TestMissing: what cannot be opened says so.
func TestMissing(t *testing.T) {
	if _, err := Read(t.Context(), filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
