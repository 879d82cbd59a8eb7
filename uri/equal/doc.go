// Package equal says why two references are the same: it makes the keys of a URI on
// every level of equality, compares, groups and explains. It knows no grammar: the
// schemes are those of package uri, and the rules work on [uri.Parts].
//
// The files, in reading order:
//
//	group.go         the duplicates among many strings
//	explain.go       all that is known of one string
//	compare.go       whether two strings are the same, and why
//	equal.go         levels, keys, and what keys are made by
//	normalize.go     the steps from a string to its keys
//	codes.go         the order of the steps, and the section that allows each
//	rules.go         the list of rules of the upper levels
//	protocol.go      the same request
//	resolver.go      the same work elsewhere
//	heuristic.go     habits of writers: names, files and folders
//	heuristicweb.go  habits of web servers
//	heuristicnet.go  habits of other protocols, and of identifiers
//	edit.go          changes of a part that several rules make
package equal
