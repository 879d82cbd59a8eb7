package pending

import "testing"

// FuzzJournalRow: no row makes the reader panic or read without end.
func FuzzJournalRow(f *testing.F) {
	f.Add([]byte("\x01\x02........\x05\x00\x00\x00\x00\x02ab\x07\x03\x00\x00\x00\x01c"))
	f.Fuzz(func(t *testing.T, b []byte) {
		j, err := openRow(b)
		for err == nil && j.more() {
			before := j.at
			if _, err = j.next(); err == nil && j.at <= before {
				t.Fatalf("at %d after %d", j.at, before)
			}
		}
	})
}
