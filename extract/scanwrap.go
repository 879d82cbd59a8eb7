package extract

import "bytes"

// wrapper is what stands right before a reference.
type wrapper struct {
	open     byte // the character that opens, 0 for none
	close    byte // the character that ends it, 0 when nothing delimits
	prefixed bool // URL: or UDI= stands before (RFC 1738 appendix, UDI 1992)
}

// wrapperAt looks back from the start of a reference.
func wrapperAt(text []byte, start int) wrapper {
	var w wrapper
	i := start
	if j := prefixBefore(text, i); j < i {
		w.prefixed, i = true, j
	}
	for i > 0 && blank(text[i-1]) && w.prefixed {
		i--
	}
	if i == 0 {
		return w
	}
	switch c := text[i-1]; c {
	case '<':
		w.open, w.close = c, '>'
	case '"':
		w.open, w.close = c, '"'
	case '(', '[', '{', '\'', '`', '*', '_', '~', '|':
		w.open = c
	}
	return w
}

// prefixBefore gives where "URL:", "URL=", "UDI=" or "UDI:" starts if it stands before start.
func prefixBefore(text []byte, start int) int {
	i := start
	for i > 0 && space(text[i-1]) && start-i < 80 {
		i--
	}
	if i >= 2 && text[i-1] == '/' && text[i-2] == '/' {
		i -= 2 // <URL://http://...: the stray slashes go
	}
	if i < 4 || text[i-1] != ':' && text[i-1] != '=' {
		return start
	}
	switch word := lower(text[i-4 : i-1]); {
	case word != "url" && word != "udi" && word != "uri":
		return start
	case i > 4 && alnum(text[i-5]):
		return start
	}
	return i - 4
}

// wrapped is a reference that a delimiter closes, over line and page breaks too.
func wrapped(text []byte, start, at int, s shape, w wrapper) (hit, bool) {
	limit := min(len(text), start+maxURI)
	n := bytes.IndexByte(text[start:limit], w.close)
	if n < 0 {
		return hit{}, false
	}
	uri, ok := unwrap(text[start : start+n])
	if !ok || !s.fits(uri[at-start+1:]) {
		return hit{}, false
	}
	h := hit{start: start, end: start + n, uri: uri, how: howBracket}
	if w.prefixed {
		h.how = howPrefix
	}
	return h, true
}

// unwrap takes the line breaks out of what stood between delimiters.
func unwrap(b []byte) (string, bool) {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		c := b[i]
		if !space(c) {
			out = append(out, c)
			continue
		}
		j := i
		for j < len(b) && space(b[j]) {
			j++
		}
		if j < len(b) && bytes.IndexByte(b[i:j], '\n') < 0 {
			return "", false
		}
		i = j - 1
	}
	return string(out), true
}

// joinBare continues a reference that its line's end broke.
func joinBare(text []byte, h hit, w wrapper) hit { return h }
