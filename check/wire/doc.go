// Package wire is what the line and packet protocols share on a connection:
// every wait ends with a context, a peer may send only so much, a line has a
// limit and no command holds a control character. Sessions that are good for
// another probe wait here for a moment. It knows no protocol.
//
// The files, in reading order:
//
//	sessions.go    idle sessions
//	conn.go        one connection
//	patience.go    contexts that end when nothing comes
//	spool.go       what came, kept until it is read
//	line.go        lines and commands
//	address.go     host and port
package wire
