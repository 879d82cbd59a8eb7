package uri

import (
	"net/netip"
	"strings"
)

// rule is one step of the upper levels. It changes d, which is u taken apart,
// and reports whether it did.
type rule struct {
	kinds kind // what it is tried on
	code  string
	maybe bool // the step makes two URIs related, not the same
	apply func(u URI, d *draft) bool
}

// kind is a set of concrete types.
type kind uint16

const (
	kHTTP kind = 1 << iota
	kFTP
	kGopher
	kNews
	kNNTP
	kTelnet
	kWAIS
	kFile
	kProspero
	kZ3950
	kInfo
	kGo
	kMailto
	kOpaque

	kAny  = kind(0xffff)
	kTree = kHTTP | kFTP | kFile
)

func kindOf(u URI) kind {
	switch u.(type) {
	case *HTTP:
		return kHTTP
	case *FTP:
		return kFTP
	case *Gopher:
		return kGopher
	case *News:
		return kNews
	case *NNTP:
		return kNNTP
	case *Telnet:
		return kTelnet
	case *WAIS:
		return kWAIS
	case *File:
		return kFile
	case *Prospero:
		return kProspero
	case *Z3950:
		return kZ3950
	case *Info:
		return kInfo
	case *Go:
		return kGo
	case *Mailto:
		return kMailto
	}
	return kOpaque
}

// protocolRules: the same commands on the wire, or the same endpoint. Those that
// prove a duplicate stand before those that only relate.
var protocolRules = []rule{
	{kAny, "host-root-dot", false, hostRootDot},
	{kAny, "idna", false, hostIDNA},
	{kAny, "ipv6-form", false, ipv6Form},
	{kAny, "empty-fragment", false, emptyFragment},
	{kFTP, "ftp-anonymous-user", false, anonymousUser},
	{kFTP | kNNTP | kWAIS | kProspero | kTelnet, "same-wire", false, sameWire},
	{kNNTP, "nntp-leading-zeros", false, articleZeros},
	{kMailto, "mailto-domain-case", false, mailtoDomain},
	{kGopher, "gopher-type-differs", true, gopherType},
	{kTelnet, "telnet-advisory-userinfo", true, advisoryUser},
	{kNews, "msgid-domain-case", true, messageDomain},
	{kNews, "news-server-dropped", true, newsServer},
	{kFile, "udi-file-is-ftp", true, udiFile},
	{kZ3950, "z3950-db-case", true, databaseCase},
}

func hostRootDot(_ URI, d *draft) bool {
	h := strings.TrimSuffix(d.Host, ".")
	ok := h != d.Host && h != ""
	if ok {
		d.Host = h
	}
	return ok
}

// hostIDNA writes an internationalized name in A-labels, RFC 5891.
func hostIDNA(_ URI, d *draft) bool {
	if strings.IndexByte(d.Host, '%') < 0 {
		return false
	}
	a, v, _ := parseHost(d.Host, true)
	if v == Invalid || a == d.Host {
		return false
	}
	d.Host = a
	return true
}

// ipv6Form writes an address as RFC 5952 section 4 recommends.
func ipv6Form(_ URI, d *draft) bool {
	if !strings.HasPrefix(d.Host, "[") {
		return false
	}
	addr, err := netip.ParseAddr(strings.Trim(d.Host, "[]"))
	if err != nil || "["+addr.String()+"]" == d.Host {
		return false
	}
	d.Host = "[" + addr.String() + "]"
	return true
}

// emptyFragment: "a void anchor-id with or without the hash sign" is the whole
// document (UDI 1991); info forbids touching its fragment.
func emptyFragment(_ URI, d *draft) bool {
	if !d.HasFragment || d.Fragment != "" || d.Scheme == "info" {
		return false
	}
	d.HasFragment = false
	return true
}

// anonymousUser: a client without a user name logs in as "anonymous", and the
// password is only an address (rfc1738bis section 2.2.1).
func anonymousUser(_ URI, d *draft) bool {
	name, _, _ := strings.Cut(d.User, ":")
	if d.Scheme != "ftp" || !d.HasUser || name != "anonymous" {
		return false
	}
	d.HasUser, d.User = false, ""
	return true
}

// sameWire shows the characters whose escapes decode to the same command. What
// delimits stays: '/' and ';' of a path, ':' and '@' of a user, '+' of a search.
func sameWire(u URI, d *draft) bool {
	was := *d
	switch u.(type) {
	case *FTP:
		path, _, _ := cutTypecode(d.Path)
		param := d.Path[len(path):]
		if !ftpDotsStay(path) || !hasDots(path) {
			d.Path = recoded(path, cWire|cWirePlus, cWire|cWirePlus|cSlash) + param
		}
	case *NNTP:
		d.Path = recoded(d.Path, cGroup, cAny)
	case *WAIS:
		if db, rest, ok := strings.Cut(strings.TrimPrefix(d.Path, "/"), "/"); ok {
			d.Path = "/" + recoded(db, cWire, cAny) + "/" + rest
		} else {
			d.Path = "/" + recoded(db, cWire, cAny)
		}
		d.Query = recoded(d.Query, cWire, cAny)
	case *Prospero:
		name, fields, ok := strings.Cut(d.Path, ";")
		d.Path = recoded(name, cWire|cWirePlus, cWire|cWirePlus|cSlash)
		if ok {
			d.Path += ";" + fields
		}
	}
	if _, web := u.(*HTTP); !web && d.HasUser {
		d.User = recoded(d.User, cUserWire, cAny)
	}
	return *d != was
}

// articleZeros: RFC 3977 section 9.8 reads the number, not its digits.
func articleZeros(u URI, d *draft) bool {
	n, ok := u.(*NNTP)
	if !ok || len(n.Article) < 2 || n.Article[0] != '0' {
		return false
	}
	i := strings.LastIndexByte(d.Path, '/')
	digits := strings.TrimLeft(n.Article[:len(n.Article)-1], "0") + n.Article[len(n.Article)-1:]
	d.Path = d.Path[:i+1] + digits
	return true
}

// mailtoDomain: a domain has no case, RFC 5321 section 2.4; the mailbox has.
func mailtoDomain(u URI, d *draft) bool {
	if _, ok := u.(*Mailto); !ok {
		return false
	}
	was := d.Path
	to, headers, has := strings.Cut(d.Path, "?")
	list := strings.Split(to, ",")
	for i, a := range list {
		if at := strings.LastIndexByte(a, '@'); at >= 0 {
			list[i] = a[:at] + caseRule(a[at:], "lower", "", func(string) {})
		}
	}
	d.Path = strings.Join(list, ",")
	if has {
		d.Path += "?" + headers
	}
	return d.Path != was
}

// gopherType: the type is not sent. Sessions (8, T, 2), information lines (i)
// and UDI searches are no requests of the same kind.
func gopherType(u URI, d *draft) bool {
	g, ok := u.(*Gopher)
	if !ok || g.Type == '1' || strings.IndexByte("8T2i", g.Type) >= 0 || strings.IndexByte(d.Path, '?') >= 0 {
		return false
	}
	n := 1
	if isEscape(d.Path, 1) {
		n = 3
	}
	d.Path = "/1" + d.Path[1+n:]
	return true
}

// advisoryUser: "the user and password supplied are advisory only" (rfc1738bis section 2.6).
func advisoryUser(u URI, d *draft) bool {
	if _, ok := u.(*Telnet); !ok || !d.HasUser {
		return false
	}
	d.HasUser, d.User = false, ""
	return true
}

// messageDomain: some servers fold what follows the '@'; RFC 3977 appendix A.2 compares octets.
func messageDomain(u URI, d *draft) bool {
	n, ok := u.(*News)
	if !ok || n.Kind != NewsArticle {
		return false
	}
	at := strings.LastIndexByte(d.Path, '@')
	folded := caseRule(d.Path[at:], "lower", "", func(string) {})
	ok = folded != d.Path[at:]
	d.Path = d.Path[:at] + folded
	return ok
}

// newsServer: a message-id or a group names the same on every server.
func newsServer(u URI, d *draft) bool {
	n, ok := u.(*News)
	if !ok || n.At == nil || n.Kind == NewsServer {
		return false
	}
	d.HasAuthority, d.Path = false, strings.TrimPrefix(d.Path, "/")
	return true
}

// udiFile: in a UDI document (1991) a file on another host is fetched by
// anonymous FTP. A host without a dot, or this machine, never is.
func udiFile(u URI, d *draft) bool {
	f, ok := u.(*File)
	if !ok || strings.IndexByte(f.Host, '.') < 0 || strings.HasPrefix(f.Host, "127.") {
		return false
	}
	d.Scheme = "ftp"
	d.Path = recoded(d.Path, 0, cWire|cWirePlus|cSlash)
	return true
}

// databaseCase: database names are said to have no case in Z39.50-1995.
func databaseCase(u URI, d *draft) bool {
	if _, ok := u.(*Z3950); !ok {
		return false
	}
	end := len(d.Path)
	if i := strings.IndexByte(d.Path, ';'); i >= 0 {
		end = i
	}
	folded := caseRule(d.Path[:end], "lower", "", func(string) {}) + d.Path[end:]
	ok := folded != d.Path
	d.Path = folded
	return ok
}
