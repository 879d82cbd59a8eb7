package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"linkcheck/store/internal/backoff"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
	"linkcheck/store/internal/recall"
	"linkcheck/store/internal/said"
	"linkcheck/store/setfile"
	"linkcheck/uri/equal"
)

// maxLockWait keeps the answer "in use" within five seconds (OUTCOMES section 6).
const maxLockWait = 4 * time.Second

// Options steers Open. Nil or zero works.
type Options struct {
	// ReadOnly shares the file with other readers; it must exist, and is written once
	// if a crash or an older program left it to be put in order.
	ReadOnly bool
	// Shards makes a new store a set of so many files in a folder, 256 at most; 0: it is one
	// file. Of a store that is there it means nothing.
	Shards int
	// Snapshot has a reader opened for the copy that a run left which holds the store, if it
	// does: here is then put when that was made. nil: the error wraps ErrInUse.
	Snapshot *time.Time

	Context context.Context  // ends the opening, which reads all of the store; nil: nothing does
	Timeout time.Duration    // how long to wait for another run; 0: 2 s; at most 4 s
	Now     func() time.Time // decides which pins hold; nil: time.Now
	// Emit is handed each change in the place of the store, one at a time. It is to give it
	// to Apply before it returns, and may not keep it; nil: the store applies it at once.
	Emit func(Change) error
	// Fleet is how many shards a fleet has of which this store is one, Shard which one: a new
	// store numbers its links behind those that the shards before it may have. 0: it is of none.
	// Divide is handed what other shards are to know (Tell, Record), and of the first shard what they
	// are to make of what it reads; it may not keep it. With as many Shards, a new
	// folder is that of a whole fleet, to be filled by Import; later it is read as one store.
	Fleet, Shard int
	Divide       func(shard int, c Change) error

	// Doubt has Import note that some of what was read may be missing: sources and roots are read
	// again, and mentions that are not found again end.
	Doubt bool

	filling bool // the folder of a fleet that was made just now
	// Rules with a registry of their own: Sets makes keys by them; else it takes the stored
	// keys. With proxies, be it an empty list, a store that is opened for writing takes its
	// links apart by these from now on; nil leaves the store its own.
	Rules equal.Rules
}

// Store is one open store: a file, or a set of files in a folder. It may be used by many
// goroutines; changes queue up behind one another.
type Store struct {
	shards []*Store // the files of a set, of which this is the first; else this one alone
	home   *Store   // the file with what is of no single link: the first of a set
	dir    string   // of a set, in its first file; "": it is no set
	set    *setfile.Set
	place  int // of the file in the set

	file    *boltfile.File
	pending *pending.Queue
	now     func() time.Time
	rules   equal.Rules
	oldKeys bool // the keys in it were made by another edition of the rules

	doubt    bool // Options.Doubt
	emitTo   func(Change) error
	tellTo   func(shard int, c Change) error // Options.Divide
	fleet    int                             // how many shards it has of which this store is one; 0: none
	shard    int                             // which one
	divider  *divider                        // of the first shard of a fleet; nil: it is none
	emitting sync.Mutex                      // held while a change is made and emitted
	applying sync.Mutex                      // held by Apply
	cursor   uint64                          // see Cursor
	owed     uint64                          // the place of a change that could not be made; 0: none
	making   uint64                          // the place of the change that Apply makes; 0: it is in no log

	// Small tables that are held in memory too.
	pins     said.Table
	backOffs backoff.Table
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
	if opts.Fleet < 0 || opts.Fleet > setfile.Most || opts.Shard < 0 || opts.Shard > max(0, opts.Fleet-1) || opts.Divide != nil && opts.Fleet == 0 {
		return nil, fmt.Errorf("store %q: shard %d of a fleet of %d", path, opts.Shard, opts.Fleet)
	}
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
	if _, err := os.Stat(path); o.Shards > 0 && !o.ReadOnly && (errors.Is(err, fs.ErrNotExist) || err == nil && !setfile.Stands(path)) {
		if o.filling = o.Fleet > 0; o.filling && o.Fleet != o.Shards {
			return nil, fmt.Errorf("a fleet of %d in %d files", o.Fleet, o.Shards)
		}
		if err := createSet(path, o.Shards, o.filling); err != nil {
			return nil, err
		}
	} else if errors.Is(err, fs.ErrNotExist) && !o.ReadOnly {
		if err := boltfile.Create(path, o.initShard); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnwritable, err)
		}
	}
	s, err := openOnce(path, o, itself)
	if !errors.Is(err, errDisorder) {
		return s, err
	}
	w := o
	w.ReadOnly = false
	if s, werr := openOnce(path, w, itself); werr != nil {
		return nil, fmt.Errorf("%w: %w", err, werr)
	} else if err := s.Close(); err != nil {
		return nil, err
	}
	return openOnce(path, o, itself)
}

// errDisorder: the store can be read only once it has been opened for writing.
var errDisorder = errors.New("a run was cut off or an older linkcheck wrote it, and it must be put in order first")

// openOnce opens a store of one file or of many; name gives the path of each.
func openOnce(path string, o Options, name func(file string) string) (*Store, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return openSet(path, o, name)
	}
	return openFile(name(path), o, shard{})
}

// itself is the name of a file that is no copy.
func itself(file string) string { return file }

// openFile opens a store of one file, or a file of a set.
func openFile(path string, o Options, in shard) (*Store, error) {
	file, err := boltfile.Open(o.Context, path, o.ReadOnly, o.Timeout)
	if err != nil {
		return nil, err
	}
	s := newStore(file, o)
	if in.home != nil {
		s.home = in.home
		file.ReadIn(in.home.file, homeBuckets)
	}
	if err = s.belongs(in); err == nil {
		err = s.prepare(o.Context, o.ReadOnly)
	}
	if err == nil {
		return s, nil
	}
	if cerr := file.Close(); cerr != nil || !errors.Is(err, errMigrated) {
		return nil, errors.Join(err, cerr)
	}
	return openFile(path, o, in)
}

// openShard opens a shard of a fleet, which is put in order by itself.
func openShard(path string, o Options, in shard) (*Store, error) {
	o.Shards, o.Fleet, o.filling = 0, 0, false
	s, err := open(path, o)
	if err != nil {
		return nil, err
	}
	if err := s.belongs(in); err != nil {
		return nil, errors.Join(err, s.file.Close())
	}
	if in.home != nil {
		s.home = in.home
		s.file.ReadIn(in.home.file, nil)
	}
	return s, nil
}

// errMigrated: another file has taken the place of the one that is open.
var errMigrated = errors.New("the store was brought to the present schema")

func newStore(file *boltfile.File, o Options) *Store {
	s := &Store{file: file, now: o.Now, rules: o.Rules, doubt: o.Doubt, emitTo: o.Emit, tellTo: o.Divide, fleet: o.Fleet, shard: o.Shard}
	s.home, s.shards = s, []*Store{s}
	if o.Divide != nil && o.Shard == 0 {
		s.divider = &divider{s, o.Fleet, o.Divide, map[place][]bool{}}
	}
	s.cache = recall.New(file.View, bucketCache, func() time.Time { return s.now() })
	s.pending = pending.New(file, pending.Rows{Meta: bucketMeta, Links: bucketLink, Identity: linkIdentity, Judge: newJudge, Write: newWriter})
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
	err = errors.Join(err, s.sideBySide(func(at *Store) error {
		if at.pending.Empty() {
			return nil
		}
		return at.pending.Flush(context.Background())
	}))
	for _, at := range slices.Backward(s.shards) {
		err = errors.Join(err, at.file.Close())
	}
	return err
}

// Path is the name of the file, or of the folder of a set.
func (s *Store) Path() string { return cmp.Or(s.dir, s.file.Path()) }

// loadTables reads the tables that are held in memory.
func (s *Store) loadTables() error {
	return s.file.View(func(tx *boltfile.Tx) error {
		s.cursor = codec.Number(tx.Bucket(bucketMeta).Get(metaCursor))
		return errors.Join(s.pins.Load(tx.Bucket(bucketPin)), s.backOffs.Load(tx.Bucket(bucketHost)))
	})
}
