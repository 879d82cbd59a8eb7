package extract

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

const baseWindow = 32 << 10 // where <base> is looked for before the page is read

// setBase finds the first <base href>: it holds for what stands before it too.
func (p *page) setBase() {
	head, _ := p.d.in.Peek(baseWindow)
	if !bytes.Contains(bytes.ToLower(head), []byte("<base")) {
		return
	}
	z := html.NewTokenizer(bytes.NewReader(head))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			for _, a := range t.Attr {
				if t.Data == "base" && a.Key == "href" && a.Val != "" {
					if b := p.d.resolve(cleanRef(a.Val)); b != "" {
						p.d.base = b
					}
					return
				}
			}
		}
	}
}

// placeOf gives line and column of an offset in the token at hand.
func (p *page) placeOf(off int) (int, int) {
	return advance(p.token[:min(off, len(p.token))], p.line, p.col)
}

// cleanRef undoes what happened to a reference inside its attribute: blanks
// around it, line breaks and what indents the next line, NULs, a stray quote.
// Blanks that are left and octets that are not ASCII are escaped.
func cleanRef(s string) string {
	s = strings.TrimRight(strings.Trim(s, " \t\r\n\f\x00"), "\"")
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if !space(s[i]) && s[i] != 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		j := i
		for j < len(s) && (space(s[j]) || s[j] == 0) {
			j++
		}
		front := b.String()
		if run := s[i:j]; !strings.ContainsAny(run, "\r\n\x00") && !strings.HasSuffix(front, "://") && schemeOf(front)+":" != strings.ToLower(front) {
			b.WriteString(strings.Repeat("%20", len(run)))
		}
		i = j
	}
	return escapeOctets(b.String())
}

// plain says that there is nothing to clean.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] >= 0x80 {
			return false
		}
	}
	return true
}
