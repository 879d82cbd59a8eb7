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
	page    string
	at      int
	word    func(string)
	coded   func(string) // word for one that may hold character references
	title   string
	titled  bool
	refresh bool // a meta element sends the reader elsewhere
}

// readPage reads an HTML page of any size and nesting. It gives the visible words
// to word, in their order.
func readPage(text string, word func(string)) (title string, refresh bool) {
	r := reader{page: text, word: word}
	r.coded = func(w string) {
		if strings.IndexByte(w, '&') < 0 {
			word(w)
		} else {
			eachWord(html.UnescapeString(w), word) // a reference may stand for white space
		}
	}
	for r.at < len(r.page) {
		r.text(r.upToMarkup())
		r.markup()
	}
	return strings.Clone(cut(check.CleanReply(r.title), maxTitle)), r.refresh // a part of the text would keep all of it
}

func (r *reader) text(s string) {
	if strings.IndexByte(s, '&') >= 0 {
		eachWord(s, r.coded)
	} else {
		eachWord(s, r.word)
	}
}

// eachWord gives what stands between white space.
func eachWord(s string, word func(string)) {
	begin := 0
	for i := 0; ; {
		for i < len(s) && '!' <= s[i] && s[i] <= '~' { // most of most texts
			i++
		}
		if i == len(s) {
			break
		}
		char, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(char) {
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

// rest is what was not read yet.
func (r *reader) rest() string { return r.page[r.at:] }

// take reads n octets.
func (r *reader) take(n int) string {
	r.at += n
	return r.page[r.at-n : r.at]
}

// until takes up to and with a mark, or all.
func (r *reader) until(mark string) string {
	if i := strings.Index(r.rest(), mark); i >= 0 {
		return r.take(i + len(mark))
	}
	return r.take(len(r.page) - r.at)
}

// upToMarkup takes the text before the next tag or comment.
func (r *reader) upToMarkup() string {
	rest := r.rest()
	for at := 0; ; {
		i := strings.IndexByte(rest[at:], '<')
		if i < 0 || at+i+1 == len(rest) {
			return r.take(len(rest))
		}
		at += i + 1
		if c := rest[at]; letter(c) || c == '/' || c == '!' || c == '?' {
			return r.take(at - 1)
		}
	}
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// blank is white space in a tag.
func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// markup passes over the tag or comment at hand, if there is one.
func (r *reader) markup() {
	switch rest := r.rest(); {
	case len(rest) < 2:
	case rest == "</": // no tag follows: it is text
		r.word(r.take(2))
	case strings.HasPrefix(rest, "<!-->"), strings.HasPrefix(rest, "<!--->"):
		r.until(">")
	case strings.HasPrefix(rest, "<!--"):
		r.take(len("<!--"))
		r.until("-->")
	case letter(rest[1]):
		r.startTag()
	case rest[1] == '/' && len(rest) > 2 && letter(rest[2]):
		r.take(2)
		r.name()
		r.attributes(nil)
	default:
		r.until(">")
	}
}

// name takes the name of a tag.
func (r *reader) name() string {
	begin := r.at
	for r.at < len(r.page) && !endsName(r.page[r.at]) {
		r.at++
	}
	return r.page[begin:r.at]
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
	rest := r.rest()
	for at := 0; ; {
		i := strings.Index(rest[at:], "</")
		if i < 0 {
			return r.take(len(rest))
		}
		at += i + 2
		end := at + len(name)
		if end < len(rest) && strings.EqualFold(rest[at:end], name) && endsName(rest[end]) {
			return r.take(at - 2)
		}
	}
}

// attributes passes over the rest of a tag: an angle bracket in quotes does not end it.
func (r *reader) attributes(each func(key, value string)) {
	for {
		r.skip(true)
		if r.at == len(r.page) {
			return
		}
		if r.page[r.at] == '>' {
			r.at++
			return
		}
		begin := r.at
		for r.at++; r.at < len(r.page) && !endsName(r.page[r.at]) && r.page[r.at] != '='; {
			r.at++
		}
		key, value := r.page[begin:r.at], ""
		after := r.at
		if r.skip(false); r.at < len(r.page) && r.page[r.at] == '=' {
			r.at++
			r.skip(false)
			value = r.value()
		} else {
			r.at = after
		}
		if each != nil {
			each(key, value)
		}
	}
}

// skip passes over white space, and slashes too if they mean nothing here.
func (r *reader) skip(slashes bool) {
	for r.at < len(r.page) && (blank(r.page[r.at]) || slashes && r.page[r.at] == '/') {
		r.at++
	}
}

// value takes the value of an attribute, without its quotes.
func (r *reader) value() string {
	if r.at == len(r.page) || r.page[r.at] != '"' && r.page[r.at] != '\'' {
		begin := r.at
		for r.at < len(r.page) && !blank(r.page[r.at]) && r.page[r.at] != '>' {
			r.at++
		}
		return r.page[begin:r.at]
	}
	quote := r.take(1)
	return strings.TrimSuffix(r.until(quote), quote)
}
