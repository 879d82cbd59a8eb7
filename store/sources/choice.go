package sources

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"linkcheck/store"
)

// Errors of Find, and of Rename.
var (
	ErrUnknown   = errors.New("no source and no collection of the store")
	ErrAmbiguous = errors.New("a path and a collection that differ")
	ErrRemote    = errors.New("a remote root: its name is in the configuration")
)

// What a name may be.
const (
	Any        = ""
	Path       = "path"
	Collection = "collection"
)

// Choice is the sources that a person means by a name.
type Choice struct {
	Sources []store.Source // those that are gone among them
	name    string         // a path without "." and "..", or a collection
	isPath  bool
	known   map[string]string // by the path of each source, what the name stands for there
}

// Find finds the sources at a path or below it, and those of a collection; as says which,
// or Any. A path is the whole one of the folder or file, or as a run named it. Where
// nothing has that name, known are the names that there are.
func Find(st *store.Store, name, as string) (c Choice, known []string, err error) {
	whole, clean := absolute(name), filepath.Clean(name)
	byPath, byName := newChoice(clean, true), newChoice(clean, true)
	byCollection := newChoice(name, false)
	names := map[string]bool{}
	for src, err := range st.Sources() {
		if err != nil {
			return c, nil, err
		}
		names[src.Root], names[src.Collection], names[shown(&src)] = true, true, true
		if src.Remote != 0 {
			if name == src.Collection || name == src.Root || name == src.Path {
				byCollection.add(src, name)
			}
			continue
		}
		if below(src.Path, whole) {
			byPath.add(src, whole)
		}
		if dir := named(&src, clean); dir != "" {
			byName.add(src, dir)
		}
		if src.Collection == name {
			byCollection.add(src, name)
		}
	}
	if len(byPath.Sources) == 0 {
		byPath = byName
	}
	paths, collected := byPath.Sources, byCollection.Sources
	switch {
	case as == Path, as == Any && len(paths) > 0 && strings.ContainsRune(name, filepath.Separator):
		collected = nil
	case as == Collection:
		paths = nil
	}
	delete(names, "")
	switch {
	case len(paths) == 0 && len(collected) == 0:
		return c, slices.Sorted(maps.Keys(names)), ErrUnknown
	case len(paths) > 0 && len(collected) > 0 && !slices.EqualFunc(paths, collected, func(a, b store.Source) bool { return a.Path == b.Path }):
		return c, nil, ErrAmbiguous
	case len(paths) > 0:
		return byPath, nil, nil
	}
	return byCollection, nil, nil
}

// named is the folder or file that a name stands for, as part of the path of a source
// which was read by that name from some folder; "": it was not.
func named(src *store.Source, name string) string {
	switch {
	case below(src.Path, name): // of an old store
		return name
	case shown(src) == name:
		return src.Path
	}
	i := strings.LastIndex(src.Path+string(filepath.Separator), string(filepath.Separator)+name+string(filepath.Separator))
	if i < 0 || !below(shown(src), name) {
		return ""
	}
	return src.Path[:i+1+len(name)]
}

func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

func newChoice(name string, isPath bool) Choice {
	return Choice{name: name, isPath: isPath, known: map[string]string{}}
}

func (c *Choice) add(src store.Source, as string) {
	c.Sources = append(c.Sources, src)
	c.known[src.Path] = as
}

// below says whether a path is another one, or lies below it.
func below(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(dir, string(filepath.Separator)))
}

// Forgotten is what Forget takes out of the reports.
type Forgotten struct {
	Documents, Mentions int
	Links, Dead         int // that stand nowhere else
}

// Sum says what forgetting the choice takes away.
func (c *Choice) Sum(ctx context.Context, st *store.Store) (f Forgotten, err error) {
	for i := range c.Sources {
		if c.Sources[i].Gone.IsZero() {
			f.Documents++
		}
	}
	err = eachLink(ctx, st, func(e *store.Entry) {
		n := 0
		for i := range e.LiveMentions {
			if c.known[e.LiveMentions[i].Path] != "" {
				n++
			}
		}
		if f.Mentions += n; n > 0 && n == len(e.LiveMentions) {
			if f.Links++; dead(&e.Link) {
				f.Dead++
			}
		}
	})
	return f, err
}

// forgetAtOnce is how many sources are forgotten in one transaction.
const forgetAtOnce = 2000

// Forget retires the mentions in the sources of the choice, as if they were gone.
func (c *Choice) Forget(st *store.Store, now time.Time) error {
	in, err := st.BeginIngest(now)
	if err != nil {
		return err
	}
	there := slices.DeleteFunc(slices.Clone(c.Sources), func(src store.Source) bool { return !src.Gone.IsZero() })
	if err := forget(in, there); err != nil {
		return err
	}
	_, err = in.Finish()
	return err
}

func forget(in *store.Ingest, list []store.Source) error {
	for part := range slices.Chunk(list, forgetAtOnce) {
		if err := in.Add(store.Step{Gone: part}); err != nil {
			return err
		}
	}
	return nil
}

// Retire forgets the documents of a remote root, says how many stood, and lets the next
// reading of it begin anew.
func Retire(st *store.Store, root store.Root, now time.Time) (documents int, err error) {
	in, err := st.BeginIngest(now)
	if err != nil {
		return 0, err
	}
	var there []store.Source
	for src, err := range st.Under(root.Number) {
		if err != nil {
			return 0, err
		}
		if src.Gone.IsZero() {
			there = append(there, src)
			documents += min(1, int(src.Read))
		}
	}
	anew := store.Root{Number: root.Number, URI: root.URI, Name: root.Name, Kind: root.Kind, Owner: root.Owner, RecordURL: root.RecordURL, Message: "retired"}
	if err := errors.Join(in.Add(store.Step{Root: &anew}), forget(in, there)); err != nil {
		return 0, err
	}
	_, err = in.Finish()
	return documents, err
}

// Rename gives the sources of the choice another path in place of the old one, or another
// collection, and says how many there were. Where the old path is relative to a folder of
// another run, so is the new one.
func (c *Choice) Rename(ctx context.Context, st *store.Store, name string, now time.Time) (int, error) {
	if slices.ContainsFunc(c.Sources, func(src store.Source) bool { return src.Remote != 0 }) {
		return 0, ErrRemote
	}
	in, err := st.BeginIngest(now)
	if err != nil {
		return 0, err
	}
	n, err := in.Move(ctx, func(src *store.Source) bool {
		old, ok := c.known[src.Path]
		switch {
		case !ok:
		case c.isPath:
			c.renamePath(src, old, name)
		default:
			src.Collection = name
		}
		return ok
	})
	if err != nil {
		return n, err
	}
	_, err = in.Finish()
	return n, err
}

// renamePath puts a name in the place of the old folder or file in the paths of a source.
// The collection that a folder gave its name to is renamed with it.
func (c *Choice) renamePath(src *store.Source, old, name string) {
	whole := absolute(name)
	if parent, ok := strings.CutSuffix(old, c.name); ok && parent != "" && !filepath.IsAbs(name) && !filepath.IsAbs(c.name) {
		whole = filepath.Join(parent, name)
	}
	was := shown(src)
	if src.Name = swap(was, c.name, filepath.Clean(name)); src.Name == was {
		src.Name = swap(was, old, whole)
	}
	if src.Path = swap(src.Path, old, whole); src.Name == src.Path {
		src.Name = ""
	}
	root := src.Root
	if src.Root = swap(root, old, whole); src.Root != root && src.Collection == filepath.Base(root) {
		src.Collection = filepath.Base(src.Root)
	}
}

// swap puts one folder in the place of another at the beginning of a path.
func swap(path, old, name string) string {
	if !below(path, old) {
		return path
	}
	return filepath.Join(name, path[len(old):])
}
