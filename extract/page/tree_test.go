package page_test

import (
	"bytes"
	"os"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/charmap"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/extract/page"
	"linkcheck/internal/markup"
)

// treeLinks walks the tree that html.Parse makes of a page and gives the
// references in its attributes.
func treeLinks(text []byte) map[string]bool {
	tree, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	out := map[string]bool{}
	for n := range tree.Descendants() {
		if n.Type != html.ElementNode || n.Data == "base" || n.Data == "meta" {
			continue
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "href", "src", "action", "cite", "longdesc", "background", "lowsrc", "poster", "formaction":
				ref := page.CleanRef(a.Val)
				if ref != "" && ref[0] != '#' && !page.Unfollowed(doc.SchemeOf(ref)) {
					out[ref] = true
				}
			}
		}
	}
	return out
}

// The tree and the tokens must tell of the same references. The tree is of no
// use for pages nested deeper than it allows.
func TestTreeAgrees(t *testing.T) {
	pages, refs := 0, 0
	for _, path := range append(extracttest.CorpusFiles(t, "html", extracttest.IsPage), extracttest.CorpusFiles(t, "urltests", extracttest.IsPage)...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tree := treeLinks(text)
		if tree == nil {
			continue
		}
		pages++
		ours := map[string]bool{}
		for f, err := range extract.Document(path, bytes.NewReader(text), doc.Options{Input: "html", Charset: "windows-1252"}) {
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if f.URI != "" {
				ours[f.URI] = true
			}
			ours[page.CleanRef(markup.UnescapeAttr(f.Raw))] = true
			if raw, err := charmap.Windows1252.NewEncoder().String(f.Raw); err == nil {
				ours[page.CleanRef(markup.UnescapeAttr(raw))] = true
			}
		}
		for ref := range tree {
			refs++
			if !ours[ref] {
				t.Errorf("%s: the tree has %q", path, ref)
			}
		}
	}
	t.Logf("%d references in %d pages", refs, pages)
}
