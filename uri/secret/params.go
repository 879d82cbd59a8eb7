package secret

import (
	"bytes"
	"cmp"
	"slices"
)

// params are the names of parameters whose values are secrets, in lower case.
var params = []string{
	"access_token", "accesstoken", "api-key", "api_key", "api_token", "apikey", "apitoken", "auth", "auth_token", "authtoken",
	"client_secret", "credential", "credentials", "hmac", "id_token", "jsessionid", "key", "oauth_signature", "oauth_token",
	"pass", "passphrase", "passwd", "password", "phpsessid", "private_key", "private_token", "pwd", "refresh_token", "secret",
	"session", "session_id", "sessionid", "sig", "signature", "token", "wskey", "x-amz-security-token", "x-amz-signature", "x-goog-signature",
}

// paramsBy are those names by their last letter.
var paramsBy = func() (by [256][]string) {
	for _, name := range params {
		last := name[len(name)-1]
		by[last] = append(by[last], name)
	}
	return by
}()

// Named says whether at s[i], a '=' or an escape of one, the name of a parameter ends whose
// value is a secret. It stands behind a '?', '&', ';' or '#', which may be escaped.
func Named[T string | []byte](s T, i int) bool {
	_, ok := nameBefore(s, i)
	return ok
}

// nameBefore gives the character before the name too.
func nameBefore[T string | []byte](s T, i int) (intro byte, ok bool) {
	if i == 0 {
		return 0, false
	}
	for _, name := range paramsBy[lower(s[i-1])] {
		if from := i - len(name); from > 0 && isName(s[from:i], name) {
			if c := introOf(s[:from]); c != 0 {
				return c, true
			}
		}
	}
	return 0, false
}

func isName[T string | []byte](s T, name string) bool {
	for i := range len(name) {
		if lower(s[i]) != name[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// introOf is the '?', '&', ';' or '#' that ends a text, also as %3F, with its '%' escaped or
// not, %u003F, \u003F and \x3F; 0 for none. A character reference ends with a ';'.
func introOf[T string | []byte](s T) byte {
	n := len(s)
	if c := s[n-1]; oneOf(c, "?&;#") {
		return c
	}
	if n < 3 || !isHex(s[n-1]) || !isHex(s[n-2]) {
		return 0
	}
	c := unhex(s[n-2])<<4 | unhex(s[n-1])
	if !oneOf(c, "?&;#") {
		return 0
	}
	n -= 2
	if n >= 3 && s[n-1] == '0' && s[n-2] == '0' && s[n-3] == 'u' {
		n -= 2
	}
	switch s[n-1] {
	case 'x', 'u':
		if n >= 2 && (s[n-2] == '\\' || s[n-2] == '%') {
			return c
		}
		return 0
	}
	for n >= 3 && s[n-1] == '5' && s[n-2] == '2' {
		n -= 2
	}
	if s[n-1] == '%' {
		return c
	}
	return 0
}

// mayName says whether values is to be asked: a '=' stands behind such a name, or is escaped.
func mayName(s []byte, e seen) bool {
	for from := 0; ; from++ {
		i := bytes.IndexByte(s[from:], '=')
		if i < 0 {
			return e.equals
		}
		if from += i; Named(s, from) {
			return true
		}
	}
}

// values finds the values of those parameters, in order. In running text one ends also at a
// blank, a quote and an angle bracket.
func values(s []byte, whole bool) (spans []Span) {
	equals := newSeeker(s, '=', see(s).equals)
	for i := equals.from(s, 0); i < len(s); i = equals.from(s, i) {
		_, n := token(s, i)
		intro, ok := nameBefore(s, i)
		if i += n; !ok {
			continue
		}
		if end := valueEnd(s, i, n, intro, whole); end > i {
			spans = append(spans, Span{i, end})
			i = end
		}
	}
	return spans
}

// valueEnd is where the value at i ends, whose '=' was n octets. What is escaped more often
// than that is a part of it. A ';' may be a part too, where no other parameter follows.
func valueEnd(s []byte, i, n int, intro byte, whole bool) int {
	for i < len(s) {
		c, size := token(s, i)
		switch {
		case !whole && size == 1 && (isBlank(c) || oneOf(c, `"<>`)):
			return i
		case s[i] == '%' && size > n:
		case c == '&', c == '#', c == '?' && intro == ';', c == ';' && nameFollows(s[i+size:]):
			return i
		}
		i += size
	}
	return i
}

// nameFollows says whether a text begins with a name and a '='.
func nameFollows(s []byte) bool {
	for i, c := range s[:min(len(s), maxScheme)] {
		if c == '=' {
			return i > 0
		}
		if !inScheme(c) && c != '_' {
			return false
		}
	}
	return false
}

// merge puts spans in order, and those together that overlap.
func merge(spans []Span) []Span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	all := spans[:1]
	for _, s := range spans[1:] {
		if last := &all[len(all)-1]; s.From < last.To {
			last.To = max(last.To, s.To)
		} else {
			all = append(all, s)
		}
	}
	return all
}
