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
	root string // the whole path below which it was found; "": see rooted
	dir  string // the directory that is not left; "": the file itself was given
	rel  string // the path below dir
	box  string // the Maildir in which it is a message; "": it is in none
	info fs.FileInfo
	err  error  // names its path; nothing else is set
	link string // a link to a folder, which is not followed; nothing else is set

	bare   string // a folder with nothing in it; nothing else is set
	astray string // a link that leads to no file; nothing else is set
}

// open never follows a link that leads out of the given directory. A message of a Maildir
// may have got another name since the folder was read.
func (s source) open(ctx context.Context) (*openfile.File, error) {
	f, err := s.openAs(ctx, s.rel)
	if s.box == "" || s.dir == "" || !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	box := filepath.Dir(filepath.Dir(s.rel))
	if name := fileOf(filepath.Join(s.dir, box), s.rel); name != "" {
		return s.openAs(ctx, filepath.Join(box, "cur", name))
	}
	return f, err
}

func (s source) openAs(ctx context.Context, rel string) (*openfile.File, error) {
	switch {
	case s.err != nil:
		return nil, s.err
	case s.dir == "":
		return openfile.Read(ctx, s.path)
	}
	f, err := openfile.Open(ctx, func() (*os.File, error) { return os.OpenInRoot(s.dir, rel) })
	if err != nil {
		return nil, fullPath(err, s.path)
	}
	return f, nil
}

// way is how folders are walked.
type way struct {
	Selection
	newFirst bool // new of a Maildir before cur: a message that is moved meanwhile is met, and once
	bare     bool // what is bare is told

	exclude, include, ignored []pattern // of the selection; of the files .gitignore above the place at hand
}

// sources walks paths in the order given, directories in lexical order. Links out of
// a directory, linked directories unless they are followed, special files and the tmp of a
// Maildir are passed over. After an error the walk continues.
func sources(paths []string, how way) iter.Seq[source] {
	how.exclude, how.include = patternsOf(how.Exclude, ""), patternsOf(how.Include, "")
	return func(yield func(source) bool) {
		for _, p := range paths {
			info, err := os.Stat(p)
			more := false
			switch {
			case err != nil:
				more = yield(source{err: err})
			case info.IsDir():
				w := walker{yield: yield, way: how}
				more = w.walk(p)
			case !how.wanted(p, p, false):
				more = true
			default:
				more = yield(source{path: p, info: info, box: boxOf(p)})
			}
			if !more {
				return
			}
		}
	}
}

// walker walks one given directory. Its methods return false when the caller wants no more.
type walker struct {
	yield func(source) bool
	way
	links   []string        // to folders
	walked  map[string]bool // folders without links in their paths, where links are followed
	targets []string        // folders to which links led
	fresh   map[string]bool // messages that were met in new, of the Maildir under way
}

func (w *walker) walk(dir string) bool {
	w.walked = map[string]bool{}
	return w.folder(dir, dir, ".") && w.linked()
}

// again says whether a folder was walked before: then a link led there, or leads there in
// a circle. dir holds no link below what was given or followed.
func (w *walker) again(dir string) bool {
	if !w.Follow {
		return false
	}
	whole, err := filepath.EvalSymlinks(dir)
	if err != nil || w.walked[whole] {
		return err == nil
	}
	w.walked[whole] = true
	return false
}

// folder walks what lies at rel below dir, which is shown as path.
func (w *walker) folder(path, dir, rel string) bool {
	if w.again(filepath.Join(dir, rel)) {
		return true
	}
	list, err := os.ReadDir(filepath.Join(dir, rel))
	if err != nil && !w.yield(source{err: fullPath(err, path)}) {
		return false
	}
	maildir, box := isMaildir(path), boxOf(filepath.Join(path, "x"))
	if w.bare && err == nil && len(list) == 0 && box == "" && !w.yield(source{bare: path}) {
		return false
	}
	if maildir && w.newFirst {
		slices.SortStableFunc(list, newBeforeCur)
	}
	defer w.ignore(dir, rel)()
	fresh := box != "" && filepath.Base(path) == "new"
	if fresh {
		w.fresh = map[string]bool{}
	}
	for _, e := range list {
		s := source{path: filepath.Join(path, e.Name()), dir: dir, rel: filepath.Join(rel, e.Name()), box: box}
		switch {
		case !w.wanted(s.rel, s.path, e.IsDir()):
		case e.IsDir() && maildir && e.Name() == "tmp":
		case e.IsDir():
			if !w.folder(s.path, dir, s.rel) {
				return false
			}
		case e.Type()&fs.ModeSymlink != 0 && isFolder(s.path):
			w.links = append(w.links, s.path)
		default:
			info, ok := regular(dir, s.rel, e)
			if lost := !ok && w.bare && !w.Follow && e.Type()&fs.ModeSymlink != 0; lost && !w.yield(source{astray: s.path}) {
				return false
			}
			if s.info = info; !ok || box != "" && !fresh && w.fresh[messageName(e.Name())] {
				continue
			}
			if fresh {
				w.fresh[messageName(e.Name())] = true
			}
			if !w.yield(s) {
				return false
			}
		}
	}
	return true
}

// linked walks the folders to which links lead, after all those that are no links.
func (w *walker) linked() bool {
	for len(w.links) > 0 {
		link := w.links[0]
		w.links = w.links[1:]
		if !w.Follow {
			if !w.yield(source{link: link}) {
				return false
			}
			continue
		}
		target, err := filepath.EvalSymlinks(link)
		if err != nil {
			continue // it went meanwhile
		}
		w.targets = append(w.targets, target)
		if !w.folder(link, target, ".") {
			return false
		}
	}
	return true
}

// LinkedFolders lists the folders that are read where links below paths are followed.
func LinkedFolders(paths []string) (list []string) {
	for _, p := range paths {
		if isFolder(p) {
			w := walker{yield: func(source) bool { return true }, way: way{Selection: Selection{Follow: true}}}
			w.walk(p)
			list = append(list, w.targets...)
		}
	}
	return list
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

// fullPath puts into err the whole path, in place of the path below a directory.
func fullPath(err error, path string) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: "open", Path: path, Err: p.Err}
	}
	return err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
