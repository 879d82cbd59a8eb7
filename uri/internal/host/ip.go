package host

import (
	"encoding/binary"
	"net/netip"
	"strconv"
	"strings"

	"linkcheck/uri/internal/chars"
)

// parseIPv6 reads an IP-literal, RFC 3986 section 3.2.2, without a zone.
func parseIPv6(s string) (string, Fault, string) {
	if s[len(s)-1] != ']' {
		return "", Bad, "host-ipv6-syntax"
	}
	addr, err := netip.ParseAddr(s[1 : len(s)-1])
	if err != nil || !addr.Is6() || addr.Zone() != "" {
		return "", Bad, "host-ipv6-syntax"
	}
	return chars.Lower(s), Later, "3986-ipv6"
}

// BrowserIPv4 reads the number forms of the WHATWG URL standard: one to four
// parts, decimal, octal after 0 and hexadecimal after 0x.
func BrowserIPv4(name string) (netip.Addr, bool) {
	groups := strings.Split(name, ".")
	last := len(groups) - 1
	if last > 3 {
		return netip.Addr{}, false
	}
	var ip [4]byte
	var sum uint64
	for i, g := range groups {
		n, ok := browserNumber(g)
		shift, limit := 24-8*i, uint64(1<<8)
		if i == last { // it fills what is left
			shift, limit = 0, 1<<(8*(4-last))
		}
		if !ok || n >= limit {
			return netip.Addr{}, false
		}
		sum |= n << shift
	}
	binary.BigEndian.PutUint32(ip[:], uint32(sum))
	return netip.AddrFrom4(ip), true
}

func browserNumber(g string) (uint64, bool) {
	base := 10
	switch {
	case strings.HasPrefix(g, "0x"):
		base, g = 16, g[2:]
		if g == "" {
			return 0, true
		}
	case len(g) > 1 && g[0] == '0':
		base, g = 8, g[1:]
	}
	n, err := strconv.ParseUint(g, base, 33)
	return n, err == nil && g[0] != '+' && strings.IndexByte(g, '_') < 0
}

// checkIPv4 checks four groups of decimal digits.
func checkIPv4(name string) (fault Fault, code string) {
	for g := range strings.SplitSeq(name, ".") {
		digits := strings.TrimLeft(g, "0")
		if n, _ := strconv.Atoi("0" + digits[:min(len(digits), 4)]); n > 255 {
			return Bad, "host-ipv4-range"
		}
		if len(g) > 1 && g[0] == '0' {
			fault, code = Forgiven, "host-ipv4-leading-zero"
		}
	}
	return fault, code
}
