package ingest

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"
)

// source is one file to read links from.
type source struct {
	path    string // as given, or the given directory joined with the path below it
	size    int64
	modTime time.Time
	open    func() (fs.File, error) // never through a link that leads out of the given directory
}

// sources walks paths in the order given, directories in lexical order. Links
// out of a directory, linked directories, special files and the tmp of a Maildir
// are passed over. An error names its path; the walk goes on after it.
func sources(paths []string) iter.Seq2[source, error] {
	return func(yield func(source, error) bool) {
		for _, p := range paths {
			info, err := os.Stat(p)
			switch {
			case err != nil:
				if !yield(source{}, err) {
					return
				}
			case info.IsDir():
				if !walk(p, yield) {
					return
				}
			default:
				open := func() (fs.File, error) { return os.Open(p) }
				if !yield(source{p, info.Size(), info.ModTime(), open}, nil) {
					return
				}
			}
		}
	}
}

// walk yields the files below dir; false when the caller wants no more.
func walk(dir string, yield func(source, error) bool) bool {
	err := fs.WalkDir(os.DirFS(dir), ".", func(rel string, e fs.DirEntry, err error) error {
		if err != nil {
			if !yield(source{}, fullPath(err, dir, rel)) {
				return errStop
			}
			return nil
		}
		if e.IsDir() {
			if e.Name() == "tmp" && isMaildir(filepath.Join(dir, filepath.Dir(rel))) {
				return fs.SkipDir
			}
			return nil
		}
		open := func() (fs.File, error) { return openBelow(dir, rel) }
		info, ok := regular(dir, rel, e)
		if ok && !yield(source{filepath.Join(dir, rel), info.Size(), info.ModTime(), open}, nil) {
			return errStop
		}
		return nil
	})
	return err == nil
}

var errStop = errors.New("stop")

// regular says whether the entry is a file, or a link to one that stays below dir.
func regular(dir, rel string, e fs.DirEntry) (fs.FileInfo, bool) {
	if e.Type()&fs.ModeSymlink == 0 {
		info, err := e.Info()
		return info, err == nil && e.Type().IsRegular()
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, false
	}
	defer root.Close()
	info, err := root.Stat(rel)
	return info, err == nil && info.Mode().IsRegular()
}

func openBelow(dir, rel string) (fs.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(rel)
	if err != nil {
		return nil, fullPath(err, dir, rel)
	}
	return f, nil
}

// fullPath names in err the path as people know it, and not only its end below dir.
func fullPath(err error, dir, rel string) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return &fs.PathError{Op: "open", Path: filepath.Join(dir, rel), Err: p.Err}
	}
	return err
}

// isMaildir tells a Maildir by its three folders.
func isMaildir(dir string) bool {
	for _, name := range []string{"cur", "new", "tmp"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
