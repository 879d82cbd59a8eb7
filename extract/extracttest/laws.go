package extracttest

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/budget"
	"linkcheck/extract/doc"
)

const (
	triedOctet = 16       // candidates that an octet may cost: see the budget's
	rowsOctet  = 8        // rows that an octet may be in: markup is read so many levels deep
	repeated   = 13 << 10 // octets of a row that other rows have, too: three of 4 kB, and a little
)

// Laws reads data as name and checks what holds for every input: no panic, an
// end, lines inside the file, and nothing found without a reference; work and rows that
// grow no faster than the input.
func Laws(t *testing.T, name string, data []byte, o doc.Options) {
	t.Helper()
	o.Limits.Candidates = int64(2000 + triedOctet*len(data))
	rows, cut := 0, len(data)*rowsOctet+10
	lines := max(bytes.Count(data, []byte{'\n'}), bytes.Count(data, []byte{'\r'})) + 1 // old Macintosh files end lines in CR
	for f, err := range extract.Document(name, bytes.NewReader(data), o) {
		if over, ok := errors.AsType[*budget.Over](err); ok && over.Key == "max-candidates" && !packed(data) {
			t.Errorf("%s: more than %d candidates in %d octets", name, o.Limits.Candidates, len(data))
		}
		if err != nil {
			continue
		}
		if rows++; rows > cut && !packed(data) {
			t.Fatalf("%s: %d rows of %d octets", name, rows, len(data))
		}
		if n := len(f.Record) + len(f.Locator) + len(f.Context); n > repeated {
			t.Errorf("%s: %d octets of a row repeat", name, n)
		}
		if f.URI == "" && f.Raw == "" {
			t.Errorf("%s: nothing found at %d:%d", name, f.Line, f.Column)
		}
		if f.Line < 0 || f.Line > lines && f.Member == "" && !packed(data) {
			t.Errorf("%s: line %d of %d: %q", name, f.Line, lines, f.Raw)
		}
		if strings.ContainsAny(f.URI, "\x00\r\n") {
			t.Errorf("%s: control in %q", name, f.URI)
		}
	}
}

// packed says whether the data are compressed: lines are those of the contents.
func packed(data []byte) bool {
	magic := []string{"\x1f\x8b", "BZh", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd"}
	return slices.ContainsFunc(magic, func(m string) bool { return bytes.HasPrefix(data, []byte(m)) })
}

// Fuzz holds Laws for a format; input is its name, as in [doc.Options].
func Fuzz(f *testing.F, name, input string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		Laws(t, name, data, doc.Options{Input: input, Base: "http://h.example/"})
	})
}
