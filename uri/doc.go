// Package uri says what a reference means: it parses, validates, resolves and describes
// the URIs of the schemes that archives of old documents hold, and makes the keys that
// the document of a scheme allows. It is pure: functions over strings, no I/O, no clock.
// Why two references are the same is said by package equal.
//
// The files, in reading order:
//
//	uri.go        the interface of every URI, and Parse
//	resolve.go    a relative reference against its base
//	clickable.go  what a browser can open
//	keys.go       the keys of levels syntax and scheme
//	schemes.go    the one list of schemes
//	http.go       a file a scheme
//	ftp.go
//	gopher.go
//	news.go       news and nntp
//	telnet.go
//	wais.go
//	file.go
//	prospero.go
//	z3950.go
//	info.go
//	go.go
//	dict.go
//	generic.go    gemini, rtsp, ws
//	mailto.go
//	phone.go      tel and sms
//	opaque.go     every scheme whose parts are of no interest
//	authority.go  user, host and port
//	base.go       what all types share: checks, validity, components as JSON
//	parts.go      a string cut at its delimiters
//	keywriter.go  writes a key, and notes the steps that change something
package uri
