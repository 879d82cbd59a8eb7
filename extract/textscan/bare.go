package textscan

import (
	"bytes"

	"linkcheck/internal/ascii"
	"linkcheck/uri"
)

// bareHit is a reference that nothing delimits: it ends at the first byte that
// cannot stand in a URI, less the punctuation of the sentence around it.
func bareHit(text []byte, start, at int, s uri.Spelling, w wrapper) (hit, bool) {
	slashes, from := "", at+1
	if s == uri.SpelledUnknown && !bytes.HasPrefix(text[from:], []byte("//")) {
		return hit{}, false // before anything long is looked at
	}
	if s == uri.SpelledSlashes {
		slashes, from = afterGap(text, from)
		if slashes == "" && !w.prefixed && !bytes.HasPrefix(text[from:], []byte("//")) {
			return hit{}, false
		}
	}
	tail := neverClosed(text, from, bareEnd(text, from))
	end := from + len(TrimTail(text[from:tail], w.open))
	if inRow(text[:start], text[from:tail]) {
		end = tail
	}
	rest := slashes + string(text[from:end])
	if template(text, tail) || variable(string(text[from:tail])) {
		return hit{}, false
	}
	if !fits(s, rest) && !(w.prefixed && fitsClosed(s, rest, true)) {
		return hit{}, false
	}
	h := hit{start: start, end: end, uri: string(text[start:at+1]) + rest, how: HowBare}
	if w.prefixed {
		h.how = HowPrefix
	}
	return joinBare(text, h, tail, w), true
}

// inRow says whether before ends in "g. =" and the reference in "/g.": a row of a
// table of examples (RFC 1808 section 5), whose stop is no punctuation.
func inRow(before, ref []byte) bool {
	name := ref[bytes.LastIndexByte(ref, '/')+1:]
	before, row := bytes.CutSuffix(bytes.TrimRight(before, " \t"), []byte("="))
	return row && len(name) > 0 && bytes.HasSuffix(bytes.TrimRight(before, " \t"), name)
}

// variable says whether a program puts something in: http://$host/, (\S+).
func variable(rest string) bool {
	for i := 0; i+1 < len(rest); i++ {
		switch c := rest[i+1]; {
		case rest[i] == '/' && c == '$', rest[i] == '$' && c == '{', rest[i] == '%' && c == 's', rest[i] == '{' && c == '$':
			return true
		case rest[i] == '(' && c == '\\':
			return true
		}
	}
	return false
}

// afterGap steps over a blank that got into "http: //host" or "http:// host": the
// slashes to put back, and where the rest stands.
func afterGap(text []byte, i int) (slashes string, rest int) {
	end := min(len(text), i+64)
	switch b := text[i:end]; {
	case bytes.HasPrefix(b, []byte(" //")) && DottedHost(string(b[3:])):
		return "", i + 1
	case bytes.HasPrefix(b, []byte("// ")) && DottedHost(string(b[3:])):
		return "//", i + 3
	}
	return "", i
}

// template says whether a placeholder such as <groupname> goes on where the
// reference stopped.
func template(text []byte, i int) bool {
	if i >= len(text) || text[i] != '<' {
		return false
	}
	n := i + 1
	for n < len(text) && (ascii.Letter(text[n]) || text[n] == '-') {
		n++
	}
	return n-i > 3 && n < len(text) && text[n] == '>'
}

// bareEnd walks forward over bytes that may stand in a URI.
func bareEnd(text []byte, i int) int {
	limit := min(len(text), i+maxURI)
	for i < limit {
		switch c := text[i]; {
		case c >= 0x80:
			n := spacedLetter(text[i:limit])
			if n == 0 {
				return i
			}
			i += n - 1
		case c <= ' ', c == 0x7f, c == '<', c == '>', c == '"':
			return i
		case (c == ',' || c == ';' || c == '|') && schemeAhead(text[i+1:limit]):
			return i
		}
		i++
	}
	return i
}

// schemeAhead says whether another URL begins here ("http://a/,http://b/").
func schemeAhead(b []byte) bool {
	i := bytes.Index(b[:min(len(b), maxScheme)], []byte("://"))
	if i < 3 {
		return false
	}
	_, known := spellingOf(b[:i])
	return known
}

// TrimTail drops what belongs to the sentence and not to the reference:
// closing punctuation, quotes, and brackets that nothing opened inside.
func TrimTail(b []byte, open byte) []byte {
	if open == '\'' || open == '`' {
		if i := bytes.IndexByte(b, '\''); i >= 0 {
			b = b[:i]
		}
	}
	if open == '(' || open == '[' || open == '{' {
		b = b[:closedAt(b, open)]
	}
	for _, stop := range []string{"](", "[/", "@{", `\`} { // Markdown, a part one may leave out, AmigaGuide, programs
		if i := bytes.Index(b, []byte(stop)); i >= 0 {
			b = b[:i]
		}
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

// neverClosed is where a parenthesis stands that no other closes before end, or
// end: a remark comes glued to the reference ("http://a/b(in French").
func neverClosed(text []byte, start, end int) int {
	depth, first := 0, end
	for i := start; i < end; i++ {
		switch text[i] {
		case '(':
			if depth++; depth == 1 {
				first = i
			}
		case ')':
			depth = max(0, depth-1)
		}
	}
	if depth == 0 {
		return end
	}
	return first
}

// closing is the counterpart of an opening bracket.
func closing(open byte) byte {
	if open == '(' {
		return ')'
	}
	return open + 2
}

// closedAt is where the bracket that opened before b closes, or its length.
func closedAt(b []byte, open byte) int {
	depth := 0
	for i, c := range b {
		switch c {
		case open:
			depth++
		case closing(open):
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return len(b)
}

// unbalanced says whether b has more of the closing bracket c than of its opening one.
func unbalanced(b []byte, c byte) bool {
	open := byte('(')
	if c != ')' {
		open = c - 2
	}
	return bytes.Count(b, []byte{c}) > bytes.Count(b, []byte{open})
}
