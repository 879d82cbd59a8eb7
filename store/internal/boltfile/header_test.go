package boltfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

func TestHeaderOffsetsAreThoseOfBolt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	if err := Create(path, func(*Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := metaOffsets(b); !slices.Equal(got, []int{0, os.Getpagesize()}) {
		t.Errorf("meta pages at %v", got)
	}
	if size := binary.NativeEndian.Uint32(b[pageHeader+8:]); int(size) != os.Getpagesize() {
		t.Errorf("page size %d", size)
	}
}

// FuzzHead: no beginning of a file makes the look at it panic.
func FuzzHead(f *testing.F) {
	f.Add([]byte{})
	path := filepath.Join(f.TempDir(), "s.db")
	if err := Create(path, func(*Tx) error { return nil }); err != nil {
		f.Fatal(err)
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sound)
	f.Add(sound[:len(sound)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		_ = judgeHead(b, int64(len(b)))
	})
}

// FuzzPages: whatever octets of a file are others, opening it, reading and changing it give
// an error or an end, and never more memory than the file has octets.
func FuzzPages(f *testing.F) {
	path := filepath.Join(f.TempDir(), "s.db")
	err := Create(path, func(tx *Tx) error {
		for _, name := range []string{"a", "b", "c"} {
			b, err := tx.NeedBucket([]byte(name))
			if err != nil {
				return err
			}
			for i := range 400 {
				if err := b.Put(fmt.Appendf(nil, "%s%05d", name, i), bytes.Repeat([]byte(name), i*5)); err != nil {
					return err
				}
			}
		}
		return tx.DropBucket([]byte("b"))
	})
	if err != nil {
		f.Fatal(err)
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(4096+8), []byte{1, 0, 0xff, 0xff}, false)
	f.Add(uint32(3*4096+12), []byte{0xff, 0xff, 0xff, 0x7f}, true)
	f.Fuzz(func(t *testing.T, at uint32, other []byte, write bool) {
		if len(other) == 0 {
			return
		}
		file := bytes.Clone(sound)
		copy(file[int(at)%len(file):], other)
		path := filepath.Join(t.TempDir(), "s.db")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := Open(t.Context(), path, !write, time.Second)
		if err != nil {
			if after, rerr := os.ReadFile(path); rerr != nil || !bytes.Equal(after, file) {
				t.Fatalf("the file was changed: %v, %v", err, rerr)
			}
			return
		}
		defer db.Close()
		read := 0
		_ = db.View(func(tx *Tx) error { // an error is an answer too
			return tx.tx.ForEach(func(name []byte, _ *bolt.Bucket) error {
				for k, v := range From(tx.Bucket(name), nil) {
					read += len(k) + len(v)
				}
				return nil
			})
		})
		if read > 2*len(file) {
			t.Fatalf("%d octets read of a file of %d", read, len(file))
		}
		if write {
			_ = db.Update(func(tx *Tx) error {
				b, err := tx.NeedBucket([]byte("a"))
				if err != nil {
					return err
				}
				_, err = DeleteIf(b, []byte("a"), func(k, _ []byte) (bool, error) { return k[len(k)-1]%2 == 0, nil })
				return err
			})
		}
	})
}
