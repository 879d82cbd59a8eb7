// Package web probes http and https: one bounded GET, redirects by hand so that
// every hop passes the guard, and a second look at answers that claim success.
// It keeps no cookies beyond one probe, sends no credentials but those that the person set for a host, runs no script.
// RFC 9110; OUTCOMES sections 1.3 and 1.4.
//
// The files, in reading order:
//
//	probe.go         New; the steps of a probe, host by host
//	read.go          Read: the same steps, to bring what is there
//	doubt.go         evidence against a success, also where the redirects of many links end on one page
//	soft404.go       what a server answers to a name that cannot exist
//	params.go        which parameter of a query names a page; what pages repeat of their address
//	follow.go        requests and the redirects between them; cookies, HEAD, flawed TLS
//	second.go        one more question in the manner of a browser, and one by a browser, before a link is dead
//	robots.go        what robots.txt forbids, and the gap between probes
//	classify.go      what an answer or a failure means
//	walls.go         what stands before a page or in its place
//	hosts.go         resolvers and proxies, known by name; what the person set for a host
//	identity.go      whether an address leads to the page that was linked
//	refresh.go       pages that send their readers elsewhere, and redirects heard of before
//	page.go          title, words and anchors of a page
//	outline.go       which words are of links and menus
//	sketch.go        how alike two texts are
//	client.go        one request over net/http, and the sessions that wait
//	session.go       a connection with a server, or with a proxy before it
//	answer.go        what a request brought
//	wire.go          the connection as net/http is to see it
//	fields.go        the header lines that net/http is to see
//	silent_unix.go   whether something has come on a socket that waited
//	silent_other.go  the same where the system cannot be asked
//	request.go       what is asked for, as it is written on the wire
//	memo.go          answers that all probes of a run share
package web
