package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/internal/testdoc"
)

// TestBuild: names in backquotes and links lead to pages, what looks like HTML is text, what
// no section names is for developers.
func TestBuild(t *testing.T) {
	docs, out := t.TempDir(), filepath.Join(t.TempDir(), "site")
	for name, text := range map[string]string{
		"INDEX.md":           "# Home\n\nSee `docs/OPERATIONS.md`, `NOT.md` and [one place](OPERATIONS.md#a-place).\n",
		"OPERATIONS.md":      "# Run it\n\n## A place\n\n<b>not bold</b> & `OPERATIONS.md`\n\n| a | b |\n|---|---|\n| 1 | <2 |\n",
		"PAPER.md":           "# A paper\n\n## `code` {#here}\n",
		"linkcheck-thing.md": "# linkcheck thing\n",
		"dot.png":            "png",
		"notes.txt":          "left",
	} {
		testdoc.Write(t, filepath.Join(docs, name), text)
	}
	if n, err := Build(out, []string{docs}); err != nil || n != 4 {
		t.Fatalf("%d pages, %v", n, err)
	}
	for name, want := range map[string][]string{
		"index.html":      {`<a href="operations.html"><code>docs/OPERATIONS.md</code></a>, <code>NOT.md</code>`, `<a href="operations.html#a-place">one place</a>`, `<title>Home · linkcheck</title>`, `<li><a href="paper.html">A paper</a></li>`},
		"operations.html": {`&lt;b&gt;not bold&lt;/b&gt; &amp; <code>OPERATIONS.md</code>`, `<h2 id="a-place">`, `tabindex="0"><table>`, `<td>&lt;2</td>`, `aria-current="page">Run it</a>`},
		"paper.html":      {`<h2 id="here"><code>code</code></h2>`},
		"dot.png":         {"png"},
		"style.css":       {"prefers-color-scheme"},
	} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Error(err)
		}
		for _, part := range want {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %q:\n%s", name, part, text)
			}
		}
		if strings.Contains(string(text), `href="linkcheck-thing.html"`) {
			t.Errorf("%s lists the page of a verb", name)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "notes.txt")); err == nil {
		t.Error("a text was copied")
	}
}

func TestBuildRefuses(t *testing.T) {
	for name, text := range map[string]string{"no title": "text\n", "two titles": "# a\n\n# b\n"} {
		docs := t.TempDir()
		testdoc.Write(t, filepath.Join(docs, "INDEX.md"), text)
		if _, err := Build(filepath.Join(t.TempDir(), "site"), []string{docs}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := Build(t.TempDir(), []string{t.TempDir()}); err == nil {
		t.Error("no first page: no error")
	}
}
