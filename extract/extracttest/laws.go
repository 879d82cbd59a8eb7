package extracttest

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// Laws reads data as name and checks what holds for every input: no panic, an
// end, lines inside the file, and nothing found without a reference.
func Laws(t *testing.T, name string, data []byte, o doc.Options) {
	t.Helper()
	lines := max(bytes.Count(data, doc.Newline), bytes.Count(data, []byte{'\r'})) + 1 // old Macintosh files end lines in CR
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
	for _, m := range []string{"\x1f\x8b", "BZh", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd"} {
		if bytes.HasPrefix(data, []byte(m)) {
			return true
		}
	}
	return false
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

// Endless gives the same Block again and again up to a size.
type Endless struct {
	Block []byte
	Left  int
	off   int
}

func (e *Endless) Read(p []byte) (int, error) {
	if e.Left <= 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), e.Left)], e.Block[e.off:])
	e.off = (e.off + n) % len(e.Block)
	e.Left -= n
	return n, nil
}

// InUse is what is held, garbage left out where there is much.
func InUse() uint64 {
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.HeapInuse > 16<<20 {
		runtime.GC()
		runtime.ReadMemStats(&m)
	}
	return m.HeapInuse
}
