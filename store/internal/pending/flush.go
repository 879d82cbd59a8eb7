package pending

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

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
}

// position is where a result of a link stands in the journal.
type position struct {
	link uint64
	row  uint32 // counted from the first
	at   uint32
	size uint32 // octets
}

// flushResults applies the results of the journal, link by link. After a crash the next
// flush begins where this one ended: no result counts twice.
func (q *Queue) flushResults(ctx context.Context) error {
	for {
		var f flush
		if err := q.file.View(func(tx *boltfile.Tx) error { return f.find(tx, tx.Bucket(q.Meta)) }); err != nil {
			return err
		}
		if f.upTo == 0 {
			break
		}
		for done := false; !done; {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := f.portion(q.Portion, q.PortionOctets)
			err := q.file.Update(func(tx *boltfile.Tx) error { return f.take(tx, q, f.list[:n]) })
			if err != nil {
				return err
			}
			done, f.list = n == len(f.list), f.list[n:]
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.judging, q.results, q.octets = map[uint64]struct{}{}, 0, 0
	return nil
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

// take applies results. After the last of them the journal is empty.
func (f *flush) take(tx *boltfile.Tx, q *Queue, list []position) error {
	b, meta := tx.Bucket(BucketJournal), tx.Bucket(q.Meta)
	rows := make([]journalRow, f.upTo-f.first+1)
	for _, p := range list {
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
			err = q.Apply(tx, &e)
		}
		if err != nil {
			return fmt.Errorf("link %d: %w", p.link, err)
		}
	}
	if len(list) < len(f.list) {
		at := binary.BigEndian.AppendUint64(codec.Key64(f.upTo), list[len(list)-1].link)
		return meta.Put(MetaFlushed, at)
	}
	_, err := boltfile.DeleteIf(b, nil, func(k, _ []byte) (bool, error) { return codec.Number(k) <= f.upTo, nil })
	if err != nil {
		return err
	}
	return meta.Delete(MetaFlushed)
}
