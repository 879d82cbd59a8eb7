package store

import (
	"bytes"
	"strings"

	"linkcheck/store/internal/codec"
	"linkcheck/uri"
	"linkcheck/uri/equal"
)

// invalidMark begins the key of a string that is no URI of its scheme, so that it
// has a row like every other link.
const invalidMark = "invalid:"

// RelativeMark begins the key of a relative reference whose base is not known.
const RelativeMark = "relative:"

// identity is what a string as cleaned by extraction stands for.
type identity struct {
	key, scheme, host string
	levels            [4]uint64 // hashes of the registry, protocol, resolver and heuristic keys; 0: as the level below
}

// identify finds the identity of a reference. Nothing is dropped: what does not
// parse is its own identity.
func identify(s string) identity {
	u, err := uri.Parse(s)
	if err != nil {
		scheme := ""
		if e, ok := err.(*uri.Error); ok {
			scheme = e.Scheme
		}
		return identity{key: invalidMark + s, scheme: scheme}
	}
	id := identity{scheme: u.Scheme()}
	keys := equal.KeysOf(u)
	if id.key = keys.Scheme; id.key == "" {
		id.key = uri.SchemeKey(u)
	}
	if at, ok := u.Endpoint(); ok {
		id.host = at.Host
	} else if f, ok := u.(*uri.File); ok {
		id.host = f.Host
	}
	below := id.key
	for i, k := range []string{keys.Registry, keys.Protocol, keys.Resolver, keys.Heuristic} {
		if k != "" && k != below {
			id.levels[i] = hash(k)
			below = k
		}
	}
	return id
}

// keyOf is the identity alone.
func keyOf(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return invalidMark + s
	}
	return uri.SchemeKey(u)
}

// formKey orders links by scheme, host from the top label down, then the rest. It
// holds the whole of the identity:
// scheme NUL reversed-host NUL key, where in the key of a link with a host SOH
// stands for "scheme://host", or for the host. apart says that the host is not a
// part of it.
func formKey(id identity) (b []byte, apart bool) {
	b = make([]byte, 0, len(id.scheme)+len(id.key)+4)
	b = append(b, id.scheme...)
	b = append(b, 0)
	at := strings.Index(id.key, id.host)
	if id.host == "" || at < 0 || strings.ContainsAny(id.key, "\x00\x01") {
		return append(append(b, 0), id.key...), id.host != ""
	}
	from := len(b)
	b = appendReversed(b, []byte(id.host))
	var back [128]byte
	if string(appendReversed(back[:0], b[from:])) != id.host {
		return append(append(b[:from], 0), id.key...), true
	}
	b = append(b, 0)
	if before := id.key[:at]; before != id.scheme+"://" {
		b = append(b, before...)
		b = append(b, 1)
	}
	b = append(b, 1)
	return append(b, id.key[at+len(id.host):]...), false
}

// readForm is the inverse of formKey.
func readForm(b []byte) (key, scheme, host string, err error) {
	var small [256]byte
	k, s, h, err := appendKey(small[:0], b)
	key = string(k)
	if scheme = string(s); strings.HasPrefix(key, scheme) {
		scheme = key[:len(s)]
	}
	return key, scheme, key[h.from:h.to], err
}

// part is where a part of a key stands.
type part struct{ from, to int }

// appendKey appends the key of a form to dst, which is empty; scheme is a part of
// the form.
func appendKey(dst, form []byte) (key, scheme []byte, host part, err error) {
	scheme, rest, ok := bytes.Cut(form, []byte{0})
	reversed, k, ok2 := bytes.Cut(rest, []byte{0})
	if !ok || !ok2 {
		return dst, nil, part{}, codec.ErrShort
	}
	if len(reversed) == 0 {
		return append(dst, k...), scheme, part{}, nil
	}
	before, after, ok := bytes.Cut(k, []byte{1})
	if !ok {
		return dst, nil, part{}, codec.ErrShort
	}
	if len(before) == 0 && !bytes.HasPrefix(after, []byte{1}) {
		dst = append(append(dst, scheme...), "://"...)
	} else {
		dst, after = append(dst, before...), bytes.TrimPrefix(after, []byte{1})
	}
	host.from = len(dst)
	dst = appendReversed(dst, reversed)
	host.to = len(dst)
	return append(dst, after...), scheme, host, nil
}

// appendReversed turns the labels of a name round; addresses stay as they are.
func appendReversed(dst, h []byte) []byte {
	if bytes.HasPrefix(h, []byte("[")) || isIPv4(h) {
		return append(dst, h...)
	}
	for end := len(h); ; {
		dot := bytes.LastIndexByte(h[:end], '.')
		dst = append(dst, h[dot+1:end]...)
		if dot < 0 {
			return dst
		}
		dst, end = append(dst, '.'), dot
	}
}

func isIPv4(h []byte) bool {
	dots := 0
	for _, c := range h {
		switch {
		case c == '.':
			dots++
		case c < '0' || c > '9':
			return false
		}
	}
	return dots == 3
}
