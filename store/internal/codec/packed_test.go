package codec

import (
	"testing"
	"time"
)

// FuzzPacked: packing loses nothing.
func FuzzPacked(f *testing.F) {
	for _, s := range append([]string{"", "deadbeef", "deadbee", "DEADBEEF", "abc", "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
		"Mon, 06 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 1995 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Mon, 06 Nov 1994 24:00:00 GMT",
		"Sun, 06 nov 1994 08:49:37 GMT", "Thu, 06 anF 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT", "Fri, 31 Dec 1999 08:49:-7 GMT",
		"Fri, 00 Jan 2000 00:00:00 GMT", "Sun. 06 Nov 1994 08:49:37 GMT"}, words[:]...) {
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

// TestUndate holds it to the layout over all days of four centuries and all seconds of a day.
func TestUndate(t *testing.T) {
	at := time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC)
	for day := range 146_097 {
		want := at.AddDate(0, 0, day).Add(time.Duration(day%86400) * time.Second)
		if got, ok := undate(want.Format(httpDate)); !ok || !got.Equal(want) {
			t.Fatalf("%s: %v %v", want.Format(httpDate), got, ok)
		}
	}
}
