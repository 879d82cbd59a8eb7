package pending

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"time"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// MetaFlushed is set while a flush of results is under way: the last row of the journal
// that it takes (8 octets), then the last link whose results are in their places.
var MetaFlushed = []byte("folded")

// flush is the results of the journal in the order of their links.
type flush struct {
	first, upTo uint64 // rows of the journal
	after       uint64 // results of links up to this one are in their places
	list        []position
	most        int // results in a transaction

	// Of the queue when the flush began.
	flushes         uint64
	results, octets int
}

// position is where a result of a link stands in the journal.
type position struct {
	link uint64
	row  uint32 // counted from the first
	at   uint32
	size uint32 // octets
}

const (
	slowPortion  = 200 * time.Millisecond // of a transaction: the next one takes half as many results
	leastPortion = 250
)

// flushResults applies the results of the journal, link by link, until it is empty or
// enough says so. After a crash the next flush begins where this one ended: no result
// counts twice. Between its transactions it lets go of adding: what is appended then comes
// behind the rows that it takes.
func (q *Queue) flushResults(ctx context.Context, enough func() bool) error {
	for {
		if q.under == nil {
			f, err := q.beginFlush()
			if err != nil || f == nil {
				return err
			}
			q.under = f
		}
		for f := q.under; f != nil; {
			if err := ctx.Err(); err != nil {
				return err
			}
			begun, n := time.Now(), f.portion(f.most, q.PortionOctets)
			if err := q.file.Update(func(tx *boltfile.Tx) error { return f.take(tx, q, f.list[:n]) }); err != nil {
				q.under = nil
				return err
			}
			if f.list = f.list[n:]; len(f.list) == 0 {
				q.endFlush(f)
				f, q.under = nil, nil
			} else if time.Since(begun) > slowPortion {
				f.most = max(f.most/2, min(leastPortion, q.Portion))
			}
			if enough() {
				return nil
			}
			q.adding.Unlock()
			q.adding.Lock()
		}
	}
}

// beginFlush finds the results that are in the journal; nil: there are none.
func (q *Queue) beginFlush() (*flush, error) {
	q.mu.Lock()
	q.flushes++
	f := &flush{most: q.Portion, flushes: q.flushes, results: q.results, octets: q.octets}
	q.mu.Unlock()
	if err := q.file.View(func(tx *boltfile.Tx) error { return f.find(tx, tx.Bucket(q.Meta)) }); err != nil {
		return nil, err
	}
	if f.upTo == 0 {
		q.endFlush(f)
		return nil, nil
	}
	return f, nil
}

// endFlush forgets what was pending when a flush began.
func (q *Queue) endFlush(f *flush) {
	q.mu.Lock()
	defer q.mu.Unlock()
	maps.DeleteFunc(q.judging, func(_, flushes uint64) bool { return flushes < f.flushes })
	q.results, q.octets = q.results-f.results, q.octets-f.octets
}

// find reads where the results stand.
func (f *flush) find(tx *boltfile.Tx, meta *boltfile.Bucket) error {
	c := tx.Bucket(BucketJournal).Cursor()
	last, _ := c.Last()
	f.upTo = codec.Number(last)
	if v := meta.Get(MetaFlushed); len(v) == 16 {
		f.upTo, f.after = min(f.upTo, codec.Number(v[:8])), codec.Number(v[8:])
	}
	k, v := c.First()
	if f.first = codec.Number(k); f.upTo < f.first {
		return fmt.Errorf("journal: %w", codec.ErrShort)
	}
	f.list = make([]position, 0, f.results)
	for ; k != nil && codec.Number(k) <= f.upTo; k, v = c.Next() {
		j, err := openRow(v)
		for err == nil && j.more() {
			p := position{row: uint32(codec.Number(k) - f.first), at: uint32(j.at)}
			var e Entry
			if e, err = j.next(); e.Link > f.after {
				p.link, p.size = e.Link, uint32(len(e.Result))
				f.list = append(f.list, p)
			}
		}
		if err != nil {
			return fmt.Errorf("journal row %d: %w", codec.Number(k), err)
		}
	}
	slices.SortFunc(f.list, func(a, b position) int {
		return cmp.Or(cmp.Compare(a.link, b.link), cmp.Compare(a.row, b.row), cmp.Compare(a.at, b.at))
	})
	return nil
}

// portion is how many results the next transaction takes: at most about so many, with
// so many octets in all, and all those of a link or none.
func (f *flush) portion(most, octets int) int {
	n := 0
	for ; n < len(f.list); n++ {
		if n > 0 && (n >= most || octets <= 0) && f.list[n].link != f.list[n-1].link {
			break
		}
		octets -= int(f.list[n].size)
	}
	return n
}

// Judged is what a result changes.
type Judged struct {
	Link     uint64
	State    []byte // the row of its state; nil: the link was removed
	Run      uint64 // of the newest row of its history
	Event    []byte // that row, if it is new
	Metadata []byte // what that row has in place of its metadata; nil: it stays
	First    bool   // the link was never probed before
}

// How many results are handed on at a time to who writes, and how often before these are written.
const judgedTogether, judgedAhead = 128, 4

// take applies results. After the last of them the journal is empty. To judge a result costs
// as much as to write it, so that is done beside it, by the rows as they were before tx.
func (f *flush) take(tx *boltfile.Tx, q *Queue, list []position) error {
	var failed error
	judged := make(chan []Judged, judgedAhead)
	go func() {
		defer close(judged)
		failed = q.file.View(func(tx *boltfile.Tx) error { return f.judge(tx, q, list, judged) })
	}()
	defer func() {
		for range judged { // where writing failed: a reader that is left would hold up whoever lets the file grow
		}
	}()
	write := q.Write(tx)
	for some := range judged {
		for i := range some {
			if err := write(&some[i]); err != nil {
				return fmt.Errorf("link %d: %w", some[i].Link, err)
			}
		}
	}
	if failed != nil {
		return failed
	}
	meta := tx.Bucket(q.Meta)
	if len(list) < len(f.list) {
		at := binary.BigEndian.AppendUint64(codec.Key64(f.upTo), list[len(list)-1].link)
		return meta.Put(MetaFlushed, at)
	}
	_, err := boltfile.DeleteIf(tx.Bucket(BucketJournal), nil, func(k, _ []byte) (bool, error) { return codec.Number(k) <= f.upTo, nil })
	if err != nil {
		return err
	}
	return meta.Delete(MetaFlushed)
}

// judge judges results, in the order of their links.
func (f *flush) judge(tx *boltfile.Tx, q *Queue, list []position, to chan<- []Judged) error {
	b, judge := tx.Bucket(BucketJournal), q.Judge(tx)
	rows := make([]journalRow, f.upTo-f.first+1)
	for part := range slices.Chunk(list, judgedTogether) {
		some := make([]Judged, len(part))
		for i, p := range part {
			j := &rows[p.row]
			if j.row == nil {
				var err error
				if *j, err = openRow(b.Get(codec.Key64(f.first + uint64(p.row)))); err != nil {
					return err
				}
			}
			j.at = int(p.at)
			e, err := j.next()
			if err == nil {
				some[i], err = judge(&e)
			}
			if err != nil {
				return fmt.Errorf("link %d: %w", p.link, err)
			}
		}
		to <- some
	}
	return nil
}
