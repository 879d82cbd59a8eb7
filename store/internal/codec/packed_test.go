package codec

import "testing"

// FuzzPacked: packing loses nothing.
func FuzzPacked(f *testing.F) {
	for _, s := range append([]string{"", "deadbeef", "DEADBEEF", "abc", "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC"}, words[:]...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var w Writer
		w.Packed(s)
		w.Buf = append(w.Buf, 7)
		r := Reader{Buf: w.Buf}
		if got := r.Packed(); got != s || r.Byte() != 7 || r.Err() != nil {
			t.Errorf("%q became %q", s, got)
		}
	})
}
