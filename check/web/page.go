package web

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html/charset"

	"linkcheck/uri"
)

const maxTitle = 300 // octets kept

// page is what a reader sees of a page.
type page struct {
	title   string
	text    simhash // of the visible words
	refresh bool    // a meta element sends the reader elsewhere
}

// page reads the text of an answer, once; it is empty for what is no text.
func (a *answer) page() *page {
	if a.text == nil {
		p := new(page)
		p.title, p.refresh = a.eachWord(p.text.add)
		a.text = p
	}
	return a.text
}

// eachWord gives the visible words of an answer to word; the title of a page is
// none of them.
func (a *answer) eachWord(word func(string)) (title string, refresh bool) {
	switch kind := a.mediaType(); {
	case a.html():
		return readPage(a.utf8(), word)
	case strings.HasPrefix(kind, "text/"):
		eachWord(a.utf8(), word)
	}
	return "", false
}

// utf8 decodes the body by its declared charset, or by what its first octets say.
// What is plain ASCII needs no decoding, unless it switches charsets by escapes.
func (a *answer) utf8() string {
	kind := a.header.Get("Content-Type")
	if ascii(a.body) || strings.Contains(strings.ToLower(kind), "utf-8") && utf8.ValidString(a.body) {
		return a.body
	}
	enc, name, _ := charset.DetermineEncoding([]byte(a.body[:min(len(a.body), 1024)]), kind)
	if name == "utf-8" {
		return a.body
	}
	text, _ := enc.NewDecoder().String(a.body) // what can be decoded is
	return text
}

// ascii says whether there is nothing but ASCII, without the escapes of ISO 2022.
func ascii(s string) bool {
	if strings.IndexByte(s, 0x1b) >= 0 {
		return false
	}
	for ; len(s) >= 8; s = s[8:] {
		if (s[0] | s[1] | s[2] | s[3] | s[4] | s[5] | s[6] | s[7]) >= utf8.RuneSelf {
			return false
		}
	}
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// cut shortens s to n octets at most, between characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// missingFragment says whether a whole page lacks the place that u points to.
// A page nested too deep for a tree, or cut, proves nothing.
func (a *answer) missingFragment(u *uri.HTTP) bool {
	name, ok := u.Fragment()
	if !ok || name == "" || strings.HasPrefix(name, ":~:") || strings.EqualFold(name, "top") || !a.html() || a.cut || a.broken != nil {
		return false
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(a.utf8()))
	if err != nil || doc.Find("body *").Length() == 0 {
		return false
	}
	names := map[string]bool{}
	doc.Find("[id], a[name]").Each(func(_ int, s *goquery.Selection) {
		names[s.AttrOr("id", "")] = true
		names[s.AttrOr("name", "")] = true
	})
	return !names[name] && !names[plain(name)]
}

// plain decodes the escapes of a fragment, once.
func plain(s string) string {
	if d, err := url.PathUnescape(s); err == nil {
		return d
	}
	return s
}
