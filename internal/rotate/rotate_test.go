package rotate

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	base := filepath.Join(dir, "b.db")
	for _, other := range []string{"b.db", "b.db-20200101", "b.db-20200101T000000Z.tmp", "c.db-20200101T000000Z"} {
		if err := os.WriteFile(filepath.Join(dir, other), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(base+"-20190101T000000Z", 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 23, 9, 45, 0, 0, time.UTC)
	var made []string
	for i := range 14 { // twelve in one second
		name, err := Next(base, now.Add(time.Duration(max(0, i-11))*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		made = append(made, name)
	}
	if !slices.IsSorted(made) || made[0] != base+"-20261123T094500Z" || made[1] != made[0]+"-02" {
		t.Errorf("names %v", made)
	}
	removed, err := Keep(base, 3, false)
	if err != nil || !slices.Equal(removed, made[:11]) {
		t.Errorf("removed %v, %v", removed, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 3+5 {
		t.Errorf("left %v", left)
	}
	if removed, err := Keep(base, 3, false); len(removed) > 0 || err != nil {
		t.Errorf("again: %v, %v", removed, err)
	}
}
