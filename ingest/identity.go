package ingest

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"linkcheck/store"
)

// A source is known by its whole path (OUTCOMES section 4), however a run names it.

// absolute is the whole path of a file, without "." and "..".
func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// nameOf is what Source.Name keeps of a path.
func nameOf(path, id string) string {
	if path == id {
		return ""
	}
	return path
}

// shown is the path by which a source was read.
func shown(src *store.Source) string { return cmp.Or(src.Name, src.Path) }

// Below says whether a path is another one, or lies below it. Both are whole, or both are
// not.
func Below(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(dir, string(filepath.Separator)))
}

// belongs says whether a path is where a source is to be found. One that was named itself
// may be a link that no walk follows.
func (r *rootEnd) belongs(src *store.Source) bool {
	return src.Root == r.root || src.Rows == r.root || Below(src.Path, r.root) && src.Root != src.Path && linkBetween(r.root, src.Path) == ""
}

// linkBetween is the first link on the way from a folder to a path below it, or ""; what
// is not there is none.
func linkBetween(root, path string) string {
	rest, ok := strings.CutPrefix(path, root)
	if !ok {
		return ""
	}
	for _, name := range strings.Split(filepath.Dir(rest), string(filepath.Separator)) {
		if root = filepath.Join(root, name); name == "" || name == "." {
			continue
		}
		if info, err := os.Lstat(root); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return root
		}
	}
	return ""
}

// identify brings sources that a store knows by other paths under their identities: the
// relative paths, and the messages by the names of their files, of stores before schema 6.
func (r *reading) identify(ctx context.Context, paths []string) error {
	var roots []string
	for _, p := range paths {
		roots = append(roots, absolute(p))
	}
	boxes := map[string]string{}
	_, err := r.in.Move(ctx, func(src *store.Source) bool {
		before := *src
		if src.Remote != 0 || !filepath.IsAbs(src.Path) && !placed(src, roots) {
			return false
		}
		dir := filepath.Dir(src.Path)
		box, known := boxes[dir]
		if !known {
			box = boxOf(src.Path)
			boxes[dir] = box
		}
		id := identity(src.Path, box)
		src.Name, src.Path = nameOf(shown(&before), id), id
		return src.Path != before.Path
	})
	return err
}

// placed gives a source that is known by a relative path the whole one, if it lies below
// one of the roots: seen from the current folder, or else where the end of a root is the
// beginning of its path and the same file stands.
func placed(src *store.Source, roots []string) bool {
	if whole := absolute(src.Path); place(src, whole, roots) {
		return true
	}
	names := strings.Split(filepath.Clean(src.Path), string(filepath.Separator))
	for _, root := range roots {
		for n := len(names); n >= 0; n-- {
			head := filepath.Join(names[:n]...)
			dir, ok := strings.CutSuffix(root, head)
			if !ok || n > 0 && !strings.HasSuffix(dir, string(filepath.Separator)) {
				continue
			}
			whole := filepath.Join(root, filepath.Join(names[n:]...))
			if info, err := os.Stat(whole); err == nil && info.Size() == src.Size && info.ModTime().Equal(src.ModTime) {
				return place(src, whole, roots)
			}
		}
	}
	return false
}

func place(src *store.Source, whole string, roots []string) bool {
	i := slices.IndexFunc(roots, func(root string) bool { return Below(whole, root) })
	if i >= 0 {
		src.Name, src.Path, src.Root = cmp.Or(src.Name, src.Path), whole, roots[i]
	}
	return i >= 0
}
