package ingest

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/internal/fault"
)

// faulty is a reader that fails as a program after its text.
type faulty struct{ text io.Reader }

func (f faulty) Read(p []byte) (int, error) {
	n, err := f.text.Read(p)
	if err == io.EOF {
		panic("no octet left")
	}
	return n, err
}

// TestDocumentWithFault: a fault in reading a document is told, with what was found before.
func TestDocumentWithFault(t *testing.T) {
	text := strings.Repeat("See <ftp://ftp.example.org/pub/rfc.txt>.\n", 50_000)
	links, faults := 0, 0
	for _, err := range Document("notes.txt", faulty{strings.NewReader(text)}, extract.Options{}) {
		switch {
		case err == nil:
			links++
		case strings.HasPrefix(err.Error(), "notes.txt: a fault of this program") && strings.HasSuffix(err.Error(), "no octet left at extract_test.go:20"):
			faults++
		default:
			t.Error(err)
		}
	}
	if links == 0 || faults != 1 {
		t.Errorf("%d links, %d faults", links, faults)
	}
}

// TestDocumentOfFaultyCaller: a fault of the loop around is not one of the document.
func TestDocumentOfFaultyCaller(t *testing.T) {
	defer func() {
		if fault := recover(); fault != "the caller" {
			t.Errorf("recovered %v", fault)
		}
	}()
	for range Document("notes.txt", strings.NewReader("See <ftp://ftp.example.org/>."), extract.Options{}) {
		panic("the caller")
	}
}

// TestFaultsSideBySide: what panics while sources are found or read does so in the goroutine
// that waits for them, and what was read before still comes.
func TestFaultsSideBySide(t *testing.T) {
	for name, want := range map[string]int{"the reader": 0 + 1 + 2 + 4, "the walker": 0 + 1 + 2 + 3 + 4} {
		var caught error
		came := 0
		func() {
			defer fault.Catch(&caught)
			sources := func(yield func(source) bool) {
				for i := range 5 {
					if !yield(source{path: strings.Repeat("x", i)}) {
						return
					}
				}
				if name == "the walker" {
					panic(name)
				}
			}
			for n := range sideBySide(t.Context(), sources, func(_ context.Context, s source, send func(int) bool) {
				if name == "the reader" && len(s.path) == 3 {
					panic(name)
				}
				send(len(s.path))
			}) {
				came += n
			}
		}()
		if f, ok := errors.AsType[*fault.Error](caught); !ok || f.Value != name || !strings.HasPrefix(f.At, "extract_test.go:") || came != want {
			t.Errorf("%s: %v, %d came", name, caught, came)
		}
	}
}
