package uri

import (
	"slices"
	"strings"
)

// The heuristics of http and https alone.

// ipv4Form reads the number forms of browsers.
func ipv4Form(u URI, d *draft) bool {
	if _, ok := u.(*HTTP); !ok || d.Host == "" || !is(d.Host[0], cDigit) {
		return false
	}
	ip, ok := browserIPv4(strings.TrimSuffix(d.Host, "."))
	if !ok || ip.String() == d.Host {
		return false
	}
	d.Host = ip.String()
	return true
}

func httpHTTPS(_ URI, d *draft) bool {
	if d.Scheme != "https" {
		return false
	}
	d.Scheme = "http"
	return true
}

func wwwPrefix(u URI, d *draft) bool {
	host, ok := strings.CutPrefix(d.Host, "www.")
	if _, web := u.(*HTTP); !web || !ok || !strings.Contains(host, ".") {
		return false
	}
	d.Host = host
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
	if strings.IndexByte(d.Path, ';') >= 0 {
		segs := strings.Split(d.Path, "/")
		for i, seg := range segs {
			segs[i] = dropSessions(seg, ";")
		}
		p := strings.Join(segs, "/")
		changed = p != d.Path
		d.Path = p
	}
	if d.HasQuery {
		q := dropSessions("?&"+d.Query, "&")
		q = strings.TrimPrefix(strings.TrimPrefix(q, "?"), "&")
		if q != d.Query {
			d.Query, d.HasQuery, changed = q, q != "", true
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
	if _, ok := u.(*HTTP); !ok || !strings.Contains(d.Path, "//") {
		return false
	}
	var b strings.Builder
	for i := 0; i < len(d.Path); i++ {
		if d.Path[i] != '/' || i == 0 || d.Path[i-1] != '/' {
			b.WriteByte(d.Path[i])
		}
	}
	d.Path = b.String()
	return true
}

var indexNames = []string{
	"index.html", "index.htm", "index.shtml", "index.php", "index.asp", "index.cgi",
	"default.htm", "default.html", "default.asp", "welcome.html", "home.html",
}

func directoryIndex(u URI, d *draft) bool {
	if _, ok := u.(*HTTP); !ok || d.HasQuery {
		return false
	}
	i := strings.LastIndexByte(d.Path, '/')
	if !slices.Contains(indexNames, lower(d.Path[i+1:])) {
		return false
	}
	d.Path = d.Path[:i+1]
	return true
}

// plusAsSpace: form encoding writes a blank as '+'; UDI separates words by it.
func plusAsSpace(u URI, d *draft) bool {
	switch u.(type) {
	case *HTTP, *WAIS:
	default:
		return false
	}
	q := strings.ReplaceAll(d.Query, "+", "%20")
	ok := q != d.Query
	d.Query = q
	return ok
}

func queryOrder(u URI, d *draft) bool {
	if _, ok := u.(*HTTP); !ok || strings.IndexByte(d.Query, '&') < 0 {
		return false
	}
	list := strings.Split(d.Query, "&")
	if slices.IsSorted(list) {
		return false
	}
	slices.Sort(list)
	d.Query = strings.Join(list, "&")
	return true
}

func emptyQuery(u URI, d *draft) bool {
	if _, ok := u.(*HTTP); !ok || !d.HasQuery || d.Query != "" {
		return false
	}
	d.HasQuery = false
	return true
}
