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
	if !ok || ip.String() == p.Host {
		return false
	}
	p.Host = ip.String()
	return true
}

// httpHTTPS: sites give the same with and without TLS.
func httpHTTPS(_ *uri.HTTP, p *uri.Parts) bool {
	if p.Scheme != "https" {
		return false
	}
	p.Scheme = "http"
	return true
}

// wwwPrefix: sites answer with and without "www.".
func wwwPrefix(_ *uri.HTTP, p *uri.Parts) bool {
	bare, ok := strings.CutPrefix(p.Host, "www.")
	if !ok || !strings.Contains(bare, ".") {
		return false
	}
	p.Host = bare
	return true
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
	was := p.Path
	segments := strings.Split(p.Path, "/")
	for i, seg := range segments {
		segments[i] = dropSessions(seg, ";")
	}
	p.Path = strings.Join(segments, "/")
	changed := p.Path != was
	if p.HasQuery {
		q := dropSessions("?&"+p.Query, "&")
		q = strings.TrimPrefix(strings.TrimPrefix(q, "?"), "&")
		if q != p.Query {
			p.Query, p.HasQuery, changed = q, q != "", true
		}
	}
	return changed
}

// dropSessions removes session parameters after the first element of s.
func dropSessions(s, sep string) string {
	list := strings.Split(s, sep)
	kept := slices.DeleteFunc(list[1:], isSession)
	return strings.Join(list[:1+len(kept)], sep)
}

// doubleSlash: servers ignore empty segments.
func doubleSlash(_ *uri.HTTP, p *uri.Parts) bool {
	if !strings.Contains(p.Path, "//") {
		return false
	}
	var b strings.Builder
	for i := 0; i < len(p.Path); i++ {
		if p.Path[i] != '/' || i == 0 || p.Path[i-1] != '/' {
			b.WriteByte(p.Path[i])
		}
	}
	p.Path = b.String()
	return true
}

var indexNames = []string{
	"index.html", "index.htm", "index.shtml", "index.php", "index.asp", "index.cgi",
	"default.htm", "default.html", "default.asp", "welcome.html", "home.html",
}

// directoryIndex: the usual names of the page of a folder.
func directoryIndex(_ *uri.HTTP, p *uri.Parts) bool {
	if p.HasQuery {
		return false
	}
	i := strings.LastIndexByte(p.Path, '/')
	if !slices.Contains(indexNames, chars.Lower(p.Path[i+1:])) {
		return false
	}
	p.Path = p.Path[:i+1]
	return true
}

// plusAsSpace: form encoding writes a blank as '+'; UDI separates words by it.
func plusAsSpace(u uri.URI, p *uri.Parts) bool {
	switch u.(type) {
	case *uri.HTTP, *uri.WAIS:
	default:
		return false
	}
	q := strings.ReplaceAll(p.Query, "+", "%20")
	ok := q != p.Query
	p.Query = q
	return ok
}

// queryOrder: programs read parameters in any order.
func queryOrder(_ *uri.HTTP, p *uri.Parts) bool { return sortList(&p.Query, "&") }

// emptyQuery: a query without anything asks nothing.
func emptyQuery(_ *uri.HTTP, p *uri.Parts) bool {
	if !p.HasQuery || p.Query != "" {
		return false
	}
	p.HasQuery = false
	return true
}
