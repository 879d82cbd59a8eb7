// Package uri says what a reference means: it parses, validates, resolves and describes
// the URIs of the schemes that archives of old documents hold, and makes the keys that
// the document of a scheme allows. It is pure: functions over strings, no I/O, no clock.
// Why two references are the same is said by package equal.
//
// Files in reading order: uri.go (what every URI has), resolve.go, mask.go, parse.go,
// schemes.go (the one list of schemes), a file a scheme (http.go, ftp.go, gopher.go,
// news.go, nntp.go, telnet.go, wais.go, file.go, prospero.go, z3950.go, info.go, go.go,
// dict.go, mailto.go, opaque.go), authority.go (user, host and port), components.go, keys.go (the
// keys of levels syntax and scheme), keywriter.go, steps.go.
package uri
