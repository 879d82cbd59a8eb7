package wire

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// What is written comes back whole, small or large, as often as it is read, and leaves no
// file behind.
func TestSpool(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	random := rand.NewChaCha8([32]byte{})
	for _, size := range []int{0, 1, inMemory - 1, inMemory, inMemory + 1, 3*inMemory + 17} {
		want := make([]byte, size)
		random.Read(want)
		var s Spool
		for rest := want; len(rest) > 0; {
			n, err := s.Write(rest[:min(len(rest), 70_001)])
			if err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		for range 2 {
			if got, err := io.ReadAll(s.Reader()); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d octets: %d came back: %v", size, len(got), err)
			}
		}
		if s.Size() != int64(size) || !bytes.Equal(s.Head(100), want[:min(size, 100)]) || len(s.Head(1<<40)) > inMemory {
			t.Errorf("%d octets: size %d, head %x", size, s.Size(), s.Head(100))
		}
		if err := s.Close(); err != nil || s.Size() != 0 {
			t.Errorf("%d octets: closed: %v, size %d", size, err, s.Size())
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q %v", left, err)
	}
}

// A disk on which there is no file is our own trouble.
func TestSpoolWithoutDisk(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	var s Spool
	defer s.Close()
	if n, err := s.Write(make([]byte, inMemory)); n != inMemory || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := s.Write([]byte("more")); n != 0 || !errors.Is(err, ErrSpool) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%d, %v", n, err)
	}
}
