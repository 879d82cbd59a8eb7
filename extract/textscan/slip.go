package textscan

import (
	"bytes"

	"linkcheck/internal/ascii"
	"linkcheck/uri/repair"
)

// slipFrom finds the next "//" behind a word that may be a scheme without its colon. The
// limit may part the slashes.
func slipFrom(text []byte, pos, limit int) int {
	for ; ; pos++ {
		pos = indexFrom(text, pos, min(limit+1, len(text)), "//")
		if pos >= limit {
			return limit
		}
		if slipWord(text[wordStart(text, pos):pos]) {
			return pos
		}
	}
}

// wordStart walks back from text[at] over the letters of what may be a scheme.
func wordStart(text []byte, at int) int {
	start := at
	for start > 0 && at-start < maxScheme && ascii.Letter(text[start-1]) {
		start--
	}
	return start
}

// slipWord says whether a word before "//" or ":/" shows that the web is meant, or is a
// scheme that nobody registered.
func slipWord(word []byte) bool {
	return bytes.EqualFold(word, []byte("http")) || bytes.EqualFold(word, []byte("https")) || repair.Misspelt(string(word))
}

// slipHit recognises an address whose scheme, or what parts it from the host, is mistyped:
// "http//host", "http:/host", "hppt:host". The mark that ends the scheme is text[at]. It is
// given as it was typed, where [repair.Slips] is sure of what is meant: a run tells that.
func (s *scanner) slipHit(start, at int) (hit, bool) {
	text, word := s.text, s.text[start:at]
	if !slipWord(word) || !beginsWord(text, start) {
		return hit{}, false
	}
	if text[at] == ':' && !bytes.HasPrefix(text[at:], []byte(":/")) && !repair.Misspelt(string(word)) {
		return hit{}, false // "http:host" may be a label and its value
	}
	end := s.bareEnd(at + 1)
	if !s.tried(end - start) {
		return hit{}, false
	}
	w := wrapperAt(text, start)
	b := TrimTail(text[start:end], w.open)
	host := hostBefore(bytes.TrimLeft(b[min(at-start, len(b)):], ":/"))
	if w.identifier || !ftpHost(host) || suffix(host) || bytes.IndexByte(b, '@') >= 0 || isTemplate(text, end) || hasVariable(b) {
		return hit{}, false
	}
	if _, sure := repair.Slips(string(b)); !sure {
		return hit{}, false
	}
	return hit{start: start, end: start + len(b), uri: string(b), how: HowBare}, true
}
