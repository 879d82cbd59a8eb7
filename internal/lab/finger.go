package lab

import (
	"cmp"
	"net"
	"strings"
)

// Finger serves what is known of users on l until it is closed (RFC 1288).
func Finger(l net.Listener, users map[string]string) error {
	return serveLine(l, func(line string) string {
		return cmp.Or(users[strings.TrimSpace(strings.TrimPrefix(line, "/W"))], "no such user\r\n")
	})
}
