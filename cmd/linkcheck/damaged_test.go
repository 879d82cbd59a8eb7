package main

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/crawl"
	"linkcheck/internal/exit"
)

// page is the length of a page of a store, and of the header before its content.
const (
	pageLength = 4096
	pageHead   = 16
)

// setMeta changes a number of both meta pages, at an offset behind the page's header, and
// makes their checksums anew: nothing but its value shows that it is wrong.
func setMeta(file []byte, at int, v uint64) {
	for _, page := range []int{0, pageLength} {
		m := file[page+pageHead:]
		binary.NativeEndian.PutUint64(m[at:], v+uint64(page/pageLength)) // a transaction has a number of its own
		sum := fnv.New64a()
		sum.Write(m[:56])
		binary.NativeEndian.PutUint64(m[56:], sum.Sum64())
	}
}

// eachPage calls f for the pages of a kind behind the two meta pages.
func eachPage(file []byte, kind uint16, f func(page []byte)) {
	for at := 2 * pageLength; at+pageLength <= len(file); at += pageLength {
		if page := file[at:][:pageLength]; binary.NativeEndian.Uint16(page[8:]) == kind {
			f(page)
		}
	}
}

// What a page is.
const (
	branchPage = 0x01
	leafPage   = 0x02
	freePage   = 0x10
)

// damages are ways in which a store is made unsound.
var damages = map[string]func(file []byte) []byte{
	"list of free pages outside the file": func(b []byte) []byte { setMeta(b, 32, 1<<40); return b },
	"no list of free pages":               func(b []byte) []byte { setMeta(b, 32, ^uint64(1)); return b },
	"list of free pages is a leaf":        func(b []byte) []byte { setMeta(b, 32, 4); return b },
	"root outside the file":               func(b []byte) []byte { setMeta(b, 16, 1<<35); return b },
	"root is itself":                      func(b []byte) []byte { setMeta(b, 16, 0); return b },
	"a transaction at the end of numbers": func(b []byte) []byte { setMeta(b, 48, ^uint64(9)); return b },
	"more pages than octets":              func(b []byte) []byte { setMeta(b, 40, 1<<52); return b },
	"a long list of free pages": func(b []byte) []byte {
		eachPage(b, freePage, func(p []byte) {
			binary.NativeEndian.PutUint16(p[10:], 0xffff)
			binary.NativeEndian.PutUint64(p[pageHead:], 1<<33)
		})
		return b
	},
	"pages that follow for ever": func(b []byte) []byte {
		eachPage(b, leafPage, func(p []byte) { binary.NativeEndian.PutUint32(p[12:], 1<<31) })
		return b
	},
	"a long value": func(b []byte) []byte {
		eachPage(b, leafPage, func(p []byte) { binary.NativeEndian.PutUint32(p[pageHead+12:], 1<<31) })
		return b
	},
	"values within one another": func(b []byte) []byte {
		eachPage(b, leafPage, func(p []byte) {
			if count := binary.NativeEndian.Uint16(p[10:]); count > 1 {
				e := p[pageHead:]
				binary.NativeEndian.PutUint32(e[12:], binary.NativeEndian.Uint32(e[12:])+binary.NativeEndian.Uint32(e[16+8:]))
			}
		})
		return b
	},
	"a key far away": func(b []byte) []byte {
		eachPage(b, leafPage, func(p []byte) { binary.NativeEndian.PutUint32(p[pageHead+4:], ^uint32(0)) })
		return b
	},
	"a circle of pages": func(b []byte) []byte {
		eachPage(b, leafPage, func(p []byte) {
			if count := binary.NativeEndian.Uint16(p[10:]); count == 0 {
				return
			}
			id := binary.NativeEndian.Uint64(p)
			clear(p[8:])
			binary.NativeEndian.PutUint16(p[8:], branchPage)
			binary.NativeEndian.PutUint16(p[10:], 1)
			binary.NativeEndian.PutUint32(p[pageHead:], pageHead)
			binary.NativeEndian.PutUint64(p[pageHead+8:], id)
		})
		return b
	},
	"leaves of nothing": func(b []byte) []byte {
		eachPage(b, leafPage, func(p []byte) { clear(p) })
		return b
	},
	"rows of other octets": func(b []byte) []byte {
		return bytes.ReplaceAll(b, []byte("a.test"), []byte("\xff\xff\xff\xff\xff\xff"))
	},
	"cut": func(b []byte) []byte { return b[:8*pageLength] },
}

// TestDamagedStores: whatever is wrong with a store, every verb says so and ends in
// order, and not an octet of the store is another than before.
func TestDamagedStores(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "see mailto:ann@a.test and http://a.test/ and " + strings.Repeat("http://a.test/long/way ", 50)})
	l.ok("run", "--store", l.store(), "--now", "2026-11-01T02:00:00Z", "--allow-private", "127.0.0.0/8", "--all", "--host", "none.test", l.docs())
	sound, err := os.ReadFile(l.store())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	store, other := filepath.Join(dir, "x.db"), filepath.Join(dir, "other.db")
	verbs := [][]string{{"report"}, {"report", "--summary"}, {"report", "--html", filepath.Join(dir, "r.html")}, {"dupes"}, {"explain", "http://a.test/"},
		{"store", "verify"}, {"store", "stats"}, {"store", "export"}, {"store", "backup", other}, {"store", "compact"}, {"store", "prune"},
		{"mark", "http://a.test/", "alive", "--why", "x"}, {"check", "--new"}, {"run", l.docs()}}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			damaged := damage(bytes.Clone(sound))
			if bytes.Equal(damaged, sound) {
				t.Fatal("nothing is damaged")
			}
			for _, verb := range verbs {
				if err := os.WriteFile(store, damaged, 0o600); err != nil {
					t.Fatal(err)
				}
				got := call(t.Context(), "", append(verb, "--store", store)...)
				after, err := os.ReadFile(store)
				if err != nil {
					t.Fatal(err)
				}
				changed := !bytes.Equal(after, damaged)
				if got.code != exit.Distrusted || changed || got.err == "" {
					t.Errorf("%v: exit %d, changed %v\n%s", verb, got.code, changed, got.err)
				}
				if !strings.Contains(got.err, "linkcheck: hint: ") {
					t.Errorf("%v: no word on what to do\n%s", verb, got.err)
				}
			}
		})
	}
}

// TestSalvagedStores: what is saved of a damaged store is one that every verb reads.
func TestSalvagedStores(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "see mailto:ann@a.test and http://b.test/ and " + strings.Repeat("http://a.test/long/way ", 50)})
	l.ok("run", "--store", l.store(), "--now", "2026-11-01T02:00:00Z", "--allow-private", "127.0.0.0/8", "--all", "--host", "none.test", l.docs())
	sound, err := os.ReadFile(l.store())
	if err != nil {
		t.Fatal(err)
	}
	all := maps.Clone(damages)
	all["nothing"] = func(b []byte) []byte { return b }
	all["the list of free pages is empty"] = func(b []byte) []byte { eachPage(b, freePage, func(p []byte) { clear(p[8:]) }); return b }
	codes := map[int]int{}
	for name, damage := range all {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "from.db"), filepath.Join(dir, "to.db")
		damaged := damage(bytes.Clone(sound))
		if err := os.WriteFile(from, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		got := call(t.Context(), "", "store", "salvage", from, to)
		if after, err := os.ReadFile(from); err != nil || !bytes.Equal(after, damaged) {
			t.Errorf("%s: the store was changed, %v", name, err)
		}
		codes[got.code]++
		_, err := os.Stat(to)
		switch {
		case got.code == exit.Distrusted && err != nil && strings.Contains(got.err, "restore the last backup"):
			continue
		case got.code == exit.OK && got.out == "wrote "+to+"\n", got.code == exit.Partial && strings.Count(got.out, "\n") > 1:
		default:
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		for _, verb := range [][]string{{"store", "verify"}, {"store", "export"}, {"report"}, {"run", "--exclude", ".", l.docs()}} {
			if s := call(t.Context(), "", append(verb, "--store", to)...); s.code != exit.OK {
				t.Errorf("%s: %v: %+v", name, verb, s)
			}
		}
		if s := call(t.Context(), "", "store", "stats", "--store", to); !strings.Contains(s.out, `"Links": 3`) {
			t.Errorf("%s: after a run: %+v", name, s)
		}
	}
	if codes[exit.OK] == 0 || codes[exit.Partial] == 0 || codes[exit.Distrusted] == 0 || len(codes) != 3 {
		t.Errorf("exit codes %v", codes)
	}
	for _, args := range [][]string{{l.store(), l.store()}, {l.docs() + "/none", "new.db"}, {l.docs() + "/a.txt", filepath.Join(t.TempDir(), "new.db")}, {l.docs(), filepath.Join(t.TempDir(), "new.db")}} {
		if s := call(t.Context(), "", append([]string{"store", "salvage"}, args...)...); s.code != exit.BadUsage {
			t.Errorf("%v: %+v", args, s)
		}
	}
}

// TestVerifyBefore: what is damaged while a store is open is found before the run writes, if
// it is one that verifies.
func TestVerifyBefore(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "see http://a.test/ and http://b.test/"})
	for range 2 {
		l.ok("run", "--exclude", ".", "--verify-every", "1", l.docs())
	}
	st, err := openExisting(t.Context(), l.store(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := verifyBefore(t.Context(), st, 0); err != nil {
		t.Errorf("a sound store: %v", err)
	}
	if err := verifyBefore(t.Context(), st, 1); err != nil {
		t.Errorf("no time for it: %v", err)
	}
	file, err := os.ReadFile(l.store())
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.ReplaceAll(file, []byte("b.test"), []byte("c.test"))
	f, err := os.OpenFile(l.store(), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(damaged, 0); err != nil {
		t.Fatal(err)
	}
	a := &app{log: logTo(io.Discard), stderr: io.Discard, stdout: io.Discard, getenv: func(string) string { return "" }}
	for every, want := range map[int]int{3: exit.Distrusted, 1: exit.Distrusted} { // two runs were
		err := a.runOpenStore(t.Context(), st, &storeRun{verifyEvery: every, archives: archives{paths: []string{l.docs()}}}, crawl.Options{Now: time.Now})
		var told strings.Builder
		if code := exit.Status(err, logTo(&told)); code != want || !strings.Contains(told.String(), "restore the last backup") {
			t.Errorf("every %d: exit %d, %s", every, code, told.String())
		}
	}
	if after, err := os.ReadFile(l.store()); err != nil || !bytes.Equal(after, damaged) {
		t.Errorf("the store was written, %v", err)
	}
}
