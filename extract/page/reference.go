package page

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
	"linkcheck/internal/markup"
)

const baseWindow = 32 << 10 // where <base> is looked for before the page is read

// setBase finds the first <base href>, which counts for what stands before it too.
func (p *page) setBase() {
	head, _ := p.d.In.Peek(baseWindow)
	if !hasTag(head, "base") {
		return
	}
	for z := markup.NewBytesTokenizer(head); z.Next(); {
		if z.Kind() != markup.StartTag || !hasTag(z.Raw(), "base") {
			continue
		}
		for tag, i := z.Raw(), len("<base"); i < len(tag) && tag[i] != '>'; {
			name, value, _, next := markup.NextAttr(tag, i)
			if i = next; len(value) > 0 && bytes.EqualFold(name, []byte("href")) {
				if b := p.d.Resolve(cleanRef(markup.UnescapeAttr(string(value)))); b != "" {
					p.d.Base = b
				}
				return
			}
		}
	}
}

// hasTag says whether the start tag of an element stands in b.
func hasTag(b []byte, name string) bool {
	for {
		i := bytes.IndexByte(b, '<')
		if i < 0 || len(b) < i+len(name)+2 {
			return false
		}
		b = b[i+1:]
		if c := b[len(name)]; bytes.EqualFold(b[:len(name)], []byte(name)) && (c == '/' || c != '\v' && ascii.Space(c)) {
			return true
		}
	}
}

// locate gives line and column of an offset in the token at hand.
func (p *page) locate(off int) (int, int) {
	return doc.Advance(p.token[:min(off, len(p.token))], p.line, p.col)
}

// cleanRef undoes what happened to a reference inside its attribute: blanks
// around it, line breaks and what indents the next line, NULs, a stray quote.
// Blanks that are left and octets that are not ASCII are escaped.
func cleanRef(s string) string {
	s = strings.TrimRight(strings.Trim(s, " \t\r\n\f\x00"), "\"")
	if ascii.Skip(s, 0, func(c byte) bool { return c > ' ' && c < 0x80 }) == len(s) {
		return s
	}
	blank := func(c byte) bool { return c == 0 || ascii.Space(c) }
	var b strings.Builder
	for s != "" {
		n := ascii.Skip(s, 0, func(c byte) bool { return !blank(c) })
		end := ascii.Skip(s, n, blank)
		b.WriteString(s[:n])
		front := b.String()
		if gap := s[n:end]; !strings.ContainsAny(gap, "\r\n\x00") && !strings.HasSuffix(front, "://") && doc.SchemeOf(front)+":" != strings.ToLower(front) {
			b.WriteString(strings.Repeat("%20", len(gap)))
		}
		s = s[end:]
	}
	return doc.EscapeOctets(b.String())
}
