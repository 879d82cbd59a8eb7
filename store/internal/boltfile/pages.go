package boltfile

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// bbolt's own check runs in a goroutine of its own and ends the process when it
// meets a page that is not what it should be; its readers follow a circle of pages until
// the stack is full, and take the memory of a value as long as a page says. None of that
// can be recovered from. So the pages are walked here, from the file, and nothing on them
// is trusted, before bbolt reads one.

const (
	pageBranch   = 0x01
	pageLeaf     = 0x02
	pageMeta     = 0x04
	pageFreelist = 0x10
	leafBucket   = 0x01
	elementLen   = 16
	bucketHead   = 16 // root page and sequence, before an inline page
	maxDepth     = 40
	maxPageBytes = 256 << 20 // a page with its overflow
	maxProblems  = 100       // listed; others are passed over
	usedPages    = 1 << 12   // in a part of pageWalk.used
)

// pageWalk follows the tree of pages from the root.
type pageWalk struct {
	ctx      context.Context // ends the walk
	f        io.ReaderAt
	meta     meta
	pageSize uint64
	pages    uint64                // in the file
	tables   map[string]*tableWalk // by the names of their buckets
	table    *tableWalk            // the bucket to which the page belongs; nil: the list of buckets
	room     [maxDepth + 1][]byte  // for a page of each level, which is read no more where the next one is
	sides    *errgroup.Group       // walks buckets side by side; nil: one is walked after the other
	*marks

	keep   func(bucket string, key, row []byte) error // is given the sound rows; nil: nobody wants them
	failed error                                      // of keep
}

func newWalk(ctx context.Context, f io.ReaderAt) *pageWalk {
	return &pageWalk{ctx: ctx, f: pages{ctx, f}, marks: &marks{used: map[uint64]*[usedPages / 64]uint64{}}, tables: map[string]*tableWalk{}}
}

// CheckPages lists what is wrong with the pages and rows of the file at path, at most 100
// things: a header that is not the one after the other; pages that are beyond the end,
// used twice, free and in use or neither, or no pages; keys out of order; in a sealed file
// rows that are not as they were written, and buckets that hold others than were counted.
// Nothing listed means sound. Nothing must be written meanwhile.
func CheckPages(ctx context.Context, path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w, err := walk(ctx, f)
	if err != nil {
		return nil, err
	}
	return w.problems, nil
}

// walk is CheckPages for an open file, and gives what it met.
func walk(ctx context.Context, f io.ReaderAt) (*pageWalk, error) {
	w := newWalk(ctx, f)
	head, err := readHead(f)
	if err != nil {
		return w, err
	}
	if w.problems = headProblems(head); len(w.problems) > 0 {
		return w, nil
	}
	w.meta, _ = newestMeta(head)
	w.pageSize, w.pages = w.meta.pageSize, w.meta.pages
	w.claim(0, 1)
	w.sides = new(errgroup.Group)
	w.sides.SetLimit(runtime.GOMAXPROCS(0))
	w.tree(w.meta.root, 0, nil, nil)
	if err := w.sides.Wait(); err != nil {
		return w, err
	}
	w.freelist(w.meta.freelist)
	if len(w.problems) == 0 && w.claimed != w.pages {
		w.problems = append(w.problems, fmt.Sprintf("pages: %d are neither used nor free", w.pages-w.claimed))
	}
	w.sums()
	return w, ctx.Err()
}

// child is a page that another one names.
type child struct {
	key  []byte // its first one; of the root of a bucket, the name of that
	page uint64
}

// tree walks a page whose keys lie from low on, which is the first of them, and before
// high; nil: no bound. Where depth is 0 the buckets stand.
func (w *pageWalk) tree(id uint64, depth int, low, high []byte) {
	if depth > maxDepth {
		w.add(id, "too deep")
		return
	}
	p := w.read(id, depth)
	if p == nil {
		return
	}
	children, ok := w.elements(id, p, low, high)
	if !ok {
		return
	}
	leaf := u16(p[8:]) == pageLeaf
	for i, c := range children {
		if w.ctx.Err() != nil {
			return
		}
		if leaf {
			w.rows(w.tables[string(c.key)], c.page, depth+1)
			continue
		}
		end := high
		if i+1 < len(children) {
			end = children[i+1].key
		}
		w.tree(c.page, depth+1, c.key, end)
	}
}

// rows walks the pages of a bucket.
func (w *pageWalk) rows(t *tableWalk, root uint64, depth int) {
	if w.sides == nil {
		w.table = t
		w.tree(root, depth, nil, nil)
		w.table = nil
		return
	}
	side := &pageWalk{ctx: w.ctx, f: w.f, meta: w.meta, pageSize: w.pageSize, pages: w.pages, table: t, marks: w.marks}
	w.sides.Go(func() (err error) {
		defer catchPanic(&err)()
		side.tree(root, depth, nil, nil)
		return nil
	})
}
