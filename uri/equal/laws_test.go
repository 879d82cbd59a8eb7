package equal

import (
	"maps"
	"os"
	"slices"
	"testing"

	"linkcheck/uri"
	"linkcheck/uri/internal/vectors"
)

var tokens = []string{
	"%", "%2F", "%2f", "%41", "%25", "%09", "%0D", "%C3%A9", "%00", "%3A", "%3B", "%3F", "%40", "%2E", "%2B", "%3D",
	";", "?", "#", "/", "//", "/../", "/./", "@", ":", "+", "=", ",", "*", "A", "é", " ", "<", "|", ".", "0", ";type=A", "&",
	"www.", "INDEX.HTML", "%CC%88", "%5B",
}

// TestLawsNearVectors disturbs every vector at every place and holds the laws of
// the keys; step keeps the shipped run short.
func TestLawsNearVectors(t *testing.T) {
	step, n := 97, 0
	if os.Getenv("URI_LAWS") == "all" {
		step = 1
	}
	seen := map[string]bool{}
	k := 0
	all := vectors.All(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, row := range all[name] {
			if seen[row[1]] {
				continue
			}
			seen[row[1]] = true
			for i := range len(row[1]) + 1 {
				for _, tok := range tokens {
					if k++; k%step != 0 {
						continue
					}
					s := row[1][:i] + tok + row[1][i:]
					if u, err := uri.Parse(s); err == nil {
						keysNest(t, s, levels(KeysOf(u)))
						n++
					}
				}
			}
		}
	}
	if n < 100 {
		t.Fatalf("only %d cases", n)
	}
	t.Logf("%d URIs", n)
}
