package web

import (
	"bytes"

	"linkcheck/internal/markup"
)

// outline knows where in a page a word stands: in a link, a menu, a footer. Tags that
// are missing are taken for closed where browsers do.
type outline struct {
	link  bool // inside an element "a" with an address
	aside int  // elements around that hold no text of the page's own
}

// linked says whether a word is of a link, or of what stands around the page's own text.
func (o *outline) linked() bool { return o.link || o.aside > 0 }

// start takes a start tag and its name; it says whether a stretch of text ends there.
func (o *outline) start(name, tag []byte) (endsBlock bool) {
	switch roleOf(name) {
	case inline:
		return false
	case anchor:
		o.link = false
		for key := range markup.Attributes(tag) {
			if o.link = bytes.EqualFold(key, []byte("href")); o.link {
				break
			}
		}
		return false
	case aside:
		o.aside++
	case item:
		o.link = false
	}
	return true
}

// end takes the name of an end tag.
func (o *outline) end(name []byte) (endsBlock bool) {
	switch roleOf(name) {
	case inline:
		return false
	case anchor:
		o.link = false
		return false
	case aside:
		o.aside = max(o.aside-1, 0)
	case item:
		o.link = false
	}
	return true
}

// role is what an element does to the text in it.
type role uint8

const (
	block  role = iota // it is a stretch of text of its own
	inline             // it is a part of the text around it
	anchor
	aside // it holds menus, controls and the like
	item  // a block in which no link goes on that began before
)

func roleOf(name []byte) role {
	switch string(name) {
	case "a":
		return anchor
	case "b", "i", "em", "strong", "span", "font", "u", "s", "small", "big", "sub", "sup", "tt", "code", "kbd", "var", "samp", "cite",
		"abbr", "acronym", "dfn", "q", "mark", "ins", "del", "strike", "bdi", "bdo", "img", "wbr", "nobr", "time", "label", "script", "style", "noscript":
		return inline
	case "nav", "footer", "aside", "header", "menu", "select", "button", "h1", "h2", "h3":
		return aside
	case "p", "li", "td", "th", "tr", "table", "ul", "ol", "dl", "dt", "dd", "blockquote", "body":
		return item
	}
	return block
}
