package page

import (
	"bytes"
	"io"
	"mime/quotedprintable"
	"regexp"
	"strings"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
	"linkcheck/internal/markup"
)

// linkAttribute gives the name of an attribute that matters on any element, ""
// for others. usemap, profile and the names of namespaces are left out, since they
// link to nothing; rel only says how to read the other attributes. The names are
// spelled out so that no string is made of each.
func linkAttribute(name []byte) string {
	switch string(name) {
	case "href":
		return "href"
	case "src":
		return "src"
	case "style":
		return "style"
	case "rel":
		return "rel"
	case "action", "cite", "longdesc", "background", "lowsrc", "dynsrc", "poster", "formaction", "xlink:href", "manifest", "icon", "data",
		"code", "classid", "codebase", "archive", "ping", "srcset", "imagesrcset", "urn", "pluginspage":
		return string(name)
	}
	return ""
}

// attribute gives the name of an attribute that matters on t.
func (t tag) attribute(name []byte) string {
	switch t.name {
	case "a":
		switch string(name) {
		case "data-originalurl", "data-versiondate": // Robust Links: of which page href is a copy, and from when
			return string(name)
		}
	case "meta":
		switch string(name) {
		case "http-equiv", "content", "name", "property":
			return string(name)
		}
		return ""
	case "iframe", "img", "source", "video":
		switch string(name) {
		case "data-src", "data-srcset", "data-original", "data-lazy-src", "data-lazy-srcset": // for scripts, which load them late
			return string(name)
		}
	case "script":
		if string(name) == "type" {
			return "type"
		}
	case "link":
		switch string(name) {
		case "type", "hreflang": // what an alternate is, see relations
			return string(name)
		}
	}
	return linkAttribute(name)
}

// elementName gives the name of an element that matters here, "" for others.
func elementName(name []byte) string {
	switch string(name) {
	case "a":
		return "a"
	case "applet", "area", "base", "body", "frame", "iframe", "img", "link", "meta", "object", "script", "source", "title", "video":
		return string(name)
	}
	return ""
}

// attr is one attribute of a start tag.
type attr struct {
	name  string // lower case
	value string // without character references
	raw   string // as it stands
	off   int    // where it stands in the token
	torn  bool   // it ends within a password
}

// tag is a start tag with the attributes that matter.
type tag struct {
	name  string
	attrs []attr
	alt   string

	onward, noFollow, canonical bool   // what rel says of the place to which it links
	copyOf, copied              string // what Robust Links say of it: of which page it is a copy, and from which day
}

func (p *page) startTag() {
	i := ascii.Skip(p.token, 1, func(c byte) bool { return c != '/' && c != '>' && !ascii.Space(c) })
	var buf [markup.NameSize]byte
	t := tag{name: elementName(markup.FoldName(&buf, p.token[1:i])), attrs: p.attrs[:0]}
	p.element(t.name)
	for i < len(p.token) && p.token[i] != '>' {
		name, value, off, next := markup.NextAttr(p.token, i)
		i = next
		if len(value) == 0 {
			continue
		}
		encoded, plain := encodedValue(p.token[off:], value)
		if encoded != nil {
			i, off, value = off+len(encoded)+len(`3D""`), off+len(`3D"`), encoded
		}
		key := markup.FoldName(&buf, name)
		if name := t.attribute(key); name != "" {
			raw := string(value)
			if encoded == nil {
				plain = raw
			}
			t.attrs = append(t.attrs, attr{name: name, value: markup.UnescapeAttr(plain), raw: raw, off: off})
		} else if string(key) == "alt" {
			t.alt = doc.Shown(value, 2*doc.ContextSize)
		}
	}
	p.data = t.name == "script" && strings.EqualFold(t.get("type"), "application/ld+json")
	if len(t.attrs) > 0 {
		p.place()
		p.attrs, p.at = t.attrs, textscan.NewCursor(p.token, p.line, p.col)
		p.links(t)
	}
}

// encodedValue is the value of an attribute in a page that was taken out of mail in
// quoted-printable as it stood: href=3D"...", with soft line breaks (RFC 2045 section 6.7).
// What stands there goes up to the second quote.
func encodedValue(rest, value []byte) (encoded []byte, decoded string) {
	inside, ok := bytes.CutPrefix(value, []byte(`3D"`))
	if !ok {
		return nil, ""
	}
	inside = rest[len(value)-len(inside):]
	end := bytes.IndexByte(inside, '"')
	if end <= 0 {
		return nil, ""
	}
	plain, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(inside[:end])))
	if err != nil {
		return nil, ""
	}
	return inside[:end], string(plain)
}

// element notes what a start tag means for the tokens after it.
func (p *page) element(name string) {
	switch name {
	case "title":
		p.inTitle = len(p.title) == 0
	case "body":
		p.inTitle = false
	case "a":
		p.releasePending()
		p.inLink = false
	}
}

// links gives out what a tag links to.
func (p *page) links(t tag) {
	if t.name == "base" {
		return
	}
	if t.name == "meta" {
		p.refresh(t)
		p.social(t)
		p.robots(t)
		return
	}
	base := p.d.Base
	rel := strings.ToLower(t.get("rel"))
	t.relations()
	if of := cleanRef(t.get("data-originalurl")); doc.SchemeOf(of) != "" {
		t.copyOf, t.copied = doc.WithoutControls(of), dates.OfDigits(t.get("data-versiondate"))
	}
	p.canonical(t)
	if t.name == "link" && (rel == "profile" || strings.HasPrefix(rel, "schema.")) {
		return
	}
	if cb := t.get("codebase"); cb != "" {
		if b, cut := p.d.Cut(p.line, "codebase", doc.Resolve(p.d.Base, cleanRef(cb))); !cut {
			base = b
		}
	}
	for _, a := range t.attrs {
		if p.attribute(t, a, base) {
			break
		}
	}
	p.inLink = p.inLink || t.name == "a" && t.get("href") != ""
}

// attribute gives out what one attribute links to; base is that of its element. It
// says whether what stands behind its value was read as markup, see cutUnclosed.
func (p *page) attribute(t tag, a attr, base string) (swallowed bool) {
	ofObject := t.name == "applet" || t.name == "object"
	switch a.name {
	case "rel", "type", "hreflang", "data-originalurl", "data-versiondate":
		return false
	case "style":
		p.css([]byte(a.value), a.off)
		return false
	case "srcset", "imagesrcset", "data-srcset", "data-lazy-srcset":
		return p.srcset(a)
	case "code", "classid", "data":
		return ofObject && p.ref(t, a, base)
	case "archive":
		return ofObject && p.refs(t, a, base)
	case "ping":
		return p.refs(t, a, p.d.Base)
	}
	return p.ref(t, a, p.d.Base)
}

var refreshURL = regexp.MustCompile(`(?i)url`)

// refresh handles <meta http-equiv=refresh content="5; url=...">.
func (p *page) refresh(t tag) {
	if !strings.EqualFold(strings.TrimSpace(t.get("http-equiv")), "refresh") {
		return
	}
	for _, a := range t.attrs {
		if a.name != "content" {
			continue
		}
		at := refreshURL.FindStringIndex(a.value)
		if at == nil {
			return
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(a.value[at[1]:], " \t\r\n"), "=")
		if !ok {
			return
		}
		ref := strings.Trim(rest, " \t\r\n'\"")
		p.ref(t, attr{name: "refresh", value: ref, raw: ref, off: a.off + max(0, strings.Index(a.raw, ref))}, p.d.Base)
	}
}
