package uri

import "strings"

// MaxLen is the longest string that Parse accepts, in bytes.
const MaxLen = 64 << 10

// split is a URI cut at its delimiters and nothing more: RFC 3986 section 3 for
// the generic delimiters; whether there is a query is the scheme's word.
type split struct {
	raw string
	row *Descriptor

	frag, user, host, port, path, query          string
	hasFrag, hasAuth, hasUser, hasPort, hasQuery bool
}

// cut splits s. The scheme is matched without regard to case.
func cut(s string) (sp split, err *Error) {
	if len(s) > MaxLen {
		return sp, &Error{Offset: MaxLen, Code: "too-long"}
	}
	n := schemeLen(s)
	if n < 0 {
		return sp, &Error{Code: "scheme-missing"}
	}
	row := findRow(s[:n])
	if row == nil {
		return sp, &Error{Scheme: lower(s[:n]), Code: "scheme-unknown"}
	}
	sp.raw, sp.row = s, row
	rest := s[n+1:]
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		sp.hasFrag, sp.frag, rest = true, rest[i+1:], rest[:i]
	}
	if row.syntax != syntaxFlat && strings.HasPrefix(rest, "//") {
		rest = rest[2:]
		end := 0
		for end < len(rest) && !is(rest[end], cSlash|cQuest) {
			end++
		}
		sp.cutAuthority(rest[:end])
		rest = rest[end:]
	}
	sp.path = rest
	if row.syntax == syntaxQuery {
		if i := strings.IndexByte(rest, '?'); i >= 0 {
			sp.path, sp.query, sp.hasQuery = rest[:i], rest[i+1:], true
		}
	}
	return sp, nil
}

// cutAuthority splits at the last '@' and, outside brackets, at the last ':'.
func (sp *split) cutAuthority(a string) {
	sp.hasAuth = true
	if i := strings.LastIndexByte(a, '@'); i >= 0 {
		sp.hasUser, sp.user, a = true, a[:i], a[i+1:]
	}
	sp.host = a
	if i := strings.LastIndexByte(a, ':'); i >= 0 && strings.IndexByte(a[i:], ']') < 0 {
		sp.host, sp.hasPort, sp.port = a[:i], true, a[i+1:]
	}
}

// The offsets of the parts in raw, for errors.

func (sp *split) userAt() int { return len(sp.row.Name) + len("://") }

func (sp *split) hostAt() int {
	if sp.hasUser {
		return sp.userAt() + len(sp.user) + 1
	}
	return sp.userAt()
}

func (sp *split) portAt() int { return sp.hostAt() + len(sp.host) + 1 }

func (sp *split) pathAt() int {
	switch {
	case !sp.hasAuth:
		return len(sp.row.Name) + 1
	case sp.hasPort:
		return sp.portAt() + len(sp.port)
	}
	return sp.hostAt() + len(sp.host)
}

func (sp *split) qAt() int    { return sp.pathAt() + len(sp.path) + 1 }
func (sp *split) fragAt() int { return len(sp.raw) - len(sp.frag) }

// tail is the fragment with its '#'.
func (sp *split) tail() string {
	if !sp.hasFrag {
		return ""
	}
	return sp.raw[sp.fragAt()-1:]
}

// body is everything between the colon and the fragment.
func (sp *split) body() string {
	return sp.raw[len(sp.row.Name)+1 : len(sp.raw)-len(sp.tail())]
}

// rest is everything between the authority and the fragment.
func (sp *split) rest() string { return sp.raw[sp.pathAt() : len(sp.raw)-len(sp.tail())] }

// schemeLen is the length of the scheme before its colon, or -1 (RFC 3986 section 3.1).
func schemeLen(s string) int {
	if s == "" || !is(s[0], cAlpha) {
		return -1
	}
	for i := 1; i < len(s); i++ {
		if s[i] == ':' {
			return i
		}
		if !is(s[i], cScheme) {
			return -1
		}
	}
	return -1
}
