package store

import (
	"encoding/binary"
	"math"
	"time"
)

// Rows are fields in a fixed order: numbers as varints, strings with their
// length before them, times as seconds since 1970 plus one, 0 for none. A row may
// grow at its end: a reader gets zeros for what an older writer did not know.

type writer struct{ b []byte }

func (w *writer) byte(v byte)   { w.b = append(w.b, v) }
func (w *writer) uint(v uint64) { w.b = binary.AppendUvarint(w.b, v) }
func (w *writer) int(v int)     { w.b = binary.AppendVarint(w.b, int64(v)) }
func (w *writer) big(v int64)   { w.b = binary.AppendVarint(w.b, v) }
func (w *writer) u64(v uint64)  { w.b = binary.BigEndian.AppendUint64(w.b, v) }
func (w *writer) raw(b []byte)  { w.uint(uint64(len(b))); w.b = append(w.b, b...) }
func (w *writer) str(s string)  { w.uint(uint64(len(s))); w.b = append(w.b, s...) }
func (w *writer) time(t time.Time) {
	if t.IsZero() {
		w.byte(0)
		return
	}
	s := t.Unix()
	w.big(s + sign(s))
}

// sign keeps 0 free for "no time", on both sides of 1970.
func sign(s int64) int64 {
	if s < 0 {
		return 0
	}
	return 1
}

func (w *writer) strs(list []string) {
	w.uint(uint64(len(list)))
	for _, s := range list {
		w.str(s)
	}
}

// reader reads a row. Past the end everything is zero; bad tells that a field was
// cut in its middle.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *reader) uint() uint64 {
	if len(r.b) == 0 {
		return 0
	}
	v, n := binary.Uvarint(r.b)
	r.skip(n)
	return v
}

func (r *reader) big() int64 {
	if len(r.b) == 0 {
		return 0
	}
	v, n := binary.Varint(r.b)
	r.skip(n)
	return v
}

func (r *reader) int() int {
	v := r.big()
	if v > math.MaxInt32*1024 || v < math.MinInt32*1024 {
		r.bad = true
		return 0
	}
	return int(v)
}

func (r *reader) skip(n int) {
	if n <= 0 {
		r.bad, r.b = true, nil
		return
	}
	r.b = r.b[n:]
}

func (r *reader) u64() uint64 {
	if len(r.b) == 0 {
		return 0
	}
	if len(r.b) < 8 {
		r.skip(0)
		return 0
	}
	v := binary.BigEndian.Uint64(r.b)
	r.b = r.b[8:]
	return v
}

// raw gives the octets of a string without copying them.
func (r *reader) raw() []byte {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.skip(0)
		return nil
	}
	v := r.b[:n]
	r.b = r.b[n:]
	return v
}

func (r *reader) str() string { return string(r.raw()) }

// count reads the length of a list whose members take at least one octet each.
func (r *reader) count() int {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.skip(0)
		return 0
	}
	return int(n)
}

func (r *reader) strs() []string {
	n := r.count()
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = r.str()
	}
	return list
}

func (r *reader) time() time.Time {
	s := r.big()
	if s == 0 {
		return time.Time{}
	}
	if s > 0 {
		s--
	}
	return time.Unix(s, 0).UTC()
}

func (r *reader) err() error {
	if r.bad {
		return errShort
	}
	return nil
}
