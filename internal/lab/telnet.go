package lab

import (
	"io"
	"net"
)

// Telnet asks each client of l for its terminal type, waits for any answer, and
// shows banner; then it waits for the client to go.
func Telnet(l net.Listener, banner string) error {
	const doTerminalType = "\xff\xfd\x18"
	return Serve(l, func(c net.Conn) {
		io.WriteString(c, doTerminalType)
		if _, err := c.Read(make([]byte, len(doTerminalType))); err != nil {
			return
		}
		io.WriteString(c, banner)
		io.Copy(io.Discard, io.LimitReader(c, maxLine))
	})
}
