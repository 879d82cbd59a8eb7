package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

var flips = flag.Int("flips", 2000, "bits that TestFlippedBits flips")

// TestFlippedBits flips bits all over a store, one at a time. Each that stands in what the
// store holds is found, by Open or by Verify, and the file stays as it was; of those that
// are not found the export is that of the whole store.
func TestFlippedBits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	lived(t, s)
	for n := range 3 { // pages that are free, branches
		var urls []string
		for i := range 400 {
			urls = append(urls, fmt.Sprintf("http://h%d.example.net/%d", i%70, i+n*100))
		}
		read(t, s, "many.txt", epoch.Add(time.Duration(n)*100*day), urls...)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	live := liveOctets(t, path)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, problems := flippedExport(t, path)
	if want == "" || problems != "" {
		t.Fatalf("the sound store: %s", problems)
	}
	rng := rand.New(rand.NewPCG(16, 1))
	found, inLive, n := 0, 0, *flips
	if testing.Short() {
		n = min(n, 300)
	}
	for range n {
		at, bit := rng.IntN(len(whole)), byte(1)<<rng.IntN(8)
		damaged := bytes.Clone(whole)
		damaged[at] ^= bit
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		text, problems := flippedExport(t, path)
		if live[at] {
			inLive++
		}
		switch {
		case problems != "":
			found++
			if !live[at] {
				t.Errorf("octet %d, which nothing uses, bit %#x: %s", at, bit, problems)
			}
			if w, err := Open(path, nil); !errors.Is(err, ErrCorrupt) {
				t.Errorf("octet %d, bit %#x: to write: %v", at, bit, err)
				if err == nil {
					w.Close()
				}
			}
		case live[at]:
			t.Errorf("octet %d (%d of its page), bit %#x: not found", at, at%os.Getpagesize(), bit)
		case text != want:
			t.Errorf("octet %d, bit %#x: not found, and the export is another", at, bit)
		}
		if after, err := os.ReadFile(path); err != nil || problems != "" && !bytes.Equal(after, damaged) {
			t.Fatalf("octet %d, bit %#x: the file was changed, %v", at, bit, err)
		}
	}
	t.Logf("%d flips in %d octets: %d in what the store holds, %d found", n, len(whole), inLive, found)
	if inLive < n/10 || inLive == n {
		t.Errorf("of %d flips %d stood in what the store holds", n, inLive)
	}
}

// flippedExport gives the export of a store, or what is wrong with it.
func flippedExport(t *testing.T, path string) (text, problems string) {
	t.Helper()
	s, err := Open(path, &Options{ReadOnly: true})
	if errors.Is(err, ErrCorrupt) {
		return "", err.Error()
	} else if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(list) > 0 {
		return "", list[0]
	}
	var out bytes.Buffer
	if err := s.Export(t.Context(), &out, false); err != nil {
		t.Fatal(err)
	}
	return out.String(), ""
}

// liveOctets tells which octets of a file of bbolt mean something: of the headers, of pages
// in use up to the end of their last element, and of the list of free pages.
func liveOctets(t *testing.T, path string) []bool {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	size, live := db.Info().PageSize, make([]bool, len(file))
	err = db.View(func(tx *bolt.Tx) error {
		for id := 0; ; id++ {
			info, err := tx.Page(id)
			if info == nil || err != nil {
				return err
			}
			p, end := file[id*size:], 0
			u32 := func(at int) int { return int(binary.NativeEndian.Uint32(p[at:])) }
			last := 16 + 16*(info.Count-1)
			switch {
			case info.Type == "meta":
				end = 80
			case info.Type == "freelist":
				end = 16 + 8*info.Count
			case info.Count == 0 && info.Type != "free":
				end = 16
			case info.Type == "leaf":
				end = last + u32(last+4) + u32(last+8) + u32(last+12)
			case info.Type == "branch":
				end = last + u32(last) + u32(last+4)
			}
			for i := range end {
				live[id*size+i] = true
			}
			id += info.OverflowCount
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return live
}
