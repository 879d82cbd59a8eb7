package interop

import (
	"bytes"
	"context"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"linkcheck/extract"
)

// page is one document, and what each of the two readers found in it.
type page struct {
	path  string
	head  map[string]bool // references of link elements
	ours  []extract.Found
	found map[string]bool // ours, as lynx spells them
	lynx  map[string]bool
}

// spellings are the ways in which lynx writes a reference otherwise than it
// stands, in the order in which they are undone.
var spellings = []struct {
	name string
	undo func(ref string) string
}{
	{"number of an image map's area", func(ref string) string {
		if number, rest, ok := strings.Cut(ref, ". "); ok && strings.Trim(number, "0123456789") == "" {
			return rest
		}
		return ref
	}},
	{"file on this host", func(ref string) string { return strings.Replace(ref, "file://localhost/", "file:///", 1) }},
	{"scheme, host, port and the root", func(ref string) string {
		scheme, rest, ok := strings.Cut(ref, "://")
		if !ok {
			return ref
		}
		end := len(rest)
		if i := strings.IndexAny(rest, "/?#"); i >= 0 {
			end = i
		}
		host, path := strings.ToLower(rest[:end]), rest[end:]
		if name, port, err := net.SplitHostPort(host); err == nil && slices.Contains([]string{"", "80", "70"}, port) {
			host = name
		}
		if path == "" {
			path = "/"
		}
		return strings.ToLower(scheme) + "://" + host + path
	}},
	{"blanks", func(ref string) string { return strings.ReplaceAll(ref, "%20", " ") }},
	{"empty fragment", func(ref string) string { return strings.TrimSuffix(ref, "#") }},
	{"lynx's own pages", func(ref string) string {
		if strings.HasPrefix(ref, "LYNX") {
			return strings.TrimSuffix(ref, "/")
		}
		return ref
	}},
}

func spelled(ref string) string {
	for _, s := range spellings {
		ref = s.undo(ref)
	}
	return ref
}

// reason says why one of the two has a reference and the other has not.
type reason[T any] struct {
	name string
	why  func(p *page, ref T) bool
}

// explained counts the first reason that holds.
func explained[T any](reasons []reason[T], p *page, ref T, used map[string]int) bool {
	for _, r := range reasons {
		if r.why(p, ref) {
			used[r.name]++
			return true
		}
	}
	return false
}

// lynxOnly are the reasons why lynx lists what we do not give out.
var lynxOnly = []reason[string]{
	{"heading of the list", func(_ *page, ref string) bool {
		return ref == "References" || ref == "[USEMAP]" || strings.HasSuffix(ref, " links:")
	}},
	{"image map as a page of its own", func(_ *page, ref string) bool { return strings.HasPrefix(ref, "lynximgmap:") }},
	{"place in the same page", func(p *page, ref string) bool { return strings.HasPrefix(ref, "file://"+p.path+"#") }},
	{"program", func(_ *page, ref string) bool { return strings.HasPrefix(ref, "javascript:") }},
	{"host in IDNA's spelling", func(_ *page, ref string) bool { return strings.Contains(ref, "://xn--") }},
}

// notListed are the ways of finding that lynx has no part in: it lists what can
// be followed, not what is shown or sent, nor addresses in the text.
var notListed = []string{"src", "background", "cite", "action", "text", "www", "hostpath"}

// oursOnly are the reasons why we give out what lynx does not list.
var oursOnly = []reason[extract.Found]{
	{"no anchor", func(_ *page, f extract.Found) bool { return slices.Contains(notListed, f.How) }},
	{"link element", func(p *page, f extract.Found) bool { return p.head[f.Raw] }},
	{"host in its own script", func(_ *page, f extract.Found) bool {
		return strings.ContainsFunc(f.URI, func(r rune) bool { return r >= 0x80 })
	}},
}

// What lynx lists of a page and what we find are the same, but for the reasons above.
func TestLynx(t *testing.T) {
	program := need(t, "lynx")
	used := map[string]int{}
	t.Run("demo", func(t *testing.T) { lynxAgrees(t, program, "../testdata/corpus/demo", used) })
	t.Run("corpus", func(t *testing.T) {
		lynxAgrees(t, program, "../../shared/corpus/html", used)
		if len(used) < len(lynxOnly)+len(oursOnly) {
			t.Errorf("a reason without a case may go: %v", used)
		}
	})
}

// lynxAgrees compares every page below dir.
func lynxAgrees(t *testing.T, program, dir string, used map[string]int) {
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("missing: %s", dir)
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir() // nobody's settings
	pages, links := 0, 0
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		ext := strings.ToLower(filepath.Ext(path))
		if err != nil || !e.Type().IsRegular() || ext != ".html" && ext != ".htm" {
			return err
		}
		p := readPage(t, path, lynxList(t, program, home, path))
		pages, links = pages+1, links+len(p.lynx)
		p.compare(t, used)
		return nil
	})
	if err != nil || pages == 0 || links == 0 {
		t.Fatalf("%s: %d pages, %d links, %v", dir, pages, links, err)
	}
	t.Logf("%d pages, %d links; explained: %v", pages, links, used)
}

// lynxList is what lynx -dump -listonly prints.
func lynxList(t *testing.T, program, home, path string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-dump", "-listonly", "-nonumbers", "-force_html", path)
	cmd.Env = []string{"HOME=" + home, "TERM=dumb", "LC_ALL=C", "PATH=" + os.Getenv("PATH")}
	list, err := cmd.Output()
	if err != nil {
		t.Fatalf("lynx %s: %v", path, err)
	}
	return list
}

// readPage puts what both found side by side.
func readPage(t *testing.T, path string, list []byte) *page {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := &page{path: path, head: linkElements(text), found: map[string]bool{}, lynx: map[string]bool{}}
	for line := range strings.Lines(string(list)) {
		if ref := strings.TrimSpace(line); ref != "" {
			p.lynx[spelled(ref)] = true
		}
	}
	for f, err := range extract.Document(path, bytes.NewReader(text), extract.Options{Input: "html", Base: "file://" + path}) {
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		p.ours = append(p.ours, f)
		p.found[spelled(f.URI)] = true
	}
	return p
}

// linkElements gives the references of link elements, which lynx does not list.
func linkElements(text []byte) map[string]bool {
	head := map[string]bool{}
	for z := html.NewTokenizer(bytes.NewReader(text)); z.Next() != html.ErrorToken; {
		token := z.Token()
		for _, a := range token.Attr {
			if token.Data == "link" && a.Key == "href" {
				head[a.Val] = true
			}
		}
	}
	return head
}

// compare reports what one of the two has and the other has not, without a reason.
func (p *page) compare(t *testing.T, used map[string]int) {
	for ref := range p.lynx {
		if !p.found[ref] && !explained(lynxOnly, p, ref, used) {
			t.Errorf("%s: lynx has %q", p.path, ref)
		}
	}
	for _, f := range p.ours {
		if !p.lynx[spelled(f.URI)] && !explained(oursOnly, p, f, used) {
			t.Errorf("%s:%d: we have %q (%s)", p.path, f.Line, f.URI, f.How)
		}
	}
}
