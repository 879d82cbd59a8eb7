package textscan

import (
	"bytes"
	"slices"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
	"linkcheck/uri"
)

const maxWrapLines = 8

// delimited gives the lines of what stands between start and the closing
// character, and where that is. It does not run over a paragraph's end.
func delimited(text []byte, start int, close byte) (lines []span, end int, ok bool) {
	quote := diffMark(text, start)
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
func (s *scanner) wrapped(start, at int, spelled uri.Spelling, w wrapper) (hit, bool) {
	text := s.text
	lines, end, ok := delimited(text, start, w.close)
	if !ok || !s.tried(wrappedTried*(end-start)) {
		return hit{}, false
	}
	if w.close == '"' && blanksIn(text, lines) {
		return hit{}, false // quoted words, not a quoted reference
	}
	uri, cut := s.unwrap(lines, false)
	if strings.Contains(uri, "%20") && len(lines) > 1 {
		uri, cut = s.unwrap(lines, true)
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
	if !ok || hasVariable([]byte(rest)) || strings.IndexByte(rest, '<') >= 0 || !fitsClosed(spelled, rest, w.prefixed) {
		return hit{}, false
	}
	return hit{start: start, end: trimSpan(text, span{start, end}).end, uri: uri, how: w.how(HowBracket)}, true
}

// unwrap puts the lines of a delimited reference together. Line breaks are dropped;
// with blanks, which says that blanks are part of the reference, they become blanks.
// cut is where the reference ends before its delimiter (<URL:a or b> ends at a).
func (s *scanner) unwrap(lines []span, blanks bool) (uri string, cut int) {
	text := s.text
	var b strings.Builder
	for n, l := range lines {
		if sofar := b.String(); n > 0 && strings.HasSuffix(sofar, "=") && softBreak(text, lines[n-1].end, sofar) {
			b.Reset()
			b.WriteString(sofar[:len(sofar)-1])
		} else if head, ok := strings.CutSuffix(sofar, "-"); ok && s.hyphen != nil && s.hyphen(head, text[l.start:l.end]) {
			b.Reset()
			b.WriteString(head)
		}
		words := fields(text, l, maxURI)
		for i, w := range words {
			join, sep := joinWords(b.String(), text[w.start:w.end], i > 0, blanks)
			if !join {
				return b.String(), lastEnd(words, lines, n, i)
			}
			b.WriteString(sep)
			writePrintable(&b, text[w.start:w.end])
		}
	}
	return b.String(), 0
}

// writePrintable writes a word without the control characters that got into it.
func writePrintable(b *strings.Builder, word []byte) {
	b.Grow(len(word))
	for _, c := range word {
		if c >= ' ' && c != 0x7f {
			b.WriteByte(c)
		}
	}
}

// blanksIn says whether a line has more than one word.
func blanksIn(text []byte, lines []span) bool {
	return slices.ContainsFunc(lines, func(l span) bool { return len(fields(text, l, 2)) > 1 })
}

// lastEnd is where the word before words[i] of line n ends.
func lastEnd(words, lines []span, n, i int) int {
	if i > 0 {
		return words[i-1].end
	}
	return lines[n-1].end
}

// joinWords says whether the next word belongs to the reference so far, and what to
// put between them. inLine tells a blank from a line break; blanks says that blanks
// are part of the reference.
func joinWords(sofar string, word []byte, inLine, blanks bool) (join bool, sep string) {
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
