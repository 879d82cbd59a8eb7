package web

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"linkcheck/check"
)

// tokenized is readPage by the tokenizer of golang.org/x/net/html.
func tokenized(text string) (words []string, title string) {
	z := html.NewTokenizer(strings.NewReader(text))
	in := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return words, title
		case html.StartTagToken, html.SelfClosingTagToken: // a slash closes no title (HTML section 13.1.2.1)
			name, _ := z.TagName()
			in = string(name)
		case html.EndTagToken:
			in = ""
		case html.TextToken:
			switch s := string(z.Text()); in {
			case "script", "style":
			case "title":
				if title == "" {
					title = s
				}
			default:
				words = append(words, strings.Fields(s)...)
			}
		}
	}
}

var oddPages = []string{
	"", "<", "a <", "a < b", "a<b>c</b>d", "1<2 & 3>2", "&#0", "a&#1A", "&lt;p&gt; &amp;amp; &copy &eacute;t&eacute;",
	"<title>A &amp; B</title>words", "<TITLE\n>x</TiTLe >y", "<title>one</title><title>two</title>", "<title>open", "<TITLE />x</title>y",
	"<script>if (a</b) x</script>y", "<script>x</scripted></script>y", "<STYLE>a>b{}</style>y", "<script>never ends",
	"<!-- a > b -->c", "<!-->c", "<!--->c", "<!--a--b-->c", "<!doctype html>c", "<?xml version='1.0'?>c", "</>c", "</ x>c", "<!never ends",
	"<a href='x>y'>z</a>", "<a href=x>y>z", "<a href = \"x>y\" b>z", "<a b=>z", "<a =b>z", "<a/b/>z", "<a 'b>c'>z", "<a href='never ends>z",
	"<textarea><b>x</b> &amp;</textarea>y", "<iframe><b></iframe>y", "<noscript>a <img> b</noscript>y", "<noframes>a&copy=1 &amp; b</noframes>&amp;y", "<noscript>a&lt;b</noscript>", "<br/>y", "a</", "</", "<title>a</",
	"<script><!-- <script> a </script> b --></script>c", "<script><!-- a </script>b", "a<!-- b --!>c", "<plaintext>a </plaintext> <b>c",
}

// The words and titles of pages are those that a tokenizer finds.
func TestWords(t *testing.T) {
	pages := slices.Clone(oddPages)
	err := filepath.WalkDir("../../testdata/corpus", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(filepath.Ext(path), "htm") {
			return err
		}
		text, err := os.ReadFile(path)
		pages = append(pages, strings.ToValidUTF8(string(text), ""))
		return err
	})
	if err != nil || len(pages) == len(oddPages) {
		t.Fatalf("%d pages: %v", len(pages)-len(oddPages), err)
	}
	for _, text := range pages {
		sameWords(t, text)
	}
}

func sameWords(t *testing.T, text string) {
	t.Helper()
	var got []string
	gotTitle := readPage(text, wordsTo(func(w string) { got = append(got, w) })).title
	words, title := tokenized(text)
	if !slices.Equal(got, words) {
		t.Errorf("%.200q: words %.200q, want %.200q", text, got, words)
	}
	if want := shorten(check.CleanReply(title), maxTitle); want != gotTitle {
		t.Errorf("%.200q: title %q, want %q", text, gotTitle, want)
	}
}

// So are those of any other octets, but for NUL, which a tokenizer replaces.
func FuzzWords(f *testing.F) {
	for _, text := range oddPages {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.IndexByte(text, 0) < 0 {
			sameWords(t, text)
		}
	})
}

// What is kept of a page does not keep the page: results wait by thousands.
func TestNothingKeepsThePage(t *testing.T) {
	const pages, size = 500, 100 << 10
	var before, after runtime.MemStats
	kept := make([]check.Result, pages)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range kept {
		w := &chain{end: answer{status: 200, header: http.Header{"Content-Type": {"text/html"}, "Etag": {`"x"`}},
			body: "<title>A title</title>" + strings.Repeat("word ", size/5)}}
		kept[i] = check.New(check.OK, "http-200", "")
		describe(w, nil, &kept[i])
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept[0].Title != "A title" || grown > pages*size/5 {
		t.Errorf("%q: %d results keep %d octets", kept[0].Title, pages, grown)
	}
	runtime.KeepAlive(kept)
}
