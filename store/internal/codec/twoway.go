package codec

import (
	"encoding/json"
	"math"
	"time"

	"linkcheck/check"
)

// Fields are fields that are written to W, or else read from R, in one order.
type Fields struct {
	W *Writer
	R *Reader
}

// Uint is a number that is never negative.
func (f *Fields) Uint(v *uint64) {
	if f.W != nil {
		f.W.Uint(*v)
	} else {
		*v = f.R.Uint()
	}
}

// Uint32 is one of at most 32 bits.
func (f *Fields) Uint32(v *uint32) {
	n := uint64(*v)
	if f.Uint(&n); n > math.MaxUint32 {
		f.R.Fail()
	}
	*v = uint32(n)
}

// Int is a number.
func (f *Fields) Int(v *int64) {
	if f.W != nil {
		f.W.Int(*v)
	} else {
		*v = f.R.Int()
	}
}

// Bool is true or false.
func (f *Fields) Bool(v *bool) {
	n := uint64(0)
	if *v {
		n = 1
	}
	f.Uint(&n)
	*v = n != 0
}

// Time is a time to the second.
func (f *Fields) Time(v *time.Time) {
	if f.W != nil {
		f.W.Time(*v)
	} else {
		*v = f.R.Time()
	}
}

// Str is some strings.
func (f *Fields) Str(list ...*string) {
	for _, v := range list {
		if f.W != nil {
			f.W.Str(*v)
		} else {
			*v = f.R.Str()
		}
	}
}

// Row is octets behind their number, as write gives and read takes them.
func (f *Fields) Row(write func() []byte, read func([]byte) error) {
	if f.W != nil {
		f.W.Raw(write())
	} else if read(f.R.Raw()) != nil {
		f.R.Fail()
	}
}

// JSON is a row of JSON.
func (f *Fields) JSON(v any) {
	f.Row(func() []byte {
		b, _ := json.Marshal(v) // nothing in these types refuses
		return b
	}, func(b []byte) error { return json.Unmarshal(b, v) })
}

// ListOf is a list; each does one of its members.
func ListOf[T any](f *Fields, list *[]T, each func(*T)) {
	if f.W != nil {
		f.W.Uint(uint64(len(*list)))
		for i := range *list {
			each(&(*list)[i])
		}
		return
	}
	for range f.R.Count() {
		var v T
		each(&v)
		*list = append(*list, v)
	}
}

// Result is a result.
func (f *Fields) Result(result *check.Result) {
	f.Row(func() []byte {
		w := Writer{}
		w.Result(result)
		return w.Buf
	}, func(b []byte) error {
		r := Reader{Buf: b}
		r.Result(result)
		return r.Err()
	})
}
