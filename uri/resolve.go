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
	scheme := base[:len(p.desc.Name)+1]
	r := cutReference(ref)
	if r.hasAuth {
		return scheme + "//" + r.authority + withoutDots(r.path) + r.tail(), nil
	}
	b := cutReference(base[len(scheme):])
	out := scheme
	if b.hasAuth {
		out += "//" + b.authority
	}
	switch {
	case r.path == "":
		if !r.hasQuery {
			r.query, r.hasQuery = b.query, b.hasQuery
		}
		return out + b.path + r.tail(), nil
	case r.path[0] == '/':
		return out + withoutDots(r.path) + r.tail(), nil
	}
	return out + withoutDots(merge(b, r.path)) + r.tail(), nil
}

// reference is a relative reference at its delimiters, RFC 3986 section 4.2.
type reference struct {
	authority, path, query, frag string
	hasAuth, hasQuery, hasFrag   bool
}

func cutReference(s string) (r reference) {
	s, r.frag, r.hasFrag = strings.Cut(s, "#")
	s, r.query, r.hasQuery = strings.Cut(s, "?")
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		r.hasAuth = true
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			i = len(rest)
		}
		r.authority, s = rest[:i], rest[i:]
	}
	r.path = s
	return r
}

func (r *reference) tail() string {
	var t string
	if r.hasQuery {
		t = "?" + r.query
	}
	if r.hasFrag {
		t += "#" + r.frag
	}
	return t
}

// merge replaces the last segment of the base, RFC 3986 section 5.2.3.
func merge(b reference, path string) string {
	if b.hasAuth && b.path == "" {
		return "/" + path
	}
	return b.path[:strings.LastIndexByte(b.path, '/')+1] + path
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
	if !hasDots(path) {
		return path
	}
	if path[0] != '/' {
		head, rest, _ := strings.Cut(path, "/")
		return strings.TrimPrefix(string(appendWithoutDots(nil, "/"+head+"/"+rest)), "/")
	}
	return string(appendWithoutDots(nil, path))
}
