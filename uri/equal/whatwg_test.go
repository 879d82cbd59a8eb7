package equal

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/uri/internal/vectors"

	"linkcheck/uri"
)

// TestWhatwgAgrees: what is valid here names the same thing in a browser. The
// specifications win where they differ: an empty user is a user, and a quote of a query stays.
func TestWhatwgAgrees(t *testing.T) {
	path := filepath.Join(vectors.Dirs()[1], "peers", "whatwg", "urltestdata.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("%s is absent", path)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, raw := range list {
		var c struct{ Input, Href string }
		if json.Unmarshal(raw, &c) != nil || c.Href == "" {
			continue // a comment, or refused
		}
		u, err := uri.Parse(c.Input)
		h, ok := u.(*uri.HTTP)
		if err != nil || !ok || h.Validity() == uri.Lax || h.User != nil || strings.Contains(h.Parts().Query, "'") {
			continue
		}
		v, err := uri.Parse(c.Href)
		if err != nil {
			t.Errorf("%q: %q: %v", c.Input, c.Href, err)
			continue
		}
		n++
		if got, want := KeysOf(u).Protocol, KeysOf(v).Protocol; got != want && !strings.Contains(c.Href, "%2e") {
			t.Errorf("%q: %q; a browser has %q", c.Input, got, want)
		}
	}
	if n < 50 {
		t.Fatalf("only %d cases", n)
	}
	t.Logf("%d cases", n)
}
