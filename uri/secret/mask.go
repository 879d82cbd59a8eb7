package secret

import (
	"bytes"
	"slices"
	"strings"
)

// mark stands where a secret stood.
const mark = "***"

// Mask hides the secrets of an address: a string that is one reference from its first
// octet to its last, whatever it looks like. Masked once is masked for good.
func Mask(address string) string {
	if !mayHold(address, '@') && strings.IndexByte(address, '=') < 0 {
		return address
	}
	return repeat(address, true, func(s string) finder { return finder{s: []byte(s), whole: true} })
}

// MaskText hides the secrets in running text, in which references begin and end
// anywhere. One that the end of the text tears before its '@' is hidden too, if it is one
// word: what is shown of ids, titles and replies may have been cut before. Masked once is
// masked for good.
func MaskText(text string) string {
	if !mayHold(text, '@') && strings.IndexByte(text, '=') < 0 && strings.IndexByte(lastWord(text), ':') < 0 {
		return text
	}
	return repeat(text, false, func(s string) finder { return finder{s: []byte(s), torn: true} })
}

// lastWord is the end of a text behind all that ends a word which may be torn.
func lastWord(text string) string {
	i := len(text)
	for i > 0 && !endsWord(rune(text[i-1])) {
		i--
	}
	return text[i:]
}

// Ends says whether c is an '@', a '=', or what an escape begins with. Where none stands
// nothing is hidden of an address, and of a text only what its end tears behind a ':'. A '='
// hides something only where it is [Named].
func Ends(c byte) bool { return c == '@' || c == '=' || oneOf(c, escapes) }

// repeat hides secrets until there are none: where one is hidden, the '@' behind it may
// come into the reach of another before it.
func repeat(s string, whole bool, find func(string) finder) string {
	for {
		var spans []Span
		if mayHold(s, ':') && (holdsEscape(s) || hasUser(s)) {
			spans = find(s).find()
		}
		if mayHold(s, '=') { // also where a password goes over the name of one
			spans = merge(append(spans, values([]byte(s), whole)...))
		}
		masked := hide(s, spans)
		if masked == s {
			return s
		}
		s = masked
	}
}

// Span is where a secret stands: the octets from From up to To.
type Span struct{ From, To int }

// Reach is how far around a place in running text a secret may begin or end that touches it.
const Reach = reachEscaped

// Spans finds the secrets in running text, in order.
func Spans(text []byte) []Span {
	var spans []Span
	if mayEnd(text) {
		spans = finder{s: text}.find()
	}
	if found := values(text, false); len(found) > 0 {
		spans = merge(append(spans, found...))
	}
	return spans
}

// Sure finds the passwords whose user holds no '/', '?' and '#'. What another ends or begins may be
// the path of a reference, and is hidden but taken for a part of it.
func Sure(text []byte) []Span {
	if !mayEnd(text) {
		return nil
	}
	return finder{s: text, sure: true}.find()
}

// HoldsSure says whether such a one stands in an address.
func HoldsSure(address string) bool {
	return mayHold(address, '@') && len(finder{s: []byte(address), whole: true, sure: true}.find()) > 0
}

// EndsSure says whether such a one stands in a word of running text, or is torn by its end.
func EndsSure(word string) bool {
	return len(finder{s: []byte(word), torn: true, sure: true}.find()) > 0
}

// mayEnd says whether a secret may end in a text.
func mayEnd(text []byte) bool {
	return bytes.IndexByte(text, '@') >= 0 || bytes.IndexByte(text, '%') >= 0 || bytes.IndexByte(text, '&') >= 0 || bytes.IndexByte(text, '\\') >= 0
}

// Cut gives text[from:to] with its secrets hidden; spans are those of the whole text, so
// that a cut through a secret shows nothing of it.
func Cut(text []byte, spans []Span, from, to int) string {
	var b strings.Builder
	for _, s := range spans {
		if s.From >= to {
			break // one text may hold thousands
		}
		if s.To <= from {
			continue
		}
		b.Write(text[from:max(from, s.From)])
		b.WriteString(mark)
		from = min(s.To, to)
	}
	b.Write(text[from:to])
	return b.String()
}

func hide(s string, spans []Span) string {
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	from := 0
	for _, secret := range spans {
		b.WriteString(s[from:secret.From])
		b.WriteString(mark)
		from = secret.To
	}
	b.WriteString(s[from:])
	return b.String()
}

// From gives those of the spans that do not end before an offset.
func From(spans []Span, offset int) []Span {
	for len(spans) > 0 && spans[0].To < offset {
		spans = spans[1:]
	}
	return spans
}

// SplitBy says whether a secret in a list would be torn by one of the separators.
func SplitBy(list, separators string) bool {
	return slices.ContainsFunc(Sure([]byte(list)), func(s Span) bool { return strings.ContainsAny(list[s.From:s.To], separators) })
}

// CutAt says whether the first secret in text begins before an offset and ends behind it.
func CutAt(text []byte, at int) bool {
	spans := Sure(text)
	return len(spans) > 0 && spans[0].From <= at && spans[0].To > at
}

// MaskTorn is Mask of an address that is known to end within a secret.
func MaskTorn(address string) string { return strings.TrimSuffix(Mask(address+"@"), "@") }
