package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

// Resolve resolves ref against base: RFC 3986 section 5 and, what is the same
// but for "/.." above the root, the partial forms of UDI (1991). Schemes without
// relative forms (info, go, gopher and all that are not hierarchical) are
// refused with an *Error. A ref with a scheme of its own is returned as it is.
func Resolve(base, ref string) (string, error) {
	if chars.SchemeLen(ref) >= 0 {
		return ref, nil
	}
	p, err := cut(base)
	if err != nil {
		return "", err
	}
	if !p.desc.relative {
		return "", &Error{Scheme: p.desc.Name, Code: "relative-refused"}
	}
	if len(ref) > MaxLen {
		return "", &Error{Scheme: p.desc.Name, Offset: MaxLen, Code: "too-long"}
	}
	t := &p // the base becomes the target
	if p.desc.syntax != syntaxQuery {
		t = &Parts{}
		t.cutRest(base[len(p.Scheme)+1:], syntaxQuery)
	}
	var r Parts
	r.cutRest(ref, syntaxQuery)
	switch { // RFC 3986 section 5.2.2
	case r.HasAuthority:
		t = &r
		t.Path = withoutDots(r.Path)
	case strings.HasPrefix(r.Path, "/"):
		t.Path = withoutDots(r.Path)
	case r.Path != "":
		t.Path = withoutDots(merge(t, r.Path))
	}
	if r.HasAuthority || r.Path != "" || r.HasQuery {
		t.Query, t.HasQuery = r.Query, r.HasQuery
	}
	t.Scheme, t.Fragment, t.HasFragment = base[:len(p.Scheme)], r.Fragment, r.HasFragment
	return t.String(), nil
}

// merge replaces the last segment of the base, RFC 3986 section 5.2.3.
func merge(b *Parts, path string) string {
	if b.HasAuthority && b.Path == "" {
		return "/" + path
	}
	return b.Path[:strings.LastIndexByte(b.Path, '/')+1] + path
}

// withoutDots is RFC 3986 section 5.2.4; a path without a leading slash (news)
// loses the dots at its start.
func withoutDots(path string) string {
	for strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") {
		path = path[strings.IndexByte(path, '/')+1:]
	}
	if path == "." || path == ".." {
		return ""
	}
	switch {
	case !hasDots(path):
		return path
	case path[0] != '/':
		return strings.TrimPrefix(string(appendWithoutDots(nil, path)), "/")
	}
	return string(appendWithoutDots(nil, path))
}
