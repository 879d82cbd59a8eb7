package boltfile

import (
	"encoding/binary"
	"path/filepath"
	"testing"
	"time"
)

// Every wanted row is read once and in order, however many are passed over between; no
// transaction reads more than pageRows that are wanted.
func TestPagesPassOver(t *testing.T) {
	const rows = 3*pageRows*passedRows + 5
	name, path := []byte("b"), filepath.Join(t.TempDir(), "rows.db")
	err := Create(path, func(tx *Tx) error {
		b, err := tx.NeedBucket(name)
		for i := 0; i < rows && err == nil; i++ {
			err = b.PutNew(binary.BigEndian.AppendUint32(nil, uint32(i)), nil)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), path, true, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, tt := range []struct{ every, views int }{{1, rows/pageRows + 1}, {passedRows, 6}, {rows, 4}} {
		views, next := 0, 0
		view := func(read func(*Tx) error) error { views++; return f.View(read) }
		for got, err := range Pages(view, name, nil, func(_ *Tx, k, _ []byte) (int, bool, error) {
			i := int(binary.BigEndian.Uint32(k))
			return i, i%tt.every == 0, nil
		}) {
			if err != nil || got != next {
				t.Fatalf("every %d: row %d, %v, want %d", tt.every, got, err, next)
			}
			next += tt.every
		}
		if next < rows || views != tt.views {
			t.Errorf("every %d: ended before row %d, in %d transactions, want %d", tt.every, next, views, tt.views)
		}
	}
}
