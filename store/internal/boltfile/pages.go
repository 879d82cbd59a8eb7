package boltfile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
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
	pages    uint64                             // in the file
	used     map[uint64]*[usedPages / 64]uint64 // a bit a page: a file with holes has more than memory
	claimed  uint64                             // pages that are used or free
	tables   map[string]*tableWalk              // by the names of their buckets
	table    *tableWalk                         // the bucket to which the page belongs; nil: the list of buckets
	problems []string
	room     [maxDepth + 1][]byte // for a page of each level, which is read no more where the next one is

	keep   func(bucket string, key, row []byte) error // is given the sound rows; nil: nobody wants them
	failed error                                      // of keep
}

func newWalk(ctx context.Context, f io.ReaderAt) *pageWalk {
	return &pageWalk{ctx: ctx, f: pages{ctx, f}, used: map[uint64]*[usedPages / 64]uint64{}, tables: map[string]*tableWalk{}}
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
	w.tree(w.meta.root, 0, nil, nil)
	w.freelist(w.meta.freelist)
	if len(w.problems) == 0 && w.claimed != w.pages {
		w.problems = append(w.problems, fmt.Sprintf("pages: %d are neither used nor free", w.pages-w.claimed))
	}
	w.sums()
	return w, ctx.Err()
}

func (w *pageWalk) add(id uint64, format string, args ...any) {
	if len(w.problems) < maxProblems {
		w.problems = append(w.problems, fmt.Sprintf("page %d: ", id)+fmt.Sprintf(format, args...))
	}
}

// claim marks pages as used; false if one was.
func (w *pageWalk) claim(from, more uint64) bool {
	for id := from; id <= from+more; id++ {
		bits := w.used[id/usedPages]
		if bits == nil {
			bits = new([usedPages / 64]uint64)
		}
		word := &bits[id%usedPages/64]
		if id >= w.pages || *word&(1<<(id%64)) != 0 {
			w.add(id, "beyond the end, or used twice")
			return false
		}
		*word |= 1 << (id % 64)
		w.claimed++
		w.used[id/usedPages] = bits
	}
	return true
}

// read gives a page with its overflow, or nil. It holds until the next one of its depth is read.
func (w *pageWalk) read(id uint64, depth int) []byte {
	if id < 2 || id >= w.pages {
		w.add(id, "no such page")
		return nil
	}
	if w.room[depth] == nil {
		w.room[depth] = make([]byte, w.pageSize)
	}
	p := w.room[depth]
	if _, err := w.f.ReadAt(p, int64(id*w.pageSize)); err != nil {
		w.add(id, "%v", err)
		return nil
	}
	over := u32(p[12:])
	if u64(p) != id || (over+1)*w.pageSize > maxPageBytes || id+over >= w.pages {
		w.add(id, "says that it is page %d with %d more", u64(p), over)
		return nil
	}
	if !w.claim(id, over) {
		return nil
	}
	if over > 0 {
		p = make([]byte, (over+1)*w.pageSize)
		if _, err := w.f.ReadAt(p, int64(id*w.pageSize)); err != nil {
			w.add(id, "%v", err)
			return nil
		}
	}
	return p
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
			w.table = w.tables[string(c.key)]
			w.tree(c.page, depth+1, nil, nil)
			w.table = nil
			continue
		}
		end := high
		if i+1 < len(children) {
			end = children[i+1].key
		}
		w.tree(c.page, depth+1, c.key, end)
	}
}

// elements reads a page, or the page of an inline bucket. It gives the pages that it names:
// children of a branch, and roots of the buckets on a leaf.
func (w *pageWalk) elements(id uint64, p []byte, low, high []byte) (children []child, ok bool) {
	kind, count := u16(p[8:]), u16(p[10:])
	if kind != pageBranch && kind != pageLeaf || pageHeader+count*elementLen > uint64(len(p)) || kind == pageBranch && count == 0 {
		w.add(id, "kind %#x with %d elements", kind, count)
		return nil, false
	}
	last, free := low, pageHeader+count*elementLen // where the data of the next element begins
	for i := range count {
		at := pageHeader + i*elementLen
		e := p[at:]
		pos, ksize, vsize, flags := u32(e[4:]), u32(e[8:]), u32(e[12:]), u32(e)
		if kind == pageBranch {
			pos, ksize, vsize, flags = u32(e), u32(e[4:]), 0, 0
		}
		if at+pos != free || at+pos+ksize+vsize > uint64(len(p)) || flags&^leafBucket != 0 {
			w.add(id, "element %d leaves the page, stands in another, or is of no kind", i)
			return nil, false
		}
		free = at + pos + ksize + vsize
		key := p[at+pos:][:ksize:ksize]
		if !inOrder(i == 0, last, key, high) {
			w.add(id, "key %d is out of order", i)
			return nil, false
		}
		last = key
		switch {
		case kind == pageBranch:
			children = append(children, child{key, u64(e[8:])})
		case flags&leafBucket != 0:
			root, ok := w.bucket(id, key, p[at+pos+ksize:][:vsize])
			if !ok {
				return nil, false
			}
			if root != 0 {
				children = append(children, child{key, root})
			}
		case w.table == nil:
			w.add(id, "a row in no bucket")
			return nil, false
		default:
			w.table.row(w, key, p[at+pos+ksize:][:vsize])
		}
	}
	return children, true
}

// inOrder says whether a key may follow the last one and stand before high; nil: no bound.
// The first one of a page is that by which the page is known.
func inOrder(first bool, last, key, high []byte) bool {
	if high != nil && bytes.Compare(key, high) >= 0 {
		return false
	}
	if first {
		return last == nil || bytes.Equal(last, key)
	}
	return bytes.Compare(last, key) < 0
}

// bucket reads the head of a bucket; root 0 means that its page stands inline.
func (w *pageWalk) bucket(id uint64, name, v []byte) (root uint64, ok bool) {
	if w.table != nil {
		w.add(id, "a bucket within a bucket")
		return 0, false
	}
	if len(v) < bucketHead {
		w.add(id, "a bucket is cut short")
		return 0, false
	}
	table := &tableWalk{name: bytes.Clone(name), totals: totals{counter: u64(v[8:])}}
	w.tables[string(name)] = table
	if root = u64(v); root != 0 {
		return root, len(v) == bucketHead
	}
	if len(v) < bucketHead+pageHeader {
		w.add(id, "an inline bucket is cut short")
		return 0, false
	}
	p := v[bucketHead:]
	if u64(p) != 0 || u16(p[8:]) != pageLeaf || u32(p[12:]) != 0 {
		w.add(id, "an inline bucket is no leaf")
		return 0, false
	}
	w.table = table
	_, ok = w.elements(id, p, nil, nil)
	w.table = nil
	return 0, ok
}

// freelist checks that no free page is in use.
func (w *pageWalk) freelist(id uint64) {
	p := w.read(id, 0)
	if p == nil {
		return
	}
	ids, count := p[pageHeader:], u16(p[10:])
	if count == 0xFFFF && len(ids) >= 8 {
		count, ids = u64(ids), ids[8:]
	}
	if u16(p[8:]) != pageFreelist || count > uint64(len(ids))/8 {
		w.add(id, "is no list of free pages")
		return
	}
	for i := range count {
		if !w.claim(u64(ids[i*8:]), 0) {
			return
		}
	}
}
