package store

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var makeFirst = flag.Bool("make-first", false, "write testdata/v1.* anew: only while no store of schema 1 is in use")

// TestFirstVersion opens a store that the first version wrote, and finds in it
// what was there. The file is never made again once that version is in use.
func TestFirstVersion(t *testing.T) {
	const packed, text = "testdata/v1.db.gz", "testdata/v1.jsonl"
	if *makeFirst {
		writeFirst(t, packed, text)
	}
	path := filepath.Join(t.TempDir(), "v1.db")
	f, err := os.Open(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(io.LimitReader(zr, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path, &Options{ReadOnly: true}) // readers bring it to the present schema too
	if err != nil {
		t.Fatal(err)
	}
	mustVerify(t, r)
	r.Close()
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustVerify(t, s)
	want, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := rowsOf(exported(t, s)); got != rowsOf(string(want)) {
		t.Errorf("it holds\n%s\nwant\n%s", got, want)
	}
	other := openTest(t)
	if _, err := other.Import(t.Context(), bytes.NewReader(want)); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, other)
	if got := exported(t, other); got != exported(t, s) {
		t.Errorf("imported it holds\n%s\nwant\n%s", got, want)
	}
	if sum := read(t, s, "new.txt", epoch.Add(20*day), "http://new.example.net/"); sum.NewLinks != 1 {
		t.Errorf("it takes %+v", sum)
	}
	mustVerify(t, s)
}

// rowsOf drops the lines of an export that are the file's own: its head and its end, and
// what schema 1 said of itself.
func rowsOf(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, `{"schema":`) && !strings.HasPrefix(line, `{"table":"meta"`) && !strings.HasPrefix(line, `{"end":`) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func writeFirst(t *testing.T, packed, text string) {
	s := openTest(t)
	lived(t, s)
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(text, []byte(exported(t, s)), 0o644); err != nil {
		t.Fatal(err)
	}
	copyPath := filepath.Join(t.TempDir(), "copy.db")
	if err := s.Backup(t.Context(), copyPath); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(copyPath)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zw := gzip.NewWriter(f)
	if _, err := zw.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
}
