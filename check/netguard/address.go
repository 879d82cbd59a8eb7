package netguard

import (
	"net/netip"
	"slices"
)

// private4 holds the IPv4 space that no public link can mean: RFC 6890 and its
// registry, with multicast and the reserved classes.
var private4 = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4")

var (
	global6 = netip.MustParsePrefix("2000::/3") // all that is assigned for global unicast, RFC 4291 section 2.4

	// private6 holds what lies in 2000::/3 and still is not public.
	private6 = prefixes("2001:2::/48", "2001:10::/28", "2001:20::/28", "2001:db8::/32", "3fff::/20")

	nat64   = netip.MustParsePrefix("64:ff9b::/96")    // RFC 6052
	siit    = netip.MustParsePrefix("::ffff:0:0:0/96") // RFC 2765, IPv4-translated
	compat4 = netip.MustParsePrefix("::/96")           // RFC 4291 section 2.5.5.1
	sixTo4  = netip.MustParsePrefix("2002::/16")       // RFC 3056
	teredo  = netip.MustParsePrefix("2001::/32")       // RFC 4380
)

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

func within(a netip.Addr, list []netip.Prefix) bool {
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(a) })
}

// allowed reports whether a is an address of the public Internet, or one that the
// operator allowed. IPv4 addresses carried inside IPv6 (mapped, compatible, translated, NAT64, 6to4, Teredo) are
// judged as the IPv4 address they lead to.
func allowed(a netip.Addr, private []netip.Prefix) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if within(a, private) {
		return true
	}
	if a.Is4() {
		return !within(a, private4)
	}
	if inner := embeddedIPv4(a); len(inner) > 0 {
		return !slices.ContainsFunc(inner, func(v4 netip.Addr) bool { return !allowed(v4, private) })
	}
	return global6.Contains(a) && !within(a, private6)
}

// embeddedIPv4 returns the IPv4 addresses that a packet to the IPv6 address a would reach.
func embeddedIPv4(a netip.Addr) []netip.Addr {
	b := a.As16()
	v4 := func(i int) netip.Addr { return netip.AddrFrom4([4]byte(b[i : i+4])) }
	switch {
	case nat64.Contains(a), siit.Contains(a), compat4.Contains(a):
		return []netip.Addr{v4(12)}
	case sixTo4.Contains(a):
		return []netip.Addr{v4(2)}
	case teredo.Contains(a): // the server, and the client written inverted
		for i := 12; i < 16; i++ {
			b[i] = ^b[i]
		}
		return []netip.Addr{v4(4), v4(12)}
	case b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe: // ISATAP, RFC 5214
		return []netip.Addr{v4(12)}
	}
	return nil
}
