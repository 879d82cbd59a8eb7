package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

var httpScheme = Descriptor{
	Name: "http", DefaultPort: 80, Spec: "RFC 9110 section 4.2.1", Text: SpelledSlashes,
	aliases: []alias{{"https", 443, "RFC 9110 section 4.2.2"}},
	syntax:  syntaxQuery, relative: true, dots: dotsGone, repair: true, unres: chars.Unreserved, parse: parseHTTP, ownFragment: true,
}

// HTTP is an http or https URL. Path and Query are raw.
//
//	http-URI = "http" "://" authority path-abempty [ "?" query ]   RFC 9110 section 4.2.1
//
// What browsers forgive is forgiven here too, with a code: the keys hold the escaped form. A blank
// is not: whoever finds one in an attribute escapes it.
type HTTP struct {
	base
	At    Endpoint
	User  *User
	Path  string
	Query *string
}

// Endpoint implements [URI].
func (u *HTTP) Endpoint() (Endpoint, bool) { return u.At, true }

func parseHTTP(p Parts) URI {
	u := &HTTP{base: newBase(p), Path: p.Path}
	u.At, u.User = u.authority(allowUser | webHost)
	if strings.HasPrefix(p.Path, "//") && p.Port == "" && !p.HasUser { // "http://http://host/": no host is called so
		switch chars.Lower(p.Host) {
		case "http", "https", "ftp":
			u.fail(p.hostAt(), "scheme-twice")
		}
	}
	if i := strings.IndexByte(p.raw, ' '); i >= 0 { // it ends a URI wherever one is written (RFC 3986 appendix C)
		u.fail(i, "http-char")
	}
	u.forgiving(p.Path, p.pathAt(), chars.Pchar|chars.Slash, "http-char")
	if p.HasQuery {
		u.forgiving(p.Query, p.qAt(), chars.Fragment, "http-char")
		u.Query = &u.p.Query
	}
	u.forgiving(p.Fragment, p.fragAt(), chars.Fragment, "http-char")
	return u
}

// writeKey: an empty path is "/", RFC 3986 section 6.2.3.
func (*HTTP) writeKey(w *keyWriter, p *Parts) {
	if p.Path == "" {
		w.mark(stepPathEmpty)
		w.add("/")
	}
	w.addPath(p)
}

func (u *HTTP) components() members {
	return members{"path": text(u.Path), "query": optional(u.Query), "fragment": nil}.user(u.User)
}
