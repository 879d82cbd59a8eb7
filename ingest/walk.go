package ingest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"linkcheck/extract"
)

// source is one file to read links from.
type source struct {
	Path    string // as given, or the given directory joined with the path below it
	Size    int64
	ModTime time.Time
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
			if !yield(source{}, whole(err, dir, rel)) {
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
		return nil, whole(err, dir, rel)
	}
	return f, nil
}

// whole names in err the path as people know it, and not only its end below dir.
func whole(err error, dir, rel string) error {
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

// Extract yields the links of the files at paths, in the order of the files and
// of each document; see [Sources] for what is read. Several files are read at a
// time. An error is about one file (an *extract.Damage where it spoils only a
// part of one) and the rest still comes, unless ctx ends.
func Extract(ctx context.Context, paths []string, o extract.Options) iter.Seq2[extract.Found, error] {
	return extractSources(ctx, sources(paths), o)
}

const (
	batchSize  = 256 // findings handed over at a time
	batchQueue = 4   // batches of one file that may wait for their turn
)

// finding is one yield of extract.Document.
type finding struct {
	found extract.Found
	err   error
}

// extractSources is Extract over chosen sources.
func extractSources(ctx context.Context, sources iter.Seq2[source, error], o extract.Options) iter.Seq2[extract.Found, error] {
	return func(yield func(extract.Found, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var g errgroup.Group
		defer g.Wait()
		defer cancel()
		queue := make(chan chan []finding, runtime.GOMAXPROCS(0))
		g.Go(func() error {
			defer close(queue)
			readAll(ctx, sources, o, queue)
			return nil
		})
		for file := range queue {
			for batch := range file {
				for _, f := range batch {
					if !yield(f.found, f.err) {
						return
					}
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(extract.Found{}, err)
		}
	}
}

// readAll starts a reader for each source, as many at a time as there are
// processors, and queues their channels in the order of the sources.
func readAll(ctx context.Context, sources iter.Seq2[source, error], o extract.Options, queue chan<- chan []finding) {
	var readers errgroup.Group
	readers.SetLimit(runtime.GOMAXPROCS(0))
	defer readers.Wait()
	for s, err := range sources {
		file := make(chan []finding, batchQueue)
		select {
		case queue <- file:
		case <-ctx.Done():
			return
		}
		readers.Go(func() error {
			defer close(file)
			if err != nil {
				file <- []finding{{err: err}}
				return nil
			}
			read(ctx, s, o, file)
			return nil
		})
	}
}

// read sends the findings of one source in batches.
func read(ctx context.Context, s source, o extract.Options, file chan<- []finding) {
	f, err := s.open()
	if err != nil {
		file <- []finding{{err: err}}
		return
	}
	defer f.Close()
	var batch []finding
	for found, err := range extract.Document(s.Path, &reader{ctx, f}, o) {
		batch = append(batch, finding{found, err})
		if len(batch) < batchSize {
			continue
		}
		select {
		case file <- batch:
			batch = nil
		case <-ctx.Done():
			return
		}
	}
	if len(batch) > 0 {
		select {
		case file <- batch:
		case <-ctx.Done():
		}
	}
}

// reader ends a long read with its context.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
