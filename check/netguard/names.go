package netguard

import (
	"net"
	"slices"
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

// deniedPorts are never dialled: services to which a stray line of ours could
// mean something, or whose owners take a connection for an attack.
// PROTOCOLS section 0.2.
var deniedPorts = []int{
	1, 7, 9, 11, 13, 15, 17, 19, 20, 22, 25, 37, 42, 53, 69, 77, 95, 101, 102, 103, 109, 110, 111, 113, 115, 117,
	123, 135, 137, 138, 139, 143, 161, 162, 179, 389, 427, 445, 465, 512, 514, 515, 526, 530, 531, 532, 540, 548,
	554, 556, 587, 601, 636, 993, 995, 1433, 1719, 1720, 1723, 2049, 2375, 3306, 3389, 3659, 4045, 4190, 5060,
	5061, 5432, 5900, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 9200, 10080, 11211, 27017,
}

// PortDenied reports whether no probe may go to port.
func PortDenied(port int) bool {
	_, found := slices.BinarySearch(deniedPorts, port)
	return found || port < 1 || port > 65535
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
