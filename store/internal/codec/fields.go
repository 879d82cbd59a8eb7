package codec

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"time"

	"linkcheck/store/internal/boltfile"
)

// Writer appends fields to a row.
type Writer struct{ Buf []byte }

// Byte writes one octet: a small number, or flags.
func (w *Writer) Byte(v byte) { w.Buf = append(w.Buf, v) }

// Uint writes a number that is never negative, as a varint.
func (w *Writer) Uint(v uint64) { w.Buf = binary.AppendUvarint(w.Buf, v) }

// Int writes a number, as a varint with a sign.
func (w *Writer) Int(v int64) { w.Buf = binary.AppendVarint(w.Buf, v) }

// U64 writes eight octets: a hash, or the bits of a float.
func (w *Writer) U64(v uint64) { w.Buf = binary.BigEndian.AppendUint64(w.Buf, v) }

// Raw writes octets behind their number.
func (w *Writer) Raw(b []byte) { w.Uint(uint64(len(b))); w.Buf = append(w.Buf, b...) }

// Str writes a string as Raw does octets.
func (w *Writer) Str(s string) { w.Uint(uint64(len(s))); w.Buf = append(w.Buf, s...) }

// Strs writes a list of strings behind their number.
func (w *Writer) Strs(list []string) {
	w.Uint(uint64(len(list)))
	for _, s := range list {
		w.Str(s)
	}
}

// Time writes a time to the second; 0 stands for none, so times from 1970 on are
// one more than their seconds.
func (w *Writer) Time(t time.Time) {
	s := t.Unix()
	switch {
	case t.IsZero():
		s = 0
	case s >= 0:
		s++
	}
	w.Int(s)
}

// ErrShort is the error of a row that is cut short or has a field that cannot be.
var ErrShort = fmt.Errorf("%w: %w", boltfile.ErrCorrupt, io.ErrUnexpectedEOF)

// Reader reads the fields of a row from Buf. Past the end everything is zero. A field
// that is cut in its middle ends the row, and Err is then ErrShort.
type Reader struct {
	Buf []byte // what is left
	bad bool
}

// Err is ErrShort if a field was not what it should be.
func (r *Reader) Err() error {
	if r.bad {
		return ErrShort
	}
	return nil
}

// Fail ends the row: a field holds a value that cannot be.
func (r *Reader) Fail() { r.bad, r.Buf = true, nil }

// take gives the next n octets without copying them, or nil.
func (r *Reader) take(n uint64) []byte {
	if n > uint64(len(r.Buf)) {
		r.Fail()
		return nil
	}
	v := r.Buf[:n]
	r.Buf = r.Buf[n:]
	return v
}

// varint gives the value of a varint of n octets; n <= 0 if there is none.
func varint[T any](r *Reader, v T, n int) (none T) {
	switch {
	case len(r.Buf) == 0:
		return none
	case n <= 0:
		r.Fail()
		return none
	}
	r.Buf = r.Buf[n:]
	return v
}

// Uint reads what Writer.Uint wrote.
func (r *Reader) Uint() uint64 {
	v, n := binary.Uvarint(r.Buf)
	return varint(r, v, n)
}

// Int reads what Writer.Int wrote.
func (r *Reader) Int() int64 {
	v, n := binary.Varint(r.Buf)
	return varint(r, v, n)
}

// Uint32 reads a number of at most 32 bits that Writer.Uint wrote.
func (r *Reader) Uint32() uint32 {
	v := r.Uint()
	if v > math.MaxUint32 {
		r.Fail()
		return 0
	}
	return uint32(v)
}

// Small reads a number that was an int; one far beyond any line or count is no such.
func (r *Reader) Small() int {
	v := r.Int()
	if v > math.MaxInt32*1024 || v < math.MinInt32*1024 {
		r.bad = true
		return 0
	}
	return int(v)
}

// Byte reads an octet.
func (r *Reader) Byte() byte {
	if len(r.Buf) == 0 {
		return 0
	}
	return r.take(1)[0]
}

// U64 reads eight octets.
func (r *Reader) U64() uint64 {
	if len(r.Buf) == 0 {
		return 0
	}
	return Number(r.take(8))
}

// Raw gives the octets of a string without copying them.
func (r *Reader) Raw() []byte { return r.take(r.Uint()) }

// Str reads a string.
func (r *Reader) Str() string { return string(r.Raw()) }

// Count reads the length of a list whose members take at least one octet each.
func (r *Reader) Count() int {
	n := r.Uint()
	if n > uint64(len(r.Buf)) {
		r.Fail()
		return 0
	}
	return int(n)
}

// Strs reads a list of strings; nil if it is empty.
func (r *Reader) Strs() (list []string) {
	for range r.Count() {
		list = append(list, r.Str())
	}
	return list
}

// Time reads what Writer.Time wrote, in UTC.
func (r *Reader) Time() time.Time {
	s := r.Int()
	if s == 0 {
		return time.Time{}
	}
	if s > 0 {
		s--
	}
	return time.Unix(s, 0).UTC()
}
