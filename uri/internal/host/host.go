// Package host reads the host of a URI: domain names, internationalized names and
// addresses. Files in reading order: host.go, idn.go, ip.go.
package host

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

// Limits of RFC 1035 section 2.3.4.
const (
	maxLabel = 63
	maxHost  = 253
)

// Fault says how a host departs from rfc1738bis section 2.1; the larger is the worse.
type Fault uint8

const (
	None     Fault = iota
	Later          // allowed by a later RFC
	Forgiven       // against the specification, harmless
	Bad            // no host
)

// Parse gives the host in lower case as it would be dialled (A-labels). If it departs
// from rfc1738bis section 2.1, fault says how badly and code why. With web, the number
// forms of browsers are forgiven. s is not empty.
func Parse(s string, web bool) (name string, fault Fault, code string) {
	if s[0] == '[' {
		return parseIPv6(s)
	}
	if strings.IndexByte(s, '%') >= 0 {
		if i, bad := chars.Scan(s, chars.Any); i >= 0 && bad {
			return "", Bad, "bad-percent"
		}
		s = chars.Decode(s)
		fault, code = Forgiven, "host-escaped"
	}
	if len(s) > maxHost+1 {
		return "", Bad, "host-length"
	}
	if !chars.IsASCII(s) {
		ascii, ok := toASCII(s)
		if !ok {
			return "", Bad, "host-idna"
		}
		code = "host-idn"
		if mixedScripts(s) {
			code = "host-mixed-scripts"
		}
		s, fault = ascii, Forgiven
	}
	s = chars.Lower(s)
	labels := strings.TrimSuffix(s, ".")
	if len(labels) != len(s) {
		fault, code = Forgiven, "host-root-dot"
	}
	if worse, why := checkLabels(labels, web); worse > fault {
		fault, code = worse, why
	}
	return s, fault, code
}

// checkLabels checks a name without its root dot.
func checkLabels(name string, web bool) (fault Fault, code string) {
	labels, numeric, last := 0, true, ""
	for l := range strings.SplitSeq(name, ".") {
		labels++
		last = l
		if l == "" || l[0] == '-' || l[len(l)-1] == '-' {
			return Bad, "host-label-syntax"
		}
		if len(l) > maxLabel {
			return Bad, "host-label-length"
		}
		for i := 0; i < len(l); i++ {
			if l[i] == '_' {
				fault, code = Forgiven, "host-underscore"
			} else if !chars.Is(l[i], chars.Label) {
				return Bad, "host-label-syntax"
			}
			numeric = numeric && chars.Is(l[i], chars.Digit)
		}
	}
	if !chars.Is(last[0], chars.Digit) {
		return fault, code
	}
	if numeric && labels == 4 {
		return checkIPv4(name)
	}
	if _, ok := BrowserIPv4(name); web && ok {
		return Forgiven, "host-ipv4-form"
	}
	return Bad, "host-last-label-digit"
}
