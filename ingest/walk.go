package ingest

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"linkcheck/internal/openfile"
)

// source is one file to read links from, or an error of the walk.
type source struct {
	path string // as given, or the given directory joined with the path below it
	dir  string // the given directory; "": the file itself was given
	rel  string // the path below dir
	info fs.FileInfo
	err  error // names its path; nothing else is set
}

// open never follows a link that leads out of the given directory.
func (s source) open(ctx context.Context) (*openfile.File, error) {
	switch {
	case s.err != nil:
		return nil, s.err
	case s.dir == "":
		return openfile.Read(ctx, s.path)
	}
	f, err := openfile.Open(ctx, func() (*os.File, error) { return os.OpenInRoot(s.dir, s.rel) })
	if err != nil {
		return nil, fullPath(err, s.dir, s.rel)
	}
	return f, nil
}

// sources walks paths in the order given, directories in lexical order. Links out of
// a directory, linked directories, special files and the tmp of a Maildir are passed
// over. After an error the walk continues.
func sources(paths []string) iter.Seq[source] {
	return func(yield func(source) bool) {
		for _, p := range paths {
			info, err := os.Stat(p)
			more := false
			switch {
			case err != nil:
				more = yield(source{err: err})
			case info.IsDir():
				more = walk(p, yield)
			default:
				more = yield(source{path: p, info: info})
			}
			if !more {
				return
			}
		}
	}
}

// walk yields the files below dir; false when the caller wants no more.
func walk(dir string, yield func(source) bool) bool {
	more := true
	_ = fs.WalkDir(os.DirFS(dir), ".", func(rel string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			more = yield(source{err: fullPath(err, dir, rel)})
		case e.IsDir():
			if e.Name() == "tmp" && isMaildir(filepath.Join(dir, filepath.Dir(rel))) {
				return fs.SkipDir
			}
		default:
			if info, ok := regular(dir, rel, e); ok {
				more = yield(source{path: filepath.Join(dir, rel), dir: dir, rel: rel, info: info})
			}
		}
		if !more {
			return fs.SkipAll
		}
		return nil
	})
	return more
}

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

// fullPath puts into err the whole path, in place of the path below dir.
func fullPath(err error, dir, rel string) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: "open", Path: filepath.Join(dir, rel), Err: p.Err}
	}
	return err
}

// isMaildir recognizes a Maildir by its three folders.
func isMaildir(dir string) bool {
	return !slices.ContainsFunc([]string{"cur", "new", "tmp"}, func(name string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err != nil || !info.IsDir()
	})
}
