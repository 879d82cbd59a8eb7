// Package secret hides the passwords of references, whether these parse or not, in
// addresses and in running text.
//
// A secret is what stands between the first ':' after "//", "\\", or a scheme's "x:",
// "x:/" or "x:///", and the last '@' before the reference ends, unless digits stand there
// as a port. All of these may be escaped, once or more often. A password may hold any
// octet, blanks and one line end too, so that nothing but an '@' ends it for sure: in
// running text what follows a password is hidden as far as another '@' is in reach.
// Where no '@' follows nothing tells a password from the "port" of "http://host:port/path".
//
// The user before the ':' is one word, in running text without quotes and angle brackets;
// a '/', '?' or '#' is escaped in it once more than the "//" before it.
package secret
