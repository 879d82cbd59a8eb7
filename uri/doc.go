// Package uri says what a reference means: it parses, validates, resolves and describes
// the URIs of the schemes that archives of old documents hold, and makes the keys that
// the document of a scheme allows. It is pure: functions over strings, no I/O, no clock.
// Why two references are the same is said by package equal.
//
// The files, in reading order:
//
//	resolve.go     a relative reference against its base
//	mask.go        no passwords in what is printed
//	parse.go       a string cut at its delimiters, and given to its scheme
//	keys.go        the keys of levels syntax and scheme
//	schemes.go     the one list of schemes
//	http.go        a file a scheme
//	ftp.go
//	gopher.go
//	news.go
//	nntp.go
//	telnet.go
//	wais.go
//	file.go
//	prospero.go
//	z3950.go
//	info.go
//	go.go
//	dict.go
//	mailto.go
//	opaque.go      every scheme whose parts are of no interest
//	uri.go         what all URIs have
//	authority.go   user, host and port
//	components.go  decoded parts as JSON
//	keywriter.go   writes a key, and notes the steps that change something
package uri
