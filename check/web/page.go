package web

import (
	"bytes"
	"io"
	"net/url"
	"strings"

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

// readPage reads the text of an answer; it is empty for what is no text.
func readPage(a answer) page {
	switch kind := a.mediaType(); {
	case a.html():
		return parsePage(utf8Of(a))
	case strings.HasPrefix(kind, "text/"):
		text, _ := io.ReadAll(utf8Of(a)) // from memory: what can be decoded is
		return page{words: strings.Fields(string(text))}
	}
	return page{}
}

// utf8Of decodes the body by its declared charset, or by what its first octets say.
func utf8Of(a answer) io.Reader {
	body := bytes.NewReader(a.body)
	enc, _, _ := charset.DetermineEncoding(a.body[:min(len(a.body), 1024)], a.header.Get("Content-Type"))
	return enc.NewDecoder().Reader(body)
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
func (a answer) missingFragment(u *uri.HTTP) bool {
	name, ok := u.Fragment()
	if !ok || name == "" || strings.HasPrefix(name, ":~:") || strings.EqualFold(name, "top") || !a.html() || a.cut || a.broken != nil {
		return false
	}
	doc, err := goquery.NewDocumentFromReader(utf8Of(a))
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
