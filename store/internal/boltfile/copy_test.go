package boltfile

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A copy that is opened again is sound after any number of transactions, whatever number the last
// one had in the file of which it was made.
func TestCopyGoesOn(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "from.db")
	put := func(f *File, n byte) {
		t.Helper()
		if err := f.Update(func(tx *Tx) error {
			b, err := tx.NeedBucket([]byte("b"))
			if err != nil {
				return err
			}
			return b.Put([]byte{n}, []byte{n})
		}); err != nil {
			t.Fatal(err)
		}
	}
	open := func(path string) *File {
		t.Helper()
		f, err := Open(t.Context(), path, false, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if err := Create(from, func(tx *Tx) error { _, err := tx.NeedBucket([]byte("b")); return err }); err != nil {
		t.Fatal(err)
	}
	f := open(from)
	for n := range byte(4) {
		put(f, n)
		for times := range byte(4) {
			path := filepath.Join(dir, string([]byte{'a' + n, 'a' + times}))
			if err := Copy(t.Context(), path, 0o600, f.View, nil); err != nil {
				t.Fatal(err)
			}
			for i := range times {
				c := open(path)
				put(c, 100+i)
				if err := c.Close(); err != nil {
					t.Fatal(err)
				}
			}
			c, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if w, err := walk(t.Context(), c); err != nil || len(w.problems) > 0 {
				t.Errorf("after %d transactions and %d in the copy: %q, %v", n, times, w.problems, err)
			}
			_ = c.Close()
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
