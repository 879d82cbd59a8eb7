package textscan

import (
	"strings"

	"linkcheck/internal/ascii"
	"linkcheck/uri"
)

// spellingOf is [uri.SpellingOf] for a word of text; known says that it is a scheme
// which the scanner tells from prose.
func spellingOf(word []byte) (s uri.Spelling, known bool) {
	s = uri.SpellingOf(string(word))
	return s, s != uri.SpelledUnknown
}

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
	case uri.SpelledService:
		return serviceType(rest)
	case uri.SpelledUser:
		return slashes || IsAddress(rest)
	case uri.SpelledGo:
		return slashes || strings.HasPrefix(rest, "//?") && len(rest) > 3 || len(rest) > 2 && ascii.Only([]byte(rest)) && (ascii.Letter(rest[0]) || rest[0] == '%' || rest[0] == '?' && ascii.Letter(rest[1]))
	}
	return false
}

// authority says whether rest starts with "//" and a host, or "///" and a path.
func authority(rest string) bool {
	if len(rest) < 3 || rest[:2] != "//" {
		return false
	}
	if rest[2] == '/' {
		return len(rest) > 3 && rest[3] != '/'
	}
	if rest[2] == '.' || rest[2] == '-' || rest[2] == ',' {
		return false
	}
	for i := 2; i < len(rest) && rest[i] != '/' && rest[i] != '?' && rest[i] != '#'; i++ {
		if ascii.Alnum(rest[i]) {
			return true
		}
	}
	return false
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
	_, word := spellingOf([]byte(kind))
	return ok && len(kind) > 1 && len(hostOf([]byte(kind))) == len(kind) && strings.Contains(after, "//") && (!word || kind == "tn3270" || kind == "telnet" || kind == "wais")
}

// IsAddress says whether s begins with local@host, neither of them empty.
func IsAddress(s string) bool {
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '@' {
			return ascii.Alnum(s[i+1]) || s[i+1] == '['
		}
	}
	return false
}

// dottedGroup is a newsgroup name such as comp.os or rec.humor.*.
func dottedGroup(s string) bool {
	if !ascii.Letter(s[0]) {
		return false
	}
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '.' {
			return ascii.Alnum(s[i+1]) || s[i+1] == '*'
		}
		if !ascii.Alnum(s[i]) && s[i] != '-' && s[i] != '+' && s[i] != '_' {
			return false
		}
	}
	return false
}

// namespace is a word, the separator, and a value.
func namespace(s string, sep byte) bool {
	for i := 0; i < len(s)-1; i++ {
		if s[i] == sep {
			return i > 1 && (ascii.Alnum(s[i+1]) || s[i+1] == '%' || sep == '/')
		}
		if !ascii.Alnum(s[i]) && s[i] != '-' && s[i] != '.' {
			return false
		}
	}
	return false
}
