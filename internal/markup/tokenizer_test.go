package markup

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/net/html"

	"linkcheck/internal/ascii"
)

// otherRaw are the elements whose text x/net/html takes for raw, and this tokenizer after RawText.
var otherRaw = []string{"iframe", "noembed", "noframes", "noscript", "title"}

// tokensOf gives the tokens of a page as "kind raw"; all says that the text of
// otherRaw is raw, too.
func tokensOf(z *Tokenizer, all bool) (out []string) {
	for z.Next() {
		out = addToken(out, z.Kind(), string(z.Raw()))
		if z.Kind() == StartTag && all {
			var buf [NameSize]byte
			if name := string(TagName(&buf, z.Raw())); slices.Contains(otherRaw, name) {
				z.RawText(name)
			}
		}
	}
	return out
}

// addToken joins text to text: where it is parted says nothing.
func addToken(out []string, kind Kind, raw string) []string {
	text := fmt.Sprint(Text, " ")
	if n := len(out) - 1; kind == Text && n >= 0 && strings.HasPrefix(out[n], text) {
		out[n] += raw
		return out
	}
	return append(out, fmt.Sprint(kind, " ")+raw)
}

// oracle gives the tokens that x/net/html makes; all as in tokensOf.
func oracle(page []byte, all bool) (out []string) {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		kind := Other
		tt := z.Next()
		raw := string(z.Raw())
		switch tt {
		case html.TextToken:
			kind = Text
		case html.StartTagToken, html.SelfClosingTagToken:
			kind = StartTag
			if name, _ := z.TagName(); !all && slices.Contains(otherRaw, string(name)) {
				z.NextIsNotRawText()
			}
		case html.EndTagToken:
			kind = EndTag
		case html.CommentToken:
			kind = Comment
		case html.ErrorToken:
			if raw == "" {
				return out
			}
			if len(raw) > 1 && ascii.Letter(raw[1]) {
				kind = CutTag
			}
		}
		if raw != "" {
			out = addToken(out, kind, raw)
		}
		if tt == html.ErrorToken {
			return out
		}
	}
}

func sameTokens(t *testing.T, name string, page []byte) {
	t.Helper()
	for _, all := range []bool{false, true} {
		want := oracle(page, all)
		for _, z := range []*Tokenizer{NewTokenizer(bytes.NewReader(page), nil), NewBytesTokenizer(page), NewTokenizer(iotest.OneByteReader(bytes.NewReader(page)), nil)} {
			if got := tokensOf(z, all); !slices.Equal(got, want) {
				i := 0
				for i < min(len(got), len(want)) && got[i] == want[i] {
					i++
				}
				t.Fatalf("%s: token %d\n got %.200q\nwant %.200q", name, i, got[i:min(len(got), i+3)], want[i:min(len(want), i+3)])
			}
		}
	}
}

func TestTokens(t *testing.T) {
	for _, page := range []string{
		"", "<", "</", "<a", "a < b </ c </> <?x> <!> <!x", "<a href=b/c>x</a ><br/><p a=/>", "<a =b='c' / d = \"e>\" f>", "<a b=>c", "<a b='c",
		"<!-->a<!--->b<!----!>c<!-- -- -->d<!--x--!-->e<!-- > -", "<!DOCTYPE html><!docTYP><![CDATA[a]]>",
		"<script>a</scrip></script x>b</script>", "<script><!-- <script> </script> --> </script>c", "<script><!--></script>", "<script><!-- <b></script>a",
		"<style>a</STYLE>b<style></style>", "<textarea><a></textarea>", "<title><a></title><noscript><a></noscript>", "<plaintext>a</plaintext><a>", "<xmp><a></xmp\n>",
		"<script/><a></script>", "<a\vb>c", "<SCRIPT>x</sCript>y", "<script><!-- --></script>a-->", "<script><!--<script </script>--></script>b",
	} {
		sameTokens(t, page, []byte(page))
	}
}

// Every page of the corpora, those beside the repository if they are there.
func TestTokensOfCorpus(t *testing.T) {
	n := 0
	for _, root := range []string{"../../testdata/corpus", "../../../shared/corpus"} {
		if _, err := os.Stat(root); err != nil {
			t.Logf("missing: %s", root)
			continue
		}
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || !strings.HasPrefix(strings.ToLower(filepath.Ext(path)), ".htm") {
				return err
			}
			page, err := os.ReadFile(path)
			sameTokens(t, path, page)
			n++
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if t.Logf("%d pages", n); n == 0 {
		t.Error("no page was read")
	}
}

// A token that is too long is passed over, in text given in pieces; nothing is lost behind it.
func TestTokensLong(t *testing.T) {
	page := "<a b=\"" + strings.Repeat("x", MaxToken) + "\n" + strings.Repeat("text ", MaxToken) + "<i>"
	size := 0
	var kinds []Kind
	z := NewTokenizer(strings.NewReader(page), nil)
	for z.Next() {
		if size += len(z.Raw()); len(kinds) == 0 || kinds[len(kinds)-1] != z.Kind() {
			kinds = append(kinds, z.Kind())
		}
	}
	if want := []Kind{Other, Text, StartTag}; size != len(page) || !slices.Equal(kinds, want) {
		t.Errorf("%d of %d bytes, %v", size, len(page), kinds)
	}
	if cap(z.buf) > 4*MaxToken {
		t.Errorf("a buffer of %d bytes", cap(z.buf))
	}
}

func FuzzTokens(f *testing.F) {
	f.Add([]byte("<a href=\"b\">c</a><!--d--><script><!--<script></script>--></script><textarea></textarea>"))
	f.Add([]byte("<p a=b/ c / ='d'><![CDATA[x]]><?y></ z></>"))
	f.Fuzz(func(t *testing.T, page []byte) { sameTokens(t, "fuzz", page) })
}

// Lines and columns are those of the page, also where the buffer was moved since they were
// asked for last.
func TestPlace(t *testing.T) {
	page := []byte(strings.Repeat("<p>a line\n<a href='b\nc'>of</a> a page <script>\n\n</script>", 4*bufferSize/50))
	for name, z := range map[string]*Tokenizer{"reader": NewTokenizer(bytes.NewReader(page), nil), "bytes": NewBytesTokenizer(page)} {
		z.StartAt(3, 5)
		for at, n := 0, 0; z.Next(); n++ {
			if n%1999 == 0 || len(page)-at < 100 {
				line, col := 3+bytes.Count(page[:at], []byte("\n")), at-bytes.LastIndexByte(page[:at], '\n')
				if line == 3 {
					col = 5 + at
				}
				if gotLine, gotCol := z.Place(); gotLine != line || gotCol != col {
					t.Fatalf("%s: token %d at %d:%d, not %d:%d", name, n, gotLine, gotCol, line, col)
				}
			}
			at += len(z.Raw())
		}
	}
}
