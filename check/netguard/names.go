package netguard

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// ReservedName reports whether host is a name that no link can mean: the names of RFC 2606 and
// RFC 6761 that documents use as examples. The bare "localhost" is not among
// them: it is judged by its address.
func ReservedName(host string) bool {
	labels := strings.Split(strings.TrimSuffix(strings.ToLower(host), "."), ".")
	n := len(labels)
	switch labels[n-1] {
	case "invalid", "example", "test":
		return true
	case "localhost":
		return n > 1
	case "com", "net", "org":
		return n > 1 && labels[n-2] == "example"
	}
	return false
}

// deniedPorts are dialled only for a scheme whose own port it is: services to which a
// stray line of ours could mean something, or whose owners take a connection for an
// attack. They are the bad ports of browsers (the Fetch standard, "port blocking") and
// those of printers, file servers, databases, caches and remote control.
// PROTOCOLS section 0.2.
var deniedPorts = []int{
	1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
	110, 111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 162, 179, 389, 427, 445, 465, 502, 512, 513,
	514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 623, 631, 636, 873, 989, 990, 992, 993, 995,
	1099, 1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3260, 3268, 3269, 3306,
	3389, 3632, 3659, 3690, 4045, 4190, 4222, 4369, 5060, 5061, 5432, 5671, 5672, 5900, 5901, 5984, 5985, 5986, 6000,
	6222, 6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 8009, 8222, 8883, 9042, 9100, 9101, 9102, 9103,
	9200, 9300, 9418, 10080, 10250, 11211, 16379, 26379, 27017, 27018, 27019, 61613, 61616,
}

// PortDenied reports whether no probe may go to port, but for the schemes whose own it is.
func PortDenied(port int) bool {
	_, found := slices.BinarySearch(deniedPorts, port)
	return found || port < 1 || port > 65535
}

// ownPorts is the key under which a context holds the ports of the protocol that is spoken.
type ownPorts struct{}

// WithOwnPorts lets what is done under the context go to the ports of the protocol that
// it speaks, to which others may not go.
func WithOwnPorts(ctx context.Context, ports ...int) context.Context {
	return context.WithValue(ctx, ownPorts{}, ports)
}

func portAllowed(ctx context.Context, port int) bool {
	own, _ := ctx.Value(ownPorts{}).([]int)
	return !PortDenied(port) || 0 < port && port < 1<<16 && slices.Contains(own, port)
}

// asciiHost returns the name to ask the DNS for: A-labels, without the final dot.
func asciiHost(host string) (string, error) {
	host = strings.TrimSuffix(host, ".")
	if !strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		return host, nil
	}
	a, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return "", &net.DNSError{Err: "no such host: not a valid international name", Name: host, IsNotFound: true}
	}
	return a, nil
}

// fixedAddress gives the addresses of names that are not asked for: those of this machine
// (RFC 6761 section 6.3), and those under which providers of machines tell secrets to
// them, wherever a resolver says that these are.
func fixedAddress(host string) []netip.Addr {
	switch strings.ToLower(strings.TrimSuffix(host, ".")) {
	case "localhost":
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	case "metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal",
		"metadata.azure.internal", "metadata.tencentyun.com", "metadata.platformequinix.com":
		return []netip.Addr{netip.AddrFrom4([4]byte{169, 254, 169, 254})}
	}
	return nil
}

// numeric reads what is no name to the URL standard of browsers ("ends in a number") and to the C
// library: the IPv4 address with octal, hexadecimal or fewer numbers. is says that host has
// that form; an address that is not valid then means none.
func numeric(host string) (a netip.Addr, is bool) {
	parts := strings.Split(host, ".")
	last := parts[len(parts)-1]
	if _, ok := number(last); !ok && (last == "" || strings.Trim(last, "0123456789") != "") {
		return a, false
	}
	if len(parts) > 4 {
		return a, true
	}
	var whole uint64
	for i, part := range parts {
		n, ok := number(part)
		size := 8 // bits
		if i == len(parts)-1 {
			size = 8 * (5 - len(parts))
		}
		if !ok || n>>size > 0 {
			return a, true
		}
		whole = whole<<size | n
	}
	return netip.AddrFrom4([4]byte{byte(whole >> 24), byte(whole >> 16), byte(whole >> 8), byte(whole)}), true
}

// number reads a number as C writes them: 0x and hexadecimal digits, 0 and octal ones, or decimal ones.
func number(s string) (n uint64, ok bool) {
	base := 10
	if digits, hex := strings.CutPrefix(strings.ToLower(s), "0x"); hex {
		if s, base = digits, 16; s == "" {
			return 0, true
		}
	} else if len(s) > 1 && s[0] == '0' {
		base = 8
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
}
