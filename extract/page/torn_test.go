package page_test

import (
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

// A password that ends the value of an attribute within itself is not shown in part.
func TestTornAttributes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"<a href=http://ann:zq7 zq8@h.example/>x</a>", "http://ann:***"},
		{"<a href=http://ann:zq7\n\tzq8@h.example/>x</a>", "http://ann:***"},
		{"<a href='http://ann:zq7'zq8@h.example/'>x</a>", "http://ann:***"},
		{`<img src="ftp://ann:zq7"zq8@h.example/">`, "ftp://ann:***"},
		{`<a href="http://h.example:80/" title="bob@h.example">x</a>`, "http://h.example:80/"},
		{`<a href="http://h.example:port/">x</a>bob@h.example`, "http://h.example:port/"},
		{`<a href="tag:h.example,1999:x" title="bob@h.example">x</a>`, "tag:h.example,1999:x"},
	} {
		n := 0
		for f, err := range extract.Document("a.html", strings.NewReader(c.text), doc.Options{}) {
			if n++; err != nil {
				t.Fatal(err)
			}
			if shown := extract.WithoutSecrets(f); shown.URI != c.want || strings.Contains(shown.Raw+shown.Context, "zq") {
				t.Errorf("%s: %q, %q in %q", c.text, shown.URI, shown.Raw, shown.Context)
			}
		}
		if n == 0 {
			t.Errorf("%s: %q", c.text, extracttest.Rows("a.html", c.text, doc.Options{}))
		}
	}
}

// A tag that is too long to be read is told.
func TestLongTag(t *testing.T) {
	for _, text := range []string{`<a href="http://a.example/` + strings.Repeat("b", 2<<20) + `">x</a>`, "<img src=http://a.example/" + strings.Repeat("b", 3<<20) + ">"} {
		got := extracttest.Rows("a.html", text+"<a href=http://b.example/>", doc.Options{})
		if len(got) != 2 || got[0] != "damage: a.html:1: a tag of more than 1 MB: what it links to is not read" || !strings.HasSuffix(got[1], " http://b.example/") {
			t.Errorf("%.200q", got)
		}
	}
}
