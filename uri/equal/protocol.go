package equal

import (
	"net/netip"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/internal/chars"
	"linkcheck/uri/internal/host"
)

// hostRootDot: an absolute name of the DNS, RFC 1034 section 3.1.
func hostRootDot(_ uri.URI, p *uri.Parts) bool {
	name, ok := strings.CutSuffix(p.Host, ".")
	return ok && name != "" && set(&p.Host, name)
}

// hostIDNA writes an internationalized name in A-labels, RFC 5891.
func hostIDNA(_ uri.URI, p *uri.Parts) bool {
	if strings.IndexByte(p.Host, '%') < 0 {
		return false
	}
	name, fault, _ := host.Parse(p.Host, true)
	return fault != host.Bad && set(&p.Host, name)
}

// ipv6Form writes an address as RFC 5952 section 4 recommends.
func ipv6Form(_ uri.URI, p *uri.Parts) bool {
	if !strings.HasPrefix(p.Host, "[") {
		return false
	}
	addr, err := netip.ParseAddr(strings.Trim(p.Host, "[]"))
	return err == nil && set(&p.Host, "["+addr.String()+"]")
}

// emptyFragment: "a void anchor-id with or without the hash sign" is the whole
// document (UDI 1991); info forbids touching its fragment.
func emptyFragment(_ uri.URI, p *uri.Parts) bool {
	return p.Scheme != "info" && p.Fragment == "" && set(&p.HasFragment, false)
}

// anonymousUser: a client without a user name logs in as "anonymous", and the
// password is only an address (rfc1738bis section 2.2.1).
func anonymousUser(_ *uri.FTP, p *uri.Parts) bool { return dropUser(p, "anonymous") }

// sameWire shows the characters whose escapes decode to the same command. What
// delimits stays: '/' and ';' of a path, ':' and '@' of a user, '+' of a search.
func sameWire(u uri.URI, p *uri.Parts) bool {
	was := *p
	switch u := u.(type) {
	case *uri.FTP:
		end := len(p.Path)
		if u.Type != 0 {
			end -= len(";type=a")
		}
		if !u.KeepsDots() {
			p.Path = showWire(p.Path[:end]) + p.Path[end:]
		}
		p.User = chars.Recode(p.User, chars.UserWire, chars.Any)
	case *uri.Telnet:
		p.User = chars.Recode(p.User, chars.UserWire, chars.Any)
	case *uri.NNTP:
		p.Path = chars.Recode(p.Path, chars.Group, chars.Any)
	case *uri.WAIS:
		db, _, _ := strings.Cut(p.Path[1:], "/")
		p.Path = "/" + chars.Recode(db, chars.Wire, chars.Any) + p.Path[1+len(db):]
		p.Query = chars.Recode(p.Query, chars.Wire, chars.Any)
	case *uri.Prospero:
		name, _, _ := strings.Cut(p.Path, ";")
		p.Path = showWire(name) + p.Path[len(name):]
	default:
		return false
	}
	return *p != was
}

// showWire recodes the names between the slashes of a path.
func showWire(path string) string {
	return chars.Recode(path, chars.Wire|chars.WirePlus, chars.Wire|chars.WirePlus|chars.Slash)
}

// articleZeros: RFC 3977 section 9.8 reads the number, not its digits.
func articleZeros(u *uri.NNTP, p *uri.Parts) bool {
	number := strings.LastIndexByte(p.Path, '/') + 1
	return strings.HasPrefix(u.Article, "0") && set(&p.Path, p.Path[:number]+chars.TrimZeros(u.Article))
}

// mailtoDomain: a domain has no case, RFC 5321 section 2.4; the mailbox has.
func mailtoDomain(_ *uri.Mailto, p *uri.Parts) bool {
	to, _, _ := strings.Cut(p.Path, "?")
	list := strings.Split(to, ",")
	for i, a := range list {
		if at := strings.LastIndexByte(a, '@'); at >= 0 {
			list[i] = a[:at] + chars.LowerRaw(a[at:])
		}
	}
	return set(&p.Path, strings.Join(list, ",")+p.Path[len(to):])
}

// gopherType: the type is not sent. Sessions (8, T, 2), information lines (i)
// and UDI searches are no requests of the same kind.
func gopherType(u *uri.Gopher, p *uri.Parts) bool {
	if strings.IndexByte("18T2i", u.Type) >= 0 || strings.IndexByte(p.Path, '?') >= 0 {
		return false
	}
	n := 1
	if chars.IsEscape(p.Path, 1) {
		n = 3
	}
	return set(&p.Path, "/1"+p.Path[1+n:])
}

// advisoryUser: "the user and password supplied are advisory only" (rfc1738bis section 2.6).
func advisoryUser(_ *uri.Telnet, p *uri.Parts) bool { return dropUser(p, "") }

// messageDomain: some servers fold what follows the '@'; RFC 3977 appendix A.2 compares octets.
func messageDomain(u *uri.News, p *uri.Parts) bool {
	if u.Kind != uri.NewsArticle {
		return false
	}
	at := strings.LastIndexByte(p.Path, '@')
	return set(&p.Path, p.Path[:at]+chars.LowerRaw(p.Path[at:]))
}

// newsServer: a message-id or a group names the same on every server.
func newsServer(u *uri.News, p *uri.Parts) bool {
	if u.At == nil || u.Kind == uri.NewsServer {
		return false
	}
	p.Path = strings.TrimPrefix(p.Path, "/")
	return set(&p.HasAuthority, false)
}

// udiFile: in a UDI document (1991) a file on another host is fetched by
// anonymous FTP. A host without a dot, or this machine, never is.
func udiFile(u *uri.File, p *uri.Parts) bool {
	if strings.IndexByte(u.Host, '.') < 0 || strings.HasPrefix(u.Host, "127.") {
		return false
	}
	p.Path = chars.Recode(p.Path, 0, chars.Wire|chars.WirePlus|chars.Slash)
	return set(&p.Scheme, "ftp")
}

// databaseCase: database names are said to have no case in Z39.50-1995.
func databaseCase(_ *uri.Z3950, p *uri.Parts) bool { return lowerUntil(&p.Path, 0, ';') }
