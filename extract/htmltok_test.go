package extract

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/net/html"
)

// Tokens of a page as "kind raw".
func tokensOf(z *pageTokens) (out []string) {
	for z.next() {
		out = addToken(out, z.kind, string(z.raw()))
	}
	return out
}

// addToken joins text to text: where it is parted says nothing.
func addToken(out []string, kind pageKind, raw string) []string {
	text := fmt.Sprint(pageText, " ")
	if n := len(out) - 1; kind == pageText && n >= 0 && strings.HasPrefix(out[n], text) {
		out[n] += raw
		return out
	}
	return append(out, fmt.Sprint(kind, " ")+raw)
}

// oracle gives the tokens that x/net/html makes.
func oracle(page []byte) (out []string) {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		kind := pageOther
		tt := z.Next()
		raw := string(z.Raw())
		switch tt {
		case html.TextToken:
			kind = pageText
		case html.StartTagToken, html.SelfClosingTagToken:
			kind = pageStart
			if name, _ := z.TagName(); rawElement(name) == "" {
				z.NextIsNotRawText()
			}
		case html.EndTagToken:
			kind = pageEnd
		case html.CommentToken:
			kind = pageComment
		case html.ErrorToken:
			if raw == "" {
				return out
			}
			if len(raw) > 1 && letter(raw[1]) {
				kind = pageCut
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
	want := oracle(page)
	for _, z := range []*pageTokens{newPageTokens(bytes.NewReader(page), nil), pageTokensOf(page), newPageTokens(iotest.OneByteReader(bytes.NewReader(page)), nil)} {
		if got := tokensOf(z); !slices.Equal(got, want) {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Fatalf("%s: token %d\n got %.200q\nwant %.200q", name, i, got[i:min(len(got), i+3)], want[i:min(len(want), i+3)])
		}
	}
}

func TestPageTokens(t *testing.T) {
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

func TestPageTokensOfCorpus(t *testing.T) {
	n := 0
	for _, p := range corpusFiles(t, "", isPage) {
		page, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		n++
		sameTokens(t, p, page)
	}
	t.Logf("%d pages", n)
}

// A token that is too long is passed over, in text given in pieces; nothing is lost behind it.
func TestPageTokensLong(t *testing.T) {
	page := "<a b=\"" + strings.Repeat("x", maxToken) + "\n" + strings.Repeat("text ", maxToken) + "<i>"
	size := 0
	var kinds []pageKind
	z := newPageTokens(strings.NewReader(page), nil)
	for z.next() {
		if size += len(z.raw()); len(kinds) == 0 || kinds[len(kinds)-1] != z.kind {
			kinds = append(kinds, z.kind)
		}
	}
	if want := []pageKind{pageOther, pageText, pageStart}; size != len(page) || !slices.Equal(kinds, want) {
		t.Errorf("%d of %d bytes, %v", size, len(page), kinds)
	}
	if cap(z.buf) > 4*maxToken {
		t.Errorf("a buffer of %d bytes", cap(z.buf))
	}
}

func FuzzPageTokens(f *testing.F) {
	f.Add([]byte("<a href=\"b\">c</a><!--d--><script><!--<script></script>--></script><textarea></textarea>"))
	f.Add([]byte("<p a=b/ c / ='d'><![CDATA[x]]><?y></ z></>"))
	f.Fuzz(func(t *testing.T, page []byte) { sameTokens(t, "fuzz", page) })
}
