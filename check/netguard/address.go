package netguard

import (
	"net/netip"
	"slices"
)

// special holds the address space that no public link can mean: the blocks that the two
// registries of special-purpose addresses (RFC 6890, https://www.iana.org/assignments/iana-ipv4-special-registry
// and iana-ipv6-special-registry) call not globally reachable, multicast, what was reserved or withdrawn, and the
// public addresses at which providers of machines answer nobody but those machines.
var special = func() (list []netip.Prefix) {
	for _, row := range []struct{ block, source string }{
		{"0.0.0.0/8", "RFC 791 section 3.2, this network"},
		{"10.0.0.0/8", "RFC 1918, private use"},
		{"100.64.0.0/10", "RFC 6598, shared by carriers; Alibaba's metadata at 100.100.100.200"},
		{"127.0.0.0/8", "RFC 1122 section 3.2.1.3, loopback"},
		{"168.63.129.16/32", "Azure's metadata, names and health probes"},
		{"169.254.0.0/16", "RFC 3927, link-local; metadata of most providers at 169.254.169.254"},
		{"172.16.0.0/12", "RFC 1918, private use"},
		{"192.0.0.0/24", "RFC 6890, assignments of protocols; Oracle's metadata at 192.0.0.192"},
		{"192.0.2.0/24", "RFC 5737, documentation"},
		{"192.31.196.0/24", "RFC 7535, AS112"},
		{"192.52.193.0/24", "RFC 7450, automatic multicast tunnelling"},
		{"192.88.99.0/24", "RFC 7526, relays of 6to4, withdrawn"},
		{"192.168.0.0/16", "RFC 1918, private use"},
		{"192.175.48.0/24", "RFC 7534, AS112"},
		{"198.18.0.0/15", "RFC 2544, benchmarks"},
		{"198.51.100.0/24", "RFC 5737, documentation"},
		{"203.0.113.0/24", "RFC 5737, documentation"},
		{"224.0.0.0/4", "RFC 5771, multicast"},
		{"240.0.0.0/4", "RFC 1112 section 4, reserved; RFC 919, broadcast"},
		{"2001::/23", "RFC 2928, assignments of protocols: anycast, benchmarks, ORCHID, AS112, tags of drones; but for Teredo"},
		{"2001:db8::/32", "RFC 3849, documentation"},
		{"2620:4f:8000::/48", "RFC 7534, AS112"},
		{"3fff::/20", "RFC 9637, documentation"},
	} {
		list = append(list, netip.MustParsePrefix(row.block))
	}
	return list
}()

// global6 is all that is assigned for global unicast, RFC 4291 section 2.4. What lies
// outside is loopback, local (fc00::/7, fe80::/10, fec0::/10), discarded (100::/64),
// segment identifiers (5f00::/16), multicast, or not assigned.
var global6 = netip.MustParsePrefix("2000::/3")

// Blocks whose addresses carry an IPv4 address.
var (
	nat64   = netip.MustParsePrefix("64:ff9b::/96")    // RFC 6052
	siit    = netip.MustParsePrefix("::ffff:0:0:0/96") // RFC 2765, IPv4-translated
	compat4 = netip.MustParsePrefix("::/96")           // RFC 4291 section 2.5.5.1
	sixTo4  = netip.MustParsePrefix("2002::/16")       // RFC 3056
	teredo  = netip.MustParsePrefix("2001::/32")       // RFC 4380
)

func within(a netip.Addr, list []netip.Prefix) bool {
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(a) })
}

// allowed reports whether a is an address of the public Internet, or one that the
// operator allowed. An IPv6 address must be public itself, and so must be each IPv4
// address in it to which a packet may be led.
func allowed(a netip.Addr, private []netip.Prefix) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if within(a, private) {
		return true
	}
	if within(a, special) && !teredo.Contains(a) {
		return false
	}
	if a.Is4() {
		return true
	}
	inner, translated := embeddedIPv4(a)
	if slices.ContainsFunc(inner, func(v4 netip.Addr) bool { return !allowed(v4, private) }) {
		return false
	}
	return translated || global6.Contains(a)
}

// embeddedIPv4 returns the IPv4 addresses to which a packet to the IPv6 address a may be
// led. translated says that a is nothing else than one of them in another form.
func embeddedIPv4(a netip.Addr) (inner []netip.Addr, translated bool) {
	b := a.As16()
	v4 := func(i int) netip.Addr { return netip.AddrFrom4([4]byte(b[i : i+4])) }
	switch {
	case nat64.Contains(a), siit.Contains(a), compat4.Contains(a):
		return []netip.Addr{v4(12)}, true
	case sixTo4.Contains(a):
		inner = append(inner, v4(2))
	case teredo.Contains(a): // the server, and the client written inverted
		client := v4(12).As4()
		for i := range client {
			client[i] = ^client[i]
		}
		inner = append(inner, v4(4), netip.AddrFrom4(client))
	}
	if b[8]&^3 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe { // ISATAP, RFC 5214 section 6.1
		inner = append(inner, v4(12))
	}
	return inner, false
}
