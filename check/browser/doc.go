// Package browser asks web servers through a real Chromium: one GET of one page, for the
// second opinion before a link counts as dead. OUTCOMES section 5.1.18.
//
// The browser is a client and not a reader: its request goes out as a person's would, and
// once status and header are there it is ended. The page is never shown, no script of it is
// run, nothing that it names is fetched, no redirect is followed, nothing is kept.
//
// Three processes: ours, which has the guard; a helper, which is this program again; and
// the browser, started anew by the helper for every question. The helper begins before
// ours enters its sandbox, so that ours need not be able to start programs, and enters a
// narrower one: it sees neither store nor documents, and connects to one port only. Behind
// that port stands our proxy, which dials through the guard, and only the one server that
// the question is about.
//
// The files, in reading order:
//
//	browser.go        Browser: helpers side by side; Client: a question to one of them
//	failure.go        what the errors of a browser mean
//	proxy.go          the way out of the browser: one server, through the guard
//	helper.go         the helper's process
//	confine.go        what the helper and the browser may open
//	chromium.go       one browser: its options, its start, its end
//	ask.go            one question to a browser
//	devtools.go       the DevTools protocol over a pipe
//	message.go        what is said between us and a helper
//	process_unix.go   processes that end with all they started
//	process_other.go  the same where there are no groups of processes
package browser
