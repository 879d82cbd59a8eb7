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
	if !holdsEnd(address) {
		return address
	}
	return repeat(address, finder{whole: true})
}

// Hidden says whether all that is secret in an address was hidden before: it is as Mask gives
// it, and nobody can ask for what it stood for.
func Hidden(address string) bool {
	if !strings.Contains(address, mark) {
		return false
	}
	filled := strings.ReplaceAll(address, mark, "x")
	return Mask(filled) == address
}

// MaskText hides the secrets in running text, in which references begin and end
// anywhere. One that the end of the text tears before its '@' is hidden too, if it is one
// word: what is shown of ids, titles and replies may have been cut before. Masked once is
// masked for good.
func MaskText(text string) string {
	if !holdsEnd(text) && !mayTear(text) {
		return text
	}
	return repeat(text, finder{torn: true})
}

// Ends says whether c is an '@', a '=', or what an escape begins with. Where none stands
// nothing is hidden of an address, and of a text only what its end tears behind a ':'. A '='
// hides something only where it is [Named].
func Ends(c byte) bool { return c == '@' || c == '=' || oneOf(c, escapes) }

// ends are the octets of which [Ends] says that.
var ends = func() (is [256]bool) {
	for c := range is {
		is[c] = Ends(byte(c))
	}
	return is
}()

// holdsEnd says whether one of those stands in s. Most strings hold none.
func holdsEnd(s string) bool {
	for i := range len(s) {
		if ends[s[i]] {
			return true
		}
	}
	return false
}

// mayTear says whether the end of a text may tear a password behind a ':' that is not escaped.
func mayTear[T string | []byte](s T) bool {
	for i := len(s) - 1; i >= 0 && !endsWord(rune(s[i])); i-- {
		if s[i] == ':' {
			return true
		}
	}
	return false
}

// repeat hides secrets until there are none: where one is hidden, the '@' behind it may
// come into the reach of another before it.
func repeat(s string, f finder) string {
	for {
		var spans []Span
		f.s = []byte(s)
		e := see(f.s)
		if mayFind(f.s, e, f.torn) {
			spans = f.find()
		}
		if mayName(f.s, e) { // also where a password goes over the name of one
			spans = merge(append(spans, values(f.s, f.whole)...))
		}
		masked := hide(s, spans)
		if masked == s {
			return s
		}
		s = masked
	}
}

// mayFind says whether a finder is to be asked: for a ':' behind what brings a user, and for an
// '@' behind it or the end of a text that tears a password.
func mayFind(s []byte, e seen, torn bool) bool {
	if !e.at && bytes.IndexByte(s, '@') < 0 && !(torn && (e.colon || mayTear(s))) {
		return false
	}
	return e.colon || bytes.IndexByte(s, ':') >= 0 && (e.escapes || hasUser(s))
}

// Span is where a secret stands: the octets from From up to To.
type Span struct{ From, To int }

// Reach is how far around a place in running text a secret may begin or end that touches it.
const Reach = reachEscaped

// Spans finds the secrets in running text, in order.
func Spans(text []byte) []Span {
	var spans []Span
	e := see(text)
	if mayFind(text, e, false) {
		spans = finder{s: text}.find()
	}
	if mayName(text, e) {
		spans = merge(append(spans, values(text, false)...))
	}
	return spans
}

// Sure finds the passwords whose user holds no '/', '?' and '#'. What another ends or begins may be
// the path of a reference, and is hidden but taken for a part of it.
func Sure(text []byte) []Span {
	if !mayFind(text, see(text), false) {
		return nil
	}
	return finder{s: text, sure: true}.find()
}

// HoldsSure says whether such a one stands in an address.
func HoldsSure(address string) bool {
	if !holdsEnd(address) {
		return false
	}
	f := finder{s: []byte(address), whole: true, sure: true}
	return mayFind(f.s, see(f.s), false) && len(f.find()) > 0
}

// EndsSure says whether such a one stands in a word of running text, or is torn by its end.
func EndsSure(word string) bool {
	return len(finder{s: []byte(word), torn: true, sure: true}.find()) > 0
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
