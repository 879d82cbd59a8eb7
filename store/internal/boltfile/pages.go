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
	pageSize uint64
	pages    uint64                             // in the file
	used     map[uint64]*[usedPages / 64]uint64 // a bit a page: a file with holes has more than memory
	inBucket bool                               // the page belongs to a bucket, not to the list of buckets
	problems []string
}

// CheckPages lists what is wrong with the pages of the file at path, at most 100
// things: pages that are beyond the end, used twice, free and in use, or no pages;
// keys out of order. Nothing listed means sound. Nothing must be written meanwhile.
func CheckPages(ctx context.Context, path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	problems, _, err := walkPages(ctx, f)
	return problems, err
}

// walkPages is CheckPages for an open file, and gives the header that it went by.
func walkPages(ctx context.Context, f io.ReaderAt) (problems []string, m meta, err error) {
	head, err := readHead(f)
	m, ok := newestMeta(head)
	if err != nil || !ok {
		return []string{"pages: no sound header"}, m, err
	}
	w := &pageWalk{ctx: ctx, f: pages{ctx, f}, pageSize: m.pageSize, pages: m.pages, used: map[uint64]*[usedPages / 64]uint64{}}
	w.claim(0, 1)
	w.tree(m.root, 0, nil, nil)
	w.freelist(m.freelist)
	return w.problems, m, ctx.Err()
}

// pages is a file that cannot be read once its context has ended.
type pages struct {
	ctx context.Context
	io.ReaderAt
}

// ReadAt implements io.ReaderAt.
func (p pages) ReadAt(b []byte, at int64) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.ReaderAt.ReadAt(b, at)
}

// FreeBytes is what the free pages of the file at path take; 0 if it cannot be read.
func FreeBytes(path string) int64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	head, err := readHead(f)
	m, ok := newestMeta(head)
	if err != nil || !ok {
		return 0
	}
	p := make([]byte, pageHeader+8)
	if _, err := f.ReadAt(p, int64(m.freelist*m.pageSize)); err != nil {
		return 0
	}
	count := u16(p[10:])
	if count == 0xFFFF {
		count = u64(p[pageHeader:])
	}
	return int64(min(count, m.pages) * m.pageSize)
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
		w.used[id/usedPages] = bits
	}
	return true
}

// read gives a page with its overflow, or nil.
func (w *pageWalk) read(id uint64) []byte {
	if id < 2 || id >= w.pages {
		w.add(id, "no such page")
		return nil
	}
	p := make([]byte, w.pageSize)
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

// tree walks a page whose keys lie from low on and before high; nil: no bound. Where
// depth is 0 the buckets stand.
func (w *pageWalk) tree(id uint64, depth int, low, high []byte) {
	if depth > maxDepth {
		w.add(id, "too deep")
		return
	}
	p := w.read(id)
	if p == nil {
		return
	}
	keys, children, ok := w.elements(id, p, low, high)
	switch {
	case !ok:
	case u16(p[8:]) == pageLeaf:
		for _, root := range children {
			if w.ctx.Err() != nil {
				return
			}
			if w.inBucket {
				w.add(id, "a bucket within a bucket")
				return
			}
			w.inBucket = true
			w.tree(root, depth+1, nil, nil)
			w.inBucket = false
		}
	default:
		for i, child := range children {
			if w.ctx.Err() != nil {
				return
			}
			end := high
			if i+1 < len(keys) {
				end = keys[i+1]
			}
			w.tree(child, depth+1, keys[i], end)
		}
	}
}

// elements reads a page whose keys lie from low on and before high. It gives the pages
// that it names: children of a branch, with their keys, and roots of the buckets on a leaf.
func (w *pageWalk) elements(id uint64, p []byte, low, high []byte) (keys [][]byte, pages []uint64, ok bool) {
	kind, count := u16(p[8:]), u16(p[10:])
	if kind != pageBranch && kind != pageLeaf || pageHeader+count*elementLen > uint64(len(p)) || kind == pageBranch && count == 0 {
		w.add(id, "kind %#x with %d elements", kind, count)
		return nil, nil, false
	}
	last, free := low, pageHeader+count*elementLen // where the data of the next element may begin
	for i := range count {
		at := pageHeader + i*elementLen
		e := p[at:]
		pos, ksize, vsize := u32(e[4:]), u32(e[8:]), u32(e[12:])
		if kind == pageBranch {
			pos, ksize, vsize = u32(e), u32(e[4:]), 0
		}
		if at+pos < free || at+pos+ksize+vsize > uint64(len(p)) {
			w.add(id, "element %d leaves the page, or stands in another", i)
			return nil, nil, false
		}
		free = at + pos + ksize + vsize
		key := p[at+pos:][:ksize]
		if order := bytes.Compare(last, key); last != nil && (order > 0 || order == 0 && i > 0) || high != nil && bytes.Compare(key, high) >= 0 {
			w.add(id, "key %d is out of order", i)
			return nil, nil, false
		}
		last = key
		switch {
		case kind == pageBranch:
			keys, pages = append(keys, key), append(pages, u64(e[8:]))
		case u32(e)&leafBucket != 0:
			root, ok := w.bucket(id, p[at+pos+ksize:][:vsize])
			if !ok {
				return nil, nil, false
			}
			if root != 0 {
				pages = append(pages, root)
			}
		}
	}
	return keys, pages, true
}

// bucket reads the head of a bucket; root 0 means that its page stands inline.
func (w *pageWalk) bucket(id uint64, v []byte) (root uint64, ok bool) {
	if len(v) < bucketHead {
		w.add(id, "a bucket is cut short")
		return 0, false
	}
	if root = u64(v); root != 0 {
		return root, true
	}
	if len(v) < bucketHead+pageHeader {
		w.add(id, "an inline bucket is cut short")
		return 0, false
	}
	if u16(v[bucketHead+8:]) != pageLeaf {
		w.add(id, "an inline bucket is no leaf")
		return 0, false
	}
	_, roots, ok := w.elements(id, v[bucketHead:], nil, nil)
	if len(roots) > 0 {
		w.add(id, "a bucket within a bucket")
		return 0, false
	}
	return 0, ok
}

// freelist checks that no free page is in use.
func (w *pageWalk) freelist(id uint64) {
	p := w.read(id)
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
