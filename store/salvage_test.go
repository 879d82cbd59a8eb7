package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// salvageable makes a store with a past and pages that are free, and gives its file.
func salvageable(t *testing.T) (path string, file []byte, export string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "s.db")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	lived(t, s)
	for n := range 3 {
		var urls []string
		for i := range 400 {
			urls = append(urls, fmt.Sprintf("http://h%d.example.net/%d", i%70, i+n*100))
		}
		read(t, s, "many.txt", epoch.Add(time.Duration(n)*100*day), urls...)
	}
	in := beginAt(t, s, epoch.Add(400*day))
	for i := range 5 {
		r := &Root{URI: fmt.Sprintf("https://r%d.example.net/", i), Name: fmt.Sprint("Root ", i), Mark: []byte("m"), Notes: []string{strings.Repeat("n", 900)}}
		mustAdd(t, in, Step{Root: r})
		st := Step{}
		for n := range 60 {
			src, b := document(r, fmt.Sprint(r.URI, n), fmt.Sprintf("http://h%d.example.net/%d", n, i))
			st.Whole, st.Batches = append(st.Whole, src), append(st.Batches, b)
		}
		mustAdd(t, in, st)
	}
	finish(t, in)
	if err := s.pending.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	export = exported(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if file, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return path, file, export
}

// TestSalvageWhole: of a store that is sound, and of one whose older header is torn, nothing
// is lost; of one whose newer header is torn, what the last transaction wrote is.
func TestSalvageWhole(t *testing.T) {
	path, file, export := salvageable(t)
	page := os.Getpagesize()
	newest := 0
	if file[page+16+48] > file[16+48] && file[page+16+48]-file[16+48] == 1 || file[16+48] == 0xff {
		newest = page
	}
	older := page - newest
	for name, test := range map[string]struct {
		damage int // the page
		whole  bool
	}{"sound": {-1, true}, "older header": {older, true}, "newer header": {newest, false}} {
		damaged := bytes.Clone(file)
		if test.damage >= 0 {
			clear(damaged[test.damage+16+64 : test.damage+page])
			damaged[test.damage+16+20] ^= 1
		}
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(path, nil); (err == nil) != (test.damage < 0) {
			t.Fatalf("%s: %v", name, err)
		} else if err == nil {
			s.Close()
		}
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "to.db")
		lost, err := Salvage(t.Context(), path, to)
		if err != nil || (len(lost) == 0) != test.whole || !test.whole && !strings.Contains(lost[0], "headers") {
			t.Errorf("%s: %q, %v", name, lost, err)
			continue
		}
		s, err := Open(to, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := exported(t, s); test.whole && got != export {
			t.Errorf("%s: the export is another", name)
		}
		mustVerify(t, s)
		s.Close()
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, damaged) {
			t.Errorf("%s: the store was changed, %v", name, err)
		}
		if _, err := Salvage(t.Context(), path, to); err == nil {
			t.Errorf("%s: salvaged over a store", name)
		}
	}
}

// exportedRows are the rows of an export, without what Salvage may make anew: the count of live
// mentions and the last event in a state, and the options by which a source was read. Of roots
// it may be forgotten how far they were read.
func exportedRows(t *testing.T, export string) map[string]bool {
	t.Helper()
	rows := map[string]bool{}
	for line := range strings.Lines(export) {
		var row struct {
			Table string
			Row   map[string]any
			Key   []byte
			Raw   []byte
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"live", "hist_run", "options"} {
			delete(row.Row, name)
		}
		text, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		rows[string(text)] = row.Table != "" && row.Table != "meta" && row.Table != "root"
	}
	return rows
}

// TestSalvageOfDamage: whatever is damaged, what is saved hangs together and holds no row
// that was not in the store, and the damaged one stays as it is.
func TestSalvageOfDamage(t *testing.T) {
	path, file, export := salvageable(t)
	want := exportedRows(t, export)
	rng := rand.New(rand.NewPCG(60, 1))
	page := os.Getpagesize()
	kinds := []func(b []byte) []byte{
		func(b []byte) []byte { b[rng.IntN(len(b))] ^= 1 << rng.IntN(8); return b },
		func(b []byte) []byte { // of the headers, the first pages
			b[rng.IntN(4*page)] ^= 1 << rng.IntN(8)
			return b
		},
		func(b []byte) []byte { at := page * rng.IntN(len(b)/page); clear(b[at : at+page]); return b },
		func(b []byte) []byte {
			at := 512 * rng.IntN(len(b)/512-8)
			clear(b[at : at+512*(1+rng.IntN(8))])
			return b
		},
		func(b []byte) []byte { return b[:rng.IntN(len(b))] },
		func(b []byte) []byte { // a page in the place of another
			from, to := page*rng.IntN(len(b)/page), page*rng.IntN(len(b)/page)
			copy(b[to:to+page], b[from:from+page])
			return b
		},
	}
	n := 240
	if testing.Short() {
		n = 24
	}
	saved, lossless, beyond := 0, 0, 0
	for i := range n {
		damaged := bytes.Clone(file)
		for range 1 + i/len(kinds)%3 {
			damaged = kinds[i%len(kinds)](damaged)
			if len(damaged) < 16*page {
				break
			}
		}
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "to.db")
		lost, err := Salvage(t.Context(), path, to)
		if after, rerr := os.ReadFile(path); rerr != nil || !bytes.Equal(after, damaged) {
			t.Fatalf("damage %d: the store was changed, %v", i, rerr)
		}
		if err != nil {
			if _, serr := os.Stat(to); !errors.Is(serr, os.ErrNotExist) || !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrForeign) {
				t.Errorf("damage %d: %v, %v", i, err, serr)
			}
			beyond++
			continue
		}
		s, err := Open(to, nil)
		if err != nil {
			t.Fatalf("damage %d: %v", i, err)
		}
		mustVerify(t, s)
		got := exported(t, s)
		s.Close()
		saved++
		behind := len(lost) > 0 && strings.Contains(lost[0], "headers")
		if len(lost) == 0 {
			if lossless++; got != export {
				t.Errorf("damage %d: nothing is lost, and the export is another", i)
			}
		}
		rows := exportedRows(t, got)
		for row, counts := range rows {
			fresh := strings.Contains(row, `"Table":"state"`) && !strings.Contains(row, "last_run") // of a link whose state is lost
			if _, was := want[row]; counts && !was && !fresh && !behind {
				t.Errorf("damage %d: a row that was not there: %s", i, row)
			}
		}
	}
	t.Logf("%d damages: %d saved, %d of them without loss, %d beyond saving", n, saved, lossless, beyond)
	if saved < n/2 || lossless == 0 || lossless == saved {
		t.Errorf("%d saved, %d without loss", saved, lossless)
	}

}
