package boltfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// Found is what Salvage met.
type Found struct {
	Tables map[string]FoundTable
	// Behind says that the last transaction may be missing: what is left of the file may be
	// as it was before that.
	Behind bool
}

// FoundTable is a bucket of a damaged file.
type FoundTable struct {
	Written int  // rows that the bucket had
	Counted bool // the sums say how many that were
	Whole   bool // its rows are those that were written, and no others
	Counter uint64
}

// Salvage calls keep with the rows of a damaged file that are as they were written, bucket
// by bucket in the order of their keys, until it gives an error. Those of BucketMeta carry
// no checksum: whether they are sound is told in the end. key and row hold until keep
// returns. Nothing is written; it waits for another process that holds the file. The error
// wraps ErrInUse, ErrForeign or ErrCorrupt, the last where no row is to be had.
func Salvage(ctx context.Context, path string, wait time.Duration, keep func(bucket string, key, row []byte) error) (Found, error) {
	switch err := checkHeader(path); {
	case err != nil && !errors.Is(err, ErrCorrupt):
		return Found{}, err
	case err == nil: // else a map of it may end the process
		if db, _, err := openLocked(ctx, path, true, wait); err == nil {
			defer db.Close() // keeps others from writing; what is wrong with the file is found below
		} else if errors.Is(err, ErrInUse) || ctx.Err() != nil {
			return Found{}, err
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return Found{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Found{}, err
	}
	head, err := readHead(f)
	if err != nil {
		return Found{}, err
	}
	metas := newestFirst(head)
	if len(metas) == 0 {
		return Found{}, judgeHead(head, info.Size())
	}
	for i, m := range metas {
		w := walkFrom(ctx, f, m, info.Size())
		w.tree(m.root, 0, nil, nil)
		whole := w.found().whole()
		w = walkFrom(ctx, f, m, info.Size())
		w.keep = keep
		if !whole {
			w.freelist(m.freelist) // what is free holds rows of before
		}
		w.tree(m.root, 0, nil, nil)
		if err := errors.Join(w.failed, ctx.Err()); err != nil {
			return Found{}, err
		}
		if found := w.found(); len(found.Tables) > 0 {
			found.Behind = i > 0 || len(metas) == 1 && !lostOlder(head, m)
			return found, nil
		}
	}
	return Found{}, fmt.Errorf("%w: none of its tables can be read", ErrCorrupt)
}

// walkFrom begins a walk at a header, over what there is of the pages that it promises.
func walkFrom(ctx context.Context, f *os.File, m meta, size int64) *pageWalk {
	w := newWalk(ctx, f)
	w.meta, w.pageSize, w.pages = m, m.pageSize, min(m.pages, uint64(size)/m.pageSize)
	w.claim(0, 1)
	return w
}

// newestFirst gives the sound meta pages, that of the later transaction first.
func newestFirst(head []byte) (metas []meta) {
	for _, at := range metaOffsets(head) {
		metas = append(metas, readMeta(head, at))
	}
	if len(metas) == 2 && metas[1].tx > metas[0].tx {
		metas[0], metas[1] = metas[1], metas[0]
	}
	return metas
}

// lostOlder says that the header that is damaged is, by the number in it, that of the
// transaction before the one that is left.
func lostOlder(head []byte, left meta) bool {
	at := 0
	if left.tx%2 == 0 { // bbolt writes the header of a transaction to the page of that parity
		at = int(left.pageSize)
	}
	return len(head) >= at+pageHeader+metaLength && u64(head[at+pageHeader+48:])+1 == left.tx
}

// found sums up a walk.
func (w *pageWalk) found() Found {
	f := Found{Tables: map[string]FoundTable{}}
	held := map[string]totals{}
	if sums := w.tables[string(bucketSums)]; sums != nil && sums.held != nil {
		held = sums.held
	}
	for name, written := range held {
		f.Tables[name] = FoundTable{Written: int(written.rows), Counted: true, Counter: written.counter}
	}
	for name, t := range w.tables {
		if name == string(bucketSums) {
			continue
		}
		row := f.Tables[name]
		row.Counter = max(row.Counter, t.counter)
		row.Whole = row.Counted && held[name] == t.totals && t.sound == int(t.rows)
		f.Tables[name] = row
	}
	return f
}

func (f Found) whole() bool {
	for _, t := range f.Tables {
		if !t.Whole {
			return false
		}
	}
	return len(f.Tables) > 0
}
