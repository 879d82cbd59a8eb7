package boltfile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
)

// bbolt's own check runs in a goroutine of its own and ends the process when it
// meets a page that is not what it should be. So CheckPages walks the pages itself,
// from the file, and trusts nothing on them.

const (
	pageBranch   = 0x01
	pageLeaf     = 0x02
	pageFreelist = 0x10
	leafBucket   = 0x01
	elementLen   = 16
	bucketHead   = 16 // root page and sequence, before an inline page
	noFreelist   = ^uint64(0)
	maxDepth     = 40
	maxPageBytes = 256 << 20 // a page with its overflow
	maxProblems  = 100       // listed; others are passed over
)

// pageWalk follows the tree of pages from the root.
type pageWalk struct {
	f        io.ReaderAt
	pageSize uint64
	pages    uint64   // in the file
	used     []uint64 // a bit a page
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
	head, err := readHead(f)
	m, ok := newestMeta(head)
	if err != nil || !ok {
		return []string{"pages: no sound header"}, err
	}
	w := &pageWalk{f: pages{ctx, f}, pageSize: m.pageSize, pages: m.pages, used: make([]uint64, m.pages/64+1)}
	w.claim(0, 1)
	w.tree(m.root, 0, nil, nil)
	if m.freelist != noFreelist {
		w.freelist(m.freelist)
	}
	return w.problems, ctx.Err()
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
	if err != nil || !ok || m.freelist == noFreelist {
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
		if id >= w.pages || w.used[id/64]&(1<<(id%64)) != 0 {
			w.add(id, "beyond the end, or used twice")
			return false
		}
		w.used[id/64] |= 1 << (id % 64)
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

// tree walks a page whose keys lie from low on and before high; nil: no bound.
func (w *pageWalk) tree(id uint64, depth int, low, high []byte) {
	if depth > maxDepth {
		w.add(id, "too deep")
		return
	}
	p := w.read(id)
	if p == nil {
		return
	}
	keys, children, ok := w.elements(id, p)
	if !ok {
		return
	}
	for i, k := range keys {
		if i > 0 && bytes.Compare(keys[i-1], k) >= 0 || i == 0 && low != nil && bytes.Compare(k, low) < 0 ||
			high != nil && bytes.Compare(k, high) >= 0 {
			w.add(id, "key %d is out of order", i)
			return
		}
	}
	if u16(p[8:]) != pageBranch {
		for _, root := range children {
			if root != 0 {
				w.tree(root, depth+1, nil, nil)
			}
		}
		return
	}
	for i, child := range children {
		end := high
		if i+1 < len(keys) {
			end = keys[i+1]
		}
		w.tree(child, depth+1, keys[i], end)
	}
}

// elements reads the keys of a page, and the pages that it names: children of a
// branch, roots of the buckets on a leaf.
func (w *pageWalk) elements(id uint64, p []byte) (keys [][]byte, pages []uint64, ok bool) {
	kind, count := u16(p[8:]), u16(p[10:])
	if kind != pageBranch && kind != pageLeaf || pageHeader+count*elementLen > uint64(len(p)) || kind == pageBranch && count == 0 {
		w.add(id, "kind %#x with %d elements", kind, count)
		return nil, nil, false
	}
	for i := range count {
		at := pageHeader + i*elementLen
		e := p[at:]
		pos, ksize, vsize := u32(e[4:]), u32(e[8:]), u32(e[12:])
		if kind == pageBranch {
			pos, ksize, vsize = u32(e), u32(e[4:]), 0
			pages = append(pages, u64(e[8:]))
		}
		if at+pos+ksize+vsize > uint64(len(p)) {
			w.add(id, "element %d leaves the page", i)
			return nil, nil, false
		}
		keys = append(keys, p[at+pos:][:ksize])
		if kind == pageLeaf && u32(e)&leafBucket != 0 {
			root, ok := w.bucket(id, p[at+pos+ksize:][:vsize])
			if !ok {
				return nil, nil, false
			}
			pages = append(pages, root)
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
	_, _, ok = w.elements(id, v[bucketHead:])
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
