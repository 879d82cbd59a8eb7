package extracttest

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// Laws reads data as name and checks what holds for every input: no panic, an
// end, lines inside the file, and nothing found without a reference.
func Laws(t *testing.T, name string, data []byte, o doc.Options) {
	t.Helper()
	lines := max(bytes.Count(data, []byte{'\n'}), bytes.Count(data, []byte{'\r'})) + 1 // old Macintosh files end lines in CR
	for f, err := range extract.Document(name, bytes.NewReader(data), o) {
		if err != nil {
			continue
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
