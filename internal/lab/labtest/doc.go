// Package labtest plays recorded and invented sessions of line protocols from
// a server on the loopback, and checks every octet that the client sends.
//
// A script has one line a turn, in the notation of the recorded transcripts:
//
//	S: 220 ready\r\n      the server says this; \r \n \t \\ \xNN are escapes
//	C: QUIT\r\n           the client must say exactly this
//	c: QUIT\r\n           the client may say this after what stands before it;
//	                      several such lines are a choice
//	S: <closes>           the server closes its side
//	S: <resets>           the server breaks the connection
//	S: <silent>           the server says nothing more and waits
//	S: <tls>              both sides begin TLS
//	D: hello              sent and closed on a data connection; the port that
//	                      the server listens on replaces {port} and {p1},{p2}
//	# ...                 a remark
//
// Whatever the client sends beyond its script is an error.
//
// The files, in reading order:
//
//	script.go      a server that plays scripts
//	start.go       a server of package lab on the loopback
//	recorded.go    the recorded sessions beside the project
//	replay.go      a connection on which a server has sent everything beforehand
//	notation.go    the lines of a script
package labtest
