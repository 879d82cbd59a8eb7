// Package telnet asks whether a telnet, tn3270 or rlogin URL (rfc1738bis
// section 2.6, RFC 854, RFC 6270) leads to a host that answers. uri/telnet.go
// says what such a URL means.
//
// It listens, refuses every option that is offered or asked for, and goes. It
// never logs in: user and password of a URL are advice for people. For rlogin
// it only connects.
//
// The files, in reading order:
//
//	probe.go       New; the steps of a probe
//	classify.go    what the first words mean
//	wire.go        the octets of RFC 854
package telnet
