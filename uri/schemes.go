package uri

// SchemeInfo is a row of the one list of schemes.
type SchemeInfo struct {
	Name        string
	DefaultPort int    // 0: none
	Spec        string // the document that defines it
}

// form tells how far a scheme follows the generic syntax of RFC 3986 section 3.
type form uint8

const (
	formFlat  form = iota // no authority, no relative references
	formPath              // authority and path; '?' is data
	formQuery             // authority, path and query
)

// row is one scheme of the list: what Parse and the keys need to know of it.
type row struct {
	SchemeInfo
	form     form
	relative bool // has relative references
	dots     dots
	unres    uint16 // what an escape need not hide at level syntax
	parse    func(split) (URI, *Error)
	path     pathRule // how the path is written at level scheme
}

// dots says whether dot segments are removed at level syntax, RFC 3986 section 6.2.2.3.
type dots uint8

const (
	dotsKept  dots = iota // the path is opaque
	dotsGone              // hierarchical
	dotsPlain             // ftp: only where no CWD argument is empty or absolute
)

// pathRule names what the path becomes at level scheme. A word and not a
// function, so that a pen stays on the stack.
type pathRule uint8

const (
	pathAsIs pathRule = iota
	pathFTP
	pathGo
	pathGopher
	pathNews
	pathProspero
	pathTelnet
	pathURN
	pathWAIS
	pathWeb
	pathZ3950
)

// schemePath writes the path and query at level scheme.
func (p *pen) schemePath(sp *split) {
	switch sp.row.path {
	case pathFTP:
		ftpKey(p, sp)
	case pathGo:
		goKey(p, sp)
	case pathGopher:
		gopherKey(p, sp)
	case pathNews:
		newsKey(p, sp)
	case pathProspero:
		prosperoKey(p, sp)
	case pathTelnet:
		telnetKey(p, sp)
	case pathURN:
		urnKey(p, sp)
	case pathWAIS:
		waisKey(p, sp)
	case pathWeb:
		httpKey(p, sp)
	case pathZ3950:
		z3950Key(p, sp)
	default:
		p.add(sp.path)
		p.addQuery(sp)
	}
}

// rows is the one ordered list of schemes.
var rows = []row{
	opaque("about", 0, "RFC 6694"),
	opaque("afs", 0, "RFC 1738 section 3.11 (reserved)"),
	opaque("archie", 0, "practice"),
	opaque("chrome", 0, "practice"),
	opaque("cid", 0, "RFC 2392"),
	opaque("cso", 105, "practice"),
	opaque("data", 0, "RFC 2397"),
	opaque("doi", 0, "practice; ISO 26324"),
	opaque("fax", 0, "RFC 2806"),
	{SchemeInfo{"file", 0, "rfc1738bis section 2.8, RFC 8089"}, formPath, true, dotsGone, cUnres, parseFile, pathAsIs},
	opaque("finger", 79, "draft-ietf-uri-url-finger"),
	{SchemeInfo{"ftp", 21, "rfc1738bis section 2.2"}, formPath, true, dotsPlain, cUnres, parseFTP, pathFTP},
	opaque("ftps", 990, "practice"),
	{SchemeInfo{"go", 1096, "RFC 3368"}, formQuery, false, dotsKept, cUnres96, parseGo, pathGo},
	{SchemeInfo{"gopher", 70, "rfc1738bis section 2.3"}, formPath, false, dotsKept, cUnres, parseGopher, pathGopher},
	opaque("hcp", 0, "practice"),
	opaque("hdl", 0, "practice; RFC 3650"),
	{SchemeInfo{"http", 80, "RFC 9110 section 4.2.1"}, formQuery, true, dotsGone, cUnres, parseHTTP, pathWeb},
	{SchemeInfo{"https", 443, "RFC 9110 section 4.2.2"}, formQuery, true, dotsGone, cUnres, parseHTTP, pathWeb},
	opaque("imap", 143, "RFC 5092"),
	{SchemeInfo{"info", 0, "draft-vandesompel-info-uri-01, RFC 4452"}, formFlat, false, dotsKept, cUnres96, parseInfo, pathAsIs},
	opaque("irc", 6667, "draft-butcher-irc-url"),
	opaque("jar", 0, "practice"),
	opaque("javascript", 0, "practice"),
	opaque("ldap", 389, "RFC 4516"),
	opaque("ldaps", 636, "practice"),
	opaque("lifn", 0, "practice"),
	opaque("livescript", 0, "practice"),
	opaque("lynxcgi", 0, "practice"),
	opaque("lynxexec", 0, "practice"),
	opaque("lynxprog", 0, "practice"),
	opaque("mailserver", 0, "RFC 1738 section 3.11 (reserved)"),
	{SchemeInfo{"mailto", 0, "RFC 6068"}, formFlat, false, dotsKept, cUnres, parseMailto, pathAsIs},
	opaque("mid", 0, "RFC 2392"),
	opaque("mk", 0, "practice"),
	opaque("mocha", 0, "practice"),
	opaque("modem", 0, "RFC 2806"),
	opaque("ms-help", 0, "practice"),
	{SchemeInfo{"news", 119, "rfc1738bis section 2.4, RFC 5538"}, formPath, true, dotsKept, cUnres, parseNews, pathNews},
	opaque("nfs", 2049, "RFC 2224"),
	{SchemeInfo{"nntp", 119, "rfc1738bis section 2.5"}, formPath, true, dotsKept, cUnres, parseNNTP, pathAsIs},
	{SchemeInfo{"nntps", 563, "RFC 5538 section 2.1"}, formPath, true, dotsKept, cUnres, parseNNTP, pathAsIs},
	opaque("oid", 0, "RFC 3061"),
	opaque("opaquelocktoken", 0, "RFC 4918"),
	opaque("ph", 105, "practice"),
	opaque("pop", 110, "RFC 2384"),
	{SchemeInfo{"prospero", 1525, "rfc1738bis section 2.9"}, formPath, false, dotsKept, cUnres, parseProspero, pathProspero},
	opaque("res", 0, "practice"),
	{SchemeInfo{"rlogin", 513, "UDI (1991); RFC 1282"}, formPath, false, dotsKept, cUnres, parseTelnet, pathTelnet},
	opaque("rsync", 873, "RFC 5781"),
	opaque("rwhois", 4321, "RFC 2167"),
	opaque("service", 0, "RFC 2609"),
	opaque("sftp", 22, "draft-ietf-secsh-scp-sftp-ssh-uri"),
	opaque("shttp", 80, "RFC 2660"),
	opaque("sip", 5060, "RFC 3261"),
	{SchemeInfo{"snews", 563, "RFC 5538 section 8.1"}, formPath, true, dotsKept, cUnres, parseNews, pathNews},
	opaque("tag", 0, "RFC 4151"),
	opaque("tel", 0, "RFC 3966"),
	{SchemeInfo{"telnet", 23, "rfc1738bis section 2.6"}, formPath, false, dotsKept, cUnres, parseTelnet, pathTelnet},
	{SchemeInfo{"tn3270", 23, "RFC 6270"}, formPath, false, dotsKept, cUnres, parseTelnet, pathTelnet},
	opaque("urc", 0, "practice"),
	{SchemeInfo{"urn", 0, "RFC 8141"}, formFlat, false, dotsKept, cUnres, parseOpaque, pathURN},
	opaque("uuid", 0, "practice"),
	opaque("vbscript", 0, "practice"),
	opaque("vemmi", 575, "RFC 2122"),
	opaque("videotex", 0, "practice"),
	opaque("view-source", 0, "practice"),
	{SchemeInfo{"wais", 210, "rfc1738bis section 2.7"}, formQuery, true, dotsKept, cUnres, parseWAIS, pathWAIS},
	opaque("whois", 43, "RFC 3912"),
	opaque("whois++", 63, "RFC 1835"),
	opaque("wysiwyg", 0, "practice"),
	opaque("x-exec", 0, "practice"),
	{SchemeInfo{"z39.50r", 210, "RFC 2056 section 4"}, formQuery, false, dotsKept, cUnres, parseZ3950, pathZ3950},
	{SchemeInfo{"z39.50s", 210, "RFC 2056 section 3"}, formQuery, false, dotsKept, cUnres, parseZ3950, pathZ3950},
}

// opaque is the row of a scheme whose parts are of no interest.
func opaque(name string, port int, spec string) row {
	r := row{SchemeInfo: SchemeInfo{name, port, spec}, unres: cUnres, parse: parseOpaque}
	if port != 0 {
		r.form = formPath
	}
	return r
}

// Schemes is the list of known schemes, sorted by name.
func Schemes() []SchemeInfo {
	list := make([]SchemeInfo, len(rows))
	for i := range rows {
		list[i] = rows[i].SchemeInfo
	}
	return list
}

// findRow looks a scheme up without regard to case and without allocating.
func findRow(name string) *row {
	lo, hi := 0, len(rows)
	for lo < hi {
		mid := (lo + hi) / 2
		switch c := foldCompare(rows[mid].Name, name); {
		case c == 0:
			return &rows[mid]
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return nil
}

// foldCompare compares a, in lower case, with b in any case.
func foldCompare(a, b string) int {
	for i := 0; i < min(len(a), len(b)); i++ {
		if d := int(a[i]) - int(lowerByte(b[i])); d != 0 {
			return d
		}
	}
	return len(a) - len(b)
}
