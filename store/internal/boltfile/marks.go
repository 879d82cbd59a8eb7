package boltfile

import (
	"fmt"
	"sync"
)

// marks is what all that walk a file side by side leave.
type marks struct {
	mu       sync.Mutex
	used     map[uint64]*[usedPages / 64]uint64 // a bit a page: a file with holes has more than memory
	claimed  uint64                             // pages that are used or free
	problems []string
}

func (w *pageWalk) add(id uint64, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.problems) < maxProblems {
		w.problems = append(w.problems, fmt.Sprintf("page %d: ", id)+fmt.Sprintf(format, args...))
	}
}

// claim marks pages as used; false if one was.
func (w *pageWalk) claim(from, more uint64) bool {
	bad, ok := w.mark(from, more)
	if !ok {
		w.add(bad, "beyond the end, or used twice")
	}
	return ok
}

func (w *pageWalk) mark(from, more uint64) (bad uint64, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := from; id <= from+more; id++ {
		bits := w.used[id/usedPages]
		if bits == nil {
			bits = new([usedPages / 64]uint64)
		}
		word := &bits[id%usedPages/64]
		if id >= w.pages || *word&(1<<(id%64)) != 0 {
			return id, false
		}
		*word |= 1 << (id % 64)
		w.claimed++
		w.used[id/usedPages] = bits
	}
	return 0, true
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
