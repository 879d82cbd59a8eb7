package byowner

import (
	"regexp"
	"strings"
	"testing"
)

// TestFileNames: names stay in their folder, are shells' and systems' friends, and are no two alike.
func TestFileNames(t *testing.T) {
	owners := []string{"Music", "music", "law@mill.test", "../../etc/passwd", "..", ".", "/", "a/b", "a:b", "a\\b", "CON", "nul.txt", "COM1", "index", "nobody-named", "", " ",
		"Größe", "a\x00b", strings.Repeat("x", 300), strings.Repeat("x", 301), "-rf", "Music ", "\u202egnp", "Music-000000000000"}
	safe := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9@._-]{0,90}$`)
	taken := map[string]string{"index": "the index"}
	for i, name := range FileNames(owners) {
		other, twice := taken[strings.ToLower(name)]
		stem, _, _ := strings.Cut(strings.ToLower(name), ".")
		if !safe.MatchString(name) || twice || stem == "con" || stem == "nul" || stem == "com1" || strings.HasSuffix(name, ".") {
			t.Errorf("%q: %q, also %q", owners[i], name, other)
		}
		taken[strings.ToLower(name)] = owners[i]
	}
	if names := FileNames(owners); names[0] != "Music" || names[2] != "law@mill.test" {
		t.Errorf("plain names: %q", names[:3])
	}
}
