package lab

import (
	"io"
	"net"
	"strings"
)

// Finger serves what is known of users on l until it is closed (RFC 1288).
func Finger(l net.Listener, users map[string]string) error {
	return serve(l, func(c net.Conn) {
		eachLine(c, func(line string) bool {
			answer, ok := users[strings.TrimSpace(strings.TrimPrefix(line, "/W"))]
			if !ok {
				answer = "no such user\r\n"
			}
			io.WriteString(c, answer)
			return false
		})
	})
}
