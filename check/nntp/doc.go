// Package nntp asks news servers (RFC 3977, RFC 4642) about news, snews, nntp
// and nntps URIs (rfc1738bis sections 2.4 and 2.5, RFC 5538). uri/news.go
// says what these mean.
//
// It asks by STAT and GROUP, which transfer nothing, never logs in and never
// posts. Read brings articles, and lists of what there is. A session serves many articles of its server, one after the other.
//
// The files, in reading order:
//
//	probe.go       New; the steps of a probe, servers and sessions
//	read.go        Read: articles, and the conversations that bring lists
//	ways.go        how the articles of a group are listed, and what is kept of that
//	ids.go         message-ids, where lists have numbers alone
//	list.go        what is in a list
//	request.go     the questions
//	classify.go    what a reply means
//	session.go     one conversation: commands, lines, TLS
package nntp
