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
// The user before the ':' may hold anything in an address. In running text it holds no quotes
// and angle brackets, and two blanks or one line end; where a '/', '?' or '#' stands in it
// (http://h/?u=ann:word@h) no blank, and the password three. What such a user stands in may
// as well be a path that holds an '@': it is hidden, and [Sure] does not give it.
//
// A secret is also the value of a parameter that is named like one (params.go): behind a '?',
// '&', ';' or '#' up to the next '&' or '#', in running text up to a blank, quote or angle
// bracket. It may be an honest one (?key=123): it is only shown otherwise.
//
// Behind a '/', '?', '#' or blank the ':' of a scheme is that of no user: "//" follows, one '/'
// behind a common scheme, or it is mailto:, news:, mid:, cid: or url:; nor is that of "Re:" or
// "Fwd:".
//
// The files in reading order:
//
//   - mask.go: what callers ask for
//   - json.go: what callers ask for of JSON
//   - writer.go: messages that repeat parts of arguments
//   - find.go: where secrets begin and end
//   - user.go: what stands before them
//   - params.go: the values of parameters that are named like secrets
//   - token.go: characters and their escapes
package secret
