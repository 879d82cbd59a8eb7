package boltfile

import "bytes"

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
