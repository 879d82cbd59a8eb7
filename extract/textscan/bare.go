package textscan

import (
	"bytes"
	"slices"

	"linkcheck/internal/ascii"
	"linkcheck/uri"
)

// bareHit is a reference that nothing delimits: it ends at the first byte that
// cannot stand in a URI, less the punctuation of the sentence around it.
func (s *scanner) bareHit(start, at int, spelled uri.Spelling, w wrapper) (hit, bool) {
	text, slashes, from := s.text, "", at+1
	if spelled == uri.SpelledUnknown && !bytes.HasPrefix(text[from:], []byte("//")) {
		return hit{}, false // the cheap test first
	}
	if spelled == uri.SpelledSlashes {
		slashes, from = afterGap(text, from)
		if slashes == "" && !w.prefixed && !bytes.HasPrefix(text[from:], []byte("//")) {
			return hit{}, false
		}
	}
	stop := s.bareEnd(from)
	if !w.prefixed && !mayFit(spelled, text[from:stop]) || !s.tried(stop-from) {
		return hit{}, false
	}
	tail := neverClosed(text, from, stop)
	end := from + len(TrimTail(text[from:tail], w.open))
	if isTableRow(text[:start], text[from:tail]) {
		end = tail
	}
	if isTemplate(text, tail) || hasVariable(text[from:tail]) {
		return hit{}, false
	}
	rest := slashes + string(text[from:end])
	if !fits(spelled, rest) && !(w.prefixed && fitsClosed(spelled, rest, true)) {
		return hit{}, false
	}
	h := hit{start: start, end: end, uri: string(text[start:at+1]) + rest, how: w.how(HowBare)}
	return s.joinLines(h, tail, w), true
}

// isTableRow says whether before ends in "g. =" and the reference in "/g.": a row
// of a table of examples (RFC 1808 section 5), in which the stop belongs to the
// reference.
func isTableRow(before, ref []byte) bool {
	before, row := bytes.CutSuffix(bytes.TrimRight(before, " \t"), []byte("="))
	if !row {
		return false
	}
	name := ref[bytes.LastIndexByte(ref, '/')+1:]
	return len(name) > 0 && bytes.HasSuffix(bytes.TrimRight(before, " \t"), name)
}

// hasVariable says whether a program replaces a part of the text before it is a
// reference: http://$host/, (\S+).
func hasVariable(rest []byte) bool {
	return slices.ContainsFunc([]string{"/$", "${", "%s", "{$", `(\`}, func(mark string) bool { return bytes.Contains(rest, []byte(mark)) })
}

// afterGap steps over a blank inside "http: //host" or "http:// host". It gives the
// slashes before the blank, and where the rest begins.
func afterGap(text []byte, i int) (slashes string, rest int) {
	switch b := text[i:min(len(text), i+64)]; {
	case bytes.HasPrefix(b, []byte(" //")) && DottedHost(string(b[3:])):
		return "", i + 1
	case bytes.HasPrefix(b, []byte("// ")) && DottedHost(string(b[3:])):
		return "//", i + 3
	}
	return "", i
}

// isTemplate says whether a placeholder such as <groupname> goes on where the
// reference stopped.
func isTemplate(text []byte, i int) bool {
	if i >= len(text) || text[i] != '<' {
		return false
	}
	n := ascii.Skip(text, i+1, func(c byte) bool { return ascii.Letter(c) || c == '-' })
	return n-i > 3 && n < len(text) && text[n] == '>'
}
