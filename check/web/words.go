package web

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"linkcheck/check"
)

// reader goes over the text of a page once, as a tokenizer of HTML sees it (WHATWG
// HTML section 13.2.5), and gives parts of the text itself: a tokenizer that makes
// a token of everything costs more than all else that is done with most pages.
type reader struct {
	rest    string
	word    func(string)
	title   string
	titled  bool
	refresh bool // a meta element sends the reader elsewhere
}

// readPage reads an HTML page of any size and nesting. It gives the visible words
// to word, in their order.
func readPage(text string, word func(string)) (title string, refresh bool) {
	r := reader{rest: text, word: word}
	for r.rest != "" {
		r.text(r.upToMarkup())
		r.markup()
	}
	return strings.Clone(cut(check.CleanReply(r.title), maxTitle)), r.refresh // a part of the text would keep all of it
}

func (r *reader) text(s string) {
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	eachWord(s, r.word)
}

// eachWord gives what stands between white space.
func eachWord(s string, word func(string)) {
	begin := 0
	for i := 0; i < len(s); {
		c, n := s[i], 1
		space := c == ' ' || '\t' <= c && c <= '\r'
		if c >= utf8.RuneSelf {
			var char rune
			char, n = utf8.DecodeRuneInString(s[i:])
			space = unicode.IsSpace(char)
		}
		if space {
			if begin < i {
				word(s[begin:i])
			}
			begin = i + n
		}
		i += n
	}
	if begin < len(s) {
		word(s[begin:])
	}
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

// blank is white space in a tag.
func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

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
		r.word(r.take(2))
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
	n := 0
	for n < len(r.rest) && !endsName(r.rest[n]) {
		n++
	}
	return r.take(n)
}

func endsName(c byte) bool { return blank(c) || c == '/' || c == '>' }

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
		if text := r.raw(name); !r.titled {
			r.title = html.UnescapeString(text)
			r.titled = r.title != ""
		}
	case "script", "style":
		r.attributes(nil)
		r.raw(name)
	case "iframe", "noembed", "noframes", "noscript", "plaintext", "xmp", "textarea":
		r.attributes(nil)
		r.text(r.raw(name))
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
		if end < len(r.rest) && strings.EqualFold(r.rest[at:end], name) && endsName(r.rest[end]) {
			return r.take(at - 2)
		}
	}
}

// attributes passes over the rest of a tag: an angle bracket in quotes does not end it.
func (r *reader) attributes(each func(key, value string)) {
	for {
		r.skip(true)
		if r.rest == "" {
			return
		}
		if r.rest[0] == '>' {
			r.take(1)
			return
		}
		n := 1
		for n < len(r.rest) && !endsName(r.rest[n]) && r.rest[n] != '=' {
			n++
		}
		key, value := r.take(n), ""
		after := r.rest
		if r.skip(false); strings.HasPrefix(r.rest, "=") {
			r.take(1)
			r.skip(false)
			value = r.value()
		} else {
			r.rest = after
		}
		if each != nil {
			each(key, value)
		}
	}
}

// skip passes over white space, and slashes too if they mean nothing here.
func (r *reader) skip(slashes bool) {
	n := 0
	for n < len(r.rest) && (blank(r.rest[n]) || slashes && r.rest[n] == '/') {
		n++
	}
	r.rest = r.rest[n:]
}

func (r *reader) value() string {
	if r.rest == "" || r.rest[0] != '"' && r.rest[0] != '\'' {
		n := 0
		for n < len(r.rest) && !blank(r.rest[n]) && r.rest[n] != '>' {
			n++
		}
		return r.take(n)
	}
	quote := r.take(1)
	return strings.TrimSuffix(r.until(quote), quote)
}
