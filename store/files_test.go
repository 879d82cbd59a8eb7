package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
	"linkcheck/uri/equal"
)

var livedLinks = []string{"http://a.example.net/1", "HTTP://A.example.net:80/1", "ftp://b.example.net/x", "info:ddc/22/eng//004.678",
	"http://c.example.net/\xff\xfe", "not a uri", "", "http://d.example.net/gone"}

// nth gives the number of a link of livedLinks that it has in a store of one file.
func nth(t testing.TB, s *Store, n uint64) uint64 {
	if s.dir == "" {
		return n
	}
	var keys []linkkey.Keys
	for _, u := range livedLinks {
		if k := linkkey.Of(u); u == "" {
			keys = append(keys, linkkey.Relative(u))
		} else {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b linkkey.Keys) int { return bytes.Compare(a.Identity, b.Identity) })
	keys = slices.CompactFunc(keys, func(a, b linkkey.Keys) bool { return bytes.Equal(a.Identity, b.Identity) })
	for _, l := range links(t, s) {
		if n <= uint64(len(keys)) && l.Key == keys[n-1].Key {
			return l.ID
		}
	}
	return n
}

// lived makes a store with a past: readings, three nights, pins, retired mentions
// and octets that are no text.
func lived(t testing.TB, s *Store) {
	t.Helper()
	s.Cache().CachePut("soft404 http://a.example.net/", []byte{0xff, 0}, epoch.Add(3650*day))
	read(t, s, "a.txt", epoch, livedLinks...)
	read(t, s, "b.txt", epoch, "http://a.example.net/1", "gopher://g.example.net/1/menu")
	answers := []check.Result{rOK, r404, r503, r429At, rSusp, rMoved, rBad}
	for night := range 4 {
		at := epoch.Add(time.Duration(night) * 3 * day)
		run, err := s.StartRun(Run{Started: at, Version: "1"})
		if err != nil {
			t.Fatal(err)
		}
		var batch []Checked
		for id := uint64(1); id <= 7; id++ {
			r := answers[(int(id)+night/2)%len(answers)]
			r.At, r.Took, r.Attempts, r.Reply = at, 12*time.Millisecond, 1, "reply \x80 of "+string(r.Reason)
			r.Hops = []check.Hop{{Code: 302, URL: "http://h.example.net/"}}
			r.ETag = fmt.Sprint("tag", night)
			batch = append(batch, Checked{nth(t, s, id), r})
		}
		if err := s.Record(run, judge.Policy{Splay: 0.2}, batch); err != nil {
			t.Fatal(err)
		}
		if err := s.EndRun(Run{ID: run, Started: at, Ended: at.Add(time.Hour), Checked: len(batch)}); err != nil {
			t.Fatal(err)
		}
	}
	read(t, s, "a.txt", epoch.Add(10*day), "http://a.example.net/1", "HTTP://A.example.net:80/1")
	for _, p := range []Pin{{Link: nth(t, s, 2), State: judge.Ignored, By: "me", Why: "\"quoted\""}, {Host: "g.example.net", State: judge.PinnedDead, Until: epoch.Add(90 * day)}} {
		if err := s.SetPin(p); err != nil {
			t.Fatal(err)
		}
	}
	mustVerify(t, s)
}

func exported(t testing.TB, s *Store) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Export(t.Context(), &b, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExportImportLosesNothing(t *testing.T) {
	s := openTest(t)
	lived(t, s)
	text := exported(t, s)
	if n := strings.Count(text, `"raw":"`); n == 0 || strings.Count(text, "\n") < 30 {
		t.Fatalf("%d lines, %d of them as kept", strings.Count(text, "\n"), n)
	}
	other := openTest(t)
	if _, err := other.Import(t.Context(), strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, other)
	if again := exported(t, other); again != text {
		t.Errorf("the second export differs:\n%s\n----\n%s", text, again)
	}
	for _, p := range []struct{ a, b any }{
		{links(t, s), links(t, other)},
		{s.Pins(), other.Pins()},
		{collect(t, s.Runs()), collect(t, other.Runs())},
		{collect(t, s.Sources()), collect(t, other.Sources())},
	} {
		if !reflect.DeepEqual(p.a, p.b) {
			t.Errorf("%+v\n%+v", p.a, p.b)
		}
	}
	if sum := read(t, other, "new.txt", epoch.Add(11*day), "http://new.example.net/"); sum.NewLinks != 1 {
		t.Errorf("an imported store takes %+v", sum)
	}
	mustVerify(t, other)
	if _, err := other.Import(t.Context(), strings.NewReader(text)); err == nil {
		t.Error("a store that is not empty was imported into")
	}
}

func TestImportRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"empty":        "",
		"other format": `{"schema":"other"}` + "\n",
		"no JSON":      `{"schema":"linkcheck.store.v1"}` + "\nnonsense\n",
		"no table":     `{"schema":"linkcheck.store.v1"}` + "\n" + `{"table":"x","key":"AA==","raw":"AA=="}`,
		"no key":       `{"schema":"linkcheck.store.v1"}` + "\n" + `{"table":"link"}`,
	} {
		if _, err := openTest(t).Import(t.Context(), strings.NewReader(text)); err == nil {
			t.Errorf("%s: imported", name)
		}
	}
}

// The file is longer than what it holds by an eighth and a little, as it stood
// when it grew.
func TestFileGrowth(t *testing.T) {
	s := openTest(t)
	var used int64
	for n := 0; used < 2<<20; n += 3000 {
		var urls []string
		for i := range 3000 {
			urls = append(urls, fmt.Sprintf("http://h%d.example.net/%d", (n+i)%100, n+i))
		}
		read(t, s, fmt.Sprint(n, ".txt"), epoch, urls...)
		if err := s.file.View(func(tx *boltfile.Tx) error { used = tx.Size(); return nil }); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(s.Path())
		if err != nil {
			t.Fatal(err)
		}
		if over := info.Size() - used; over < 0 || over > used/8+64<<10+8<<10 {
			t.Fatalf("%d octets for %d", info.Size(), used)
		}
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	sound := filepath.Join(t.TempDir(), "sound.db")
	s, err := Open(sound, nil)
	if err != nil {
		t.Fatal(err)
	}
	lived(t, s)
	var used int64 // the rest of the file is there to grow into
	if err := s.file.View(func(tx *boltfile.Tx) error { used = tx.Size(); return nil }); err != nil {
		t.Fatal(err)
	}
	s.Close()
	bytesOf := func() []byte {
		b, err := os.ReadFile(sound)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	change := func(f func(tx *boltfile.Tx) error) []byte {
		path := filepath.Join(t.TempDir(), "x.db")
		if err := os.WriteFile(path, bytesOf(), 0o644); err != nil {
			t.Fatal(err)
		}
		db, err := boltfile.Open(t.Context(), path, false, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(db.Update(f), db.Close()); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	zeroed := func(from, to int) []byte {
		b := bytesOf()
		clear(b[from:min(to, len(b))])
		return b
	}
	tests := []struct {
		name string
		file []byte
		want error
	}{
		{"zero-length", nil, ErrForeign},
		{"one octet", []byte{0}, ErrForeign},
		{"a text", []byte(strings.Repeat("http://example.org/\n", 5000)), ErrForeign},
		{"another program's bbolt file", change(func(tx *boltfile.Tx) error { return tx.DropBucket(bucketMeta) }), ErrForeign},
		{"a newer schema", change(func(tx *boltfile.Tx) error {
			return tx.Bucket(bucketMeta).Put(metaSchema, codec.Key64(schemaVersion+1))
		}), ErrNewer},
		{"schema 0", change(func(tx *boltfile.Tx) error { return tx.Bucket(bucketMeta).Put(metaSchema, codec.Key64(0)) }), ErrCorrupt},
		{"a table is missing", change(func(tx *boltfile.Tx) error { return tx.DropBucket(bucketHistory) }), ErrCorrupt},
		{"cut to half", bytesOf()[:used/2], ErrCorrupt},
		{"without its last page", bytesOf()[:used-1], ErrCorrupt},
		{"cut to the header", bytesOf()[:4096], ErrCorrupt},
		{"cut inside the header", bytesOf()[:50], ErrCorrupt},
		{"both headers spoilt", zeroed(40, 8192), ErrCorrupt},
		{"pages wiped", zeroed(8192, 1<<30), ErrCorrupt},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "bad.db")
			if err := os.WriteFile(path, tt.file, 0o644); err != nil {
				t.Fatal(err)
			}
			for _, readOnly := range []bool{true, false} {
				s, err := Open(path, &Options{ReadOnly: readOnly})
				if !errors.Is(err, tt.want) {
					t.Errorf("read only %v: got %v, want %v", readOnly, err, tt.want)
				}
				if err == nil {
					s.Close()
				}
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, tt.file) {
				t.Errorf("the file was changed: %v", err)
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	if _, err := Open(t.TempDir(), nil); !errors.Is(err, ErrForeign) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none.db"), &Options{ReadOnly: true}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file to read: %v", err)
	}
}

// TestDamagedPages spoils one page after another: whatever is read gives an error
// or the truth, and nothing panics.
func TestDamagedPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	lived(t, s)
	s.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := os.Getpagesize()
	found := 0
	for at := 2 * page; at < len(whole); at += page {
		spoilt := bytes.Clone(whole)
		for i := at; i < at+page; i++ {
			spoilt[i] ^= 0xA5
		}
		if err := os.WriteFile(path, spoilt, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, &Options{ReadOnly: true})
		if err != nil {
			found++
			continue
		}
		for _, err := range s.Scan(Pick{}) {
			if err != nil {
				break
			}
		}
		if problems, err := s.Verify(t.Context()); err != nil || len(problems) > 0 {
			found++
		}
		s.Close()
	}
	if found == 0 {
		t.Error("no damage was found")
	}
}

func TestInUse(t *testing.T) {
	s := openTest(t)
	lived(t, s)
	begin := time.Now()
	_, err := Open(s.Path(), &Options{Timeout: 50 * time.Millisecond})
	if !errors.Is(err, ErrInUse) || time.Since(begin) > 5*time.Second {
		t.Fatalf("%v after %v", err, time.Since(begin))
	}
	var of time.Time
	if _, err := Open(s.Path(), &Options{ReadOnly: true, Snapshot: &of, Timeout: 50 * time.Millisecond}); !errors.Is(err, ErrInUse) {
		t.Fatalf("a reader without a snapshot: %v", err)
	}
	if err := s.snapshot(); err != nil {
		t.Fatal(err)
	}
	read(t, s, "later.txt", epoch, "http://later.example.net/")
	r, err := Open(s.Path(), &Options{ReadOnly: true, Snapshot: &of, Timeout: 50 * time.Millisecond})
	if err != nil || of.IsZero() {
		t.Fatalf("a reader with a snapshot: %v, of %v", err, of)
	}
	if _, found, err := r.Find("http://later.example.net/"); found || err != nil {
		t.Errorf("the snapshot knows what came later: %v", err)
	}
	if _, found, err := r.Find("http://a.example.net/1"); !found || err != nil {
		t.Errorf("the snapshot does not know what came before: %v", err)
	}
	if err := r.Record(1, judge.Policy{}, []Checked{{1, rOK}}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("written to a snapshot: %v", err)
	}
	r.Close()
	if err := errors.Join(s.dropSnapshot(), s.dropSnapshot(), s.Close()); err != nil {
		t.Error(err)
	}
	of = time.Time{}
	if r, err := Open(s.Path(), &Options{ReadOnly: true, Snapshot: &of}); err != nil || !of.IsZero() {
		t.Errorf("a reader of an idle store: %v, %v", of, err)
	} else {
		r.Close()
	}
}

func TestCompactAndBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	lived(t, s)
	want := exported(t, s)
	copyPath := filepath.Join(t.TempDir(), "copy.db")
	if err := errors.Join(s.Backup(t.Context(), copyPath), s.Close()); err != nil {
		t.Fatal(err)
	}
	before, after, err := Compact(t.Context(), path, nil)
	if err != nil || after == 0 || after > before {
		t.Fatalf("%d to %d, %v", before, after, err)
	}
	for _, p := range []string{path, copyPath} {
		s, err := Open(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		mustVerify(t, s)
		if exported(t, s) != want {
			t.Errorf("%s differs", filepath.Base(p))
		}
		read(t, s, "z.txt", epoch.Add(20*day), "http://z.example.net/")
		mustVerify(t, s)
		s.Close()
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); !slices.Equal(left, []string{path}) {
		t.Errorf("left behind: %v", left)
	}
}

// A store may stand behind a link, and a copy is put over nothing that is no file.
func TestFilesBehindLinks(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "s.db"), filepath.Join(dir, "link.db")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	lived(t, s)
	if err := s.Backup(t.Context(), dir); !errors.Is(err, ErrUnwritable) {
		t.Errorf("a copy over a folder: %v", err)
	}
	if err := errors.Join(s.Close(), os.Symlink(path, link)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Compact(t.Context(), link, nil); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != path {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}

// In a folder where others may write they may put links where the store makes files: a
// snapshot is written over a link, not through it, and not read through one.
func TestSnapshotsAmongStrangers(t *testing.T) {
	dir := t.TempDir()
	path, own := filepath.Join(dir, "s.db"), filepath.Join(dir, "own.txt")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	lived(t, s)
	defer s.Close()
	if err := errors.Join(os.WriteFile(own, []byte("mine"), 0o600), os.Symlink(own, snapshotPath(path)), os.Chmod(path, 0o640)); err != nil {
		t.Fatal(err)
	}
	if _, ok := soundSnapshot(path); ok {
		t.Error("a link is taken for a snapshot")
	}
	if err := s.snapshot(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(snapshotPath(path))
	if err != nil || info.Mode() != 0o640 {
		t.Errorf("the snapshot is %v, %v", info.Mode(), err)
	}
	if text, err := os.ReadFile(own); err != nil || string(text) != "mine" {
		t.Errorf("the file behind the link holds %q, %v", text, err)
	}
	if _, ok := soundSnapshot(path); !ok {
		t.Error("the snapshot is not read")
	}
}

// What takes long ends with its context, and leaves what was there.
func TestInterruptedCopies(t *testing.T) {
	s := openTest(t)
	lived(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := s.Backup(ctx, copied); !errors.Is(err, context.Canceled) {
		t.Errorf("backup: %v", err)
	}
	if err := s.Export(ctx, io.Discard, false); !errors.Is(err, context.Canceled) {
		t.Errorf("export: %v", err)
	}
	if _, err := openTest(t).Import(ctx, strings.NewReader(exported(t, s))); !errors.Is(err, context.Canceled) {
		t.Errorf("import: %v", err)
	}
	path := s.Path()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Compact(ctx, path, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("compact: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the store was changed, %v", err)
	}
	for _, dir := range []string{filepath.Dir(path), filepath.Dir(copied)} {
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestPrune(t *testing.T) {
	s := openTest(t)
	lived(t, s)
	before, err := s.Stats()
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Prune(t.Context(), epoch.Add(11*day))
	if err != nil || p.Events == 0 || p.Links == 0 || p.Mentions == 0 || before.FreeBytes == 0 || before.FreeBytes >= before.FileBytes {
		t.Fatalf("%+v, %v", p, err)
	}
	mustVerify(t, s)
	after, err := s.Stats()
	if err != nil || after.Links != before.Links || after.Unnamed != 0 || after.Events == 0 || after.Events > before.Events-p.Events {
		t.Errorf("%+v\n%+v, %v", before, after, err)
	}
	for _, l := range links(t, s) {
		if h := explain(t, s, l.ID).History; len(h) == 0 && l.Checks > 0 {
			t.Errorf("link %d: history %v", l.ID, h)
		}
	}
}

// Sources that are gone are forgotten once nothing names them, and not those that went of
// late, hold names or came back.
func TestPruneSources(t *testing.T) {
	s := openTest(t)
	for _, name := range []string{"there", "back", "early", "late", "named"} {
		read(t, s, name, epoch, "http://a.example.net/"+name)
	}
	lose := func(at time.Time, paths ...string) {
		in, err := s.BeginIngest(at)
		if err == nil {
			var gone []Source
			for _, path := range paths {
				gone = append(gone, Source{Path: path})
			}
			err = in.Add(Step{Gone: gone})
		}
		if err == nil {
			_, err = in.Finish()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	lose(epoch.Add(day), "back", "early", "named")
	lose(epoch.Add(30*day), "late")
	read(t, s, "back", epoch.Add(2*day), "http://a.example.net/back")
	if err := s.file.Update(func(tx *boltfile.Tx) error {
		row, _, err := sourceByPath(tx, 0, "named")
		return errors.Join(err, tx.Bucket(bucketName).Put(append(codec.Key32(row.id), codec.Key64(1)...), []byte{1}))
	}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		older   time.Time
		pruned  int
		sources string
	}{
		{epoch, 0, "back early late named there"},
		{epoch.Add(10 * day), 1, "back late named there"},
		{epoch.Add(10 * day), 0, "back late named there"},
		{epoch.Add(60 * day), 1, "back named there"},
	} {
		p, err := s.Prune(t.Context(), test.older)
		var left []string
		for _, src := range collect(t, s.Sources()) {
			left = append(left, src.Path)
		}
		if got := strings.Join(left, " "); err != nil || p.Sources != test.pruned || got != test.sources {
			t.Errorf("older than %s: %+v, %v, left %s", test.older, p, err, got)
		}
		mustVerify(t, s)
	}
	if sum := read(t, s, "early", epoch.Add(90*day), "http://a.example.net/early"); sum.New != 1 || sum.NewLinks != 1 {
		t.Errorf("one that comes back is new: %+v", sum)
	}
	mustVerify(t, s)
}

func TestSets(t *testing.T) {
	s := openTest(t)
	list := []string{"http://a.example.net/~x", "HTTP://A.example.net:80/%7Ex", "https://a.example.net/~x", "http://other.example.net/"}
	read(t, s, "a.txt", epoch, list...)
	sets, err := s.Sets(t.Context(), equal.Scheme)
	if err != nil || len(sets) != 1 || len(sets[0]) != 1 {
		t.Fatalf("spelled in several ways: %v, %v", sets, err)
	}
	if l, err := s.link(sets[0][0]); err != nil || !l.Variants {
		t.Errorf("%+v, %v", l, err)
	}
	for level := equal.Registry; level <= equal.Heuristic; level++ {
		sets, err := s.Sets(t.Context(), level)
		if err != nil || level == equal.Heuristic && len(sets) != 1 {
			t.Fatalf("%s: %v, %v", level, sets, err)
		}
		for _, ids := range sets {
			first, err := s.link(ids[0])
			if err != nil || len(ids) < 2 {
				t.Fatalf("%s: %v, %v", level, ids, err)
			}
			for _, id := range ids[1:] {
				if l, err := s.link(id); err != nil || (equal.Rules{}).Compare(first.URL, l.URL).Equality == equal.Not {
					t.Errorf("%s: %s and %s, %v", level, first.URL, l.URL, err)
				}
			}
		}
	}
	run, err := s.StartRun(Run{Started: epoch})
	if err != nil {
		t.Fatal(err)
	}
	var batch []Checked
	for _, l := range links(t, s) {
		r := rOK
		r.At, r.FinalURL = epoch, "http://www.example.net/home"
		batch = append(batch, Checked{l.ID, r})
	}
	if err := s.Record(run, judge.Policy{}, batch); err != nil {
		t.Fatal(err)
	}
	if sets, err = s.Sets(t.Context(), equal.Observed); err != nil || len(sets) != 1 || len(sets[0]) != len(batch) {
		t.Errorf("observed: %v, %v", sets, err)
	}
}

// TestExportMasked: a masked export says so, holds no password, and fills a store that is sound.
func TestExportMasked(t *testing.T) {
	s, other := openTest(t), openTest(t)
	read(t, s, "a.txt", epoch, "ftp://u:s3sam3@h.example/", "ftp://u:s3same4@h.example/", "http://h.example/")
	var b bytes.Buffer
	if err := s.Export(t.Context(), &b, true); err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(b.String(), "\n")
	if strings.Contains(b.String(), "s3sam") || !strings.Contains(head, `"masked":true`) || !strings.Contains(exported(t, s), "s3sam3") {
		t.Errorf("the export is %s", b.String())
	}
	if _, err := other.Import(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, other)
}
