package office

import (
	"archive/zip"
	"bytes"
	"net/url"
	"path"
	"slices"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/xmltoken"
)

// readEPUB reads the chapters of a book in their order (EPUB 3.3 section 5). What links to a page of the book is no link.
func readEPUB(d *doc.Document, files []*zip.File) error {
	p := newParts(d, files)
	main := ""
	p.xml("META-INF/container.xml", func(_ *doc.Document, t *xmltoken.Tokens) {
		if t.Kind == xmltoken.Start && xmltoken.Local(t.Name) == "rootfile" && main == "" {
			main = attr(t, "full-path")
		}
	})
	b := book{p: p, folder: path.Dir(main), items: map[string]item{}, read: map[string]bool{}}
	b.contents(main)
	if len(b.order) == 0 { // no list of the chapters: all that is there
		for _, f := range files {
			b.chapter(item{part: f.Name, media: map[string]string{".xhtml": "application/xhtml+xml", ".html": "text/html", ".htm": "text/html"}[strings.ToLower(path.Ext(f.Name))]})
		}
		return nil
	}
	if b.encrypted() {
		return &doc.Foreign{Kind: "encrypted EPUB"}
	}
	for _, id := range b.order {
		b.chapter(b.items[id])
	}
	return nil
}

// book is one that is read.
type book struct {
	p      *parts
	folder string // of its list of chapters
	items  map[string]item
	order  []string // ids of the chapters
	read   map[string]bool
}

type item struct{ part, media string }

// contents reads the list of items and the order of chapters (EPUB 3.3 section 5.6).
func (b *book) contents(main string) {
	b.p.xml(main, func(_ *doc.Document, t *xmltoken.Tokens) {
		if t.Kind != xmltoken.Start {
			return
		}
		switch xmltoken.Local(t.Name) {
		case "item":
			href, err := url.PathUnescape(attr(t, "href"))
			if err != nil {
				href = attr(t, "href")
			}
			id, i := attr(t, "id"), item{path.Join(b.folder, href), attr(t, "media-type")}
			if b.p.hold(len(id) + len(i.part) + len(i.media) + 64) {
				b.items[id] = i
			}
		case "itemref":
			if id := attr(t, "idref"); b.p.hold(len(id) + 16) {
				b.order = append(b.order, id)
			}
		}
	})
}

// encrypted says whether the chapters are (EPUB 3.3 section 4.2.6.3.1); fonts may be, in
// books that everybody can read.
func (b *book) encrypted() bool {
	hidden := map[string]bool{}
	b.p.xml("META-INF/encryption.xml", func(_ *doc.Document, t *xmltoken.Tokens) {
		if t.Kind == xmltoken.Start && xmltoken.Local(t.Name) == "CipherReference" {
			if name, err := url.PathUnescape(attr(t, "URI")); err == nil && b.p.hold(len(name)+64) {
				hidden[partKey(name)] = true
			}
		}
	})
	return slices.ContainsFunc(b.order, func(id string) bool { return hidden[partKey(b.items[id].part)] })
}

// chapter reads a page, once.
func (b *book) chapter(i item) {
	if doc.FormatOf(i.media) != "html" || b.read[partKey(i.part)] {
		return
	}
	b.read[partKey(i.part)] = true
	c := chapter{}
	b.p.xml(i.part, c.token)
	if c.flow != nil {
		c.finish()
	}
}

// chapter is a page of a book. Its inline elements are joined: programs write one for each
// change of look.
type chapter struct {
	*flow
	ranges  []bool // elements a around: whether they are links out of the book
	literal int    // elements around whose line breaks count
	silent  int    // elements around whose text is not seen
}

// blocks are the elements that end a paragraph.
var blocks = map[string]bool{
	"p": true, "div": true, "li": true, "td": true, "th": true, "tr": true, "h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "dt": true, "dd": true,
	"blockquote": true, "pre": true, "section": true, "article": true, "aside": true, "body": true, "table": true, "ul": true, "ol": true, "dl": true, "hr": true, "figure": true,
	"figcaption": true, "header": true, "footer": true, "nav": true, "main": true, "caption": true, "address": true, "center": true,
}

func (c *chapter) token(d *doc.Document, t *xmltoken.Tokens) {
	if c.flow == nil {
		c.flow = newFlow(d)
		c.lines, c.base = true, ""
		c.begin("")
	}
	if t.Kind == xmltoken.Text {
		c.onText(t)
		return
	}
	name := strings.ToLower(xmltoken.Local(t.Name))
	if t.Kind != xmltoken.Start && t.Kind != xmltoken.End {
		return
	}
	if blocks[name] {
		c.flow.end()
		c.begin("")
	}
	step := 1
	if t.Kind == xmltoken.End {
		step = -1
	} else if t.Empty {
		step = 0
	}
	switch name {
	case "pre":
		c.literal = max(0, c.literal+step)
	case "head", "script", "style":
		c.silent = max(0, c.silent+step)
	case "br":
		c.add([]byte{'\n'}, t.Line, t.Col)
	case "a":
		c.anchor(t)
	case "img", "iframe", "video", "audio", "source":
		if t.Kind == xmltoken.Start && c.out(attr(t, "src"), t) {
			c.endLink()
		}
	case "object":
		if t.Kind == xmltoken.Start && c.out(attr(t, "data"), t) {
			c.endLink()
		}
	}
}

// anchor begins or ends the text of a link.
func (c *chapter) anchor(t *xmltoken.Tokens) {
	n := len(c.ranges) - 1
	if t.Kind == xmltoken.Start {
		if c.ranges = append(c.ranges, c.out(attr(t, "href"), t)); !t.Empty {
			return
		}
		n++
	}
	if n >= 0 {
		if c.ranges[n] {
			c.endLink()
		}
		c.ranges = c.ranges[:n]
	}
}

// out gives out a reference, unless it leads to a part of the book.
func (c *chapter) out(ref string, t *xmltoken.Tokens) bool {
	return doc.SchemeOf(strings.TrimSpace(ref)) != "" && c.link(ref, howLink, "", t.Line, t.Col)
}

func (c *chapter) onText(t *xmltoken.Tokens) {
	if c.silent > 0 {
		return
	}
	line, col := t.Line, t.Col
	add := func(text, raw []byte) {
		next, nextCol := doc.Advance(raw, line, col)
		if c.literal == 0 {
			text = bytes.Map(func(r rune) rune {
				if r == '\n' || r == '\r' || r == '\t' {
					return ' '
				}
				return r
			}, text)
		}
		c.add(text, line, col)
		line, col = next, nextCol
	}
	lines := func(text, raw []byte) {
		for len(text) == len(raw) {
			n := bytes.IndexByte(raw, '\n') + 1
			if n == 0 {
				break
			}
			add(text[:n], raw[:n])
			text, raw = text[n:], raw[n:]
		}
		add(text, raw)
	}
	if t.Literal {
		lines(t.Text, t.Text)
		return
	}
	xmltoken.EachReference(t.Text, lines)
}
