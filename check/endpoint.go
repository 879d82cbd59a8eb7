package check

import (
	"net"
	"strconv"
	"strings"

	"linkcheck/uri"
)

// Address is "host:port" as a [Dialer] wants it.
func Address(at uri.Endpoint) string {
	return net.JoinHostPort(strings.Trim(at.Host, "[]"), strconv.Itoa(at.Port))
}
