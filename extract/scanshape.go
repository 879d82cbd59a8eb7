package extract

import "strings"

// shape says what must follow a scheme's colon for the word to be a reference
// in running text: "news: none" is prose, "news:comp.os" a link.
type shape uint8

const (
	shapeUnknown shape = iota // a scheme nobody knows: only scheme://host
	shapeSlashes              // must have "//"
	shapeMail                 // must have an address
	shapeNews                 // "//", a dotted group, a message-id or "*"
	shapeURN                  // urn:nid:nss
	shapeInfo                 // info:namespace/identifier
	shapeFile                 // slashes, or an absolute path
	shapeUser                 // "//", user@host or a dotted host
	shapeGo                   // "//" or a name
	shapeService              // service:type:...://
	shapeID                   // an identifier with an @ (RFC 2392)
	shapeNever                // known, but a link in attributes only
)

// shapes has a row for every scheme that the scanner tells from prose.
var shapes = map[string]shape{
	"http": shapeSlashes, "https": shapeSlashes, "ftp": shapeSlashes, "ftps": shapeSlashes,
	"gopher": shapeSlashes, "gophers": shapeSlashes, "telnet": shapeSlashes, "tn3270": shapeSlashes,
	"rlogin": shapeSlashes, "wais": shapeSlashes, "file": shapeFile, "prospero": shapeSlashes,
	"z39.50r": shapeSlashes, "z39.50s": shapeSlashes, "nntp": shapeSlashes, "nntps": shapeSlashes,
	"ldap": shapeSlashes, "ldaps": shapeSlashes, "nfs": shapeSlashes, "imap": shapeSlashes,
	"pop": shapeSlashes, "rtsp": shapeSlashes, "rsync": shapeSlashes, "irc": shapeSlashes,
	"sftp": shapeSlashes, "ssh": shapeSlashes, "afs": shapeSlashes, "svn": shapeSlashes,
	"git": shapeSlashes, "gemini": shapeSlashes, "dict": shapeSlashes, "mms": shapeSlashes,
	"cso": shapeSlashes, "whois": shapeSlashes, "vemmi": shapeSlashes, "acap": shapeSlashes,
	"mailto": shapeMail,
	"news":   shapeNews, "snews": shapeNews,
	"urn": shapeURN, "info": shapeInfo,
	"finger": shapeUser, "sip": shapeUser, "sips": shapeUser, "hdl": shapeNever,
	"go": shapeGo, "service": shapeService,
	"cid": shapeID, "mid": shapeID,
	"data": shapeNever, "tel": shapeNever,
	"javascript": shapeNever, "about": shapeNever, "doi": shapeNever, "url": shapeNever,
}

// fits says whether rest, the text behind the colon up to its end, has the shape.
func (s shape) fits(rest string) bool {
	if rest == "" {
		return false
	}
	slashes := authority(rest)
	switch s {
	case shapeSlashes:
		return slashes
	case shapeFile:
		return slashes || len(rest) > 2 && rest[0] == '/' && alnum(rest[1])
	case shapeUnknown:
		return slashes && alnum(rest[2])
	case shapeMail:
		return address(rest) || !space(rest[0]) && strings.ContainsAny(rest, "%?")
	case shapeID:
		return address(rest)
	case shapeNews:
		return slashes || rest == "*" || address(rest) || dottedGroup(rest)
	case shapeURN:
		return namespace(rest, ':') || len(rest) > 2 && rest[0] == '/' && alnum(rest[1])
	case shapeInfo:
		return namespace(rest, '/')
	case shapeService:
		return serviceType(rest)
	case shapeUser:
		return slashes || address(rest)
	case shapeGo:
		return slashes || strings.HasPrefix(rest, "//?") && len(rest) > 3 || len(rest) > 2 && ascii([]byte(rest)) && (letter(rest[0]) || rest[0] == '%' || rest[0] == '?' && letter(rest[1]))
	}
	return false
}

// authority says whether rest starts with "//" and a host, or "///" and a path.
func authority(rest string) bool {
	if len(rest) < 3 || rest[:2] != "//" {
		return false
	}
	if rest[2] == '/' {
		return len(rest) > 3 && rest[3] != '/'
	}
	if rest[2] == '.' || rest[2] == '-' || rest[2] == ',' {
		return false
	}
	for i := 2; i < len(rest) && rest[i] != '/' && rest[i] != '?' && rest[i] != '#'; i++ {
		if alnum(rest[i]) {
			return true
		}
	}
	return false
}

// fitsClosed is fits where brackets or "URL:" say that a reference is meant.
func (s shape) fitsClosed(rest string, prefixed bool) bool {
	if s.fits(rest) {
		return true
	}
	if rest == "" || !alnum(rest[0]) && rest[0] != '/' && rest[0] != '?' {
		return false
	}
	switch s {
	case shapeGo:
		return true
	case shapeNews:
		return prefixed && letter(rest[0])
	case shapeSlashes:
		return rest[0] == '/' && len(rest) > 1 && alnum(rest[1])
	case shapeUnknown:
		return prefixed && authority(rest)
	}
	return false
}

// serviceType says whether rest begins with the type of a service (RFC 2609
// section 2.1). "service:http://" is a word before a URL.
func serviceType(rest string) bool {
	kind, after, ok := strings.Cut(rest, ":")
	_, word := shapes[strings.ToLower(kind)]
	return ok && len(kind) > 1 && len(hostOf([]byte(kind))) == len(kind) && strings.Contains(after, "//") && (!word || kind == "tn3270" || kind == "telnet" || kind == "wais")
}

// address is local@host with something on both sides.
func address(s string) bool {
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '@' {
			return alnum(s[i+1]) || s[i+1] == '['
		}
	}
	return false
}

// dottedGroup is a newsgroup name such as comp.os or rec.humor.*.
func dottedGroup(s string) bool {
	if !letter(s[0]) {
		return false
	}
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '.' {
			return alnum(s[i+1]) || s[i+1] == '*'
		}
		if !alnum(s[i]) && s[i] != '-' && s[i] != '+' && s[i] != '_' {
			return false
		}
	}
	return false
}

// namespace is a word, the separator, and a value.
func namespace(s string, sep byte) bool {
	for i := 0; i < len(s)-1; i++ {
		if s[i] == sep {
			return i > 1 && (alnum(s[i+1]) || s[i+1] == '%' || sep == '/')
		}
		if !alnum(s[i]) && s[i] != '-' && s[i] != '.' {
			return false
		}
	}
	return false
}

// dottedHost says whether s starts with a host name that has a dot in it.
func dottedHost(s string) bool {
	dot := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '.':
			dot = dot || i > 0 && i+1 < len(s) && alnum(s[i+1])
		case !alnum(c) && c != '-':
			return dot
		}
	}
	return dot
}
