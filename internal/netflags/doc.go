// Package netflags is the flags of verbs that dial: where connections may go, how servers
// are asked and how fast, and the probers and options of a run that are made of them.
//
// Files, in reading order:
//   - netflags.go: the flags of every verb that probes, and what is made of them
//   - lists.go: files that add to what is known of pages; the library's proxies
//   - archives.go: which web archives are asked, and how
//   - judging.go: what machines are to agree on
//   - route.go: where connections may go, and by which way
package netflags
