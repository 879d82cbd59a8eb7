package pdf

import (
	"bytes"
	"cmp"
	"slices"
)

// rebuild looks for objects in the whole file, where cross-references do not say where they
// are. The last definition of an object counts.
func (f *file) rebuild() {
	f.rebuilt, f.objects, f.trailer, f.crypt = true, nil, nil, nil
	clear(f.kept)
	clear(f.packed)
	var containers []entry
	var catalog value
	f.scan(func(at int64, id ref, v value) {
		if f.add(entry{num: id.num, kind: inFile, at: at}) != nil {
			return
		}
		d, _ := v.(dict)
		if s, ok := v.(*stream); ok {
			d = s.dict
		}
		switch d["Type"] {
		case name("Catalog"):
			catalog = id
		case name("XRef"):
			f.found(d)
		case name("ObjStm"):
			containers = append(containers, entry{num: id.num, at: at})
		}
	})
	if f.trailer == nil {
		f.trailer = dict{}
	}
	f.last()
	f.secure() // object streams may be encrypted
	for _, c := range containers {
		if e, _ := f.objects.find(c.num); e.at != c.at {
			continue
		}
		if p := f.unpack(int64(c.num)); p != nil {
			for i, n := range p.numbers {
				if n < 0 || n > maxObject || f.add(entry{num: uint32(n), kind: inStream, at: int64(c.num), index: uint16(i)}) != nil {
					break
				}
			}
		}
	}
	f.lastPacked(containers)
	clear(f.kept)
	if f.dict(f.trailer["Root"]) == nil {
		f.trailer["Root"] = cmp.Or[value](catalog, f.packedCatalog())
	}
}

// found takes what a trailer says. That of a later one counts.
func (f *file) found(d dict) {
	if f.trailer == nil {
		f.trailer = dict{}
	}
	for _, key := range []name{"Root", "Encrypt", "ID", "Info"} {
		if v, ok := d[key]; ok {
			f.trailer[key] = v
		}
	}
}

// last leaves of each object the entry that stands last in the file.
func (f *file) last() {
	slices.Reverse(f.objects)
	f.objects.settle()
}

// lastPacked is last where some objects stand in object streams: the place of these counts.
func (f *file) lastPacked(containers []entry) {
	place := make(map[int64]int64, len(containers))
	for _, c := range containers {
		place[int64(c.num)] = c.at
	}
	where := func(e entry) int64 {
		if e.kind == inStream {
			return place[e.at]
		}
		return e.at
	}
	slices.SortStableFunc(f.objects, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.num, b.num), cmp.Compare(where(b), where(a)))
	})
	f.objects.settle()
}

// packedCatalog looks for the catalog among all objects.
func (f *file) packedCatalog() value {
	for _, e := range f.objects {
		r := ref{num: e.num}
		if d, ok := f.load(r).(dict); ok && d["Type"] == name("Catalog") {
			return r
		}
	}
	return nil
}

// scan calls found with each object of the file in order, and takes trailers. What stands in
// a stream is no object, as far as the length of the stream is known.
func (f *file) scan(found func(at int64, id ref, v value)) {
	chunk := make([]byte, 4*searchChunk)
	for off := int64(0); off < f.size && !f.d.Stopped(); {
		n, _ := f.r.ReadAt(chunk[:min(int64(len(chunk)), f.size-off)], off)
		b := chunk[:n]
		if n == 0 || f.d.Budget.Unfold(int64(n)) != nil {
			return
		}
		next := off + int64(n)
		if next < f.size {
			next -= 64 // a header may begin there
		}
		w := words{b, -1, -1}
		for pos := 0; ; {
			i, word := w.next(pos)
			if i < 0 || off+int64(i) >= next {
				break
			}
			pos = i + len(word)
			if word == "trailer" {
				f.parseAt(off+int64(pos), func(p *parser) {
					if v, _, _ := p.object(0); v != nil {
						if d, ok := v.(dict); ok {
							f.found(d)
						}
					}
				})
				continue
			}
			start := headerStart(b, i)
			if start < 0 {
				continue
			}
			at := off + int64(start)
			id, v, end, ok := f.objectAt(at)
			if !ok {
				continue
			}
			found(at, id, v)
			if s, isStream := v.(*stream); isStream {
				if n, direct := s.dict["Length"].(float64); direct && n > 0 && f.endsAt(s.at+int64(n)) {
					end = s.at + int64(n)
				}
			}
			if end >= off+int64(n) {
				next = end
				break
			}
			pos = max(pos, int(end-off))
		}
		off = max(next, off+1)
	}
}

// endsAt says whether "endstream" stands at an offset.
func (f *file) endsAt(off int64) bool {
	return bytes.HasPrefix(bytes.TrimLeft(f.at(off, 32), "\r\n \t\x00"), []byte("endstream"))
}

// words finds "obj" and "trailer" one after the other; each octet is looked at once for each.
type words struct {
	b            []byte
	obj, trailer int // where they next stand; -1: not looked for yet
}

// next finds the next of both from pos on; -1 for none.
func (w *words) next(pos int) (int, string) {
	find := func(at int, word string) int {
		if at >= pos {
			return at
		}
		if i := bytes.Index(w.b[pos:], []byte(word)); i >= 0 {
			return pos + i
		}
		return len(w.b)
	}
	for pos < len(w.b) {
		w.obj, w.trailer = find(w.obj, "obj"), find(w.trailer, "trailer")
		switch at := min(w.obj, w.trailer); {
		case at == len(w.b):
			return -1, ""
		case at == w.trailer:
			return at, "trailer"
		case at > 0 && classes[w.b[at-1]] == classBlank:
			return at, "obj"
		default:
			pos = at + len("obj")
		}
	}
	return -1, ""
}

// headerStart walks back from "obj" at i over the numbers before it; -1 where there are none.
func headerStart(b []byte, i int) int {
	for range 2 {
		j := i
		for j > 0 && classes[b[j-1]] == classBlank {
			j--
		}
		k := j
		for k > 0 && b[k-1]-'0' < 10 {
			k--
		}
		if k == j || j == i || i-k > 24 {
			return -1
		}
		i = k
	}
	return i
}
