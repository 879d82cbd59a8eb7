// Package ftp asks FTP servers (RFC 959, RFC 3659, RFC 4217, RFC 7151) whether the thing
// that an ftp URL names is there, as rfc1738bis section 2.2 says: one CWD for
// each component. uri/ftp.go says what an ftp URL means.
//
// It stands on github.com/jlaffaye/ftp over a connection of our own
// that bounds every reply, keeps the last reply, and lets no password of a URL
// pass. The questions about a file need no data connection; only where a server
// knows none of them is a name list asked for, passively. Nothing is changed, and
// but for a Read nothing fetched.
//
// The files, in reading order:
//
//	probe.go       New; the steps of a probe, and the readings of a path
//	read.go        Read: files and the lists of folders
//	data.go        what comes over data connections
//	rows.go        the rows of lists
//	session.go     a conversation: connect, log in, walk down the path, go on later
//	request.go     the questions about the last component
//	classify.go    what a reply means
//	wire.go        the control connection: lines, limits, TLS
package ftp
