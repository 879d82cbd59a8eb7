// Package proxied takes links apart that lead through a library's proxy, such as
// EZproxy, and puts them together again. Readers away from the library reach through it
// what the library pays for; what the link is about is its target. It is pure: functions
// over strings.
//
// The files, in reading order:
//
//	proxied.go  Rules: from a link to its target, and back
//	forms.go    the forms that are known without a rule of the operator
//	rule.go     Rule: one way of writing such links
//	address.go  parts of addresses
package proxied
