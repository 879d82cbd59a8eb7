package textscan

import (
	"bytes"
	"strings"

	"linkcheck/internal/ascii"
)

// hostPathHit recognises host:/path, the usual way to name a file for anonymous
// FTP before there were URLs. The colon is text[at].
func (s *scanner) hostPathHit(from, at int) (hit, bool) {
	text, start := s.text, at
	for start > from && (ascii.Alnum(text[start-1]) || text[start-1] == '.' || text[start-1] == '-') && at-start < 255 {
		start--
	}
	for start < at && !ascii.Alnum(text[start]) {
		start++
	}
	if start > from && (text[start-1] == '@' || text[start-1] == '/' || text[start-1] == ':') || !ftpHost(text[start:at]) && !otherHost(text[start:at+2]) {
		return hit{}, false
	}
	stop := s.bareEnd(at + 1)
	if stop == at+1 || !s.tried(stop-at) || mounted(text[lineStart(text, start):start]) {
		return hit{}, false
	}
	w := wrapperAt(text, start)
	end := neverClosed(text, at+1, stop)
	p := TrimTail(text[at+1:end], w.open)
	if !hostPath(p) {
		return hit{}, false
	}
	u := "ftp://" + string(text[start:at])
	if p[0] != '/' {
		u += "/"
	}
	h := hit{start: start, end: at + 1 + len(p), uri: u + string(p), how: HowHostPath}
	return s.joinLines(h, end, w), true
}

const maxMount = 300 // bytes before host:/path that are looked at

// mounted says whether the line before speaks of NFS, where host:/path is
// something else.
func mounted(before []byte) bool {
	low := ascii.Lower(before[max(0, len(before)-maxMount):])
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
		if pos == limit || beginsWord(text, pos) {
			return pos
		}
	}
}

// beginsWord says whether a reference may begin at text[i]: it is not inside a word, a
// path or an address.
func beginsWord(text []byte, i int) bool {
	return i == 0 || !ascii.Alnum(text[i-1]) && bytes.IndexByte([]byte("/.@-_:="), text[i-1]) < 0
}

// wwwHit recognises www.host/path without a scheme; http is what it means.
func (s *scanner) wwwHit(start int) (hit, bool) {
	text, end := s.text, s.bareEnd(start)
	if !s.tried(end - start) {
		return hit{}, false
	}
	b := TrimTail(text[start:end], 0)
	if !ftpHost(hostBefore(b)) || bytes.IndexByte(b, '@') >= 0 {
		return hit{}, false
	}
	return hit{start: start, end: start + len(b), uri: "http://" + string(b), how: HowWWW}, true
}

// hostBefore is what stands before a port, a path, a query or a fragment.
func hostBefore(b []byte) []byte {
	if i := bytes.IndexAny(b, "/:?#"); i >= 0 {
		return b[:i]
	}
	return b
}
