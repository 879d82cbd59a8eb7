package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"linkcheck/internal/fault"
	"linkcheck/internal/newfile"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/setfile"
	"linkcheck/uri/equal"
)

// A set is a store in a folder. The rows of a link, its mentions and its history stand in
// one of several files, its shard, which follows from its host; the number of a link begins
// with that of its shard. All that is of no single link (sources, roots, runs, hosts) stands
// in the first file alone, where the others read it. So a set is used as one store, by one
// run, and what it does in many files it does side by side.

// shardBits of a link's number count in its shard.
const shardBits = setfile.NumberBits

// homeBuckets stand in the first file of a set alone.
var homeBuckets = [][]byte{bucketSource, bucketPath, bucketRoot, bucketUnder, bucketRun, bucketHost, bucketCache, bucketName}

// shard is a file as a part of a set, whose first file is home; the zero one is of none.
type shard struct {
	set    *setfile.Set
	number int
	home   *Store
}

// openSet opens the files of a set, the first of them first: who holds that holds the set.
// name gives the path of each.
func openSet(dir string, o Options, name func(string) string) (home *Store, err error) {
	set, err := setfile.Read(o.Context, dir)
	switch {
	case errors.Is(err, setfile.ErrForeign):
		return nil, fmt.Errorf("%w: %w", ErrForeign, err)
	case errors.Is(err, setfile.ErrNewer) || err == nil && set.Edition > equal.Edition:
		return nil, errors.Join(fmt.Errorf("%w: a set", ErrNewer), err)
	case err != nil:
		return nil, err
	case (set.Stores || set.Copies) && !o.ReadOnly && !o.filling:
		return nil, fmt.Errorf("%w: %w", ErrInUse, setfile.ErrFleet)
	case set.Filling && !o.filling:
		return nil, fmt.Errorf("%w: what was to fill the set was cut off, and stands as it was: remove the folder, and fill another", ErrCorrupt)
	case (set.Edition < equal.Edition || set.Place < setfile.Place) && !o.ReadOnly:
		return nil, fmt.Errorf("%w: edition %d, place %d, and this program has %d and %d", ErrOlder, set.Edition, set.Place, equal.Edition, setfile.Place)
	}
	var shards []*Store
	for n := range set.Shards {
		open := openFile
		if set.Stores {
			open = openShard
		}
		s, err := open(name(set.Path(dir, n)), o, shard{set, n, home})
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: a file of the set is missing; put it back from a backup", ErrCorrupt)
		}
		if err != nil {
			for _, s := range shards {
				err = errors.Join(err, s.file.Close())
			}
			return nil, fmt.Errorf("%s: %w", setfile.File("", n), err)
		}
		if shards, s.place = append(shards, s), n; home == nil {
			home = s
		}
		q := s.pending // all together take the memory of one
		q.MostResults, q.MostLinks, q.MostOctets = q.MostResults/set.Shards+1, q.MostLinks/set.Shards+1, q.MostOctets/set.Shards+1
	}
	home.shards, home.dir, home.set = shards, dir, set
	return home, nil
}

// ofFleet says whether a folder holds the shards of a fleet.
func (s *Store) ofFleet() bool { return s.set != nil && s.set.Stores }

// number is that of the file in which a link stands; of one that stands nowhere the first.
func (s *Store) number(link uint64) int {
	if n := link >> shardBits; s.dir != "" && n < uint64(len(s.shards)) {
		return int(n)
	}
	return 0
}

// of gives the file of a link.
func (s *Store) of(link uint64) *Store { return s.shards[s.number(link)] }

// at gives the file of an identity.
func (s *Store) at(identity []byte) *Store { return s.shards[setfile.Of(identity, len(s.shards))] }

// sideBySide calls f for each file.
func (s *Store) sideBySide(f func(*Store) error) error {
	if len(s.shards) == 1 {
		return f(s)
	}
	errs := make([]error, len(s.shards))
	slots := make(chan bool, 2*runtime.GOMAXPROCS(0)) // while one waits for the disk another works
	var all fault.Group
	for n, at := range s.shards {
		slots <- true
		all.Go(func() {
			defer func() { <-slots }()
			errs[n] = f(at)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// flush puts what is pending in its place.
func (s *Store) flush(ctx context.Context) error {
	return s.sideBySide(func(at *Store) error { return at.pending.Flush(ctx) })
}

// views runs read on a view of each file: of gives that of a link.
func (s *Store) views(view func(*Store, func(*boltfile.Tx) error) error, read func(of func(link uint64) *boltfile.Tx) error) error {
	txs := make([]*boltfile.Tx, len(s.shards))
	open := func() error { return read(func(link uint64) *boltfile.Tx { return txs[s.number(link)] }) }
	for n, at := range s.shards { // the first is opened last, for it waits for no other
		inner := open
		open = func() error {
			return view(at, func(tx *boltfile.Tx) error {
				txs[n] = tx
				return inner()
			})
		}
	}
	return open()
}

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
	for _, at := range slices.Backward(s.shards) { // the first last: it has the sources of the others
		info, err := os.Stat(at.file.Path())
		if err != nil {
			return err
		}
		err = boltfile.Copy(context.Background(), snapshotPath(at.file.Path()), info.Mode().Perm(), at.pending.ViewFlushed, nil)
		if err != nil {
			return err
		}
	}
	return nil
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
func (s *Store) dropSnapshot() (err error) {
	for _, at := range s.shards {
		if gone := os.Remove(snapshotPath(at.file.Path())); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// openSnapshot opens the copy that the run left which holds the store. Without one the error
// is held, which wraps ErrInUse.
func openSnapshot(path string, o Options, held error) (*Store, error) {
	sound := true
	name := func(file string) string {
		of, ok := soundSnapshot(file)
		*o.Snapshot, sound = of, sound && ok
		return snapshotPath(file)
	}
	s, err := openOnce(path, o, name)
	if err == nil && !sound {
		err = s.Close()
	} else if err == nil {
		return s, nil
	}
	*o.Snapshot = time.Time{}
	return nil, cmp.Or(held, err)
}

// Backup writes a copy of the store to path, under a temporary name first, for its owner
// alone; a file that was there leaves its mode to it, and a link is followed. Only a copy
// that Verify finds sound takes the place of what was there; else the error wraps
// ErrCorrupt. It may run while the store is written, and ends with ctx. Of a set it is a
// folder, which is made beside the one that was there.
func (s *Store) Backup(ctx context.Context, path string) error {
	sound := func(made string) error {
		c, err := Open(made, &Options{Context: ctx, ReadOnly: true, Now: s.now})
		if err != nil {
			return err
		}
		problems, err := c.Verify(ctx)
		if err == nil && len(problems) > 0 {
			err = fmt.Errorf("%w: %s", ErrCorrupt, problems[0])
		}
		return errors.Join(err, c.Close())
	}
	if s.dir == "" {
		return boltfile.Copy(ctx, newfile.Target(path), newfile.Private, s.pending.ViewFlushed, sound)
	}
	path = newfile.Target(filepath.Clean(path))
	made, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	for n, at := range slices.Backward(s.shards) { // the first last: it has the sources of the others
		err = cmp.Or(err, boltfile.Copy(ctx, setfile.File(made, n), newfile.Private, at.pending.ViewFlushed, nil))
	}
	if err = cmp.Or(err, s.set.Write(made)); err == nil {
		err = sound(made)
	}
	if err == nil {
		err = os.Rename(path, made+".old")
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		err = errors.Join(cmp.Or(err, os.Rename(made, path)), os.RemoveAll(made+".old"))
	}
	return errors.Join(err, os.RemoveAll(made))
}

// Compact rewrites the store at path without its free pages and gives the sizes
// before and after. The store must not be open. It ends with ctx.
func Compact(ctx context.Context, path string, o *Options) (before, after int64, err error) {
	s, err := Open(path, o)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for _, at := range s.shards {
		before += sizeOf(at.file.Path())
		if err := at.file.Rewrite(ctx, nil); err != nil {
			return before, 0, fmt.Errorf("compact %s: %w", strconv.Quote(path), err)
		}
		after += sizeOf(at.file.Path())
	}
	return before, after, nil
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
