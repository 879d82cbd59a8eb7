//go:build unix

package web

import (
	"net"
	"syscall"
)

// rawOf gives the socket of a connection, or nil.
func rawOf(c net.Conn) syscall.RawConn {
	if s, ok := c.(syscall.Conn); ok {
		if raw, err := s.SyscallConn(); err == nil {
			return raw
		}
	}
	return nil
}

// silent says whether nothing has come on a connection that waited: neither its
// end nor octets that nobody asked for, which would pass for the next answer.
func silent(raw syscall.RawConn) bool {
	quiet := false
	err := raw.Read(func(fd uintptr) bool {
		var b [1]byte
		_, err := syscall.Read(int(fd), b[:])
		quiet = err == syscall.EAGAIN
		return true
	})
	return err == nil && quiet
}
