package web

import (
	"bytes"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"linkcheck/check"
	"linkcheck/uri"
)

const maxTitle = 300 // octets kept

// page is what a tokenizer sees of an HTML page, of any size and nesting.
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
			text, _ := io.ReadAll(a.utf8()) // from memory: what can be decoded is
			a.text.words = strings.Fields(string(text))
		}
	}
	return *a.text
}

// utf8 decodes the body by its declared charset, or by what its first octets say.
func (a *answer) utf8() io.Reader {
	body, kind := bytes.NewReader(a.body), a.header.Get("Content-Type")
	if strings.Contains(strings.ToLower(kind), "utf-8") && utf8.Valid(a.body) {
		return body
	}
	enc, name, _ := charset.DetermineEncoding(a.body[:min(len(a.body), 1024)], kind)
	if name == "utf-8" || name == "windows-1252" && ascii(a.body) {
		return body
	}
	return enc.NewDecoder().Reader(body)
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

func parsePage(r io.Reader) page {
	var p page
	var title strings.Builder
	inTitle, hidden := false, ""
	z := html.NewTokenizer(r)
	for {
		switch z.Next() {
		case html.ErrorToken:
			p.title = cut(check.CleanReply(title.String()), maxTitle)
			return p
		case html.TextToken:
			if text := string(z.Text()); inTitle {
				title.WriteString(text)
			} else if hidden == "" {
				p.words = append(p.words, strings.Fields(text)...)
			}
		case html.StartTagToken:
			name, more := z.TagName()
			switch string(name) {
			case "title":
				inTitle = title.Len() == 0
			case "script", "style":
				hidden = string(name)
			case "meta":
				p.refresh = p.refresh || more && refreshes(z)
			}
		case html.SelfClosingTagToken:
			if name, more := z.TagName(); string(name) == "meta" && more {
				p.refresh = p.refresh || refreshes(z)
			}
		case html.EndTagToken:
			switch name, _ := z.TagName(); string(name) {
			case "title":
				inTitle = false
			case hidden:
				hidden = ""
			}
		}
	}
}

// refreshes says whether the meta element at hand sends the reader to another address.
func refreshes(z *html.Tokenizer) bool {
	var equiv, content string
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "http-equiv":
			equiv = strings.ToLower(string(value))
		case "content":
			content = strings.ToLower(string(value))
		}
	}
	return equiv == "refresh" && strings.Contains(content, "url=")
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
	doc, err := goquery.NewDocumentFromReader(a.utf8())
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
