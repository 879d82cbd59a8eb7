package harvest

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"linkcheck/uri"
)

// scope says which addresses of a web site are documents of a root, and how they are
// written as names: one name for one document, whatever scheme or session stands in it.
type scope struct {
	at               uri.Endpoint
	scheme           string // of all names
	usual            bool   // the port is that of the scheme: http and https are one site
	prefix           string // of the paths: that of the root up to its last slash
	follow, noFollow *regexp.Regexp
}

func newScope(root Root) (*scope, error) {
	u, err := uri.Parse(root.Address())
	if err != nil {
		return nil, fmt.Errorf("root %.200q: %w", root.URI, err)
	}
	h, ok := u.(*uri.HTTP)
	if !ok {
		return nil, fmt.Errorf("root %.200q is no web site", root.URI)
	}
	s := &scope{at: h.At, scheme: schemeOf(h), follow: root.Follow, noFollow: root.NoFollow}
	s.usual = h.At.Port == usualPort(s.scheme)
	name, ok := s.name(h.String())
	if !ok {
		return nil, fmt.Errorf("root %.200q has no name", root.URI)
	}
	path, _ := s.resource(name)
	s.prefix = path[:strings.LastIndexByte(path, '/')+1]
	return s, nil
}

// schemeOf is http or https.
func schemeOf(h *uri.HTTP) string {
	scheme, _, _ := strings.Cut(h.String(), ":")
	return strings.ToLower(scheme)
}

func usualPort(scheme string) int {
	if scheme == "https" {
		return 443
	}
	return 80
}

// site is the beginning of every name.
func (s *scope) site() string {
	if s.usual {
		return s.scheme + "://" + s.at.Host
	}
	return fmt.Sprintf("%s://%s:%d", s.scheme, s.at.Host, s.at.Port)
}

// name is the name of the document at an address, which need not be one of the root;
// false where it is no address of the site.
func (s *scope) name(address string) (string, bool) {
	for {
		address, _, _ = strings.Cut(address, "#")
		u, err := uri.Parse(address)
		if err != nil {
			return "", false
		}
		h, ok := u.(*uri.HTTP)
		if !ok || h.At.Host != s.at.Host || !s.port(h) {
			return "", false
		}
		path, query := s.resource(uri.SchemeKey(u))
		address = s.site() + path + query
		rest := withoutPathSession(path)
		if kept := withoutSessions(strings.TrimPrefix(query, "?")); kept != "" {
			rest += "?" + kept
		}
		if rest == path+query {
			return address, true
		}
		address = s.site() + rest // which may need to be put in order again
	}
}

func (s *scope) port(h *uri.HTTP) bool {
	if s.usual {
		return h.At.Port == usualPort(schemeOf(h))
	}
	return h.At.Port == s.at.Port
}

// resource takes a name apart. The path begins with a slash, the query with "?".
func (s *scope) resource(name string) (path, query string) {
	_, rest, _ := strings.Cut(name, "://")
	rest = rest[max(strings.IndexByte(rest, '/'), 0):]
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		return rest[:i], rest[i:]
	}
	return rest, ""
}

// holds says whether a name is in the root by what the operator decided.
func (s *scope) holds(name string) bool {
	path, _ := s.resource(name)
	if !strings.HasPrefix(path, s.prefix) && (s.follow == nil || !s.follow.MatchString(name)) {
		return false
	}
	return s.noFollow == nil || !s.noFollow.MatchString(name)
}

// hasSession says whether an address names a session.
func (s *scope) hasSession(address string) bool {
	u, err := uri.Parse(address)
	if err != nil {
		return false
	}
	path, query := s.resource(uri.SchemeKey(u))
	return withoutPathSession(path) != path || len(withoutSessions(strings.TrimPrefix(query, "?"))) < len(strings.Trim(query, "?&;"))
}

// pathSession is a segment in which ASP.NET keeps the session of who takes no cookies:
// (S(lit3py55t21z5v55vlm25s55)), and what programs make alike.
var pathSession = regexp.MustCompile(`/\(?(?:[A-Z]\(\w{16,}\))+\)?(/|$)`)

// withoutPathSession takes ";jsessionid=" off the segments of a path, and a segment that is a session.
func withoutPathSession(path string) string {
	const key = ";jsessionid="
	if strings.Contains(path, "(") {
		path = cmp.Or(pathSession.ReplaceAllString(path, "$1"), "/")
	}
	for {
		i := strings.Index(strings.ToLower(path), key)
		if i < 0 || len(strings.ToLower(path)) != len(path) {
			return path
		}
		end := strings.IndexAny(path[i+1:], ";/")
		if end < 0 {
			return path[:i]
		}
		path = path[:i] + path[i+1+end:]
	}
}

// withoutSessions takes the parameters off a query that say who asks, not what for.
func withoutSessions(query string) string {
	var kept strings.Builder
	for query != "" {
		end := strings.IndexAny(query, "&;") + 1
		if end == 0 {
			end = len(query)
		}
		if name, _, _ := strings.Cut(query[:end], "="); !isSession(strings.TrimRight(name, "&;")) {
			kept.WriteString(query[:end])
		}
		query = query[end:]
	}
	return strings.TrimRight(kept.String(), "&;")
}

func isSession(param string) bool {
	switch param = strings.ToLower(param); param {
	case "phpsessid", "sid", "cfid", "cftoken":
		return true
	}
	return strings.HasPrefix(param, "aspsessionid") || strings.HasPrefix(param, "utm_")
}

// notDocuments are ends of paths under which no document with links is kept.
var notDocuments = strings.Fields("gif png jpg jpeg jpe ico bmp svg svgz webp avif tif tiff psd xbm xpm pcx css js mjs map woff woff2 ttf otf eot " +
	"mp3 wav ogg oga ogv flac aac m4a m4v mid midi au aif aiff ra ram rm mp4 avi mov mpg mpeg mkv webm wmv wma flv swf " +
	"exe dll msi dmg iso img bin class jar apk deb rpm o so a ps eps dvi djvu doc xls ppt sig asc md5 sha1 sha256 torrent")

// fetchable says whether what stands at a name may be a document, and is no listing in
// another order.
func (s *scope) fetchable(name string) bool {
	path, query := s.resource(name)
	if query == "" {
		return !isNoDocument(path)
	}
	return !strings.HasSuffix(path, "/") || !sortQuery.MatchString(query)
}

// isNoDocument says whether a path ends as one of notDocuments does.
func isNoDocument(path string) bool {
	last := path[strings.LastIndexByte(path, '/')+1:]
	i := strings.LastIndexByte(last, '.')
	return i >= 0 && slices.Contains(notDocuments, strings.ToLower(last[i+1:]))
}

// sortQuery asks an Apache listing for another order.
var sortQuery = regexp.MustCompile(`^\?(C=[NMSD]([;&]O=[AD])?|O=[AD]|[NMSD]=[AD])$`)

// sameDocument says whether a page may call itself by another name: the two differ in
// query, final slash or the name of an index alone.
func (s *scope) sameDocument(name, canonical string) bool {
	a, _ := s.resource(name)
	b, _ := s.resource(canonical)
	return withoutIndex(a) == withoutIndex(b)
}

// indexName is the name under which servers keep the page of a folder.
var indexName = regexp.MustCompile(`/(index|default|home|welcome)\.(html?|shtml|xhtml|php|asp|aspx|cgi|jsp)$`)

func withoutIndex(path string) string {
	return strings.TrimSuffix(indexName.ReplaceAllString(path, "/"), "/")
}

// settle takes the scheme of an address that answered on the site: what http redirects to
// https is there.
func (s *scope) settle(address string) {
	if _, ours := s.name(address); ours && s.usual {
		s.scheme, _, _ = strings.Cut(strings.ToLower(address), ":")
		s.at.Port = usualPort(s.scheme)
	}
}

// otherScheme is the same site over the other scheme; nil: there is none.
func (s *scope) otherScheme() *scope {
	if !s.usual {
		return nil
	}
	other := *s
	other.scheme = map[string]string{"http": "https", "https": "http"}[s.scheme]
	return &other
}
