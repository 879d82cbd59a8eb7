package uri

import "strings"

// MaxLen is the longest string that Parse accepts, in bytes.
const MaxLen = 64 << 10

// split is a URI cut at its delimiters and nothing more: RFC 3986 section 3 for
// the generic delimiters; whether there is a query is the scheme's word.
type Parts struct {
	raw string
	desc *Descriptor

	Fragment, User, Host, Port, Path, Query          string
	HasFragment, HasAuthority, HasUser, HasPort, HasQuery bool
}

// cut splits s. The scheme is matched without regard to case.
func cut(s string) (sp Parts, err *Error) {
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
	sp.raw, sp.desc = s, row
	rest := s[n+1:]
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		sp.HasFragment, sp.Fragment, rest = true, rest[i+1:], rest[:i]
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
	sp.Path = rest
	if row.syntax == syntaxQuery {
		if i := strings.IndexByte(rest, '?'); i >= 0 {
			sp.Path, sp.Query, sp.HasQuery = rest[:i], rest[i+1:], true
		}
	}
	return sp, nil
}

// cutAuthority splits at the last '@' and, outside brackets, at the last ':'.
func (sp *Parts) cutAuthority(a string) {
	sp.HasAuthority = true
	if i := strings.LastIndexByte(a, '@'); i >= 0 {
		sp.HasUser, sp.User, a = true, a[:i], a[i+1:]
	}
	sp.Host = a
	if i := strings.LastIndexByte(a, ':'); i >= 0 && strings.IndexByte(a[i:], ']') < 0 {
		sp.Host, sp.HasPort, sp.Port = a[:i], true, a[i+1:]
	}
}

// The offsets of the parts in raw, for errors.

func (sp *Parts) userAt() int { return len(sp.desc.Name) + len("://") }

func (sp *Parts) hostAt() int {
	if sp.HasUser {
		return sp.userAt() + len(sp.User) + 1
	}
	return sp.userAt()
}

func (sp *Parts) portAt() int { return sp.hostAt() + len(sp.Host) + 1 }

func (sp *Parts) pathAt() int {
	switch {
	case !sp.HasAuthority:
		return len(sp.desc.Name) + 1
	case sp.HasPort:
		return sp.portAt() + len(sp.Port)
	}
	return sp.hostAt() + len(sp.Host)
}

func (sp *Parts) qAt() int    { return sp.pathAt() + len(sp.Path) + 1 }
func (sp *Parts) fragAt() int { return len(sp.raw) - len(sp.Fragment) }

// tail is the fragment with its '#'.
func (sp *Parts) tail() string {
	if !sp.HasFragment {
		return ""
	}
	return sp.raw[sp.fragAt()-1:]
}

// body is everything between the colon and the fragment.
func (sp *Parts) body() string {
	return sp.raw[len(sp.desc.Name)+1 : len(sp.raw)-len(sp.tail())]
}

// rest is everything between the authority and the fragment.
func (sp *Parts) rest() string { return sp.raw[sp.pathAt() : len(sp.raw)-len(sp.tail())] }

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
