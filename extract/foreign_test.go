package extract_test

import (
	"errors"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// Documents of known formats that nothing here reads are named as such, whatever
// their names say; what is of no known kind is damage.
func TestForeign(t *testing.T) {
	const link = " http://a.example/b"
	for _, tc := range []struct{ name, text, kind string }{
		{"a.djvu", "AT&TFORM\x00\x00\x01\x00DJVU" + link, "DjVu"},
		{"a.html", "AT&TFORM\x00\x00\x01\x00DJVU" + link, "DjVu"},
		{"a.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 500) + link, "old Office"},
		{"a.wpd", "\xffWPC\x10\x00\x00\x00" + link, "WordPerfect"},
		{"a.dvi", "\xf7\x02\x01\x83\x92\xc0\x1c\x3b\x00" + link, "DVI"},
		{"bookmarks.plist", "bplist00\xd1\x01\x02" + link, "property list"},
		{"places.sqlite", "SQLite format 3\x00\x10\x00" + link, "SQLite"},
		{"a.rar", "Rar!\x1a\x07" + link, "rar archive"},
		{"a.7z", "7z\xbc\xaf\x27\x1c\x00\x04" + link, "7z archive"},
		{"a.lzh", "\x20\x30-lh5-" + link, "lha archive"},
		{"a.bin", "\x00\x01\x02\x03\x04\x05" + link, ""},
		{"a.txt", "%PDF is a format" + link, "text"},
	} {
		var kinds []string
		for f, err := range extract.Document(tc.name, strings.NewReader(tc.text), doc.Options{}) {
			var foreign *doc.Foreign
			switch {
			case errors.As(err, &foreign):
				kinds = append(kinds, foreign.Kind)
			case err != nil:
				kinds = append(kinds, "")
			case f.URI != "":
				kinds = append(kinds, "text")
			}
		}
		if len(kinds) != 1 || kinds[0] != tc.kind {
			t.Errorf("%s: got %q, want %q", tc.name, kinds, tc.kind)
		}
	}
}
