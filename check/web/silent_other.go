//go:build !unix

package web

import (
	"net"
	"syscall"
)

// rawOf gives none: what there is to read from a socket cannot be asked here.
func rawOf(net.Conn) syscall.RawConn { return nil }

func silent(syscall.RawConn) bool { return false }
