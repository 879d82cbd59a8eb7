package boltfile

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func TestHeaderOffsetsAreThoseOfBolt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	if err := Create(path, func(*bolt.Tx) error { return nil }); err != nil {
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
	if err := Create(path, func(*bolt.Tx) error { return nil }); err != nil {
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
