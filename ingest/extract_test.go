package ingest

import (
	"io"
	"strings"
	"testing"

	"linkcheck/extract"
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
		case strings.HasPrefix(err.Error(), "notes.txt: a fault of this program") && strings.HasSuffix(err.Error(), "no octet left at extract_test.go:17"):
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
