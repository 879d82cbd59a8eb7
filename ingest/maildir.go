package ingest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A message of a Maildir is one file whose name changes while it stays the same message:
// it is moved from new to cur, and its flags stand in its name, behind ":2,".

// isMaildir recognizes a Maildir by its three folders.
func isMaildir(dir string) bool {
	return !slices.ContainsFunc([]string{"cur", "new", "tmp"}, func(name string) bool { return !isFolder(filepath.Join(dir, name)) })
}

// boxOf is the Maildir in which a file is a message; "": it is in none.
func boxOf(path string) string {
	dir := filepath.Dir(path)
	if name := filepath.Base(dir); name != "cur" && name != "new" {
		return ""
	}
	if box := filepath.Dir(dir); isMaildir(box) {
		return box
	}
	return ""
}

// messageName is the part of the name of a message that does not change.
func messageName(name string) string {
	name, _, _ = strings.Cut(name, ":2,")
	return name
}

// identity is what a source is known by, whole: the path, that of a message as if it lay
// in cur without flags.
func identity(whole, box string) string {
	if box == "" {
		return whole
	}
	return filepath.Join(filepath.Dir(filepath.Dir(whole)), "cur", messageName(filepath.Base(whole)))
}

// fileOf is the name by which a message lies in cur; "": it does not.
func fileOf(box, path string) string {
	list, err := os.ReadDir(filepath.Join(box, "cur"))
	if err != nil {
		return ""
	}
	for _, e := range list {
		if messageName(e.Name()) == messageName(filepath.Base(path)) {
			return e.Name()
		}
	}
	return ""
}

// newBeforeCur orders what lies in a Maildir.
func newBeforeCur(a, b fs.DirEntry) int {
	rank := func(e fs.DirEntry) int { return slices.Index([]string{"cur", "new"}, e.Name()) }
	return rank(b) - rank(a)
}
