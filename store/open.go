package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"time"

	"linkcheck/internal/fault"
	"linkcheck/internal/newfile"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/pending"
	"linkcheck/store/internal/recall"
	"linkcheck/uri/equal"
)

// maxLockWait keeps the answer "in use" within five seconds (OUTCOMES section 6).
const maxLockWait = 4 * time.Second

// Options steers Open. Nil or zero works.
type Options struct {
	// ReadOnly shares the file with other readers; it must exist, and is written once
	// if a crash or an older program left it to be put in order.
	ReadOnly bool
	// Snapshot has a reader opened for the copy that a run left which holds the store, if it
	// does: here is then put when that was made. nil: the error wraps ErrInUse.
	Snapshot *time.Time

	Context context.Context  // ends the opening, which reads all of the store; nil: nothing does
	Timeout time.Duration    // how long to wait for another run; 0: 2 s; at most 4 s
	Now     func() time.Time // decides which pins hold; nil: time.Now
	// Emit is handed each change in the place of the store, one at a time. It is to give it
	// to Apply before it returns, and may not keep it; nil: the store applies it at once.
	Emit func(Change) error
	// Rules with a registry of their own: Sets makes keys by them; else it takes the stored
	// keys. With proxies, be it an empty list, a store that is opened for writing takes its
	// links apart by these from now on; nil leaves the store its own.
	Rules equal.Rules
}

// Store is one open store. It may be used by many goroutines; changes queue up
// behind one another.
type Store struct {
	file    *boltfile.File
	pending *pending.Queue
	now     func() time.Time
	rules   equal.Rules
	oldKeys bool // the keys in it were made by another edition of the rules

	emitTo   func(Change) error
	emitting sync.Mutex // held while a change is made and emitted
	applying sync.Mutex // held by Apply
	cursor   uint64     // see Cursor
	owed     uint64     // the place of a change that could not be made; 0: none

	// Small tables that are held in memory too.
	pins     pinTable
	backOffs backOffTable
	cache    *recall.Table
}

// Open opens the store at path, and makes a new one if there is no file. The
// error wraps ErrInUse, ErrForeign, ErrNewer or ErrCorrupt where it is one of
// these, and the file is then as it was.
func Open(path string, o *Options) (*Store, error) {
	opts := *cmp.Or(o, &Options{})
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Context == nil {
		opts.Context = context.Background()
	}
	opts.Timeout = min(cmp.Or(max(opts.Timeout, 0), 2*time.Second), maxLockWait)
	s, err := open(path, opts)
	if opts.ReadOnly && opts.Snapshot != nil && errors.Is(err, ErrInUse) {
		s, err = openSnapshot(path, opts, err)
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", strconv.Quote(path), err)
	}
	return s, nil
}

func open(path string, o Options) (*Store, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !o.ReadOnly {
		if err := boltfile.Create(path, initSchema); err != nil {
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
	file, err := boltfile.Open(o.Context, path, o.ReadOnly, o.Timeout)
	if err != nil {
		return nil, err
	}
	s := newStore(file, o)
	err = s.prepare(o.Context, o.ReadOnly)
	if err == nil {
		return s, nil
	}
	if cerr := file.Close(); cerr != nil || !errors.Is(err, errMigrated) {
		return nil, errors.Join(err, cerr)
	}
	return openOnce(path, o)
}

// errMigrated: another file has taken the place of the one that is open.
var errMigrated = errors.New("the store was brought to the present schema")

func newStore(file *boltfile.File, o Options) *Store {
	s := &Store{file: file, now: o.Now, rules: o.Rules, emitTo: o.Emit}
	s.cache = recall.New(file.View, bucketCache, func() time.Time { return s.now() })
	s.pending = pending.New(file, pending.Rows{Meta: bucketMeta, Links: bucketLink, Identity: linkIdentity, Apply: newApplier})
	return s
}

// prepare brings the store to the present schema and edition, flushes what a crash
// left, and reads what is held in memory. A store that is open for reading is not
// changed.
func (s *Store) prepare(ctx context.Context, readOnly bool) error {
	have, edition, err := s.schema()
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
		return cmp.Or(s.migrate(ctx, have), errMigrated)
	}
	left, err := s.pending.Left()
	if left && readOnly {
		return errDisorder
	}
	if left && err == nil {
		err = s.pending.Flush(ctx)
	}
	if err != nil {
		return err
	}
	otherProxies, err := s.readProxies(readOnly)
	if s.oldKeys = edition != equal.Edition; (s.oldKeys || otherProxies) && !readOnly && err == nil { // a reader makes them as it reads
		err = s.rekey(ctx)
	}
	if err != nil {
		return err
	}
	return s.loadTables()
}

// Close ends the use of the store. Iterators that are under way end with an error.
func (s *Store) Close() (err error) {
	if !s.file.ReadOnly() {
		err = s.keepNotes()
	}
	if !s.pending.Empty() {
		err = errors.Join(err, s.pending.Flush(context.Background()))
	}
	return errors.Join(err, s.file.Close())
}

// Path is the file's name.
func (s *Store) Path() string { return s.file.Path() }

// snapshotPath is where a run leaves the store as it was, for readers, while it
// holds the store itself.
func snapshotPath(path string) string { return path + ".snapshot" }

const (
	firstSnapshot = time.Second // sooner than a reader gives up waiting for the store
	nextSnapshots = 30 * time.Minute
)

// KeepSnapshot makes copies of the store for readers until release is called: the first
// after a second, and another every half hour. A reader that comes earlier waits for the
// store longer than a second, so a shorter run makes none. A copy that cannot be written
// does not end the run: the one before stays, or readers get ErrInUse.
func (s *Store) KeepSnapshot() (release func()) {
	stop := make(chan struct{})
	var copying fault.Group
	copying.Go(func() {
		for wait := firstSnapshot; ; wait = nextSnapshots {
			select {
			case <-time.After(wait):
				_ = s.snapshot()
			case <-stop:
				return
			}
		}
	})
	return func() {
		close(stop)
		copying.Wait()
		_ = s.dropSnapshot() // one that stays behind is never read while the store can be
	}
}

// snapshot writes a copy for readers beside the store: who may read the store may read
// it. A link of that name is replaced and not followed: somebody else may have put it
// there.
func (s *Store) snapshot() error {
	info, err := os.Stat(s.file.Path())
	if err != nil {
		return err
	}
	return boltfile.Copy(context.Background(), snapshotPath(s.file.Path()), info.Mode().Perm(), s.pending.ViewFlushed, nil)
}

// soundSnapshot looks whether there is a snapshot that is a file of the store's owner, and
// gives the time at which it was made: in a folder where others may write they may put
// one there.
func soundSnapshot(path string) (of time.Time, ok bool) {
	info, err := os.Lstat(snapshotPath(path))
	own, serr := os.Stat(path)
	if err != nil || serr != nil || !info.Mode().IsRegular() || !newfile.SameOwner(info, own) {
		return of, false
	}
	return info.ModTime(), true
}

// dropSnapshot removes the copy for readers; that there is none is no error.
func (s *Store) dropSnapshot() error {
	if err := os.Remove(snapshotPath(s.file.Path())); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// openSnapshot opens the copy that the run left which holds the store. Without one the error
// is held, which wraps ErrInUse.
func openSnapshot(path string, o Options, held error) (*Store, error) {
	of, ok := soundSnapshot(path)
	if !ok {
		return nil, held
	}
	s, err := open(snapshotPath(path), o)
	if err != nil {
		return nil, held
	}
	*o.Snapshot = of
	return s, nil
}

// Backup writes a copy of the store to path, under a temporary name first, for its owner
// alone; a file that was there leaves its mode to it, and a link is followed. Only a copy
// that Verify finds sound takes the place of what was there; else the error wraps
// ErrCorrupt. It may run while the store is written, and ends with ctx.
func (s *Store) Backup(ctx context.Context, path string) error {
	return boltfile.Copy(ctx, newfile.Target(path), newfile.Private, s.pending.ViewFlushed, func(made string) error {
		c, err := Open(made, &Options{Context: ctx, ReadOnly: true, Now: s.now})
		if err != nil {
			return err
		}
		problems, err := c.Verify(ctx)
		if err == nil && len(problems) > 0 {
			err = fmt.Errorf("%w: %s", ErrCorrupt, problems[0])
		}
		return errors.Join(err, c.Close())
	})
}

// Compact rewrites the store at path without its free pages and gives the sizes
// before and after. The store must not be open. It ends with ctx.
func Compact(ctx context.Context, path string, o *Options) (before, after int64, err error) {
	s, err := Open(path, o)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	before = sizeOf(path)
	if err := s.file.Rewrite(ctx, nil); err != nil {
		return before, 0, fmt.Errorf("compact %s: %w", strconv.Quote(path), err)
	}
	return before, sizeOf(path), nil
}
