package uri

import "strings"

// MaxLen is the longest string that Parse accepts, in bytes.
const MaxLen = 64 << 10

// split is a URI cut at its delimiters and nothing more: RFC 3986 section 3 for
// the generic delimiters; whether there is a query is the scheme's word.
type split struct {
	raw  string
	row  *row
	body string // after the colon, without the fragment

	hasFrag  bool
	hasAuth  bool
	hasUser  bool
	hasPort  bool
	hasQuery bool

	frag, user, host, port, path, query         string
	fragAt, userAt, hostAt, portAt, pathAt, qAt int // offsets in raw
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
	sp = split{raw: s, row: row, body: s[n+1:]}
	if i := strings.IndexByte(sp.body, '#'); i >= 0 {
		sp.hasFrag, sp.frag, sp.fragAt = true, sp.body[i+1:], n+1+i+1
		sp.body = sp.body[:i]
	}
	at := n + 1
	rest := sp.body
	if strings.HasPrefix(rest, "//") && row.form != formFlat {
		at += 2
		rest = rest[2:]
		end := strings.IndexAny(rest, "/?")
		if end < 0 {
			end = len(rest)
		}
		sp.cutAuthority(rest[:end], at)
		at += end
		rest = rest[end:]
	}
	sp.path, sp.pathAt = rest, at
	if row.form == formQuery {
		if i := strings.IndexByte(rest, '?'); i >= 0 {
			sp.path, sp.query, sp.hasQuery, sp.qAt = rest[:i], rest[i+1:], true, at+i+1
		}
	}
	return sp, nil
}

// tail is the fragment with its '#'.
func (sp *split) tail() string {
	if !sp.hasFrag {
		return ""
	}
	return sp.raw[sp.fragAt-1:]
}

// rest is everything between the authority and the fragment.
func (sp *split) rest() string { return sp.raw[sp.pathAt : len(sp.raw)-len(sp.tail())] }

// cutAuthority splits at the last '@' and, outside brackets, at the last ':'.
func (sp *split) cutAuthority(a string, at int) {
	sp.hasAuth = true
	if i := strings.LastIndexByte(a, '@'); i >= 0 {
		sp.hasUser, sp.user, sp.userAt = true, a[:i], at
		a, at = a[i+1:], at+i+1
	}
	sp.host, sp.hostAt = a, at
	if i := strings.LastIndexByte(a, ':'); i >= 0 && strings.IndexByte(a[i:], ']') < 0 {
		sp.host, sp.hasPort, sp.port, sp.portAt = a[:i], true, a[i+1:], at+i+1
	}
}

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
