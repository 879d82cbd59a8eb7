package owners

import (
	"errors"
	"strings"
	"testing"

	"linkcheck/store"
)

const rules = `
[[owner]]
owner = "maps@mill.test"
source = "maps/**"

[[owner]]
owner = "Law"
record = "b9*"
host = "*.law.example"

[[owner]]
owner = "tail"
source = "/srv/*/tail.txt"

[mail]
Law = "law@mill.test"
`

func parse(t *testing.T, words ...string) Choice {
	t.Helper()
	c, err := Parse(words, func(string) ([]byte, error) { return []byte(rules), nil })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPrecedence: the document, then the first table that fits, then the folder.
func TestPrecedence(t *testing.T) {
	c := parse(t, "$5", "Branch", "folder", "x.toml", "$9", "root")
	if c.Codes != "59" || c.Column != "Branch" {
		t.Errorf("%+v", c)
	}
	tests := []struct {
		name string
		m    store.Mention
		src  store.Source
		want string
	}{
		{"the document", store.Mention{Owner: "DE-12"}, store.Source{Path: "/srv/a/maps/x", Root: "/srv/a"}, "DE-12"},
		{"a table", store.Mention{}, store.Source{Path: "/srv/a/maps/deep/x", Root: "/srv/a"}, "maps@mill.test"},
		{"the folder itself is none of its documents", store.Mention{}, store.Source{Path: "/srv/a/maps", Root: "/srv"}, "a"},
		{"all globs of a table", store.Mention{Record: "b91", URL: "https://www.LAW.example/x"}, store.Source{Path: "/a", Root: "/a"}, "Law"},
		{"one of them does not fit", store.Mention{Record: "b81", URL: "https://www.law.example/x"}, store.Source{Path: "/a", Root: "/a"}, ""},
		{"a whole path", store.Mention{}, store.Source{Path: "/srv/x/tail.txt", Root: "/srv/x"}, "tail"},
		{"the folder", store.Mention{}, store.Source{Path: "/srv/a/music/deep/x", Root: "/srv/a"}, "music"},
		{"no folder", store.Mention{}, store.Source{Path: "/srv/a/x", Root: "/srv/a"}, ""},
		{"the root is a file", store.Mention{}, store.Source{Path: "/srv/a/x", Root: "/srv/a/x"}, ""},
		{"an archive that is remote", store.Mention{}, store.Source{Path: "https://a.example/b/c", Remote: 1}, ""},
	}
	for _, tt := range tests {
		if got := c.Rules.Of(&tt.m, &tt.src); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestAddress: an owner is an address, or the file has one.
func TestAddress(t *testing.T) {
	c := parse(t, "x.toml")
	for owner, want := range map[string]string{"Law": "law@mill.test", "a@b.example": "a@b.example", "Maps": "", "": "", "@x": "", "x@": ""} {
		if got := c.Rules.Address(owner, true); got != want {
			t.Errorf("%q: %q, want %q", owner, got, want)
		}
	}
}

// TestAddressOfOthers: an address that only a document names gets no mail, unless the person has
// documents say who mends their links.
func TestAddressOfOthers(t *testing.T) {
	c := parse(t, "x.toml")
	for owner, want := range map[string]string{"Law": "law@mill.test", "maps@mill.test": "maps@mill.test", "eve@else.example": ""} {
		if got := c.Rules.Address(owner, false); got != want {
			t.Errorf("%q: %q, want %q", owner, got, want)
		}
	}
}

// TestRefused: words and files that mean nothing.
func TestRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		words []string
		text  string
		want  string
	}{
		"empty":        {[]string{""}, "", "want $5"},
		"no subfield":  {[]string{"$55"}, "", "no subfield"},
		"two columns":  {[]string{"A", "B"}, "", "both columns"},
		"no file":      {[]string{"gone.toml"}, "\x00", "gone"},
		"no TOML":      {[]string{"x.toml"}, "[[owner", "x.toml"},
		"another key":  {[]string{"x.toml"}, "[[owner]]\nowner = \"a\"\nfolder = \"x\"", "unknown key \"folder\""},
		"other tables": {[]string{"x.toml"}, "[rules]\na = 1", "unknown key"},
		"no owner":     {[]string{"x.toml"}, "[[owner]]\nsource = \"a\"", "without owner"},
		"no glob":      {[]string{"x.toml"}, "[[owner]]\nowner = \"a\"\nsource = \"[\"", "no glob"},
	} {
		_, err := Parse(tt.words, func(string) ([]byte, error) {
			if tt.text == "\x00" {
				return nil, errors.New("gone")
			}
			return []byte(tt.text), nil
		})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
