package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"linkcheck/uri"
)

// maxLockWait keeps the answer "in use" within five seconds (OUTCOMES 6, story 2).
const maxLockWait = 4 * time.Second

// Options steers Open. Nil or zero works.
type Options struct {
	ReadOnly bool             // share the file with other readers; it must exist, and is written once if a crash or an older program left it so
	Timeout  time.Duration    // how long to wait for another run; 0: 2 s; at most 4 s
	Now      func() time.Time // decides which pins hold; nil: time.Now
	Rules    uri.Rules        // of a librarian's own registry: Groups reckons keys anew by them; without: by those kept
}

// Store is one open store. It may be used by many goroutines; changes queue up
// behind one another.
type Store struct {
	db   *bolt.DB
	path string
	now  func() time.Time
	rule uri.Rules
	ram  memory

	notes notes
	loose loose
	aged  bool // its keys were made by another edition of the rules
}

// Open opens the store at path, and makes a new one if there is no file. The
// error wraps ErrInUse, ErrForeign, ErrNewer or ErrCorrupt where it is one of
// these, and the file is then as it was.
func Open(path string, o *Options) (*Store, error) {
	opts := Options{}
	if o != nil {
		opts = *o
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Timeout <= 0 {
		opts.Timeout = 2 * time.Second
	}
	opts.Timeout = min(opts.Timeout, maxLockWait)
	s, err := open(path, opts)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", strconv.Quote(path), err)
	}
	return s, nil
}

func open(path string, o Options) (*Store, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !o.ReadOnly {
		if err := create(path); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnwritable, err)
		}
	}
	s, err := openOnce(path, o)
	if !errors.Is(err, errDisorder) {
		return s, err
	}
	w := o
	w.ReadOnly = false
	if s, werr := openOnce(path, w); werr != nil {
		return nil, fmt.Errorf("%w: %w", err, werr)
	} else if err := s.Close(); err != nil {
		return nil, err
	}
	return openOnce(path, o)
}

// errDisorder: the store can be read only once it has been opened for writing.
var errDisorder = errors.New("a run was cut off or an older linkcheck wrote it, and it must be put in order first")

func openOnce(path string, o Options) (*Store, error) {
	db, err := openSame(path, o)
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, path: path, now: o.Now, rule: o.Rules}
	if err := s.prepare(o.ReadOnly); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// prepare brings the store to the present schema, puts in order what a crash left
// and reads what is kept in memory.
func (s *Store) prepare(readOnly bool) error {
	have, err := s.schema()
	if err != nil {
		return err
	}
	if have > schemaVersion {
		return fmt.Errorf("%w: schema %d, this program knows %d", ErrNewer, have, schemaVersion)
	}
	if have < schemaVersion {
		if readOnly {
			return errDisorder
		}
		if err := s.migrate(have); err != nil {
			return err
		}
	}
	if err := s.putInOrder(readOnly); err != nil {
		return err
	}
	return s.reload()
}

func (s *Store) putInOrder(readOnly bool) error {
	loose, err := s.isLoose()
	if err != nil {
		return err
	}
	if loose {
		if readOnly {
			return errDisorder
		}
		if err := s.settle(); err != nil {
			return err
		}
	}
	n, err := s.edition()
	if s.aged = n != uri.Edition; err != nil || readOnly || !s.aged {
		return err // a reader reckons keys anew
	}
	return s.rekey()
}

// openSame opens the file that path names now: a compaction may have put a new
// file in its place while we waited for the lock.
func openSame(path string, o Options) (*bolt.DB, error) {
	for {
		if err := checkHeader(path); err != nil {
			return nil, err
		}
		var locked os.FileInfo
		db, err := openBolt(path, o, func(name string, flag int, mode os.FileMode) (*os.File, error) {
			f, err := os.OpenFile(name, flag&^os.O_CREATE, mode)
			if err == nil {
				locked, err = f.Stat()
			}
			return f, err
		})
		if err != nil {
			return nil, err
		}
		if now, err := os.Stat(path); err == nil && os.SameFile(now, locked) {
			return db, nil
		}
		if err := db.Close(); err != nil {
			return nil, err
		}
	}
}

const (
	firstMap  = 64 << 20 // of address space: for a larger map bbolt copies every row that a transaction holds
	leastRoom = 64 << 10 // by which the file grows
	mostRoom  = 16 << 20
)

// room is by how much a file of some length grows: never by much more than it needs.
func room(size int64) int { return int(min(max(size/8, leastRoom), mostRoom)) }

func openBolt(path string, o Options, opener func(string, int, os.FileMode) (*os.File, error)) (db *bolt.DB, err error) {
	defer func() {
		if p := recover(); p != nil { // bbolt panics on pages that are not what they should be
			db, err = nil, fmt.Errorf("%w: %.200v", ErrCorrupt, p)
		}
	}()
	opts := &bolt.Options{
		Timeout: o.Timeout, ReadOnly: o.ReadOnly, OpenFile: opener,
		FreelistType: bolt.FreelistMapType, NoStatistics: true,
	}
	if !o.ReadOnly && runtime.GOOS != "windows" { // there the file grows with the map
		opts.InitialMmapSize = firstMap
	}
	db, err = bolt.Open(path, 0o644, opts)
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, ErrInUse
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	case errors.Is(err, fs.ErrPermission), err != nil && isReadOnlyFS(err):
		return nil, fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	return db, err
}

// create makes an empty store under a temporary name and gives it its name in
// one step, so that a crash leaves no half store; if another process was faster,
// its store stays.
func create(path string) (err error) {
	dropStale(path)
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(tmp.Name())) }()
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := fill(tmp.Name()); err != nil {
		return err
	}
	if err := os.Link(tmp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// staleAge is the age at which a half-made store can only be what a crash left.
const staleAge = time.Hour

func dropStale(path string) {
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".new-*")) // none if the name is a bad pattern
	for _, name := range left {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > staleAge {
			_ = os.Remove(name) // the next one tries again
		}
	}
}

// fill makes the empty file at name an empty store of the present schema.
func fill(name string) error {
	db, err := bolt.Open(name, 0o644, &bolt.Options{FreelistType: bolt.FreelistMapType})
	if err != nil {
		return err
	}
	if err := os.Chmod(name, 0o644); err != nil {
		return errors.Join(err, db.Close())
	}
	return errors.Join(db.Update(initSchema), db.Close())
}

// Close ends the use of the store. Iterators that are under way end with an error.
func (s *Store) Close() (err error) {
	if s.hasNotes() && !s.db.IsReadOnly() {
		err = s.withNotes(func(*bolt.Tx) error { return nil })
	}
	if s.loose.any() {
		err = errors.Join(err, s.settle())
	}
	return errors.Join(err, s.db.Close())
}

// Path is the file's name.
func (s *Store) Path() string { return s.path }
