package extract

import (
	"bytes"
	"strings"
)

// bareHit is a reference that nothing delimits: it ends at the first byte that
// cannot stand in a URI, less the punctuation of the sentence around it.
func bareHit(text []byte, start, at int, s shape, w wrapper) (hit, bool) {
	end := bareEnd(text, at+1)
	end = at + 1 + len(trimTail(text[at+1:end], w.open))
	if !s.fits(string(text[at+1 : end])) {
		return hit{}, false
	}
	h := hit{start: start, end: end, uri: string(text[start:end]), how: howBare}
	if w.prefixed {
		h.how = howPrefix
	}
	return joinBare(text, h, w), true
}

// bareEnd walks forward over bytes that may stand in a URI.
func bareEnd(text []byte, i int) int {
	limit := min(len(text), i+maxURI)
	for i < limit && uriByte(text[i]) {
		if text[i] == ',' && schemeAhead(text[i+1:limit]) {
			break
		}
		i++
	}
	return i
}

func uriByte(c byte) bool {
	return c > ' ' && c < 0x7f && c != '<' && c != '>' && c != '"'
}

// schemeAhead says whether another URL begins here ("http://a/,http://b/").
func schemeAhead(b []byte) bool {
	i := bytes.Index(b[:min(len(b), maxScheme)], []byte("://"))
	if i < 3 {
		return false
	}
	_, known := shapes[lower(b[:i])]
	return known
}

// trimTail drops what belongs to the sentence and not to the reference:
// closing punctuation, quotes, and brackets that nothing opened inside.
func trimTail(b []byte, open byte) []byte {
	if open == '\'' || open == '`' {
		if i := bytes.IndexByte(b, '\''); i >= 0 {
			b = b[:i]
		}
	}
	if i := bytes.Index(b, []byte("](")); i >= 0 {
		b = b[:i]
	}
	for len(b) > 0 {
		c := b[len(b)-1]
		switch c {
		case '.', ',', ';', ':', '!', '?', '\'', '`', '|', '\\', '^':
		case ')', ']', '}':
			if !unbalanced(b, c) {
				return b
			}
		case '*', '_', '~':
			if c != open {
				return b
			}
		case '(', '[', '{':
		default:
			return b
		}
		b = b[:len(b)-1]
	}
	return b
}

// unbalanced says whether b has more of the closing bracket c than of its opening one.
func unbalanced(b []byte, c byte) bool {
	open := map[byte]string{')': "(", ']': "[", '}': "{"}[c]
	return strings.Count(string(b), string(c)) > strings.Count(string(b), open)
}
