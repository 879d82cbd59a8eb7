package webpage

import (
	"bytes"
	"iter"
	"strings"

	"linkcheck/internal/markup"
	"linkcheck/uri"
)

// MaxHead is how much of a page is looked at for what it says of itself.
const MaxHead = 64 << 10

// Head is what a page says of itself.
type Head struct {
	Title     string
	Canonical string // the address that it calls its own (RFC 6596), as written
	Base      string // of its references, as written
}

// ReadHead reads the head of a page.
func ReadHead(page []byte) (h Head) {
	z := markup.NewBytesTokenizer(page[:min(len(page), MaxHead)])
	var buf [markup.NameSize]byte
	inTitle := false
	for z.Next() {
		if inTitle && z.Kind() == markup.Text {
			h.Title = strings.Join(strings.Fields(markup.UnescapeAttr(string(z.Raw()))), " ")
		}
		inTitle = false
		if z.Kind() != markup.StartTag {
			continue
		}
		switch string(markup.TagName(&buf, z.Raw())) {
		case "title":
			if inTitle = h.Title == ""; inTitle {
				z.RawText("title")
			}
		case "link":
			if attrs := attributes(z.Raw()); h.Canonical == "" && hasWord(attrs["rel"], "canonical") {
				h.Canonical = strings.TrimSpace(attrs["href"])
			}
		case "base":
			if href := attributes(z.Raw())["href"]; h.Base == "" {
				h.Base = strings.TrimSpace(href)
			}
		case "body", "a", "frameset":
			return h
		}
	}
	return h
}

// Links yields where the links of a page lead that stands at an address.
func Links(page []byte, at string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if base, err := uri.Resolve(at, ReadHead(page).Base); err == nil {
			at = base
		}
		z := markup.NewBytesTokenizer(page)
		var buf [markup.NameSize]byte
		for z.Next() {
			if z.Kind() != markup.StartTag || string(markup.TagName(&buf, z.Raw())) != "a" {
				continue
			}
			attrs := attributes(z.Raw())
			if hasWord(attrs["rel"], "nofollow") {
				continue
			}
			if to, err := uri.Resolve(at, strings.TrimSpace(attrs["href"])); err == nil && !yield(to) {
				return
			}
		}
	}
}

// attributes are those of a tag, by names in lower case; the first of a name counts.
func attributes(tag []byte) map[string]string {
	all := map[string]string{}
	for name, value := range markup.Attributes(tag) {
		key := string(bytes.ToLower(name))
		if _, twice := all[key]; !twice {
			all[key] = markup.UnescapeAttr(string(value))
		}
	}
	return all
}

// hasWord says whether a list of words holds one, in either case.
func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}
