package harvest_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// files is an FTP server in memory: texts by path. A text "550" is a file that a folder
// names and that is not there; a path that ends with a slash is a folder with or without files.
type files struct {
	texts   map[string]string
	modify  string // of all
	command string
	asked   []string
}

const treeAt = "ftp://ftp.example"

func (f *files) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	path := strings.TrimPrefix(t.URI.String(), treeAt)
	f.asked = append(f.asked, path)
	version := func(text string) string { return fmt.Sprintf("modify=%s;size=%d", f.modify, len(text)) }
	text, is := f.texts[path]
	if text == "folder" {
		return check.New(check.OK, check.ReasonFTP(250), ""), nil
	}
	folder := strings.HasSuffix(path, "/")
	if is && text != "550" && !folder {
		if w.Version == version(text) {
			return check.New(check.OK, check.ReasonFTP(213), ""), nil
		}
		return check.New(check.OK, check.ReasonFTP(226), ""), take(&check.Answer{URI: t.URI, Version: version(text), Body: strings.NewReader(text)})
	}
	rows := map[string]check.Entry{}
	for _, name := range slices.Sorted(maps.Keys(f.texts)) {
		below, in := strings.CutPrefix(name, path)
		if !in || below == "" || !folder {
			continue
		}
		if first, _, folder := strings.Cut(below, "/"); folder {
			rows[first+"/"] = check.Entry{Name: treeAt + path + first + "/", Folder: true, Version: "modify=" + f.modify}
		} else {
			rows[first] = check.Entry{Name: treeAt + name, Version: version(f.texts[name])}
		}
	}
	if len(rows) == 0 && !(is && folder) {
		return check.New(check.Gone, check.ReasonFTP(550), "550 no such file"), nil
	}
	return check.New(check.OK, check.ReasonFTP(250), ""), take(&check.Answer{URI: t.URI, Version: f.command, Entries: func(yield func(check.Entry, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			if !yield(rows[name], nil) {
				return
			}
		}
	}})
}

func archiveTree() *files {
	return &files{modify: "20260105120000", command: "MLSD", texts: map[string]string{
		"/pub/README": "read me", "/pub/a.txt": "a", "/pub/b.txt": "b", "/pub/c.txt": "c", "/pub/old/d.txt": "d", "/pub/old/e.txt": "e", "/pub/seal.gif": "x", "/etc/motd": "no",
	}}
}

func TestTreeSuite(t *testing.T) {
	Run(t, Case{
		Open:  walkOf(rootOf(t, treeAt+"/pub/")),
		World: func() check.Reader { return archiveTree() },
		Again: 2,
	})
}

// TestTree: what changed since a night before, and what is asked for to learn it.
func TestTree(t *testing.T) {
	const all = "/pub/ /pub/README /pub/a.txt /pub/b.txt /pub/c.txt /pub/old/ /pub/old/d.txt /pub/old/e.txt"
	for name, c := range map[string]struct {
		change       func(f *files)
		asked, stand string
	}{
		"nothing":          {func(*files) {}, "/pub/ /pub/old/", all},
		"a new one":        {func(f *files) { f.texts["/pub/n.txt"] = "new" }, "/pub/ /pub/n.txt /pub/old/", strings.Replace(all, "/pub/old/ ", "/pub/n.txt /pub/old/ ", 1)},
		"one that changed": {func(f *files) { f.texts["/pub/a.txt"] = "another" }, "/pub/ /pub/a.txt /pub/old/", all},
		"one that is gone": {func(f *files) { delete(f.texts, "/pub/a.txt") }, "/pub/ /pub/a.txt /pub/old/", strings.Replace(all, "/pub/a.txt ", "", 1)},
		"a folder is gone": {func(f *files) { delete(f.texts, "/pub/old/d.txt"); delete(f.texts, "/pub/old/e.txt") }, "/pub/ /pub/old/ /pub/old/d.txt /pub/old/e.txt", "/pub/ /pub/README /pub/a.txt /pub/b.txt /pub/c.txt /pub/old/d.txt /pub/old/e.txt"},
		"a folder is empty": {func(f *files) {
			f.texts["/pub/old/"] = ""
			delete(f.texts, "/pub/old/d.txt")
			delete(f.texts, "/pub/old/e.txt")
		}, "/pub/ /pub/old/ /pub/old/d.txt /pub/old/e.txt", all},
		"one is named only": {func(f *files) { f.texts["/pub/a.txt"] = "550" }, "/pub/ /pub/a.txt /pub/old/", all},
		"one is a folder":   {func(f *files) { f.texts["/pub/a.txt"] = "folder" }, "/pub/ /pub/a.txt /pub/old/", all},
		"another command":   {func(f *files) { f.command = "LIST"; delete(f.texts, "/pub/a.txt") }, "/pub/ /pub/a.txt /pub/old/", all},
	} {
		f, s := archiveTree(), &harvesttest.Store{Lead: leads}
		now := func() time.Time { return time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC) }
		for night := range 2 {
			if night == 1 {
				f.asked = nil
				c.change(f)
			}
			if _, _, err := told(t, s, harvest.NewWalk(rootOf(t, treeAt+"/pub/"), f, harvest.Options{Now: now})); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		var stand []string
		for _, n := range s.Standing() {
			stand = append(stand, strings.TrimPrefix(n, treeAt))
		}
		slices.Sort(f.asked)
		if got := strings.Join(f.asked, " "); got != c.asked || strings.Join(stand, " ") != c.stand {
			t.Errorf("%s: asked %q, stands %q", name, got, stand)
		}
	}
}
