// Package ftp asks FTP servers (RFC 959, RFC 3659, RFC 4217) whether the thing
// that an ftp URL names is there, as rfc1738bis section 2.2 says: one CWD for
// each component. uri/ftp.go says what an ftp URL means.
//
// It stands on github.com/jlaffaye/ftp over a connection of our own
// that bounds every reply, keeps what was said, and lets no password of a URL
// pass. The ladder of questions needs no data connection; only where a server
// knows none of them is a name list asked for, passively. Nothing is fetched
// and nothing changed.
package ftp
