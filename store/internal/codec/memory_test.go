package codec

import (
	"reflect"
	"testing"
	"time"

	"linkcheck/check/likeness"
)

// The memory of a text is kept whole, in fewer than 300 octets.
func TestMemoryIsKept(t *testing.T) {
	full := likeness.Memory{Kind: likeness.Main, Size: 70000, Site: 1 << 31, Looks: 255, Others: 3, Moved: true, Turns: 2,
		Title: "Sixty-four octets of a title, which is as much as is remembered.", Seen: time.Unix(1.8e9, 0).UTC(), Last: time.Unix(1.9e9, 0).UTC(),
		Values: make([]byte, likeness.TextSize), Kept: make([]byte, likeness.TextSize)}
	for i := range full.Values {
		full.Values[i], full.Kept[i] = byte(i%255)+1, byte(i%4)
	}
	sparse := full
	sparse.Values, sparse.Kept = make([]byte, likeness.TextSize), make([]byte, likeness.TextSize)
	for _, i := range []int{0, 5, 64, 127} {
		sparse.Values[i], sparse.Kept[i] = 9, 3
	}
	file := likeness.Memory{Kind: likeness.File, Looks: 1, Values: []byte("12345678")}
	size := likeness.Memory{Kind: likeness.Sized, Looks: 2, Values: []byte("\x00\x00\x00\x00\x00\x00\x10\x00")}
	for name, m := range map[string]likeness.Memory{"full": full, "sparse": sparse, "file": file, "size": size, "nothing": {}} {
		var w Writer
		w.Memory(&m)
		r := Reader{Buf: w.Buf}
		if got := r.Memory(); !reflect.DeepEqual(got, m) || r.Err() != nil || len(r.Buf) != 0 {
			t.Errorf("%s: %+v became %+v, %v", name, m, got, r.Err())
		}
		if len(w.Buf) >= 300 {
			t.Errorf("%s: %d octets", name, len(w.Buf))
		}
		t.Logf("%s: %d octets", name, len(w.Buf))
		for cut := range w.Buf {
			r := Reader{Buf: w.Buf[:cut]}
			r.Memory() // must not panic
		}
	}
}
