package page

import (
	"bytes"
	"errors"

	"golang.org/x/net/html"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
	"linkcheck/internal/markup"
)

const (
	maxToken      = markup.MaxToken
	maxNested     = 8     // levels of markup inside a comment or a value
	maxNestedRuns = 10000 // comments and broken values of one page that are read as markup
)

// SniffHTML recognises a page by its name or by tags in its head.
func SniffHTML(p doc.Peek) bool {
	return p.Named(".html", ".htm", ".xhtml", ".shtml") && !p.Binary() || doc.LooksLikeHTML(p.Head)
}

// page is the state of one HTML document on its way through the tokenizer.
type page struct {
	d           *doc.Document
	z           *markup.Tokenizer
	line, col   int             // of the token at hand, see place
	token       []byte          // its bytes as they stand
	at          textscan.Cursor // in it
	attrs       []attr          // of the tag at hand, in memory that is used again
	nestedRuns  *int            // how often markup inside markup was read so far
	level       int             // of markup inside markup: comments, values whose quote is missing
	howOverride string          // overrides the word of the attribute: "comment"
	title       []byte
	caption     string // the title as it is given out
	inTitle     bool
	data        bool        // in a script of JSON-LD
	inLink      bool        // between <a href> and </a>
	pending     []doc.Found // waiting for the text of the link they stand in
	linkText    []byte
	text        *textscan.Feed
}

// ReadHTML gives the links of a page. It works on tokens, so neither size nor
// nesting matters (600 open elements are common in pages of the 1990s).
func ReadHTML(d *doc.Document) error {
	head, _ := d.In.Peek(doc.SniffSize)
	d.SetCharset(metaCharset(head))
	p := &page{d: d, line: 1, col: 1, nestedRuns: new(int)}
	p.text = textscan.NewFeed(d, p.found)
	p.setBase()
	z := markup.NewTokenizer(d.In, d.TakeBuffer())
	err := p.run(z)
	d.PutBuffer(z.Buffer())
	p.releasePending()
	p.text.Flush()
	return err
}

var errLongTag = errors.New("a tag of more than 1 MB: what it links to is not read")

// run reads the tokens of z, which begins at the line and column of p.
func (p *page) run(z *markup.Tokenizer) error {
	z.StartAt(p.line, p.col)
	p.z = z
	for !p.d.Stopped() && z.Next() {
		p.token = z.Raw()
		switch z.Kind() {
		case markup.Text:
			p.textToken(z.Element())
		case markup.StartTag, markup.CutTag:
			p.startTag()
		case markup.EndTag:
			p.endTag()
		case markup.Comment:
			p.comment(p.token)
		case markup.Other:
			if len(p.token) >= maxToken {
				p.place()
				p.d.Damage(p.line, errLongTag)
			}
		}
	}
	return doc.IgnoreEOF(z.Err())
}

func (p *page) endTag() {
	i := ascii.Skip(p.token, 2, ascii.Alnum)
	var buf [markup.NameSize]byte
	switch string(markup.FoldName(&buf, p.token[min(2, i):i])) {
	case "a":
		p.releasePending()
		p.inLink = false
	case "title", "head":
		p.inTitle = false
	}
}

// maxShown is how many bytes of a title or of the words of a link are gathered: more than
// are shown, so that the end of a password in them is seen.
const maxShown = 2 << 10

// textToken is text between tags: a title, the words of a link, or text in
// which a reader would see a URI. element is the one whose raw text it is.
func (p *page) textToken(element string) {
	switch {
	case element == "script":
		if p.data {
			p.linkedData()
		}
	case element == "style":
		p.place()
		p.at = textscan.NewCursor(p.token, p.line, p.col)
		p.css(p.token, 0)
	case p.inTitle:
		p.title = doc.Clip(p.appendText(p.title), maxShown)
		p.caption = doc.Shown(p.title, doc.ContextSize)
	case p.inLink:
		p.linkText = doc.Clip(append(p.appendText(p.linkText), ' '), maxShown)
	case bytes.IndexByte(p.token, ':') >= 0 || bytes.Contains(p.token, []byte("www.")):
		p.addText(p.token)
		p.text.Flush()
	}
}

// appendText appends the text at hand, character references undone.
func (p *page) appendText(b []byte) []byte {
	if bytes.IndexByte(p.token, '&') < 0 {
		return append(b, p.token...)
	}
	return append(b, html.UnescapeString(string(p.token))...)
}

// addText gives visible text to the scanner, each piece between character references
// with its line and column.
func (p *page) addText(raw []byte) {
	p.place()
	line, col := p.line, p.col
	for len(raw) > 0 {
		n := bytes.IndexByte(raw, '&')
		switch {
		case n < 0:
			n = len(raw)
			p.text.Add(raw, line, col)
		case n > 0:
			p.text.Add(raw[:n], line, col)
		default:
			n = markup.ReferenceEnd(string(raw[:min(len(raw), maxReference)]))
			p.text.Add([]byte(html.UnescapeString(string(raw[:n]))), line, col)
		}
		line, col = doc.Advance(raw[:n], line, col)
		raw = raw[n:]
	}
}

const maxReference = 40 // bytes of a character reference

func (p *page) comment(raw []byte) {
	p.place()
	if bytes.HasPrefix(raw, []byte("<!--")) && !bytes.HasSuffix(raw, []byte("-->")) && !bytes.HasSuffix(raw, []byte("--!>")) {
		p.unclosedComment(raw)
		return
	}
	if !p.d.Options.Comments || p.howOverride != "" {
		return
	}
	inner, ok := bytes.CutPrefix(raw, []byte("<!--"))
	if !ok {
		return
	}
	p.nested(inner, p.line, p.col+len(raw)-len(inner), "comment")
}

// unclosedComment reads on behind the first ">": a comment that is never closed was
// not meant to hide the rest of the page, and browsers of its time showed it.
func (p *page) unclosedComment(raw []byte) {
	if i := bytes.IndexByte(raw, '>'); i >= 0 {
		line, col := doc.Advance(raw[:i+1], p.line, p.col)
		p.nested(raw[i+1:], line, col, p.howOverride)
	}
}

// nested reads bytes of the token at hand that are markup themselves; false where
// there was too much of that.
func (p *page) nested(b []byte, line, col int, how string) bool {
	if *p.nestedRuns++; p.level >= maxNested || *p.nestedRuns > maxNestedRuns {
		return false
	}
	p.releasePending()
	sub := *p
	sub.level++
	sub.howOverride, sub.attrs, sub.pending, sub.linkText = how, nil, nil, nil
	sub.line, sub.col = line, col
	sub.text = textscan.NewFeed(p.d, sub.found)
	sub.run(markup.NewBytesTokenizer(b))
	sub.releasePending()
	p.inLink, p.inTitle = sub.inLink, sub.inTitle
	return true
}

// HowText marks a reference in the visible text of a page, linked by nothing.
const HowText = "text"
