package textscan

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
	"linkcheck/uri"
)

// wrapper is what stands right before a reference.
type wrapper struct {
	open     byte // the character that opens, 0 for none
	close    byte // the character that ends it, 0 when nothing delimits
	prefixed bool // URL: or UDI= stands before (RFC 1738 appendix; UDI, 1992)
	name     bool // the value of a namespace declaration and the like: no link
}

// wrapperAt looks back from the start of a reference.
func wrapperAt(text []byte, start int) wrapper {
	var w wrapper
	i := start
	if j := prefixBefore(text, i); j < i {
		w.prefixed, i = true, j
	}
	j := i
	for j > 0 && ascii.Blank(text[j-1]) && i-j < 4 {
		j--
	}
	if j > 0 && text[j-1] == '<' {
		i = j
	}
	if i == 0 {
		return w
	}
	switch c := text[i-1]; c {
	case '<':
		w.open, w.close = c, '>'
	case '"', '\'':
		w.open = c
		if c == '"' {
			w.close = c
		}
		w.name = namesOnly(text, i-1)
	case '(', '[', '{', '`', '*', '_', '~', '|':
		w.open = c
	case ' ', '\n', '\t': // a further one between the same quotes
		before := text[max(0, i-300):i]
		if n := bytes.LastIndexByte(before, '"'); n >= 0 && bytes.IndexByte(before[n:], '>') < 0 {
			w.name = namesOnly(text, i-len(before)+n)
		}
	}
	return w
}

// prefixBefore gives where "URL:", "URL=", "UDI=" or "UDI:" starts if it stands before start.
func prefixBefore(text []byte, start int) int {
	i := start
	if i >= 2 && text[i-1] == '/' && text[i-2] == '/' {
		i -= 2 // <URL://http://...: the stray slashes go
	}
	for i > 0 && ascii.Space(text[i-1]) && start-i < 80 {
		i--
	}
	if i < 4 || text[i-1] != ':' && text[i-1] != '=' {
		return start
	}
	switch word := ascii.Lower(text[i-4 : i-1]); {
	case word != "url" && word != "udi" && word != "uri":
		return start
	case i > 4 && ascii.Alnum(text[i-5]):
		return start
	}
	return i - 4
}

// namesOnly says whether the quote at text[i] opens a namespace name or the
// identifier of a DTD or schema: those name a thing and link to nothing.
func namesOnly(text []byte, i int) bool {
	before := text[max(0, i-300):i]
	if inDoctype(before) {
		return true
	}
	before = bytes.TrimRight(before, " \t")
	before, ok := bytes.CutSuffix(before, []byte("="))
	if !ok {
		return false
	}
	name := ascii.Lower(before[bytes.LastIndexAny(before, " \t\r\n<")+1:])
	return strings.HasPrefix(name, "xmlns") || strings.HasSuffix(name, "namespace") || strings.HasSuffix(name, "schemalocation")
}

// inDoctype says whether a document type declaration is open at the end of
// before. A ">" at a line's start is a mark of quoting and closes nothing.
func inDoctype(before []byte) bool {
	n := bytes.LastIndex(before, []byte("<!"))
	if n < 0 || !bytes.EqualFold(before[n:min(n+9, len(before))], []byte("<!doctype")) {
		return false
	}
	for line := range bytes.Lines(before[n:]) {
		if bytes.IndexByte(bytes.TrimLeft(line, "> \t"), '>') >= 0 {
			return false
		}
	}
	return true
}

// span is a stretch of the text.
type span struct{ start, end int }

const maxWrapLines = 8

// delimited gives the lines of what stands between start and the closing
// character, and where that is. It does not run over a paragraph's end.
func delimited(text []byte, start int, close byte) (lines []span, end int, ok bool) {
	quote := changeMark(text, start)
	pos := start
	for range maxWrapLines {
		eol := lineEnd(text, pos)
		if n := bytes.IndexByte(text[pos:eol], close); n >= 0 {
			return append(lines, trimSpan(text, span{pos, pos + n})), pos + n, true
		}
		if bytes.IndexByte(text[pos:eol], '<') >= 0 || eol < len(text) && text[eol] != '\n' {
			return nil, 0, false
		}
		lines = append(lines, trimSpan(text, span{pos, eol}))
		if pos, _, ok = lineAfter(text, eol, quote); !ok {
			return nil, 0, false
		}
	}
	return nil, 0, false
}

func trimSpan(text []byte, s span) span {
	for s.end > s.start && ascii.Space(text[s.end-1]) {
		s.end--
	}
	return s
}

// wrapped is a reference that a delimiter closes, over line and page breaks too.
func wrapped(text []byte, start, at int, s uri.Spelling, w wrapper) (hit, bool) {
	lines, end, ok := delimited(text, start, w.close)
	if !ok {
		return hit{}, false
	}
	uri, cut := unwrap(text, lines, false)
	if strings.Contains(uri, "%20") && len(lines) > 1 {
		uri, cut = unwrap(text, lines, true)
	}
	if w.close == '"' && blanksIn(text, lines) {
		return hit{}, false // quoted words, not a quoted reference
	}
	if cut > 0 {
		end = cut
	}
	if kept := TrimTail([]byte(uri), w.open); cut > 0 || w.close == '"' {
		if w.close == '"' && strings.HasPrefix(uri[len(kept):], "?") {
			kept = []byte(uri[:len(kept)+1]) // an empty query
		}
		if len(lines) == 1 {
			end -= len(uri) - len(kept)
		}
		uri = string(kept)
	}
	rest, ok := strings.CutPrefix(uri, string(text[start:at+1]))
	if !ok || variable(rest) || strings.IndexByte(rest, '<') >= 0 || !fitsClosed(s, rest, w.prefixed) {
		return hit{}, false
	}
	h := hit{start: start, end: trimSpan(text, span{start, end}).end, uri: uri, how: HowBracket}
	if w.prefixed {
		h.how = HowPrefix
	}
	return h, true
}

// unwrap puts the lines of a delimited reference together. A line break stands
// for nothing, but for a blank where the reference has blanks that count. cut is
// where the reference ends before its delimiter (<URL:a or b> ends at a).
func unwrap(text []byte, lines []span, blanks bool) (uri string, cut int) {
	var b strings.Builder
	for n, l := range lines {
		if sofar := b.String(); n > 0 && strings.HasSuffix(sofar, "=") && softBreak(text, lines[n-1].end, sofar) {
			b.Reset()
			b.WriteString(sofar[:len(sofar)-1])
		}
		words := fields(text, l)
		for i, w := range words {
			switch join, sep := blankWithin(b.String(), text[w.start:w.end], i > 0, blanks); {
			case b.Len() == 0:
			case !join:
				return b.String(), lastEnd(words, lines, n, i)
			default:
				b.WriteString(sep)
			}
			b.WriteString(printable(text[w.start:w.end]))
		}
	}
	return b.String(), 0
}

// printable is a word without the control characters that got into it.
func printable(word []byte) string {
	out := make([]byte, 0, len(word))
	for _, c := range word {
		if c >= ' ' && c != 0x7f {
			out = append(out, c)
		}
	}
	return string(out)
}

// blanksIn says whether a line has more than one word.
func blanksIn(text []byte, lines []span) bool {
	for _, l := range lines {
		if len(fields(text, l)) > 1 {
			return true
		}
	}
	return false
}

// lastEnd is where the word before words[i] of line n ends.
func lastEnd(words, lines []span, n, i int) int {
	if i > 0 {
		return words[i-1].end
	}
	return lines[n-1].end
}

// fields gives the words of a line.
func fields(text []byte, l span) []span {
	var out []span
	for i := l.start; i < l.end; {
		for i < l.end && ascii.Space(text[i]) {
			i++
		}
		start := i
		for i < l.end && !ascii.Space(text[i]) {
			i++
		}
		if i > start {
			out = append(out, span{start, i})
		}
	}
	return out
}

// blankWithin judges the gap between what stands so far and the next word: does
// the reference go on, and with what between. inLine tells a blank from a line
// break; blanks says that the reference has blanks that count.
func blankWithin(sofar string, word []byte, inLine, blanks bool) (join bool, sep string) {
	if sofar == "" {
		return true, ""
	}
	last, first := sofar[len(sofar)-1], word[0]
	scheme := doc.SchemeOf(sofar)
	selector := scheme == "gopher" || scheme == "wais" || scheme == "file" || scheme == "ftp" || scheme == "prospero"
	switch {
	case !inLine:
		if selector && blanks && ascii.Alnum(last) && ascii.Alnum(first) {
			return true, "%20"
		}
		return true, ""
	case strings.HasSuffix(sofar, ":") || strings.HasSuffix(sofar, "//"):
		return true, ""
	case first == '"' || first == '(' || doc.SchemeOf(string(word)) != "" || connective[ascii.Lower(word)]:
		return false, ""
	case scheme == "gopher" || selector && 'A' <= first && first <= 'Z' && ascii.Alnum(last):
		return true, "%20"
	case selector, last == '/', first == '/', bytes.ContainsAny(word, "/.?=&%"):
		return true, ""
	}
	return false, ""
}

// connective words end a reference inside its brackets.
var connective = map[string]bool{"or": true, "and": true, "and/or": true, "see": true, "for": true, "in": true, "at": true, "via": true, "-": true, "--": true}
