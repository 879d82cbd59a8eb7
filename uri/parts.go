package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

// MaxLen is the longest string that Parse accepts, in bytes.
const MaxLen = 64 << 10

// Parts is a URI cut at its delimiters and nothing more (RFC 3986 section 3): every
// part is as written, escapes and all, without its delimiters. Whether '?' begins a
// query is the scheme's word; where it does not, it belongs to the path.
type Parts struct {
	Scheme string // lower case

	User, Host, Port, Path, Query, Fragment               string
	HasAuthority, HasUser, HasPort, HasQuery, HasFragment bool // an empty part differs from none

	raw  string // as given to Parse
	desc *Descriptor
}

// String joins the parts.
func (p *Parts) String() string {
	var b strings.Builder
	b.Grow(len(p.Scheme) + len(p.User) + len(p.Host) + len(p.Port) + len(p.Path) + len(p.Query) + len(p.Fragment) + len("://@:?#"))
	b.WriteString(p.Scheme)
	b.WriteByte(':')
	if p.HasAuthority {
		b.WriteString("//")
		if p.HasUser {
			b.WriteString(p.User)
			b.WriteByte('@')
		}
		b.WriteString(p.Host)
		if p.HasPort {
			b.WriteByte(':')
			b.WriteString(p.Port)
		}
	}
	b.WriteString(p.Path)
	if p.HasQuery {
		b.WriteByte('?')
		b.WriteString(p.Query)
	}
	if p.HasFragment {
		b.WriteByte('#')
		b.WriteString(p.Fragment)
	}
	return b.String()
}

// cut cuts s at its delimiters. The scheme is matched without regard to case.
func cut(s string) (p Parts, err *Error) {
	if len(s) > MaxLen {
		return p, &Error{Offset: MaxLen, Code: "too-long"}
	}
	n := chars.SchemeLen(s)
	if n < 0 {
		return p, &Error{Code: "scheme-missing"}
	}
	desc := parsed(s[:n])
	if desc == nil {
		return p, &Error{Scheme: chars.Lower(s[:n]), Code: "scheme-unknown"}
	}
	p.raw, p.desc, p.Scheme = s, desc, desc.Name
	p.cutRest(s[n+1:], desc.syntax)
	return p, nil
}

// cutRest cuts what follows the colon of the scheme.
func (p *Parts) cutRest(s string, syntax syntax) {
	if i := strings.IndexByte(s, '#'); i >= 0 {
		s, p.Fragment, p.HasFragment = s[:i], s[i+1:], true
	}
	if syntax != syntaxFlat && strings.HasPrefix(s, "//") {
		s = s[2:]
		end := 0
		for end < len(s) && !chars.Is(s[end], chars.Slash|chars.Question) {
			end++
		}
		p.cutAuthority(s[:end])
		s = s[end:]
	}
	p.Path = s
	if i := strings.IndexByte(s, '?'); i >= 0 && syntax == syntaxQuery {
		p.Path, p.Query, p.HasQuery = s[:i], s[i+1:], true
	}
}

// cutAuthority splits at the last '@' and, outside brackets, at the last ':'.
func (p *Parts) cutAuthority(a string) {
	p.HasAuthority = true
	if i := strings.LastIndexByte(a, '@'); i >= 0 {
		p.HasUser, p.User, a = true, a[:i], a[i+1:]
	}
	p.Host = a
	if i := strings.LastIndexByte(a, ':'); i >= 0 && strings.IndexByte(a[i:], ']') < 0 {
		p.Host, p.HasPort, p.Port = a[:i], true, a[i+1:]
	}
}

// The offsets of the parts in raw, for errors.

func (p *Parts) userAt() int { return len(p.Scheme) + len("://") }

func (p *Parts) hostAt() int {
	if p.HasUser {
		return p.userAt() + len(p.User) + 1
	}
	return p.userAt()
}

func (p *Parts) portAt() int { return p.hostAt() + len(p.Host) + 1 }

func (p *Parts) pathAt() int {
	switch {
	case !p.HasAuthority:
		return len(p.Scheme) + 1
	case p.HasPort:
		return p.portAt() + len(p.Port)
	}
	return p.hostAt() + len(p.Host)
}

func (p *Parts) qAt() int    { return p.pathAt() + len(p.Path) + 1 }
func (p *Parts) fragAt() int { return len(p.raw) - len(p.Fragment) }

// tail is the fragment with its '#'.
func (p *Parts) tail() string {
	if !p.HasFragment {
		return ""
	}
	return p.raw[p.fragAt()-1:]
}

// body is everything between the colon and the fragment.
func (p *Parts) body() string { return p.raw[len(p.Scheme)+1 : len(p.raw)-len(p.tail())] }

// rest is everything between the authority and the fragment.
func (p *Parts) rest() string { return p.raw[p.pathAt() : len(p.raw)-len(p.tail())] }
