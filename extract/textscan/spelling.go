package textscan

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
	"linkcheck/uri"
)

// IsScheme says whether a scheme, in any case, is one that the scanner tells from prose.
func IsScheme(name string) bool { return uri.SpellingOf(name) != uri.SpelledUnknown }

// IsURI says whether text is an absolute URI and nothing else.
func IsURI[T []byte | string](text T) bool {
	s := string(text)
	spelled := uri.SpellingOf(doc.SchemeOf(s))
	return spelled != uri.SpelledUnknown && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' }) < 0 && fits(spelled, s[strings.IndexByte(s, ':')+1:])
}

// IsRelative says whether b, where a reference has to stand, is a relative one: a
// word without a scheme.
func IsRelative(b []byte) bool { return doc.SchemeOf(string(b)) == "" && len(bytes.Fields(b)) == 1 }

// fits says whether rest, the text behind the colon up to its end, is what must follow
// a scheme spelled so.
func fits(s uri.Spelling, rest string) bool {
	if rest == "" {
		return false
	}
	slashes := authority(rest)
	switch s {
	case uri.SpelledSlashes:
		return slashes
	case uri.SpelledFile:
		return slashes || len(rest) > 2 && rest[0] == '/' && ascii.Alnum(rest[1])
	case uri.SpelledUnknown:
		return slashes && ascii.Alnum(rest[2])
	case uri.SpelledMail:
		return IsAddress(rest) || !ascii.Space(rest[0]) && strings.ContainsAny(rest, "%?")
	case uri.SpelledID:
		return IsAddress(rest)
	case uri.SpelledNews:
		return slashes || rest == "*" || IsAddress(rest) || dottedGroup(rest)
	case uri.SpelledURN:
		return namespace(rest, ':') || len(rest) > 2 && rest[0] == '/' && ascii.Alnum(rest[1])
	case uri.SpelledInfo:
		return namespace(rest, '/')
	case uri.SpelledARK:
		return arkName(rest)
	case uri.SpelledService:
		return serviceType(rest)
	case uri.SpelledUser:
		return slashes || IsAddress(rest)
	case uri.SpelledGo:
		return slashes || strings.HasPrefix(rest, "//?") && len(rest) > 3 || len(rest) > 2 && ascii.Only([]byte(rest)) && (ascii.Letter(rest[0]) || rest[0] == '%' || rest[0] == '?' && ascii.Letter(rest[1]))
	}
	return false
}

// mayFit is false where fits says no of b and of whatever b begins with: what tells
// without a look at each byte, since one run of bytes may hold a thousand colons.
func mayFit(s uri.Spelling, b []byte) bool {
	if len(b) == 0 {
		return false
	}
	rooted, at := b[0] == '/', bytes.IndexByte(b[1:], '@') >= 0
	switch s {
	case uri.SpelledSlashes, uri.SpelledUnknown:
		return len(b) > 2 && (!rooted || bytes.IndexByte([]byte(".-,"), b[2]) < 0)
	case uri.SpelledFile:
		return rooted
	case uri.SpelledMail:
		return at || bytes.IndexByte(b, '%') >= 0 || bytes.IndexByte(b, '?') >= 0
	case uri.SpelledID:
		return at
	case uri.SpelledNews:
		return rooted || at || b[0] == '*' || dottedGroup(b)
	case uri.SpelledURN:
		return namespace(b, ':') || rooted && len(b) > 2 && ascii.Alnum(b[1])
	case uri.SpelledInfo:
		return namespace(b, '/')
	case uri.SpelledService:
		return bytes.IndexByte(b, ':') > 1 && bytes.Contains(b, []byte("//"))
	case uri.SpelledUser:
		return rooted || at
	}
	return true
}

// authority says whether rest starts with "//" and a host, or "///" and a path.
func authority(rest string) bool {
	if len(rest) < 3 || rest[:2] != "//" {
		return false
	}
	if rest[2] == '/' {
		return len(rest) > 3 && rest[3] != '/'
	}
	host := rest[2:]
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	return strings.IndexByte(".-,", rest[2]) < 0 && strings.ContainsFunc(host, func(r rune) bool { return r < 0x80 && ascii.Alnum(byte(r)) })
}

// fitsClosed is fits where brackets or "URL:" say that a reference is meant.
func fitsClosed(s uri.Spelling, rest string, prefixed bool) bool {
	if fits(s, rest) {
		return true
	}
	if rest == "" || !ascii.Alnum(rest[0]) && rest[0] != '/' && rest[0] != '?' {
		return false
	}
	switch s {
	case uri.SpelledGo:
		return true
	case uri.SpelledNews:
		return prefixed && ascii.Letter(rest[0])
	case uri.SpelledSlashes:
		return rest[0] == '/' && len(rest) > 1 && ascii.Alnum(rest[1])
	case uri.SpelledUnknown:
		return prefixed && authority(rest)
	}
	return false
}

// serviceType says whether rest begins with the type of a service (RFC 2609
// section 2.1). "service:http://" is a word before a URL.
func serviceType(rest string) bool {
	kind, after, ok := strings.Cut(rest, ":")
	return ok && len(kind) > 1 && len(hostOf(kind)) == len(kind) && strings.Contains(after, "//") && (!IsScheme(kind) || kind == "tn3270" || kind == "telnet" || kind == "wais")
}

// arkName is "/", which may be missing, the number of who assigns names, and a name.
// Of numbers with letters, which are rare, none is taken from prose.
func arkName(rest string) bool {
	naan, name, ok := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	return ok && len(naan) >= 5 && len(naan) <= 9 && strings.Trim(naan, "0123456789") == "" && name != "" && ascii.Alnum(name[0])
}

// IsAddress says whether s begins with local@host, neither of them empty.
func IsAddress(s string) bool {
	_, host, _ := strings.Cut(s[min(1, len(s)):], "@")
	return host != "" && (ascii.Alnum(host[0]) || host[0] == '[')
}

// dottedGroup is a newsgroup name such as comp.os or rec.humor.*.
func dottedGroup[T []byte | string](s T) bool {
	i := ascii.Skip(s, 0, func(c byte) bool { return ascii.Alnum(c) || c == '-' || c == '+' || c == '_' })
	return ascii.Letter(s[0]) && i < len(s)-1 && s[i] == '.' && (ascii.Alnum(s[i+1]) || s[i+1] == '*')
}

// namespace is a word, the separator, and a value.
func namespace[T []byte | string](s T, sep byte) bool {
	i := ascii.Skip(s, 0, func(c byte) bool { return ascii.Alnum(c) || c == '-' || c == '.' })
	return 1 < i && i < len(s)-1 && s[i] == sep && (ascii.Alnum(s[i+1]) || s[i+1] == '%' || s[i+1] == '/' || sep == '/')
}
