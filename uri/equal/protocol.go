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
	if !ok || name == "" {
		return false
	}
	p.Host = name
	return true
}

// hostIDNA writes an internationalized name in A-labels, RFC 5891.
func hostIDNA(_ uri.URI, p *uri.Parts) bool {
	if strings.IndexByte(p.Host, '%') < 0 {
		return false
	}
	name, fault, _ := host.Parse(p.Host, true)
	if fault == host.Bad || name == p.Host {
		return false
	}
	p.Host = name
	return true
}

// ipv6Form writes an address as RFC 5952 section 4 recommends.
func ipv6Form(_ uri.URI, p *uri.Parts) bool {
	if !strings.HasPrefix(p.Host, "[") {
		return false
	}
	addr, err := netip.ParseAddr(strings.Trim(p.Host, "[]"))
	if err != nil || "["+addr.String()+"]" == p.Host {
		return false
	}
	p.Host = "[" + addr.String() + "]"
	return true
}

// emptyFragment: "a void anchor-id with or without the hash sign" is the whole
// document (UDI 1991); info forbids touching its fragment.
func emptyFragment(_ uri.URI, p *uri.Parts) bool {
	if !p.HasFragment || p.Fragment != "" || p.Scheme == "info" {
		return false
	}
	p.HasFragment = false
	return true
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
	if len(u.Article) < 2 || u.Article[0] != '0' {
		return false
	}
	i := strings.LastIndexByte(p.Path, '/')
	p.Path = p.Path[:i+1] + withoutZeros(u.Article)
	return true
}

// mailtoDomain: a domain has no case, RFC 5321 section 2.4; the mailbox has.
func mailtoDomain(_ *uri.Mailto, p *uri.Parts) bool {
	was := p.Path
	to, _, _ := strings.Cut(p.Path, "?")
	list := strings.Split(to, ",")
	for i, a := range list {
		if at := strings.LastIndexByte(a, '@'); at >= 0 {
			list[i] = a[:at] + chars.LowerRaw(a[at:])
		}
	}
	p.Path = strings.Join(list, ",") + p.Path[len(to):]
	return p.Path != was
}

// gopherType: the type is not sent. Sessions (8, T, 2), information lines (i)
// and UDI searches are no requests of the same kind.
func gopherType(u *uri.Gopher, p *uri.Parts) bool {
	if u.Type == '1' || strings.IndexByte("8T2i", u.Type) >= 0 || strings.IndexByte(p.Path, '?') >= 0 {
		return false
	}
	n := 1
	if chars.IsEscape(p.Path, 1) {
		n = 3
	}
	p.Path = "/1" + p.Path[1+n:]
	return true
}

// advisoryUser: "the user and password supplied are advisory only" (rfc1738bis section 2.6).
func advisoryUser(_ *uri.Telnet, p *uri.Parts) bool { return dropUser(p, "") }

// messageDomain: some servers fold what follows the '@'; RFC 3977 appendix A.2 compares octets.
func messageDomain(u *uri.News, p *uri.Parts) bool {
	if u.Kind != uri.NewsArticle {
		return false
	}
	at := strings.LastIndexByte(p.Path, '@')
	domain := p.Path[at:]
	ok := lowerPart(&domain)
	p.Path = p.Path[:at] + domain
	return ok
}

// newsServer: a message-id or a group names the same on every server.
func newsServer(u *uri.News, p *uri.Parts) bool {
	if u.At == nil || u.Kind == uri.NewsServer {
		return false
	}
	p.HasAuthority, p.Path = false, strings.TrimPrefix(p.Path, "/")
	return true
}

// udiFile: in a UDI document (1991) a file on another host is fetched by
// anonymous FTP. A host without a dot, or this machine, never is.
func udiFile(u *uri.File, p *uri.Parts) bool {
	if strings.IndexByte(u.Host, '.') < 0 || strings.HasPrefix(u.Host, "127.") {
		return false
	}
	p.Scheme = "ftp"
	p.Path = chars.Recode(p.Path, 0, chars.Wire|chars.WirePlus|chars.Slash)
	return true
}

// databaseCase: database names are said to have no case in Z39.50-1995.
func databaseCase(_ *uri.Z3950, p *uri.Parts) bool { return lowerUntil(&p.Path, 0, ';') }
