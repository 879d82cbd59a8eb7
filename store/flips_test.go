package store

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
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
		n = min(n, 100)
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

// TestBackupOfDamage: what is damaged while the store is open does not take the place of a
// sound backup.
func TestBackupOfDamage(t *testing.T) {
	s := openTest(t)
	lived(t, s)
	to := filepath.Join(t.TempDir(), "backup.db")
	if err := s.Backup(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(s.Path(), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(file, []byte("example"))
	for from := file; at >= 0; at = bytes.LastIndex(from[:at], []byte("example")) { // in pages that are in use, too
		if _, err := f.WriteAt([]byte("eXample"), int64(at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Backup(t.Context(), to); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a damaged store: %v", err)
	}
	if after, err := os.ReadFile(to); err != nil || !bytes.Equal(after, sound) {
		t.Errorf("the backup is another, %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(to), ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestImportWantsTheEnd: an export that is cut short, or whose rows are others, fills no
// store; one of a schema that gave no last line does, and Import says so.
func TestImportWantsTheEnd(t *testing.T) {
	s := openTest(t)
	lived(t, s)
	lines := strings.SplitAfter(strings.TrimSuffix(exported(t, s), "\n"), "\n")
	last := len(lines) - 1
	for name, text := range map[string]string{
		"without the last line": strings.Join(lines[:last], ""),
		"in half":               strings.Join(lines[:last/2], ""),
		"without a row":         lines[0] + strings.Join(lines[2:], ""),
		"a row twice":           lines[0] + lines[1] + strings.Join(lines[1:], ""),
		"another row":           strings.Replace(strings.Join(lines, ""), "example.net", "example.org", 1),
		"of other rules":        strings.Replace(strings.Join(lines, ""), `"rules":`, `"rules":1`, 1),
		"with more behind":      strings.Join(lines, "") + "\n" + lines[1],
		"cut in the last line":  strings.Join(lines, "")[:len(strings.Join(lines, ""))-3],
	} {
		if _, err := openTest(t).Import(t.Context(), strings.NewReader(text)); err == nil {
			t.Errorf("%s: imported", name)
		}
	}
	old := strings.Replace(strings.Join(lines[:last], ""), fmt.Sprintf(`"store":%d`, schemaVersion), `"store":5`, 1)
	if whole, err := openTest(t).Import(t.Context(), strings.NewReader(old)); whole || err != nil {
		t.Errorf("of an older schema: whole %v, %v", whole, err)
	}
	if whole, err := openTest(t).Import(t.Context(), strings.NewReader(strings.Join(lines, ""))); !whole || err != nil {
		t.Errorf("as it is: whole %v, %v", whole, err)
	}
}

// TestImportOfPart: wherever an export is cut, the error says that it is, and what to do.
func TestImportOfPart(t *testing.T) {
	s := openTest(t)
	lived(t, s)
	read(t, s, "umlauts.txt", epoch, "http://a.example.net/\u00fcber")
	text := exported(t, s)
	wide := strings.Index(text, "\u00fc")
	if wide < 0 {
		t.Fatal("no character of two octets")
	}
	ends := []int{1, 11, 20, strings.Index(text, "\n"), strings.Index(text, "\n") + 1, wide, wide + 1, len(text) - 2, len(text) - 3}
	for line := range strings.Lines(text) {
		at := strings.Index(text, line)
		ends = append(ends, at+len(line), at+len(line)/2)
	}
	for _, end := range ends {
		whole, err := openTest(t).Import(t.Context(), strings.NewReader(text[:end]))
		if end >= len(text)-1 { // nothing is cut, or the last line end alone
			if !whole || err != nil {
				t.Errorf("of %d octets %d: %v", len(text), end, err)
			}
		} else if err == nil || end >= 11 && !strings.Contains(err.Error(), "cut short") || end >= 11 && !strings.Contains(err.Error(), "make it anew") {
			t.Errorf("of %d octets %d, %q: %v", len(text), end, text[max(0, end-20):end], err)
		}
	}
	within := strings.Replace(text, "}\n", "\n", 3) // no cut: other lines follow
	if _, err := openTest(t).Import(t.Context(), strings.NewReader(within)); err == nil || strings.Contains(err.Error(), "cut short: it ends within") {
		t.Errorf("a line that is no JSON: %v", err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := openTest(t).Import(t.Context(), &packed); err == nil || !strings.Contains(err.Error(), "gzip -dc") {
		t.Errorf("compressed: %v", err)
	}
}
