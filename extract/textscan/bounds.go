package textscan

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"linkcheck/internal/ascii"
)

// bareEnd walks forward over bytes that may stand in a URI. Where it walked before
// it goes on from there: many colons may stand in one run of such bytes.
func (s *scanner) bareEnd(i int) int {
	if i < s.run.start || i > s.run.end {
		s.run = span{i, i}
	}
	limit := min(len(s.text), i+maxURI)
	if s.run.end < limit {
		s.run.end = runEnd(s.text[:limit], s.run.end)
	}
	end := min(s.run.end, limit)
	for end < s.run.end && !utf8.RuneStart(s.text[end]) {
		end--
	}
	return end
}

// runEnd is where the bytes that may stand in a URI end.
func runEnd(text []byte, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case c >= 0x80:
			n := spacedLetter(text[i:])
			if n == 0 {
				return i
			}
			i += n - 1
		case c <= ' ', c == 0x7f, c == '<', c == '>', c == '"':
			return i
		case (c == ',' || c == ';' || c == '|') && schemeAhead(text[i+1:]):
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
	b, _ = bytes.CutSuffix(b, []byte("*/")) // the end of a comment in C
	var surplus [3]int                      // of closing brackets over opening ones, by kind
	counted := false
	for len(b) > 0 {
		c := b[len(b)-1]
		switch c {
		case '.', ',', ';', ':', '!', '?', '\'', '`', '|', '\\', '^':
		case ')', ']', '}':
			if !counted {
				surplus, counted = surplusOf(b), true
			}
			k := bracketKind(c)
			if surplus[k] <= 0 {
				return b
			}
			surplus[k]--
		case '*', '_', '~':
			if c != open {
				return b
			}
		case '-':
			if !bytes.HasSuffix(b, []byte("--")) { // a dash
				return b
			}
			b = bytes.TrimRight(b, "-")
			continue
		case '(', '[', '{':
			surplus[bracketKind(c)]++
		default:
			return b
		}
		b = b[:len(b)-1]
	}
	return b
}

// surplusOf counts by how many b has more of the closing brackets of each kind than of
// the opening ones.
func surplusOf(b []byte) (n [3]int) {
	for k, pair := range []string{"()", "[]", "{}"} {
		n[k] = bytes.Count(b, []byte{pair[1]}) - bytes.Count(b, []byte{pair[0]})
	}
	return n
}

func bracketKind(c byte) int {
	switch c {
	case '(', ')':
		return 0
	case '[', ']':
		return 1
	}
	return 2
}

// neverClosed is where a parenthesis opens that is not closed before end, or end:
// a remark follows the reference without a blank ("http://a/b(in French").
func neverClosed(text []byte, start, end int) int {
	if bytes.IndexByte(text[start:end], '(') < 0 {
		return end
	}
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
