package wire

import (
	"net"
	"strconv"
	"strings"

	"linkcheck/uri"
)

// Address is "host:port" as a [netguard.Dialer] wants it.
func Address(at uri.Endpoint) string {
	return net.JoinHostPort(strings.Trim(at.Host, "[]"), strconv.Itoa(at.Port))
}

// SameHost reports whether "host:port" is an address of a host, named as in uri.Endpoint.
func SameHost(address, host string) bool {
	h, _, err := net.SplitHostPort(address)
	return err == nil && h == strings.Trim(host, "[]")
}
