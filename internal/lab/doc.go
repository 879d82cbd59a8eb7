// Package lab is the loopback internet of the demo and the tests: a small
// scripted server per protocol, behind the names that the shipped corpus uses.
//
// The files, in reading order:
//
//	world.go       all servers of the demo, each behind its name
//	demosite.go    what the servers of the demo hold
//	http.go        web sites
//	handles.go     a resolver of handles, such as doi.org
//	cnrp.go        a name resolution service over HTTP
//	sru.go         servers of SRU
//	oai.go         repositories of OAI-PMH
//	oailist.go     their lists
//	ftp.go         the line protocols, one file each
//	gopher.go
//	nntp.go
//	imap.go        a mailbox
//	telnet.go
//	finger.go
//	dict.go
//	z3950set.go    what a search by Z39.50 finds
//	z3950.go       Z39.50, WAIS and Prospero
//	wais.go
//	prospero.go
//	relay.go       proxies of the network
//	serve.go       connections and lines
package lab
