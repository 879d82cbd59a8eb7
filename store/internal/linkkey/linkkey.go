// Package linkkey is what a string stands for that is a link: its keys at all levels of
// equality, and the identity by which a store knows it.
package linkkey

import (
	"cmp"
	"strings"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store/internal/codec"
	"linkcheck/uri"
	"linkcheck/uri/equal"
	"linkcheck/uri/proxied"
)

const (
	// InvalidMark begins the key of a string that is no URI of its scheme, so that it
	// has a row like every other link.
	InvalidMark = "invalid:"
	// RelativeMark begins the key of a relative reference whose base is not known.
	RelativeMark = "relative:"
)

// Keys is what a string as cleaned by extraction stands for.
type Keys struct {
	Key, Scheme, Host string
	Levels            [4]uint64 // hashes of the registry, protocol, resolver and heuristic keys; 0: as the level below

	Identity []byte // the whole of the key, in the order of links
	Apart    bool   // the host is not a part of the identity

	Target, Via string // of a link through a library's proxy, and how the first is written in it
}

// Of finds the keys of a reference. Nothing is dropped: what does not parse is its
// own key.
func Of(s string) Keys { return parseKeys(s).WithIdentity() }

// Relative are the keys of a relative reference whose base is not known.
func Relative(raw string) Keys { return Keys{Key: RelativeMark + raw}.WithIdentity() }

// IsRelative says whether Relative made them.
func (k *Keys) IsRelative() bool { return k.Scheme == "" && strings.HasPrefix(k.Key, RelativeMark) }

func parseKeys(s string) Keys {
	u, err := uri.Parse(s)
	if err != nil {
		scheme := ""
		if e, ok := err.(*uri.Error); ok {
			scheme = e.Scheme
		}
		return Keys{Key: InvalidMark + s, Scheme: scheme}
	}
	keys := equal.KeysOf(u)
	k := Keys{Key: keys.Scheme, Scheme: u.Scheme()}
	if at, ok := u.Endpoint(); ok {
		k.Host = at.Host
	} else if f, ok := u.(*uri.File); ok {
		k.Host = f.Host
	}
	below := k.Key
	for i, key := range []string{keys.Registry, keys.Protocol, keys.Resolver, keys.Heuristic} {
		if key != "" && key != below {
			k.Levels[i] = xxhash.Sum64String(key)
			below = key
		}
	}
	return k
}

// Through adds the target of a link that leads through a library's proxy: the host is that
// of the target, and so is the boldest key.
func (k Keys) Through(rules proxied.Rules, url string) Keys {
	l, ok := rules.Target(url)
	if !ok || len(l.Via) > maxVia {
		return k
	}
	behind := parseKeys(l.Target)
	k.Target, k.Via, k.Host, k.Apart = l.Target, l.Via, behind.Host, true
	if heuristic := len(k.Levels) - 1; !strings.HasPrefix(behind.Key, InvalidMark) {
		k.Levels[heuristic] = cmp.Or(behind.Levels[3], behind.Levels[2], behind.Levels[1], behind.Levels[0], xxhash.Sum64String(behind.Key))
	}
	return k
}

// maxVia bounds what is kept of a proxy; one that is longer is none.
const maxVia = 4 << 10

// SchemeKey is the key that Of gives, alone.
func SchemeKey(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return InvalidMark + s
	}
	return uri.SchemeKey(u)
}

// HostOf is the host of a URL, "" if it has none.
func HostOf(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return ""
	}
	at, _ := u.Endpoint()
	return at.Host
}

// WithIdentity adds the identity: the key as octets whose order is that of links, by
// scheme, host from the top label down, then the rest. It is
//
//	scheme NUL reversed-host NUL key
//
// where in the key of a link with a host SOH stands for "scheme://host", or after
// other octets for the host alone.
func (k Keys) WithIdentity() Keys {
	before, after, found := strings.Cut(k.Key, k.Host)
	id := append(make([]byte, 0, len(k.Scheme)+len(k.Key)+len("\x00\x00\x01\x01")), k.Scheme...)
	id = append(id, 0)
	start := len(id)
	id = appendReversed(id, k.Host)
	if k.Host == "" || !found || strings.ContainsAny(k.Key, "\x00\x01") ||
		id[start] == '[' && string(id[start:]) != k.Host { // it would be read as an address
		k.Identity, k.Apart = append(append(id[:start], 0), k.Key...), k.Host != ""
		return k
	}
	id = append(id, 0)
	if before != k.Scheme+"://" {
		id = append(append(id, before...), 1)
	}
	k.Identity = append(append(id, 1), after...)
	return k
}

// Split is the inverse of WithIdentity. A host that is not a part of the identity
// is not found.
func Split(identity []byte) (key, scheme, host string, err error) {
	scheme, rest, ok := strings.Cut(string(identity), "\x00")
	reversed, key, ok2 := strings.Cut(rest, "\x00")
	if !ok || !ok2 {
		return "", "", "", codec.ErrShort
	}
	if reversed == "" {
		return key, scheme, "", nil
	}
	before, after, ok := strings.Cut(key, "\x01")
	if !ok {
		return "", "", "", codec.ErrShort
	}
	host = reverseLabels(reversed)
	if before == "" && !strings.HasPrefix(after, "\x01") {
		return scheme + "://" + host + after, scheme, host, nil
	}
	return before + host + strings.TrimPrefix(after, "\x01"), scheme, host, nil
}

// reverseLabels turns the labels of a name round; addresses stay as they are. It must not
// change: identities are stored.
func reverseLabels(host string) string { return string(appendReversed(nil, host)) }

func appendReversed(b []byte, host string) []byte {
	isIPv4 := strings.Count(host, ".") == 3 && strings.Trim(host, "0123456789.") == ""
	if isIPv4 || strings.HasPrefix(host, "[") {
		return append(b, host...)
	}
	for {
		dot := strings.LastIndexByte(host, '.')
		if b = append(b, host[dot+1:]...); dot < 0 {
			return b
		}
		b, host = append(b, '.'), host[:dot]
	}
}

// Sum is a number for some strings, in their order.
func Sum(parts ...string) uint64 {
	var d xxhash.Digest
	d.Reset()
	for _, s := range parts {
		_, _ = d.WriteString(s) // a hash takes anything
		_, _ = d.Write([]byte{0})
	}
	return d.Sum64()
}
