package newfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/internal/newfile"
)

func put(text string) func(*os.File) error {
	return func(f *os.File) error {
		_, err := f.WriteString(text)
		return err
	}
}

// The names in a folder, and what the regular ones hold.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	held := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		held[e.Name()] = string(text)
	}
	return held
}

func TestReplaceModes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	for _, tt := range []struct {
		was, asked, want fs.FileMode // was 0: no file there
	}{{0, newfile.Private, 0o600}, {0o640, newfile.Private, 0o640}, {0o666, newfile.Private, 0o666}, {0o600, newfile.Shared, 0o600}, {0o400, newfile.Shared, 0o400}} {
		os.Remove(path)
		if tt.was != 0 {
			if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, tt.was)); err != nil {
				t.Fatal(err)
			}
		}
		if err := newfile.Replace(path, tt.asked, put("new")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != tt.want {
			t.Errorf("%o, asked for %o: %v, %v", tt.was, tt.asked, info.Mode(), err)
		}
	}
}

// A shared file has the mode that any new file of the process has.
func TestReplaceFollowsUmask(t *testing.T) {
	dir := t.TempDir()
	plain, path := filepath.Join(dir, "plain"), filepath.Join(dir, "a")
	if err := errors.Join(os.WriteFile(plain, nil, newfile.Shared), newfile.Replace(path, newfile.Shared, put(""))); err != nil {
		t.Fatal(err)
	}
	a, aerr := os.Stat(plain)
	b, berr := os.Stat(path)
	if err := errors.Join(aerr, berr); err != nil || a.Mode() != b.Mode() {
		t.Errorf("%v and %v, %v", a.Mode(), b.Mode(), err)
	}
}

// A link is replaced and not followed; Target is what follows it.
func TestReplaceLinks(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, []byte("old"), 0o600), os.Symlink("file", link)); err != nil {
		t.Fatal(err)
	}
	if got := newfile.Target(link); filepath.Base(got) != "file" {
		t.Errorf("the link leads to %s", got)
	}
	if err := newfile.Replace(link, newfile.Private, put("new")); err != nil {
		t.Fatal(err)
	}
	if held := folder(t, dir); held["file"] != "old" || held["link"] != "new" || len(held) != 2 {
		t.Errorf("%v", held)
	}
	if err := newfile.Replace(dir, newfile.Private, put("new")); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a folder was replaced: %v", err)
	}
}

// What fails leaves the folder as it was; what a crash left goes when it is old.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	path, full := filepath.Join(dir, "a"), errors.New("full")
	if err := newfile.Create(path, newfile.Private, put("first")); err != nil {
		t.Fatal(err)
	}
	if err := newfile.Create(path, newfile.Private, put("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("created twice: %v", err)
	}
	if err := newfile.Replace(path, newfile.Private, func(*os.File) error { return full }); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	left := ".a." + strings.Repeat("A", 26) + ".tmp"
	kept := map[string]string{"a": "first", ".a.x.tmp": "", ".b." + strings.Repeat("A", 26) + ".tmp": "", ".a." + strings.Repeat("B", 26) + ".tmp": ""}
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{left, ".a.x.tmp", ".b." + strings.Repeat("A", 26) + ".tmp", ".a." + strings.Repeat("B", 26) + ".tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(name, "B") {
			if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := newfile.Replace(path, newfile.Private, put("first")); err != nil {
		t.Fatal(err)
	}
	held := folder(t, dir)
	for name, text := range kept {
		if got, ok := held[name]; !ok || got != text {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	if len(held) != len(kept) {
		t.Errorf("%v", held)
	}
}
