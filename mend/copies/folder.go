package copies

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"linkcheck/internal/newfile"
	"linkcheck/mend"
)

// listName is the file by which a folder is known that a mend filled: a row for each change.
const listName = "mended.jsonl"

// Row is one change in the copies of a folder, as its list has it. Its JSON is stored.
type Row struct {
	Copy    string `json:"copy"`   // below the folder, with slashes; alone with Source: a copy without changes
	Source  string `json:"source"` // "": a file for a library system
	Record  string `json:"record,omitempty"`
	Locator string `json:"locator,omitempty"`
	Line    int    `json:"line,omitempty"` // in the copy, as Column; 0: they mean nothing
	Column  int    `json:"column,omitempty"`
	Now     string `json:"now"`
	Was     string `json:"was"`
	Spelled string `json:"spelled"` // how Was was written
	Way     string `json:"way,omitempty"`
	Why     string `json:"why,omitempty"`
}

// Folder is where copies go.
type Folder struct {
	dir    string // whole, without links
	copies map[string]bool
	list   *os.File // has the rows of a copy before the copy is there: an interrupted mend leaves nothing unknown
}

// collision is the error of two sources whose copies would have one name.
type collision struct{ name string }

func (c *collision) Error() string {
	return fmt.Sprintf("another source has its copy at %s", c.name)
}

// Open opens a folder for copies, and makes it if there is none. It refuses a file, a folder
// that holds anything and was not filled by an earlier mend, and one inside a source or
// around one. What an earlier mend put there goes.
func Open(dir string, sources []Source) (*Folder, error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	whole = resolved(whole)
	for _, s := range sources {
		if below(resolved(s.Path), whole) {
			return nil, fmt.Errorf("the source %s is inside %s", s.Path, dir)
		}
		for _, path := range []string{s.Path, s.Root} {
			if path != "" && below(whole, resolved(path)) {
				return nil, fmt.Errorf("%s is inside the source %s", dir, path)
			}
		}
	}
	f := &Folder{dir: whole, copies: map[string]bool{}}
	list, err := os.ReadDir(whole)
	var rows []Row
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = os.MkdirAll(whole, 0o777)
	case err != nil:
		return nil, fmt.Errorf("%s is no folder", dir)
	case len(list) > 0:
		if rows, err = List(whole); err != nil {
			return nil, fmt.Errorf("%s holds what no mend put there", dir)
		}
	}
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(whole)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, r := range rows {
		if err := root.Remove(filepath.FromSlash(r.Copy)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	f.list, err = root.OpenFile(listName, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	return f, err
}

// resolved is a path without links, as far as it is there.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(resolved(parent), filepath.Base(path))
	}
	return path
}

// write writes the copy of a source, below the name of its root.
func (f *Folder) write(s Source, made *mend.Copy) error {
	rel := filepath.Base(s.Path)
	switch {
	case s.Copy != "":
		rel = s.Copy
	case s.Root != "" && s.Root != s.Path && below(s.Path, s.Root):
		rel, _ = filepath.Rel(filepath.Dir(s.Root), s.Path)
	}
	if f.copies[rel] || rel == listName {
		return &collision{rel}
	}
	f.copies[rel] = true
	path := filepath.Join(f.dir, rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if !below(resolved(filepath.Dir(path)), f.dir) || resolved(path) == resolved(s.Path) {
		return fmt.Errorf("a link in %s leads out of it", f.dir)
	}
	rows := []Row{{Copy: filepath.ToSlash(rel), Source: s.Path}}
	for i, m := range made.Made {
		row := Row{Copy: filepath.ToSlash(rel), Source: s.Path, Record: m.Now.Record, Locator: m.Now.Locator, Now: m.Now.Raw, Was: m.Was.Raw, Spelled: m.Spelled, Why: s.Fixes[m.Change].Why, Way: string(s.Fixes[m.Change].Way)}
		if beside(&s.Fixes[m.Change].Change, &m) {
			row.Was, row.Spelled = "", ""
		}
		if !m.Now.Binary {
			row.Line, row.Column = m.Now.Line, m.Now.Column
		}
		rows = append(rows[:i], row)
	}
	if err := f.note(rows); err != nil {
		return err
	}
	return newfile.Replace(path, newfile.Shared, func(to *os.File) error {
		_, err := to.Write(made.Octets)
		return err
	})
}

// Put writes a file that is the copy of no source.
func (f *Folder) Put(name string, text []byte) error {
	if f.copies[name] {
		return &collision{name}
	}
	f.copies[name] = true
	if err := f.note([]Row{{Copy: name}}); err != nil {
		return err
	}
	return newfile.Replace(filepath.Join(f.dir, name), newfile.Shared, func(to *os.File) error {
		_, err := to.Write(text)
		return err
	})
}

// Close ends the list.
func (f *Folder) Close() error { return f.list.Close() }

// beside says whether a change put a field or subfield beside the old address, or took one away.
func beside(c *mend.Change, m *mend.Made) bool {
	return (c.Way == mend.Add || c.Way == mend.Note) && m.Was.How != "href"
}

// note writes rows into the list.
func (f *Folder) note(rows []Row) error {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false)
	for _, r := range rows {
		if err := out.Encode(r); err != nil {
			return err
		}
	}
	if _, err := f.list.Write(text.Bytes()); err != nil {
		return err
	}
	return f.list.Sync()
}

// List reads the changes of a folder that a mend filled.
func List(dir string) (rows []Row, err error) {
	file, err := os.Open(filepath.Join(dir, listName))
	if err != nil {
		return nil, fmt.Errorf("%s was not filled by a mend", dir)
	}
	defer file.Close()
	in := json.NewDecoder(bufio.NewReader(file))
	for in.More() {
		var r Row
		if err := in.Decode(&r); errors.Is(err, io.ErrUnexpectedEOF) {
			return rows, nil // it was interrupted here, before the copy
		} else if err != nil {
			return nil, fmt.Errorf("%s in %s: %w", listName, dir, err)
		}
		if name := filepath.FromSlash(r.Copy); !filepath.IsLocal(name) || strings.EqualFold(name, listName) {
			return nil, fmt.Errorf("%s in %s names %.100q", listName, dir, r.Copy)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// Undo gives the copies of a folder with what restores their old values.
func Undo(dir string) (sources []Source, err error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	rows, err := List(whole)
	at := map[string]int{}
	for _, r := range rows {
		if r.Source == "" {
			continue
		}
		path := filepath.Join(whole, filepath.FromSlash(r.Copy))
		n, known := at[path]
		if !known {
			n, at[path] = len(sources), len(sources)
			sources = append(sources, Source{Path: path, Name: path, Root: whole, Copy: filepath.FromSlash(r.Copy)})
		}
		if r.Now == "" {
			continue
		}
		fix := Fix{Why: "undo", Change: mend.Change{Record: r.Record, Locator: r.Locator, Line: r.Line, Column: r.Column, Old: r.Now, New: r.Was, Restore: true, Spelled: r.Spelled, Way: mend.Way(r.Way)}}
		sources[n].Fixes = append(sources[n].Fixes, fix)
	}
	return sources, err
}

// below says whether a whole path is another one or lies below it.
func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}
