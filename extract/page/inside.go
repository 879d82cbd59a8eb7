package page

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
	"linkcheck/uri/secret"
)

// linkedData gives out the addresses in a script of JSON-LD (schema.org: url, sameAs).
func (p *page) linkedData() {
	p.place()
	p.text.Flush()
	line, col := p.line, p.col
	p.d.Fragment(p.token, func(f doc.Found) {
		if f.Locator != "url" && f.Locator != "sameAs" {
			return
		}
		if f.Line == 1 {
			f.Column += col - 1
		}
		f.Line, f.How, f.Record = f.Line+line-1, "json-ld", ""
		p.pending = append(p.pending, f)
		p.releasePending()
	}).Nest("json")
}

// css gives out what the style sheet or style attribute at off in the token links to, by url(...) or
// by @import "..." (CSS Cascading and Inheritance Level 4 section 2).
func (p *page) css(b []byte, off int) {
	b = withoutCSSComments(b)
	next := func(pos int, word string) int {
		if i := bytes.Index(b[pos:], []byte(word)); i >= 0 {
			return pos + i
		}
		return len(b)
	}
	address, rule := -1, -1
	for pos := 0; pos < len(b); {
		if address < pos {
			address = next(pos, "url(")
		}
		if rule < pos {
			rule = next(pos, "@import")
		}
		close := byte(')')
		switch {
		case address == len(b) && rule == len(b):
			return
		case address < rule:
			pos = address + len("url(")
		default:
			pos = ascii.Skip(b, rule+len("@import"), ascii.Space)
			if pos == len(b) || b[pos] != '"' && b[pos] != '\'' {
				continue
			}
			close = b[pos]
			pos++
		}
		n := bytes.IndexByte(b[pos:], close)
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

// withoutCSSComments is b with blanks in place of its comments.
func withoutCSSComments(b []byte) []byte {
	for pos, copied := 0, false; ; {
		i := bytes.Index(b[pos:], []byte("/*"))
		if i < 0 {
			return b
		}
		if !copied {
			b, copied = bytes.Clone(b), true
		}
		i += pos
		pos = len(b)
		if n := bytes.Index(b[i+2:], []byte("*/")); n >= 0 {
			pos = i + 2 + n + 2
		}
		for ; i < pos; i++ {
			b[i] = ' '
		}
	}
}
