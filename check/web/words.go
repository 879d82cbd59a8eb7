package web

import (
	"html"
	"strings"

	"linkcheck/check"
)

// reader goes over the text of a page once, as a tokenizer of HTML sees it (WHATWG
// HTML section 13.2.5), and keeps parts of the text itself: a tokenizer that makes
// a token of everything costs more than all else that is done with most pages.
type reader struct {
	page
	title strings.Builder
	rest  string
}

// parsePage reads an HTML page of any size and nesting.
func parsePage(text string) page {
	r := reader{rest: text}
	r.words = make([]string, 0, min(len(text)/16, 512)) // as a rule, less than half of a page is text
	for r.rest != "" {
		r.words = appendWords(r.words, r.upToMarkup())
		r.markup()
	}
	r.page.title = cut(check.CleanReply(r.title.String()), maxTitle)
	return r.page
}

func appendWords(words []string, text string) []string {
	if strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	for w := range strings.FieldsSeq(text) {
		words = append(words, w)
	}
	return words
}

// upToMarkup takes the text before the next tag or comment.
func (r *reader) upToMarkup() string {
	for at := 0; ; {
		i := strings.IndexByte(r.rest[at:], '<')
		if i < 0 || at+i+1 == len(r.rest) {
			return r.take(len(r.rest))
		}
		at += i + 1
		if c := r.rest[at]; letter(c) || c == '/' || c == '!' || c == '?' {
			return r.take(at - 1)
		}
	}
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func (r *reader) take(n int) string {
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// until takes up to and with a mark, or all.
func (r *reader) until(mark string) string {
	if i := strings.Index(r.rest, mark); i >= 0 {
		return r.take(i + len(mark))
	}
	return r.take(len(r.rest))
}

// markup passes over the tag or comment at hand, if there is one.
func (r *reader) markup() {
	switch {
	case len(r.rest) < 2:
	case r.rest == "</": // no tag follows: it is text
		r.words = append(r.words, r.take(2))
	case strings.HasPrefix(r.rest, "<!-->"), strings.HasPrefix(r.rest, "<!--->"):
		r.until(">")
	case strings.HasPrefix(r.rest, "<!--"):
		r.take(len("<!--"))
		r.until("-->")
	case letter(r.rest[1]):
		r.startTag()
	case r.rest[1] == '/' && len(r.rest) > 2 && letter(r.rest[2]):
		r.take(2)
		r.name()
		r.attributes(nil)
	default:
		r.until(">")
	}
}

// name takes the name of a tag.
func (r *reader) name() string {
	if i := strings.IndexAny(r.rest, " \t\n\r\f/>"); i >= 0 {
		return r.take(i)
	}
	return r.take(len(r.rest))
}

// startTag reads a tag; some elements hold no markup, and two of these no text
// for readers.
func (r *reader) startTag() {
	r.take(1)
	switch name := strings.ToLower(r.name()); name {
	case "meta":
		var equiv, content string
		r.attributes(func(key, value string) {
			switch strings.ToLower(key) {
			case "http-equiv":
				equiv = strings.ToLower(html.UnescapeString(value))
			case "content":
				content = strings.ToLower(html.UnescapeString(value))
			}
		})
		r.refresh = r.refresh || equiv == "refresh" && strings.Contains(content, "url=")
	case "title":
		r.attributes(nil)
		if text := r.raw(name); r.title.Len() == 0 {
			r.title.WriteString(html.UnescapeString(text))
		}
	case "script", "style":
		r.attributes(nil)
		r.raw(name)
	case "iframe", "noembed", "noframes", "noscript", "plaintext", "xmp", "textarea":
		r.attributes(nil)
		r.words = appendWords(r.words, r.raw(name))
	default:
		r.attributes(nil)
	}
}

// raw takes the text up to the end tag of an element that holds no markup.
func (r *reader) raw(name string) string {
	for at := 0; ; {
		i := strings.Index(r.rest[at:], "</")
		if i < 0 {
			return r.take(len(r.rest))
		}
		at += i + 2
		end := at + len(name)
		if end < len(r.rest) && strings.EqualFold(r.rest[at:end], name) && strings.IndexByte(" \t\n\r\f/>", r.rest[end]) >= 0 {
			return r.take(at - 2)
		}
	}
}

// attributes passes over the rest of a tag: an angle bracket in quotes does not end it.
func (r *reader) attributes(each func(key, value string)) {
	const blank = " \t\n\r\f/"
	for {
		if r.rest = strings.TrimLeft(r.rest, blank); r.rest == "" {
			return
		}
		if r.rest[0] == '>' {
			r.take(1)
			return
		}
		key := r.take(1) + r.word(blank+"=>")
		value := ""
		if after := strings.TrimLeft(r.rest, blank[:len(blank)-1]); strings.HasPrefix(after, "=") {
			r.rest = strings.TrimLeft(after[1:], blank[:len(blank)-1])
			value = r.value()
		}
		if each != nil {
			each(key, value)
		}
	}
}

func (r *reader) value() string {
	if r.rest == "" || r.rest[0] != '"' && r.rest[0] != '\'' {
		return r.word(" \t\n\r\f>")
	}
	quote := r.take(1)
	return strings.TrimSuffix(r.until(quote), quote)
}

// word takes up to one of the octets of ends, or all.
func (r *reader) word(ends string) string {
	if i := strings.IndexAny(r.rest, ends); i >= 0 {
		return r.take(i)
	}
	return r.take(len(r.rest))
}
