package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
)

func TestSources(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "in")
	for _, p := range []string{"b.txt", "a/2", "a/1", "box/cur/m1", "box/new/m2", "box/tmp/m3", "tmp/kept"} {
		testdoc.Write(t, filepath.Join(dir, p), "x")
	}
	testdoc.Write(t, filepath.Join(top, "out/secret"), "x")
	for link, to := range map[string]string{"in/out": "../out/secret", "in/dir": "a", "in/same": "b.txt", "in/gone": "nothing"} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for s := range sources([]string{filepath.Join(top, "out"), dir}, way{}) {
		if s.err != nil {
			t.Fatal(s.err)
		}
		if s.link != "" {
			continue
		}
		rel, _ := filepath.Rel(top, s.path)
		got = append(got, rel)
	}
	want := []string{"out/secret", "in/a/1", "in/a/2", "in/b.txt", "in/box/cur/m1", "in/box/new/m2", "in/same", "in/tmp/kept"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestExtractKeepsOrder(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for i := range 50 {
		var b strings.Builder
		for j := range (50 - i) * 40 {
			u := fmt.Sprintf("http://h%d.example/%d", i, j)
			fmt.Fprintln(&b, u)
			want = append(want, u)
		}
		testdoc.Write(t, filepath.Join(dir, fmt.Sprintf("%02d.txt", i)), b.String())
	}
	var got []string
	for f, err := range Extract(context.Background(), []string{dir}, Selection{}, extract.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.URI)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d findings, want %d in order", len(got), len(want))
	}
}

func TestExtractStops(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		testdoc.Write(t, filepath.Join(dir, fmt.Sprint(i)), strings.Repeat("http://h.example/\n", 5000))
	}
	for range Extract(context.Background(), []string{dir}, Selection{}, extract.Options{}) {
		break
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var last error
	for _, err := range Extract(ctx, []string{dir}, Selection{}, extract.Options{}) {
		last = err
	}
	if last != context.Canceled {
		t.Errorf("after cancel: %v", last)
	}
}

func TestExtractMissing(t *testing.T) {
	var errs, found int
	p := filepath.Join(t.TempDir(), "a")
	testdoc.Write(t, p, "http://h.example/")
	for _, err := range Extract(context.Background(), []string{p + "-missing", p}, Selection{}, extract.Options{}) {
		if err != nil {
			errs++
		} else {
			found++
		}
	}
	if errs != 1 || found != 1 {
		t.Errorf("%d errors, %d findings", errs, found)
	}
}

// The nearest folder that is there is not looked for above the root: what is not
// ours may well be empty.
func TestEmptyParent(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "a", "b")
	if err := os.MkdirAll(filepath.Join(top, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	if dir, empty := emptyParent(filepath.Join(root, "c", "d.txt"), root); dir != root || empty {
		t.Errorf("a missing root: %s, %v", dir, empty)
	}
	if err := os.MkdirAll(filepath.Join(root, "c"), 0o755); err != nil {
		t.Fatal(err)
	}
	if dir, empty := emptyParent(filepath.Join(root, "c", "e", "d.txt"), root); dir != filepath.Join(root, "c") || !empty {
		t.Errorf("an empty folder: %s, %v", dir, empty)
	}
	if dir, empty := emptyParent(filepath.Join(root, "d.txt"), root); dir != root || empty {
		t.Errorf("a root that holds a folder: %s, %v", dir, empty)
	}
}
