package extract

// shape says what must follow a scheme's colon for the word to be a reference
// in running text: "news: none" is prose, "news:comp.os" a link.
type shape uint8

const (
	shapeUnknown shape = iota // a scheme nobody knows: only scheme://dotted.host
	shapeSlashes              // must have "//"
	shapeMail                 // must have an address
	shapeNews                 // "//", a dotted group, a message-id or "*"
	shapeName                 // namespace and value: urn:nid:nss, info:ns/id
	shapeUser                 // "//", user@host or a dotted host
	shapeGo                   // "//" or a name
	shapeNever                // known, but a link in attributes only
)

// shapes has a row for every scheme that the scanner tells from prose.
var shapes = map[string]shape{
	"http": shapeSlashes, "https": shapeSlashes, "ftp": shapeSlashes, "ftps": shapeSlashes,
	"gopher": shapeSlashes, "gophers": shapeSlashes, "telnet": shapeSlashes, "tn3270": shapeSlashes,
	"rlogin": shapeSlashes, "wais": shapeSlashes, "file": shapeSlashes, "prospero": shapeSlashes,
	"z39.50r": shapeSlashes, "z39.50s": shapeSlashes, "nntp": shapeSlashes, "nntps": shapeSlashes,
	"ldap": shapeSlashes, "ldaps": shapeSlashes, "nfs": shapeSlashes, "imap": shapeSlashes,
	"pop": shapeSlashes, "rtsp": shapeSlashes, "rsync": shapeSlashes, "irc": shapeSlashes,
	"sftp": shapeSlashes, "ssh": shapeSlashes, "afs": shapeSlashes, "svn": shapeSlashes,
	"git": shapeSlashes, "gemini": shapeSlashes, "dict": shapeSlashes, "mms": shapeSlashes,
	"cso": shapeSlashes, "whois": shapeSlashes, "vemmi": shapeSlashes, "acap": shapeSlashes,
	"mailto": shapeMail,
	"news":   shapeNews, "snews": shapeNews,
	"urn": shapeName, "info": shapeName,
	"finger": shapeUser, "sip": shapeUser, "sips": shapeUser, "hdl": shapeNever,
	"go":  shapeGo,
	"cid": shapeNever, "mid": shapeNever, "data": shapeNever, "tel": shapeNever,
	"javascript": shapeNever, "about": shapeNever, "doi": shapeNever, "url": shapeNever,
}

// fits says whether rest, the text behind the colon up to its end, has the shape.
func (s shape) fits(rest string) bool {
	if rest == "" {
		return false
	}
	slashes := len(rest) > 2 && rest[0] == '/' && rest[1] == '/' && rest[2] != '/'
	switch s {
	case shapeSlashes:
		return slashes || len(rest) > 3 && rest[:3] == "///"
	case shapeUnknown:
		return slashes && dottedHost(rest[2:])
	case shapeMail:
		return address(rest)
	case shapeNews:
		return slashes || rest == "*" || address(rest) || dottedGroup(rest)
	case shapeName:
		return namespace(rest)
	case shapeUser:
		return slashes || address(rest)
	case shapeGo:
		return slashes || len(rest) > 1 && (alnum(rest[0]) || rest[0] == '%') && !digit(rest[0])
	}
	return false
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

// namespace is a word, "/" or ":", and a value.
func namespace(s string) bool {
	for i := 0; i < len(s)-1; i++ {
		if c := s[i]; c == '/' || c == ':' {
			return i > 1 && s[i+1] != '/' && s[i+1] != ':'
		} else if !alnum(c) && c != '-' {
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
