//go:build !unix

package web

import "net"

// silent cannot be known here without waiting: that a connection died shows by
// its first use.
func silent(net.Conn) bool { return true }
