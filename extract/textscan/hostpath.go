package textscan

import (
	"bytes"
	"net/netip"
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
	return joinBare(text, h, end, w), true
}

// ftpHost is a dotted host name under a top-level domain.
func ftpHost(b []byte) bool {
	dot := bytes.LastIndexByte(b, '.')
	if dot < 1 || bytes.Contains(b, []byte("..")) {
		return false
	}
	switch tld := ascii.Lower(b[dot+1:]); tld {
	case "com", "edu", "gov", "mil", "net", "org", "int", "arpa", "test", "example": // the last two: RFC 2606
		return true
	default:
		return len(tld) == 2 && ascii.Letter(tld[0]) && ascii.Letter(tld[1]) && bytes.IndexByte(b[:dot], '.') > 0
	}
}

// mounted says whether the line before speaks of NFS, where host:/path is
// something else.
func mounted(before []byte) bool {
	low := ascii.Lower(before)
	return strings.Contains(low, "mount ") || strings.Contains(low, "nfs")
}

// otherHost is a host of two labels under a country, or an address, with ":/"
// behind it. A few countries are spelt like the suffixes of programs.
func otherHost(b []byte) bool {
	name, ok := bytes.CutSuffix(b, []byte(":/"))
	if !ok || bytes.Contains(name, []byte("..")) {
		return false
	}
	if a, err := netip.ParseAddr(string(name)); err == nil {
		return a.Is4()
	}
	dot := bytes.LastIndexByte(name, '.')
	if dot < 2 || len(name)-dot != 3 || !ascii.Letter(name[dot+1]) || !ascii.Letter(name[dot+2]) {
		return false
	}
	switch ascii.Lower(name[dot+1:]) {
	case "js", "ps", "py", "rb", "rc", "sh", "so":
		return false
	}
	return true
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
	for pos < limit {
		i := bytes.Index(text[pos:limit], []byte("www."))
		if i < 0 {
			return limit
		}
		pos += i
		if pos == 0 || !ascii.Alnum(text[pos-1]) && bytes.IndexByte([]byte("/.@-_:="), text[pos-1]) < 0 {
			return pos
		}
		pos += 4
	}
	return limit
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
