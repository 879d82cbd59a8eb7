package textscan

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"linkcheck/internal/ascii"
)

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
	return i >= 3 && IsScheme(string(b[:i]))
}

// TrimTail drops what belongs to the sentence and not to the reference:
// closing punctuation, quotes, and brackets that nothing opened inside.
func TrimTail(b []byte, open byte) []byte {
	if open == '\'' || open == '`' {
		b, _, _ = bytes.Cut(b, []byte{'\''})
	}
	if open == '(' || open == '[' || open == '{' {
		b = b[:closedAt(b, open)]
	}
	for _, stop := range []string{"](", "[/", "@{", `\`} { // Markdown, optional parts, AmigaGuide, source code
		b, _, _ = bytes.Cut(b, []byte(stop))
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

// neverClosed is where a parenthesis opens that is not closed before end, or end:
// a remark follows the reference without a blank ("http://a/b(in French").
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
	open := c - 2
	if c == ')' {
		open = '('
	}
	return bytes.Count(b, []byte{c}) > bytes.Count(b, []byte{open})
}

// closes says whether the bracket or quote that opened before the reference
// closes right behind the word.
func closes(open byte, word []byte) bool {
	var c byte
	switch open {
	case '(', '[', '{':
		c = closing(open)
	case '`', '\'':
		c = '\''
	default:
		return false
	}
	tail := bytes.TrimRight(word, ".,;:!?'")
	return len(word) > 1 && (bytes.HasSuffix(tail, []byte{c}) || c == '\'' && bytes.IndexByte(word[len(tail):], c) >= 0)
}

// spacedLetter gives the length of a letter outside ASCII at the front of b that
// may belong to a reference: one of a script that puts blanks between words; 0 for
// none. In the other scripts text goes on right behind a reference.
func spacedLetter(b []byte) int {
	if r, n := utf8.DecodeRune(b); r != utf8.RuneError {
		if r < '\u0e00' && (unicode.IsLetter(r) || unicode.IsMark(r)) || r == '\u200c' || r == '\u200d' { // up to Sinhala; joiners
			return n
		}
		return 0
	}
	if b[0] >= 0xc0 && len(b) > 1 && (ascii.Alnum(b[1]) || bytes.IndexByte([]byte("./-_"), b[1]) >= 0) {
		return 1
	}
	return 0
}
