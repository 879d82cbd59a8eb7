package store

import (
	"bytes"
	"strings"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store/internal/codec"
	"linkcheck/uri"
	"linkcheck/uri/equal"
)

const (
	// invalidMark begins the key of a string that is no URI of its scheme, so that it
	// has a row like every other link.
	invalidMark = "invalid:"
	// relativeMark begins the key of a relative reference whose base is not known.
	relativeMark = "relative:"
)

// linkKeys is what a string as cleaned by extraction stands for.
type linkKeys struct {
	key, scheme, host string
	levels            [4]uint64 // hashes of the registry, protocol, resolver and heuristic keys; 0: as the level below

	identity []byte // the whole of the key, in the order of links
	apart    bool   // the host is not a part of the identity
}

// keysOf finds the keys of a reference. Nothing is dropped: what does not parse is its
// own key.
func keysOf(s string) linkKeys { return parseKeys(s).withIdentity() }

// relativeKeys are the keys of a relative reference whose base is not known.
func relativeKeys(raw string) linkKeys { return linkKeys{key: relativeMark + raw}.withIdentity() }

func parseKeys(s string) linkKeys {
	u, err := uri.Parse(s)
	if err != nil {
		scheme := ""
		if e, ok := err.(*uri.Error); ok {
			scheme = e.Scheme
		}
		return linkKeys{key: invalidMark + s, scheme: scheme}
	}
	k := linkKeys{scheme: u.Scheme()}
	keys := equal.KeysOf(u)
	if k.key = keys.Scheme; k.key == "" {
		k.key = uri.SchemeKey(u)
	}
	if at, ok := u.Endpoint(); ok {
		k.host = at.Host
	} else if f, ok := u.(*uri.File); ok {
		k.host = f.Host
	}
	below := k.key
	for i, key := range []string{keys.Registry, keys.Protocol, keys.Resolver, keys.Heuristic} {
		if key != "" && key != below {
			k.levels[i] = xxhash.Sum64String(key)
			below = key
		}
	}
	return k
}

// schemeKeyOf is the key that keysOf gives, alone.
func schemeKeyOf(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return invalidMark + s
	}
	return uri.SchemeKey(u)
}

func (k linkKeys) withIdentity() linkKeys {
	k.identity, k.apart = encodeIdentity(&k)
	return k
}

// encodeIdentity gives the key as octets whose order is that of links: by scheme, host
// from the top label down, then the rest. It is
//
//	scheme NUL reversed-host NUL key
//
// where in the key of a link with a host SOH stands for "scheme://host", or after
// other octets for the host alone. apart says that the host is not a part of it.
func encodeIdentity(k *linkKeys) (b []byte, apart bool) {
	b = make([]byte, 0, len(k.scheme)+len(k.key)+4)
	b = append(b, k.scheme...)
	b = append(b, 0)
	at := strings.Index(k.key, k.host)
	if k.host == "" || at < 0 || strings.ContainsAny(k.key, "\x00\x01") {
		return append(append(b, 0), k.key...), k.host != ""
	}
	from := len(b)
	b = appendReversed(b, []byte(k.host))
	var back [128]byte
	if string(appendReversed(back[:0], b[from:])) != k.host {
		return append(append(b[:from], 0), k.key...), true
	}
	b = append(b, 0)
	if before := k.key[:at]; before != k.scheme+"://" {
		b = append(b, before...)
		b = append(b, 1)
	}
	b = append(b, 1)
	return append(b, k.key[at+len(k.host):]...), false
}

// splitIdentity is the inverse of encodeIdentity.
func splitIdentity(b []byte) (key, scheme, host string, err error) {
	var small [256]byte
	k, s, h, err := appendKey(small[:0], b)
	key = string(k)
	if scheme = string(s); strings.HasPrefix(key, scheme) {
		scheme = key[:len(s)] // shares the memory of key
	}
	return key, scheme, key[h.from:h.to], err
}

// span is where a part of a key stands.
type span struct{ from, to int }

// appendKey appends the key of an identity to dst, which is empty; scheme is a part of
// the identity.
func appendKey(dst, identity []byte) (key, scheme []byte, host span, err error) {
	scheme, rest, ok := bytes.Cut(identity, []byte{0})
	reversed, k, ok2 := bytes.Cut(rest, []byte{0})
	if !ok || !ok2 {
		return dst, nil, span{}, codec.ErrShort
	}
	if len(reversed) == 0 {
		return append(dst, k...), scheme, span{}, nil
	}
	before, after, ok := bytes.Cut(k, []byte{1})
	if !ok {
		return dst, nil, span{}, codec.ErrShort
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

// isIPv4: digits and three dots. It must not change: identities are stored.
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
