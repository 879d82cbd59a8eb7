package proxied

import (
	"fmt"
	"net/url"
	"strings"

	"linkcheck/uri/internal/chars"
)

// hole is the place of the target in a rule.
type hole string

const (
	// plain stands for the whole target as it is, up to the end of the link.
	plain hole = "{url}"
	// escaped stands for the whole target as the value of a parameter.
	escaped hole = "{escaped}"
	// host stands for the host of the target; what follows the host is that of the link.
	host hole = "{host}"
	// hyphens stands for that host with hyphens for its dots and "--" for its hyphens, as
	// EZproxy writes hosts that are asked by TLS: a certificate covers one label.
	hyphens hole = "{hyphens}"
)

// Rule is one way of writing links through a proxy.
type Rule struct {
	before, after string // what stands around the target, or around its host
	hole          hole
}

// ParseRule reads a rule: "https://proxy.lib.edu/login?url={url}", or the form of a host
// such as "{host}.ezproxy.lib.edu" or "0-{host}.lib.edu", which holds for {hyphens} too.
func ParseRule(s string) (Rule, error) {
	for _, h := range []hole{plain, escaped, host, hyphens} {
		before, after, ok := strings.Cut(s, string(h))
		if !ok {
			continue
		}
		r := Rule{before, after, h}
		switch {
		case r.whole() && !isWeb(before):
			return r, fmt.Errorf("%.200q: what stands before %s begins with http:// or https://", s, h)
		case h == plain && after != "":
			return r, fmt.Errorf("%.200q: %s is the end of a rule", s, h)
		case !r.whole() && (!strings.HasPrefix(after, ".") || strings.ContainsAny(after, "/?#{} ")):
			return r, fmt.Errorf("%.200q: after %s stands the domain of the proxy, such as .ezproxy.lib.edu", s, h)
		}
		return r, nil
	}
	return Rule{}, fmt.Errorf("%.200q has no place for the target: {url}, {escaped}, {host} or {hyphens}", s)
}

// Prefix is the rule of a prefix that stands before whole addresses.
func Prefix(s string) (Rule, error) { return ParseRule(s + string(plain)) }

// String is the rule as ParseRule reads it.
func (r Rule) String() string { return r.before + string(r.hole) + r.after }

// whole: the target stands whole in the link.
func (r Rule) whole() bool { return r.hole == plain || r.hole == escaped }

// unwrap takes a link apart that is written by the rule of an operator.
func (r Rule) unwrap(link string) (Link, bool) {
	if !r.whole() {
		return r.unwrapHost(link)
	}
	n, ok := cutPrefix(link, r.before)
	if !ok {
		return Link{}, false
	}
	l, ok := whole(link, n)
	l.Code = "proxied:rule"
	return l, ok
}

// cutPrefix says where the prefix ends in a link. The scheme may be http or https, and
// that and the host are compared without regard to case (RFC 3986 section 6.2.2.1).
func cutPrefix(link, prefix string) (end int, ok bool) {
	a, b := afterScheme(link), afterScheme(prefix)
	n := len(prefix) - b
	if !isWeb(link) || len(link) < a+n {
		return 0, false
	}
	at := strings.IndexAny(prefix[b:]+"/", "/?#") // the end of the host
	at = min(at, n)
	return a + n, chars.Lower(link[a:a+at]) == chars.Lower(prefix[b:b+at]) && link[a+at:a+n] == prefix[b+at:]
}

// whole takes apart a link in which the target stands from n on, plain or escaped.
func whole(link string, n int) (Link, bool) {
	value := link[n:]
	if !isEscaped(value) {
		r := Rule{link[:n], "", plain}
		return Link{Target: value, Via: r.String()}, value != "" && r.canBeWritten()
	}
	end := strings.IndexAny(value+"&", "&#")
	target, ok := unescape(value[:end])
	r := Rule{link[:n], value[end:], escaped}
	return Link{Target: target, Via: r.String()}, ok && r.canBeWritten()
}

// canBeWritten says whether a rule that was made of a link is the same when it is read.
func (r Rule) canBeWritten() bool {
	return !strings.ContainsFunc(r.before+r.after, func(c rune) bool { return c <= ' ' || c == '{' || c == '}' })
}

// unwrapHost takes a link apart whose host is written by the rule.
func (r Rule) unwrapHost(link string) (Link, bool) {
	if !isWeb(link) {
		return Link{}, false
	}
	name, at := hostOf(link)
	before := chars.Lower(r.before[afterScheme(r.before):])
	inner, ok := strings.CutPrefix(chars.Lower(name), before)
	inner, ok2 := strings.CutSuffix(inner, chars.Lower(r.after))
	if !ok || !ok2 {
		return Link{}, false
	}
	return hostLink(link, at, name, len(before), len(inner), "proxied:rule")
}

// hostLink takes a link apart in whose host, which stands from at on, the name of the
// target stands: n octets from before on, with dots or with hyphens.
func hostLink(link string, at int, name string, before, n int, code string) (Link, bool) {
	inner, h := name[before:before+n], host
	if !strings.Contains(inner, ".") {
		inner, h = dotted(inner), hyphens
	}
	l := Link{Target: link[:at] + inner + link[at+len(name):], Code: code}
	r := Rule{link[:at] + name[:before], name[before+n:], h}
	l.Via = r.String()
	return l, strings.Contains(strings.Trim(inner, "."), ".") && r.canBeWritten() && isTarget(l.Target)
}

// wrap writes a target by the rule, which is one of a link: that of a host begins with
// the scheme.
func (r Rule) wrap(target string) (string, bool) {
	switch r.hole {
	case plain:
		return r.before + target, true
	case escaped:
		return r.before + url.QueryEscape(target) + r.after, true
	}
	name, at := hostOf(target)
	if !isWeb(target) || name == "" || !isWeb(r.before) {
		return "", false
	}
	n := afterScheme(r.before)
	h := r.hole
	if !strings.EqualFold(r.before[:n], target[:at]) { // EZproxy: by TLS with hyphens, without it with dots
		h = map[bool]hole{true: hyphens, false: host}[strings.EqualFold(target[:at], "https://")]
	}
	written := name
	if h == hyphens {
		written = hyphened(name)
	}
	return target[:at] + r.before[n:] + written + r.after + target[at+len(name):], true
}
