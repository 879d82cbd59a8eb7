package textscan

import (
	"bytes"
	"strings"

	"linkcheck/internal/ascii"
)

// hostPathHit recognises host:/path, the usual way to name a file for anonymous
// FTP before there were URLs. The colon is text[at].
func hostPathHit(text []byte, from, at int) (hit, bool) {
	start := at
	for start > from && (ascii.Alnum(text[start-1]) || text[start-1] == '.' || text[start-1] == '-') && at-start < 255 {
		start--
	}
	for start < at && !ascii.Alnum(text[start]) {
		start++
	}
	if start > from && (text[start-1] == '@' || text[start-1] == '/' || text[start-1] == ':') || !ftpHost(text[start:at]) && !otherHost(text[start:at+2]) {
		return hit{}, false
	}
	if mounted(text[lineStart(text, start):start]) {
		return hit{}, false
	}
	w := wrapperAt(text, start)
	end := neverClosed(text, at+1, bareEnd(text, at+1))
	p := TrimTail(text[at+1:end], w.open)
	if !hostPath(p) {
		return hit{}, false
	}
	u := "ftp://" + string(text[start:at])
	if p[0] != '/' {
		u += "/"
	}
	h := hit{start: start, end: at + 1 + len(p), uri: u + string(p), how: HowHostPath}
	return joinLines(text, h, end, w), true
}

// mounted says whether the line before speaks of NFS, where host:/path is
// something else.
func mounted(before []byte) bool {
	low := ascii.Lower(before)
	return strings.Contains(low, "mount ") || strings.Contains(low, "nfs")
}

// hostPath is an absolute path, or a relative one that cannot be a port, a
// word or a user name.
func hostPath(p []byte) bool {
	if len(p) == 0 {
		return false
	}
	if p[0] == '/' {
		return len(p) == 1 || p[1] != '/'
	}
	if bytes.HasPrefix(p, []byte("~/")) {
		return len(p) > 2
	}
	return ascii.Letter(p[0]) && (bytes.IndexByte(p, '/') > 0 || dotted(p) && ascii.Letter(p[len(p)-1]))
}

// wwwFrom finds the next "www." at a word's start.
func wwwFrom(text []byte, pos, limit int) int {
	for ; ; pos += len("www.") {
		pos = indexFrom(text, pos, limit, "www.")
		if pos == limit || pos == 0 || !ascii.Alnum(text[pos-1]) && bytes.IndexByte([]byte("/.@-_:="), text[pos-1]) < 0 {
			return pos
		}
	}
}

// wwwHit recognises www.host/path without a scheme; http is what it means.
func wwwHit(text []byte, start int) (hit, bool) {
	end := bareEnd(text, start)
	b := TrimTail(text[start:end], 0)
	host := b
	if i := bytes.IndexAny(b, "/:?#"); i >= 0 {
		host = b[:i]
	}
	if !ftpHost(host) || bytes.IndexByte(b, '@') >= 0 {
		return hit{}, false
	}
	return hit{start: start, end: start + len(b), uri: "http://" + string(b), how: HowWWW}, true
}
