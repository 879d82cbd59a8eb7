package repair

import (
	"regexp"
	"slices"
	"strings"

	"linkcheck/uri/internal/chars"
)

// Unwrap removes what old documents wrap a reference in ("<URL:...>", "<...>",
// "UDI=...", quotes), joins what a line break cut in two, and drops the
// sentence around it. The codes say what was done: wrapper-url, wrapper-angle,
// wrapper-udi, wrapper-quote, line-break-joined, ocr-blank-joined,
// markdown-escape, trailing-period, trailing-punctuation. RFC 3986 appendix C;
// UDI (1991).
func Unwrap(text string) (cleaned string, codes []string) {
	cleaned, codes = unwrap(strings.TrimLeft(text, blanks))
	if plain := markdownEscape.ReplaceAllString(cleaned, "$1"); plain != cleaned {
		cleaned, codes = plain, with(codes, "markdown-escape")
	}
	return cleaned, codes
}

// Wrapped reports that s begins as a wrapper does or has line ends: [Unwrap] may mend it.
func Wrapped(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "<") || hasFold(s, "URL:") || strings.HasPrefix(s, "UDI=") ||
		strings.HasPrefix(s, `"`) || strings.ContainsAny(s, "\r\n")
}

func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

const blanks = " \t\r\n\f\v\u00a0"

// markdownEscape is the backslash that text converted to markdown has before
// punctuation; no URI may hold one.
var markdownEscape = regexp.MustCompile(`\\([$_~&*#+.!()\[\]-])`)

func unwrap(s string) (cleaned string, codes []string) {
	if inner, ok := strings.CutPrefix(s, "<"); ok {
		if i := strings.IndexByte(inner, '>'); i >= 0 {
			inner = inner[:i]
		}
		return unwrapDelimited(strings.Trim(inner, blanks), "wrapper-angle")
	}
	if inner, ok := strings.CutPrefix(s, `"`); ok {
		inner, _, _ = strings.Cut(inner, `"`)
		return unwrapDelimited(strings.Trim(inner, blanks), "wrapper-quote")
	}
	switch {
	case hasFold(s, "URL:"):
		s, codes = strings.TrimLeft(s[4:], blanks), []string{"wrapper-url"}
	case strings.HasPrefix(s, "UDI="):
		s, codes = strings.TrimLeft(s[4:], blanks), []string{"wrapper-udi"}
	}
	return unwrapBare(s, codes)
}

// unwrapDelimited: inside delimiters all white space is an accident of layout.
func unwrapDelimited(s, code string) (string, []string) {
	if hasFold(s, "URL:") {
		s, code = s[4:], "wrapper-url"
	}
	codes := []string{code}
	if joined := dropBlanks(s); joined != s {
		codes, s = append(codes, "line-break-joined"), joined
	}
	return s, codes
}

// with adds a code that is not there yet.
func with(codes []string, code string) []string {
	if slices.Contains(codes, code) {
		return codes
	}
	return append(codes, code)
}

func dropBlanks(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(blanks, r) }), "")
}

// unwrapBare ends at white space, but for a line that breaks at a slash and a
// blank right after "//"; what ends a sentence is dropped.
func unwrapBare(s string, codes []string) (string, []string) {
	var parts []string
	for rest := s; rest != ""; {
		word, gap, after := cutBlank(rest)
		parts = append(parts, word)
		code := joint(word, gap, after)
		if code == "" {
			break
		}
		codes = with(codes, code)
		rest = after
	}
	out := strings.Join(parts, "")
	if t := strings.TrimRight(out, "."); t != out && t != "" {
		codes, out = with(codes, "trailing-period"), t
	}
	if t := trimPunctuation(out); t != out {
		codes, out = with(codes, "trailing-punctuation"), t
	}
	return out, codes
}

// trimPunctuation drops what closes a sentence or a bracket that opened before
// the reference; the colon of a bare scheme stays.
func trimPunctuation(s string) string {
	for s != "" && chars.SchemeLen(s) != len(s)-1 {
		n := len(s) - 1
		open := strings.IndexByte(")]}>", s[n])
		if open >= 0 && strings.IndexByte(s, "([{<"[open]) >= 0 || open < 0 && strings.IndexByte(`,;:!'"`, s[n]) < 0 {
			break
		}
		s = s[:n]
	}
	return s
}

// cutBlank splits at the first run of white space.
func cutBlank(s string) (word, gap, after string) {
	i := strings.IndexAny(s, blanks)
	if i < 0 {
		return s, "", ""
	}
	after = strings.TrimLeft(s[i:], blanks)
	return s[:i], s[i : len(s)-len(after)], after
}

// joint is the code for joining word and after, two words of a bare reference, or "" if
// they are not one.
func joint(word, gap, after string) string {
	switch {
	case after == "":
		return ""
	case strings.HasSuffix(word, "://"):
		return "ocr-blank-joined"
	case strings.ContainsAny(gap, "\r\n") && (strings.HasSuffix(word, "/") || after[0] == '/'):
		return "line-break-joined"
	}
	return ""
}
