package page

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
	"linkcheck/internal/markup"
	"linkcheck/uri/secret"
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
		"code", "classid", "codebase", "archive", "ping", "srcset", "imagesrcset", "urn":
		return string(name)
	}
	return ""
}

// attribute gives the name of an attribute that matters on t.
func (t tag) attribute(name []byte) string {
	if t.name != "meta" {
		return linkAttribute(name)
	}
	switch string(name) {
	case "http-equiv", "content":
		return string(name)
	}
	return ""
}

// elementName gives the name of an element that matters here, "" for others.
func elementName(name []byte) string {
	switch string(name) {
	case "a":
		return "a"
	case "applet", "base", "body", "link", "meta", "object", "title":
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
		key := markup.FoldName(&buf, name)
		if name := t.attribute(key); name != "" {
			raw := string(value)
			t.attrs = append(t.attrs, attr{name: name, value: markup.UnescapeAttr(raw), raw: raw, off: off})
		} else if string(key) == "alt" {
			t.alt = string(value)
		}
	}
	if len(t.attrs) > 0 {
		p.attrs = t.attrs
		p.links(t)
	}
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
		return
	}
	base := p.d.Base
	rel := strings.ToLower(t.get("rel"))
	if t.name == "link" && (rel == "profile" || strings.HasPrefix(rel, "schema.")) {
		return
	}
	if cb := t.get("codebase"); cb != "" {
		base = p.d.Resolve(cleanRef(cb))
	}
	for _, a := range t.attrs {
		switch a.name {
		case "rel":
		case "style":
			p.css([]byte(a.value), a.off)
		case "srcset", "imagesrcset":
			p.srcset(a)
		case "code", "classid", "data":
			if t.name == "applet" || t.name == "object" {
				p.ref(t, a, base)
			}
		case "archive":
			if t.name == "applet" || t.name == "object" {
				p.refs(t, a, base)
			}
		case "ping":
			p.refs(t, a, p.d.Base)
		default:
			p.ref(t, a, p.d.Base)
		}
	}
	p.inLink = p.inLink || t.name == "a" && t.get("href") != ""
}

func (t tag) get(name string) string {
	for _, a := range t.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// refs gives out a list of references between commas or blanks.
func (p *page) refs(t tag, a attr, base string) {
	if secret.SplitBy(a.value, ", \t\r\n\f") {
		p.ref(t, a, base)
		return
	}
	for _, s := range strings.FieldsFunc(a.value, func(r rune) bool { return r == ',' || r <= ' ' }) {
		p.ref(t, a.part(a.name, s), base)
	}
}

// part is a part of the value of a, as an attribute of its own.
func (a attr) part(name, s string) attr {
	return attr{name: name, value: s, raw: s, off: a.off + max(0, strings.Index(a.raw, s))}
}

// srcset gives out the candidates of a srcset: URL, blank, descriptors, comma. A
// comma inside a URL belongs to it (HTML, "parse a srcset attribute").
func (p *page) srcset(a attr) {
	if secret.SplitBy(a.value, ", \t\r\n\f") {
		p.ref(tag{}, a, p.d.Base)
		return
	}
	for s := a.value; s != ""; {
		s = strings.TrimLeft(s, ", \t\r\n\f")
		end := strings.IndexAny(s, " \t\r\n\f")
		if end < 0 {
			end = len(s)
		}
		u := strings.TrimRight(s[:end], ",")
		whole := len(u) == end // descriptors may follow
		if s = s[end:]; whole {
			_, s, _ = strings.Cut(s, ",")
		}
		if u != "" {
			p.ref(tag{}, a.part(a.name, u), p.d.Base)
		}
	}
}

// refresh handles <meta http-equiv=refresh content="5; url=...">.
func (p *page) refresh(t tag) {
	if !strings.EqualFold(strings.TrimSpace(t.get("http-equiv")), "refresh") {
		return
	}
	for _, a := range t.attrs {
		if a.name != "content" {
			continue
		}
		i := strings.Index(strings.ToLower(a.value), "url")
		if i < 0 {
			return
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(a.value[i+3:], " \t\r\n"), "=")
		if !ok {
			return
		}
		p.ref(t, a.part("refresh", strings.Trim(rest, " \t\r\n'\"")), p.d.Base)
	}
}

// css gives out the url(...) of a style sheet or style attribute at off in the token.
func (p *page) css(b []byte, off int) {
	for pos := 0; ; {
		i := bytes.Index(b[pos:], []byte("url("))
		if i < 0 {
			return
		}
		pos += i + 4
		n := bytes.IndexByte(b[pos:], ')')
		if n < 0 {
			return
		}
		u := strings.TrimLeft(string(b[pos:pos+n]), " \t\r\n'\"")
		lead := n - len(u)
		u = strings.TrimRight(u, " \t\r\n'\"")
		p.ref(tag{}, attr{"css", u, u, off + pos + lead, secret.CutAt(b[pos:min(len(b), pos+maxShown)], n)}, p.d.Base)
		pos += n
	}
}

// ref gives out one reference; base is what it is relative to.
func (p *page) ref(t tag, a attr, base string) {
	var swallowed int
	if a, swallowed = p.cutUnclosed(a); swallowed > 0 {
		defer p.readSwallowed(swallowed)
	}
	ref := cleanRef(a.value)
	if ref == "" || ref[0] == '#' || unfollowed[doc.SchemeOf(ref)] {
		return
	}
	lead := len(a.raw) - len(strings.TrimLeft(a.raw, " \t\r\n\f"))
	line, col := p.locate(a.off + lead)
	f := doc.Found{Raw: strings.TrimRight(a.raw[lead:], " \t\r\n\f"), Line: line, Column: col, How: a.name, Context: doc.OneLine(t.alt), Torn: a.torn}
	at := *p.d
	at.Base = base
	f.URI = at.Resolve(ref)
	f.Scheme = doc.SchemeOf(ref)
	if p.howOverride != "" {
		f.How = p.howOverride
	}
	p.pending = append(p.pending, f)
	if t.name != "a" && !p.inLink || len(p.pending) > maxPending {
		p.releasePending()
	}
}

// cutUnclosed cuts a value whose closing quote is missing at the end of its tag.
// What the value swallowed begins at the offset given; 0 for nothing. A ">" right
// before the closing quote belongs to the value.
func (p *page) cutUnclosed(a attr) (attr, int) {
	end := strings.IndexByte(a.raw, '>')
	if behind := a.off + len(a.raw); end+1 == len(a.raw) && behind < len(p.token) && (p.token[behind] == '"' || p.token[behind] == '\'') {
		return a, 0
	}
	if end <= 0 || end+1 < len(a.raw) && strings.IndexByte(a.raw[end:], '<') < 0 || strings.IndexByte(a.raw[:end], '<') >= 0 {
		return a, 0
	}
	a.raw = a.raw[:end]
	a.value = markup.UnescapeAttr(a.raw)
	return a, a.off + end + 1
}

// readSwallowed reads the rest of the token at hand, from off, as markup.
func (p *page) readSwallowed(off int) {
	line, col := p.locate(off)
	p.nested(p.token[off:], line, col, p.howOverride)
}

const maxPending = 64

// unfollowed are the schemes of attributes that name nothing to look up.
var unfollowed = map[string]bool{"javascript": true, "vbscript": true, "data": true, "about": true, "clsid": true}
