package extract_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// Rubbish gives no link, whatever its name promises, and one message; a picture
// gives neither.
func TestRubbish(t *testing.T) {
	rnd := rand.NewChaCha8([32]byte{1})
	data := make([]byte, 1<<20)
	for _, name := range []string{"a", "a.bin", "a.txt", "a.html", "a.mrc", "a.xml", "a.eml", "a.json", "a.guide"} {
		rnd.Read(data)
		said := 0
		for f, err := range extract.Document(name, bytes.NewReader(data), doc.Options{}) {
			var damage *doc.Damage
			if !errors.As(err, &damage) || damage.Source != name || !strings.HasSuffix(err.Error(), "binary data of no known kind: passed over") {
				t.Fatalf("%s: %q, %v", name, f.URI, err)
			}
			said++
		}
		if said != 1 {
			t.Errorf("%s: %d messages", name, said)
		}
	}
	for f, err := range extract.Document("a.gif", strings.NewReader("GIF89a\x00\x01\x02\x03"), doc.Options{}) {
		t.Errorf("picture: %q, %v", f.URI, err)
	}
}
