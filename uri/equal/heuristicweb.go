package equal

import (
	"slices"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/internal/chars"
	"linkcheck/uri/internal/host"
)

// The heuristics of http and https alone.

// ipv4Form reads the number forms of browsers.
func ipv4Form(_ *uri.HTTP, p *uri.Parts) bool {
	if p.Host == "" || !chars.Is(p.Host[0], chars.Digit) {
		return false
	}
	ip, ok := host.BrowserIPv4(strings.TrimSuffix(p.Host, "."))
	return ok && set(&p.Host, ip.String())
}

// httpHTTPS: sites give the same with and without TLS.
func httpHTTPS(_ *uri.HTTP, p *uri.Parts) bool { return set(&p.Scheme, "http") }

// wwwPrefix: sites answer with and without "www.".
func wwwPrefix(_ *uri.HTTP, p *uri.Parts) bool {
	bare, ok := strings.CutPrefix(p.Host, "www.")
	return ok && strings.Contains(bare, ".") && set(&p.Host, bare)
}

// sessionNames are parameters that name a visit, not a document.
var sessionNames = []string{
	"jsessionid", "phpsessid", "aspsessionid", "sessionid", "session_id", "sid", "cfid", "cftoken",
}

// minSessionValue keeps short values, which may mean something.
const minSessionValue = 16

// isSession reports a parameter that names a visit.
func isSession(param string) bool {
	name, value, _ := strings.Cut(param, "=")
	return len(value) >= minSessionValue && chars.AllIn(value, chars.Label) && slices.Contains(sessionNames, chars.Lower(name))
}

// sessionID drops session parameters from path and query.
func sessionID(_ *uri.HTTP, p *uri.Parts) bool {
	if p.Query == "" && !strings.Contains(p.Path, ";") {
		return false // of a session
	}
	segments := strings.Split(p.Path, "/")
	for i, seg := range segments {
		segments[i] = dropSessions(seg, ";", 1)
	}
	changed := set(&p.Path, strings.Join(segments, "/"))
	if set(&p.Query, dropSessions(p.Query, "&", 0)) {
		p.HasQuery, changed = p.Query != "", true
	}
	return changed
}

// dropSessions removes session parameters from the list s, but for its first elements.
func dropSessions(s, separator string, first int) string {
	list := strings.Split(s, separator)
	kept := slices.DeleteFunc(list[first:], isSession)
	return strings.Join(list[:first+len(kept)], separator)
}

// doubleSlash: servers ignore empty segments.
func doubleSlash(_ *uri.HTTP, p *uri.Parts) bool {
	path := p.Path
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return set(&p.Path, path)
}

var indexNames = []string{
	"index.html", "index.htm", "index.shtml", "index.php", "index.asp", "index.cgi",
	"default.htm", "default.html", "default.asp", "welcome.html", "home.html",
}

// directoryIndex: the usual names of the page of a folder.
func directoryIndex(_ *uri.HTTP, p *uri.Parts) bool {
	name := strings.LastIndexByte(p.Path, '/') + 1
	return !p.HasQuery && slices.Contains(indexNames, chars.Lower(p.Path[name:])) && set(&p.Path, p.Path[:name])
}

// plusAsSpace: form encoding writes a blank as '+'; UDI separates words by it.
func plusAsSpace(u uri.URI, p *uri.Parts) bool {
	switch u.(type) {
	case *uri.HTTP, *uri.WAIS:
		return set(&p.Query, strings.ReplaceAll(p.Query, "+", "%20"))
	}
	return false
}

// queryOrder: programs read parameters in any order.
func queryOrder(_ *uri.HTTP, p *uri.Parts) bool { return sortList(&p.Query, "&") }

// emptyQuery: servers read an empty query as none.
func emptyQuery(_ *uri.HTTP, p *uri.Parts) bool { return p.Query == "" && set(&p.HasQuery, false) }
