// Package ftp asks FTP servers (RFC 959, RFC 3659, RFC 4217) whether the thing
// that an ftp URL names is there, as rfc1738bis section 2.2 says: one CWD for
// each component. uri/ftp.go says what an ftp URL means.
//
// github.com/jlaffaye/ftp reads the greeting and opens data connections, over a
// control connection of ours that bounds every reply and keeps the last one. No
// password of a URL is sent. The questions about a file need no data connection;
// only where a server knows none of them is a name list asked for, passively.
// Nothing is fetched and nothing changed.
//
// The files, in reading order:
//
//	probe.go       New; the steps of a probe, and the readings of a path
//	session.go     a conversation: connect, log in, walk down the path, go on later
//	request.go     the questions about the last component
//	classify.go    what a reply means
//	wire.go        the control connection: lines, limits, TLS
package ftp
