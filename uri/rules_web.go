package uri

import (
	"slices"
	"strings"
)

// The heuristics of http and https alone.

// ipv4Form reads the number forms of browsers.
func ipv4Form(u URI, d *draft) bool {
	if _, ok := u.(*HTTP); !ok || d.host == "" || !is(d.host[0], cDigit) {
		return false
	}
	ip, ok := browserIPv4(strings.TrimSuffix(d.host, "."))
	if !ok || ip.String() == d.host {
		return false
	}
	d.host = ip.String()
	return true
}

func httpHTTPS(_ URI, d *draft) bool {
	if d.scheme != "https" {
		return false
	}
	d.scheme = "http"
	return true
}

func wwwPrefix(u URI, d *draft) bool {
	host, ok := strings.CutPrefix(d.host, "www.")
	if _, web := u.(*HTTP); !web || !ok || !strings.Contains(host, ".") {
		return false
	}
	d.host = host
	return true
}

// sessionNames are parameters that name a visit, not a document.
var sessionNames = []string{
	"jsessionid", "phpsessid", "aspsessionid", "sessionid", "session_id", "sid", "cfid", "cftoken",
}

// minSessionValue keeps short values, which may mean something.
const minSessionValue = 16

func isSession(param string) bool {
	name, value, _ := strings.Cut(param, "=")
	return len(value) >= minSessionValue && allIn(value, cLabel) && slices.Contains(sessionNames, lower(name))
}

// sessionID drops session parameters from path and query.
func sessionID(u URI, d *draft) bool {
	if _, ok := u.(*HTTP); !ok {
		return false
	}
	changed := false
	if strings.IndexByte(d.path, ';') >= 0 {
		segs := strings.Split(d.path, "/")
		for i, seg := range segs {
			segs[i] = dropSessions(seg, ";")
		}
		p := strings.Join(segs, "/")
		changed = p != d.path
		d.path = p
	}
	if d.hasQuery {
		q := dropSessions("?&"+d.query, "&")
		q = strings.TrimPrefix(strings.TrimPrefix(q, "?"), "&")
		if q != d.query {
			d.query, d.hasQuery, changed = q, q != "", true
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

func doubleSlash(u URI, d *draft) bool {
	if _, ok := u.(*HTTP); !ok || !strings.Contains(d.path, "//") {
		return false
	}
	var b strings.Builder
	for i := 0; i < len(d.path); i++ {
		if d.path[i] != '/' || i == 0 || d.path[i-1] != '/' {
			b.WriteByte(d.path[i])
		}
	}
	d.path = b.String()
	return true
}

var indexNames = []string{
	"index.html", "index.htm", "index.shtml", "index.php", "index.asp", "index.cgi",
	"default.htm", "default.html", "default.asp", "welcome.html", "home.html",
}

func directoryIndex(u URI, d *draft) bool {
	if _, ok := u.(*HTTP); !ok || d.hasQuery {
		return false
	}
	i := strings.LastIndexByte(d.path, '/')
	if !slices.Contains(indexNames, lower(d.path[i+1:])) {
		return false
	}
	d.path = d.path[:i+1]
	return true
}

// plusAsSpace: form encoding writes a blank as '+'; UDI separates words by it.
func plusAsSpace(u URI, d *draft) bool {
	switch u.(type) {
	case *HTTP, *WAIS:
	default:
		return false
	}
	q := strings.ReplaceAll(d.query, "+", "%20")
	ok := q != d.query
	d.query = q
	return ok
}

func queryOrder(u URI, d *draft) bool {
	if _, ok := u.(*HTTP); !ok || strings.IndexByte(d.query, '&') < 0 {
		return false
	}
	list := strings.Split(d.query, "&")
	if slices.IsSorted(list) {
		return false
	}
	slices.Sort(list)
	d.query = strings.Join(list, "&")
	return true
}

func emptyQuery(u URI, d *draft) bool {
	if _, ok := u.(*HTTP); !ok || !d.hasQuery || d.query != "" {
		return false
	}
	d.hasQuery = false
	return true
}
