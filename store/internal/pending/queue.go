package pending

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// The buckets that are this package's own.
var (
	BucketJournal = []byte("journal") // number -> results in the order of Append
	BucketIndex   = []byte("index")   // hash of a link's identity, link -> nothing
)

// Rows is what the queue must know of the store's own rows.
type Rows struct {
	Meta, Links []byte // buckets: name -> value, and link -> its row
	// Identity gives the identity in the row of a link.
	Identity func(row []byte) ([]byte, error)
	// Judge gives what judges results in a transaction that reads: they come in the order of
	// their links.
	Judge func(tx *boltfile.Tx) func(*Entry) (Judged, error)
	// Write gives what writes in a transaction what was judged.
	Write func(tx *boltfile.Tx) func(*Judged) error
}

// Queue is what is pending in the file of a store. It may be used by many goroutines.
type Queue struct {
	file *boltfile.File
	Rows

	MostResults, MostLinks, MostOctets int // pending ones, and of results, at which FlushMuch flushes
	Portion, PortionOctets             int // results that are flushed in one transaction, at most so many octets of them

	FlushTime time.Duration // after which FlushMuch leaves the rest of the results to the next one

	flushing sync.Mutex // held by a flush, from its beginning to its end; taken before adding
	adding   sync.Mutex // held while rows are added, and by each transaction of a flush
	under    *flush     // of the results, where one was left in its middle; of flushing

	mu       sync.RWMutex
	links    map[uint64]uint64 // hash of the identity -> link, of those that are not in the index
	judging  map[uint64]uint64 // links with results in the journal -> the flushes begun before the last of them
	flushes  uint64            // of results, begun so far
	results  int               // in the journal
	octets   int               // of them
	appended []Result          // by the transaction under way
	written  int               // octets of appended
}

// New gives the queue of a file. It does not know of rows that were pending before: see
// Left.
func New(file *boltfile.File, rows Rows) *Queue {
	q := &Queue{file: file, Rows: rows, MostResults: 1 << 18, MostLinks: 1 << 17, Portion: 10_000, MostOctets: 64 << 20, PortionOctets: 8 << 20}
	q.links, q.judging, q.FlushTime = map[uint64]uint64{}, map[uint64]uint64{}, 250*time.Millisecond
	return q
}

// Left says whether the last program that wrote the file left rows pending.
func (q *Queue) Left() (yes bool, err error) {
	err = q.file.View(func(tx *boltfile.Tx) error {
		k, _ := tx.Bucket(BucketJournal).Cursor().First()
		yes = k != nil || codec.Number(tx.Bucket(q.Meta).Get(MetaIndexed)) < tx.Bucket(q.Links).Sequence()
		return nil
	})
	return yes, err
}

// Add runs change as one transaction that may call Append and AddLink.
func (q *Queue) Add(change func(*boltfile.Tx) error) error {
	q.adding.Lock()
	defer q.adding.Unlock()
	q.appended, q.written = nil, 0
	if err := q.file.Update(change); err != nil {
		return errors.Join(err, q.forgetLinks())
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.results += len(q.appended)
	q.octets += q.written
	for i := range q.appended {
		q.judging[q.appended[i].Link] = q.flushes
	}
	return nil
}

// FlushMuch flushes results if many of them are pending, and links likewise. It takes about
// FlushTime for the results, so that those that come meanwhile are not long without a
// place on disk; while another flush is under way it does nothing.
func (q *Queue) FlushMuch() error {
	if !q.flushing.TryLock() {
		return nil
	}
	defer q.flushing.Unlock()
	q.adding.Lock()
	defer q.adding.Unlock()
	if len(q.links) >= q.MostLinks {
		if err := q.flushLinks(context.Background()); err != nil {
			return err
		}
	}
	if q.results < q.MostResults && q.octets < q.MostOctets {
		return nil
	}
	until := time.Now().Add(q.FlushTime)
	return q.flushResults(context.Background(), func() bool { return time.Now().After(until) })
}

// Flush puts all pending rows in their places. What the end of ctx leaves is flushed later.
func (q *Queue) Flush(ctx context.Context) error {
	q.flushing.Lock()
	defer q.flushing.Unlock()
	q.adding.Lock()
	defer q.adding.Unlock()
	return q.flush(ctx)
}

func (q *Queue) flush(ctx context.Context) error {
	if err := q.flushResults(ctx, func() bool { return false }); err != nil {
		return err
	}
	return q.flushLinks(ctx) // behind the results, whose flush lets others add links meanwhile
}

// Empty says that nothing is pending.
func (q *Queue) Empty() bool {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.results+len(q.links) == 0
}

// View runs read on a consistent view of the file in which nothing is pending. read must
// not keep what it was given.
func (q *Queue) View(read func(*boltfile.Tx) error) error {
	if q.Empty() {
		return q.file.View(read)
	}
	return q.ViewFlushed(read)
}

// ViewFlushed is View with a flush in any case; nothing is added between flush and view.
func (q *Queue) ViewFlushed(read func(*boltfile.Tx) error) error {
	q.flushing.Lock()
	q.adding.Lock()
	release := sync.OnceFunc(func() {
		q.adding.Unlock()
		q.flushing.Unlock()
	})
	defer release()
	if err := q.flush(context.Background()); err != nil {
		return err
	}
	return q.file.View(func(tx *boltfile.Tx) error {
		release()
		return read(tx)
	})
}

// ViewLinks is View for known links: it flushes only if results of these are pending.
func (q *Queue) ViewLinks(read func(*boltfile.Tx) error, links ...uint64) error {
	if slices.ContainsFunc(links, q.isJudging) {
		return q.View(read)
	}
	return q.file.View(read)
}

func (q *Queue) isJudging(link uint64) bool {
	q.mu.RLock()
	defer q.mu.RUnlock()
	_, yes := q.judging[link]
	return yes
}
