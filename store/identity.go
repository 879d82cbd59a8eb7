package store

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store/internal/codec"
	"linkcheck/uri"
	"linkcheck/uri/equal"
	"linkcheck/uri/proxied"
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

	target, via string // of a link through a library's proxy, see linkRow
}

// keysOf finds the keys of a reference. Nothing is dropped: what does not parse is its
// own key.
func keysOf(s string) linkKeys { return parseKeys(s).withIdentity() }

// relativeKeys are the keys of a relative reference whose base is not known.
func relativeKeys(raw string) linkKeys { return linkKeys{key: relativeMark + raw}.withIdentity() }

// isRelative says whether relativeKeys made them.
func (k *linkKeys) isRelative() bool { return k.scheme == "" && strings.HasPrefix(k.key, relativeMark) }

func parseKeys(s string) linkKeys {
	u, err := uri.Parse(s)
	if err != nil {
		scheme := ""
		if e, ok := err.(*uri.Error); ok {
			scheme = e.Scheme
		}
		return linkKeys{key: invalidMark + s, scheme: scheme}
	}
	keys := equal.KeysOf(u)
	k := linkKeys{key: keys.Scheme, scheme: u.Scheme()}
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

// through adds the target of a link that leads through a library's proxy: the host is that
// of the target, and so is the boldest key.
func (k linkKeys) through(rules proxied.Rules, url string) linkKeys {
	l, ok := rules.Target(url)
	if !ok || len(l.Via) > maxVia {
		return k
	}
	behind := parseKeys(l.Target)
	k.target, k.via, k.host, k.apart = l.Target, l.Via, behind.host, true
	if heuristic := len(k.levels) - 1; !strings.HasPrefix(behind.key, invalidMark) {
		k.levels[heuristic] = cmp.Or(behind.levels[3], behind.levels[2], behind.levels[1], behind.levels[0], xxhash.Sum64String(behind.key))
	}
	return k
}

// maxVia bounds what is kept of a proxy; one that is longer is none.
const maxVia = 4 << 10

// schemeKeyOf is the key that keysOf gives, alone.
func schemeKeyOf(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return invalidMark + s
	}
	return uri.SchemeKey(u)
}

// hostOfURL is the host of a URL, "" if it has none.
func hostOfURL(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return ""
	}
	at, _ := u.Endpoint()
	return at.Host
}

// withIdentity adds the identity: the key as octets whose order is that of links, by
// scheme, host from the top label down, then the rest. It is
//
//	scheme NUL reversed-host NUL key
//
// where in the key of a link with a host SOH stands for "scheme://host", or after
// other octets for the host alone.
func (k linkKeys) withIdentity() linkKeys {
	before, after, found := strings.Cut(k.key, k.host)
	reversed := reverseLabels(k.host)
	if k.host == "" || !found || strings.ContainsAny(k.key, "\x00\x01") ||
		strings.HasPrefix(reversed, "[") && reversed != k.host { // it would be read as an address
		k.identity, k.apart = []byte(k.scheme+"\x00\x00"+k.key), k.host != ""
		return k
	}
	if before == k.scheme+"://" {
		before = ""
	} else {
		before += "\x01"
	}
	k.identity = []byte(k.scheme + "\x00" + reversed + "\x00" + before + "\x01" + after)
	return k
}

// splitIdentity is the inverse of withIdentity. A host that is not a part of the identity
// is not found.
func splitIdentity(identity []byte) (key, scheme, host string, err error) {
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
func reverseLabels(host string) string {
	isIPv4 := strings.Count(host, ".") == 3 && strings.Trim(host, "0123456789.") == ""
	if isIPv4 || strings.HasPrefix(host, "[") {
		return host
	}
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}

// hashLen is the length of a hash in a key.
const hashLen = 8

// mentionHash is the identity of a mention of one link (OUTCOMES section 4). A
// document without records is one record.
func mentionHash(m *Mention) uint64 {
	d := xxhash.New()
	record := cmp.Or(m.Record, m.Source+"\x01"+m.Member)
	location := m.Locator
	switch {
	case location != "":
	case m.Nth > 0:
		location = "#" + strconv.Itoa(m.Nth)
	default:
		location = strconv.Itoa(m.Line) + ":" + strconv.Itoa(m.Column)
	}
	for _, s := range []string{m.Collection, record, location, m.Raw} {
		d.WriteString(s)
		d.Write([]byte{0})
	}
	return d.Sum64()
}

// recordHash is the number of the record that a mention stands in.
func recordHash(m *Mention) uint64 {
	names := [...]string{m.Collection, m.Record, "", ""}
	if m.Record == "" {
		names[2], names[3] = m.Source, m.Member
	}
	var d xxhash.Digest
	d.Reset()
	for _, s := range names {
		d.WriteString(s)
		d.Write([]byte{0})
	}
	return d.Sum64()
}

func mentionKey(link, hash uint64) []byte {
	return binary.BigEndian.AppendUint64(codec.Key(link), hash)
}

// pinTable holds the pins by their keys. All of them are in the file too.
type pinTable struct {
	mu    sync.RWMutex
	byKey map[string]Pin
}

func pinKey(link uint64, host string) []byte {
	if link != 0 {
		return append([]byte{'l'}, codec.Key(link)...)
	}
	return append([]byte{'h'}, strings.ToLower(host)...)
}
