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
		if slashes, from = afterGap(text, from); slashes == "" {
			slashes, from = afterBreak(text, start, from)
		}
		if slashes == "" && !w.prefixed && !bytes.HasPrefix(text[from:], []byte("//")) {
			return hit{}, false
		}
	}
	stop := fieldEnd(text, start, from, s.bareEnd(from))
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

// fieldEnd is where the field of a table ends in which the reference stands: one right
// behind a comma ends at the next one, since a value with a comma would stand in quotes
// (RFC 4180 section 2), and one with "::" around it ends there.
func fieldEnd(text []byte, start, from, stop int) int {
	if start > 0 && text[start-1] == ',' {
		if n := bytes.IndexByte(text[from:stop], ','); n >= 0 {
			return from + n
		}
	}
	if n := bytes.Index(text[from:stop], []byte("/::")); n >= 0 {
		return from + n + 1
	}
	return stop
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

// afterBreak steps over a line end in "http:" "//host" or "http://" "host", as afterGap does
// over a blank.
func afterBreak(text []byte, start, i int) (slashes string, rest int) {
	stop := i
	if bytes.HasPrefix(text[i:], []byte("//")) {
		slashes, stop = "//", i+2
	}
	eol := ascii.Skip(text, stop, func(c byte) bool { return ascii.Blank(c) || c == '\r' })
	if eol >= len(text) || text[eol] != '\n' {
		return "", i
	}
	next, _, ok := lineAfter(text, eol, quoteMark(text, start))
	if !ok {
		return "", i
	}
	host := text[next:min(len(text), next+64)]
	if slashes == "" {
		if host, ok = bytes.CutPrefix(host, []byte("//")); !ok {
			return "", i
		}
	}
	if name := hostOf(host); !ftpHost(name) && !(DottedHost(string(name)) && len(name) < len(host) && host[len(name)] == '/') {
		return "", i
	}
	return slashes, next
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
