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
	words   []string // of the visible text
	refresh bool     // a meta element sends the reader elsewhere
}

// page reads the text of an answer, once; it is empty for what is no text.
func (a *answer) page() page {
	if a.text == nil {
		a.text = new(page)
		switch kind := a.mediaType(); {
		case a.html():
			*a.text = parsePage(a.utf8())
		case strings.HasPrefix(kind, "text/"):
			a.text.words = strings.Fields(a.utf8())
		}
	}
	return *a.text
}

// utf8 decodes the body by its declared charset, or by what its first octets say.
// What is plain ASCII needs no decoding, unless it switches charsets by escapes.
func (a *answer) utf8() string {
	kind := a.header.Get("Content-Type")
	if ascii(a.body) || strings.Contains(strings.ToLower(kind), "utf-8") && utf8.Valid(a.body) {
		return string(a.body)
	}
	enc, name, _ := charset.DetermineEncoding(a.body[:min(len(a.body), 1024)], kind)
	if name == "utf-8" {
		return string(a.body)
	}
	text, _ := enc.NewDecoder().Bytes(a.body) // what can be decoded is
	return string(text)
}

// ascii says whether there is nothing but ASCII, without the escapes of ISO 2022.
func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 || c == 0x1b {
			return false
		}
	}
	return true
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
