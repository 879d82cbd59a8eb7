package store

import (
	"sync"

	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// Rows in the order in which they come fall on pages all over the file, and every
// page that is touched costs its whole length. So what comes is committed in the
// order of its coming, at the end of a bucket, and put in its place later, much of
// it at a time and in the order of the pages: results wait in the journal
// (journal.go), new links with what they are found by (index.go). Whoever
// would miss them settles the store first.

// loose is what waits.
type loose struct {
	work sync.Mutex // held by who adds to it or settles

	mu    sync.RWMutex
	waits map[uint64]struct{} // links with results in the journal
	rows  int                 // results in the journal
	fresh map[uint64]uint64   // hash of the form -> link id, of the links that are not filed
}

func (l *loose) any() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.rows+len(l.fresh) > 0
}

func (l *loose) waiting(id uint64) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	_, ok := l.waits[id]
	return ok
}

// settle puts everything in its place.
func (s *Store) settle() error {
	s.loose.work.Lock()
	defer s.loose.work.Unlock()
	return s.settleAll()
}

func (s *Store) settleAll() error {
	if err := s.fileLinks(); err != nil {
		return err
	}
	return s.fold()
}

// isLoose says whether the file was left with anything out of its place.
func (s *Store) isLoose() (yes bool, err error) {
	err = s.file.View(func(tx *bolt.Tx) error {
		k, _ := tx.Bucket(bucketJournal).Cursor().First()
		yes = k != nil || codec.Number(tx.Bucket(bucketMeta).Get(metaFiled)) < tx.Bucket(bucketLink).Sequence()
		return nil
	})
	return yes, err
}

// view runs f on a consistent view of the settled store. f must not keep what it
// was given.
func (s *Store) view(f func(*bolt.Tx) error) error {
	if s.loose.any() {
		return s.viewSettled(f)
	}
	return s.file.View(f)
}

// viewSettled is view for who copies the file: nothing comes between the settling
// and the view.
func (s *Store) viewSettled(f func(*bolt.Tx) error) error {
	s.loose.work.Lock()
	release := sync.OnceFunc(s.loose.work.Unlock)
	defer release()
	if err := s.settleAll(); err != nil {
		return err
	}
	return s.file.View(func(tx *bolt.Tx) error {
		release()
		return f(tx)
	})
}

// viewLink is view for one known link: what others wait for is left to wait.
func (s *Store) viewLink(id uint64, f func(*bolt.Tx) error) error {
	if s.loose.waiting(id) {
		return s.view(f)
	}
	return s.file.View(f)
}
