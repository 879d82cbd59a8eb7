package extract

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/charmap"
	"mvdan.cc/xurls/v2"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
	"linkcheck/internal/markup"
)

// corpusFiles gives the files below a folder of the corpus; a test that reads
// none fails.
func corpusFiles(t *testing.T, dir string, want func(path string) bool) []string {
	t.Helper()
	root := shared(t, "corpus", dir)
	var out []string
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && want(p) {
			out = append(out, p)
		}
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("%s: %d files, %v", root, len(out), err)
	}
	return out
}

func isPage(p string) bool {
	ext := strings.ToLower(filepath.Ext(p))
	return ext == ".html" || ext == ".htm"
}

// treeLinks walks the tree that html.Parse makes of a page and gives the
// references in its attributes.
func treeLinks(page []byte) map[string]bool {
	tree, err := html.Parse(bytes.NewReader(page))
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
				ref := cleanRef(a.Val)
				if ref != "" && ref[0] != '#' && !unfollowed[doc.SchemeOf(ref)] {
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
	for _, path := range append(corpusFiles(t, "html", isPage), corpusFiles(t, "urltests", isPage)...) {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tree := treeLinks(page)
		if tree == nil {
			continue
		}
		pages++
		ours := map[string]bool{}
		d := doc.New(path, bytes.NewReader(page), doc.Options{Charset: "windows-1252"}, read, func(f doc.Found, err error) bool {
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if f.URI != "" {
				ours[f.URI] = true
			}
			ours[cleanRef(markup.UnescapeAttr(f.Raw))] = true
			if raw, err := charmap.Windows1252.NewEncoder().String(f.Raw); err == nil {
				ours[cleanRef(markup.UnescapeAttr(raw))] = true
			}
			return true
		})
		if err := ReadHTML(d); err != nil {
			t.Errorf("%s: %v", path, err)
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

// identifiers are what xurls takes for links and we do not: names of
// namespaces, DTDs and schemas.
var identifiers = []string{
	"http://ietf.org/dtd/cnrp-1.0.dtd", "http://www.w3.org/2001/XMLSchema", "http://www.w3.org/XML/1998/namespace",
	"http://www.w3.org/2001/xml.xsd", "http://www.w3.org/TR/xhtml-basic/xhtml-basic10.dtd", "http://www.w3.org/1999/xhtml",
	"http://www.w3.org/TR/2002/WD-speech-", "http://www.w3.org/TR/speech-",
}

// What xurls finds in the texts of the corpus ours must find too, perhaps going
// on where xurls stops: over a line's end, a blank, a "*" or a "^".
func TestXurlsAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("xurls takes its time")
	}
	strict := xurls.Strict()
	seen := 0
	for _, dir := range []string{"rfc", "drafts", "text"} {
		for _, path := range corpusFiles(t, dir, func(p string) bool { return !strings.HasSuffix(p, ".gz") }) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var ours strings.Builder
			for f, err := range Document(path, bytes.NewReader(text), doc.Options{}) {
				if err != nil {
					t.Error(err)
				}
				ours.WriteString("\n" + f.URI + "\n" + f.Raw)
			}
			for _, u := range strict.FindAllString(string(text), -1) {
				if scheme := doc.SchemeOf(u); scheme != "http" && scheme != "https" && scheme != "ftp" && scheme != "gopher" {
					continue
				}
				u, _, _ = strings.Cut(u, "@{") // markup of AmigaGuide is no part of a URL
				u, _, _ = strings.Cut(u, "[/") // a part that may be left out
				if i := strings.IndexByte(u, '$'); i >= 0 && i+1 < len(u) && ascii.Letter(u[i+1]) {
					continue // a template: $host, $value
				}
				if seen++; !strings.Contains(ours.String(), "\n"+u) && !slices.Contains(identifiers, u) {
					t.Errorf("%s: xurls has %q", path, u)
				}
			}
		}
	}
	t.Logf("%d references", seen)
}
