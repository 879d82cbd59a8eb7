package uri

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// heuristicRules: no document allows these; they are habits of servers and
// writers. Each only says "perhaps".
var heuristicRules = []rule{
	{kAny, "unicode-nfc", true, unicodeNFC},
	{kAny &^ kHTTP, "ipv4-leading-zero", true, ipv4Zeros},
	{kHTTP, "ipv4-form", true, ipv4Form},
	{kHTTP, "http-https", true, httpHTTPS},
	{kHTTP, "www-prefix", true, wwwPrefix},
	{kHTTP, "session-id", true, sessionID},
	{kHTTP, "double-slash", true, doubleSlash},
	{kHTTP, "directory-index", true, directoryIndex},
	{kHTTP | kWAIS, "plus-as-space", true, plusAsSpace},
	{kHTTP, "query-order", true, queryOrder},
	{kHTTP, "empty-query", true, emptyQuery},
	{kFTP, "ftp-user-alias", true, ftpAlias},
	{kFTP, "ftp-type-omitted", true, ftpType},
	{kTree, "trailing-slash", true, trailingSlash},
	{kFile, "file-drive-case", true, driveCase},
	{kTree, "path-case", true, pathCase},
	{kFile, "loopback-alias", true, loopbackAlias},
	{kFile, "file-drive-bar", true, driveBar},
	{kFile, "file-drive-escaped", true, driveEscaped},
	{kGopher, "gopher-qmark-search", true, gopherQuestion},
	{kGopher, "gopher-root-selector", true, gopherRoot},
	{kGopher, "gopher-plus-default-view", true, gopherDefaultView},
	{kNews | kNNTP, "group-case", true, groupCase},
	{kNews, "msgid-postmaster-case", true, postmasterCase},
	{kWAIS, "wais-udi-length", true, waisLength},
	{kWAIS, "wais-raw-slash", true, waisSlash},
	{kWAIS, "wais-db-case", true, waisDatabaseCase},
	{kProspero | kGo, "param-order", true, paramOrder},
	{kZ3950, "z3950-db-order", true, databaseOrder},
	{kGo, "common-name-case", true, commonNameCase},
	{kInfo, "hdl-case", true, hdlCase},
	{kInfo, "pct-reserved-equal", true, pctReserved},
	{kOpaque, "isbn-form", true, isbnForm},
	{kInfo, "registry-convention:pii-case", true, convention("pii", piiCase)},
	{kInfo, "registry-convention:pii-punctuation", true, convention("pii", piiPunctuation)},
	{kInfo, "registry-convention:oclcnum-prefix", true, convention("oclcnum", oclcPrefix)},
	{kInfo, "registry-convention:oclcnum-leading-zeros", true, convention("oclcnum", leadingZeros)},
	{kInfo, "registry-convention:pmid-leading-zeros", true, convention("pmid", leadingZeros)},
}

// lowerPart folds raw letters and reports whether any was upper case.
func lowerPart(s *string) bool {
	was := *s
	*s = caseRule(was, "lower", "", func(string) {})
	return *s != was
}

// unicodeNFC composes what escapes spell decomposed.
func unicodeNFC(_ URI, d *draft) bool {
	changed := false
	for _, part := range []*string{&d.path, &d.query} {
		if strings.Contains(*part, "%C") {
			changed = composed(part) || changed
		}
	}
	return changed
}

func composed(part *string) bool {
	plain := recoded(*part, 0, cAny)
	var p pen
	for i := 0; i < len(plain); {
		if !isEscape(plain, i) || unhex(plain[i+1]) < 8 {
			p.buf = append(p.buf, plain[i])
			i++
			continue
		}
		p.buf = append(p.buf, unhex(plain[i+1])<<4|unhex(plain[i+2]))
		i += 3
	}
	nfc := norm.NFC.Bytes(p.buf)
	out := string(appendCodedHigh(nil, nfc))
	if out == *part {
		return false
	}
	*part = out
	return true
}

// appendCodedHigh escapes octets above ASCII only.
func appendCodedHigh(dst, s []byte) []byte {
	for _, c := range s {
		if c < 0x80 {
			dst = append(dst, c)
		} else {
			dst = appendEscape(dst, c)
		}
	}
	return dst
}

// ipv4Zeros reads the groups as the decimals of rfc1738bis section 2.1.
func ipv4Zeros(u URI, d *draft) bool {
	if _, web := u.(*HTTP); web || d.host == "" || !is(d.host[0], cDigit) || !strings.Contains("."+d.host, ".0") {
		return false
	}
	groups := strings.Split(d.host, ".")
	if len(groups) != 4 || !allIn(strings.Join(groups, ""), cDigit) {
		return false
	}
	for i, g := range groups {
		groups[i] = strings.TrimLeft(g[:len(g)-1], "0") + g[len(g)-1:]
	}
	host := strings.Join(groups, ".")
	ok := host != d.host
	d.host = host
	return ok
}

// ftpAlias: many servers take "ftp" for "anonymous".
func ftpAlias(u URI, d *draft) bool {
	name, _, _ := strings.Cut(d.user, ":")
	if _, ok := u.(*FTP); !ok || !d.hasUser || name != "ftp" {
		return false
	}
	d.hasUser, d.user = false, ""
	return true
}

// ftpType: a client guesses the mode where none is written; a listing is another thing.
func ftpType(u URI, d *draft) bool {
	f, ok := u.(*FTP)
	if !ok || f.Type != 'a' && f.Type != 'i' {
		return false
	}
	d.path, _, _ = cutTypecode(d.path)
	return true
}

func hierarchical(u URI) bool {
	switch u := u.(type) {
	case *HTTP, *File:
		return true
	case *FTP:
		return u.Type == 0
	}
	return false
}

func trailingSlash(u URI, d *draft) bool {
	n := len(d.path)
	if !hierarchical(u) || n < 2 || d.path[n-1] != '/' || d.path[n-2] == '/' {
		return false
	}
	d.path = d.path[:n-1]
	return true
}

func pathCase(u URI, d *draft) bool {
	switch u.(type) {
	case *HTTP, *File, *FTP:
		return lowerPart(&d.path)
	}
	return false
}

func loopbackAlias(u URI, d *draft) bool {
	f, ok := u.(*File)
	if !ok || !strings.HasPrefix(f.Host, "127.") && f.Host != "[::1]" {
		return false
	}
	d.host = ""
	return true
}

// driveBar: "C|" is the old spelling of "C:" (RFC 8089 appendix E.2.2).
func driveBar(u URI, d *draft) bool {
	f, ok := u.(*File)
	if !ok || !hasDrive(f.Segments[0]) || len(d.path) < 3 || d.path[2] != '|' {
		return false
	}
	d.path = d.path[:2] + ":" + d.path[3:]
	return true
}

func driveCase(u URI, d *draft) bool {
	f, ok := u.(*File)
	if !ok || !hasDrive(f.Segments[0]) {
		return false
	}
	drive := d.path[1:2]
	ok = lowerPart(&drive)
	d.path = "/" + drive + d.path[2:]
	return ok
}

func driveEscaped(u URI, d *draft) bool {
	f, ok := u.(*File)
	if !ok || !hasDrive(f.Segments[0]) || !isEscape(d.path, 2) {
		return false
	}
	d.path = d.path[:2] + ":" + d.path[5:]
	return true
}

// gopherQuestion: UDI (1991) put a search after '?'.
func gopherQuestion(u URI, d *draft) bool {
	g, ok := u.(*Gopher)
	i := strings.IndexByte(d.path, '?')
	if !ok || i < 0 || g.Search != nil {
		return false
	}
	d.path = d.path[:i] + "%09" + recoded(d.path[i+1:], cPchar|cSlash, cPchar|cSlash)
	return true
}

func gopherRoot(u URI, d *draft) bool {
	g, ok := u.(*Gopher)
	if !ok || g.Type != '1' || g.Selector != "/" || g.Search != nil {
		return false
	}
	d.path = "/1"
	return true
}

// gopherDefaultView: a gopher+ string of "+" asks for the default view (section 2.3.4).
func gopherDefaultView(u URI, d *draft) bool {
	g, ok := u.(*Gopher)
	if !ok || g.Plus == nil || *g.Plus != "+" {
		return false
	}
	d.path = strings.TrimSuffix(d.path, "%09+")
	if *g.Search == "" {
		d.path = strings.TrimSuffix(d.path, "%09")
	}
	return true
}

func groupCase(u URI, d *draft) bool {
	switch n := u.(type) {
	case *NNTP:
		return lowerPart(&d.path)
	case *News:
		return n.Kind == NewsGroup && lowerPart(&d.path)
	}
	return false
}

// postmasterCase: INN folds this one mailbox.
func postmasterCase(u URI, d *draft) bool {
	n, ok := u.(*News)
	if !ok || n.Kind != NewsArticle {
		return false
	}
	left, _, _ := strings.Cut(d.path, "@")
	if left == "postmaster" || !foldEqual(left, "postmaster") {
		return false
	}
	d.path = "postmaster" + d.path[len(left):]
	return true
}

// waisLength: UDI (1991) carries the document's length before its id.
func waisLength(u URI, d *draft) bool {
	w, ok := u.(*WAIS)
	if !ok || w.Form != WAISUDIDocument {
		return false
	}
	parts := strings.SplitN(d.path, "/", 5)
	d.path = strings.Join(slices.Delete(parts, 3, 4), "/")
	return true
}

// waisSlash: a raw slash in a document id is most likely data of the id.
func waisSlash(u URI, d *draft) bool {
	if w, ok := u.(*WAIS); !ok || w.Form != WAISDocument || strings.Count(d.path, "/") < 4 {
		return false
	}
	parts := strings.SplitN(d.path, "/", 4)
	parts[3] = strings.ReplaceAll(parts[3], "/", "%2F")
	d.path = strings.Join(parts, "/")
	return true
}

func waisDatabaseCase(u URI, d *draft) bool {
	if _, ok := u.(*WAIS); !ok {
		return false
	}
	db, rest, has := strings.Cut(d.path[1:], "/")
	ok := lowerPart(&db)
	if ok {
		d.path = "/" + db
		if has {
			d.path += "/" + rest
		}
	}
	return ok
}

// paramOrder sorts the fields of prospero and the pairs of go.
func paramOrder(u URI, d *draft) bool {
	part := &d.path
	switch u := u.(type) {
	case *Prospero:
	case *Go:
		if u.Form == 1 {
			part = &d.query
		}
	default:
		return false
	}
	list := strings.Split(*part, ";")
	if len(list) < 3 || slices.IsSorted(list[1:]) {
		return false
	}
	slices.Sort(list[1:])
	*part = strings.Join(list, ";")
	return true
}

func databaseOrder(u URI, d *draft) bool {
	z, ok := u.(*Z3950)
	if !ok || len(z.Databases) < 2 {
		return false
	}
	end := strings.IndexByte(d.path, ';')
	if end < 0 {
		end = len(d.path)
	}
	list := strings.Split(d.path[1:end], "+")
	if slices.IsSorted(list) {
		return false
	}
	slices.Sort(list)
	d.path = "/" + strings.Join(list, "+") + d.path[end:]
	return true
}

func commonNameCase(u URI, d *draft) bool {
	g, ok := u.(*Go)
	if !ok || g.CommonName == nil {
		return false
	}
	part := &d.path
	if g.Form == 1 {
		part = &d.query
	}
	name, _, _ := strings.Cut(*part, ";")
	rest := (*part)[len(name):]
	ok = lowerPart(&name)
	*part = name + rest
	return ok
}

func hdlCase(u URI, d *draft) bool {
	i, ok := u.(*Info)
	return ok && i.Namespace == "hdl" && lowerPart(&d.path)
}

// pctReserved: reserved characters but '/' and '?' unescape to the same identifier.
func pctReserved(u URI, d *draft) bool {
	if _, ok := u.(*Info); !ok {
		return false
	}
	was := d.path
	d.path = recoded(was, cPchar, cAny)
	return d.path != was
}

// isbnForm writes an ISBN of either length as RFC 8254 does: 13 digits, no hyphens.
func isbnForm(u URI, d *draft) bool {
	nid, nss, _ := strings.Cut(d.path, ":")
	isbn := bookland(nss)
	if u.Scheme() != "urn" || nid != "isbn" || isbn == "" || isbn == nss {
		return false
	}
	d.path = "isbn:" + isbn
	return true
}

// convention applies a habit to the identifiers of one info namespace.
func convention(namespace string, f func(id string) string) func(URI, *draft) bool {
	return func(u URI, d *draft) bool {
		i, ok := u.(*Info)
		if !ok || i.Namespace != namespace {
			return false
		}
		id := d.path[len(namespace)+1:]
		out := f(id)
		if out == id || out == "" {
			return false
		}
		d.path = namespace + "/" + out
		return true
	}
}

// The rules for pii are the "if" of draft-vandesompel-info-uri-01 section 6: it was never registered.
func piiCase(id string) string { return caseRule(id, "upper", "", func(string) {}) }

func piiPunctuation(id string) string {
	return foldRaw(id, func(c byte) (byte, bool) { return c, is(c, cAlnum) })
}

func oclcPrefix(id string) string {
	s := cutCode(decode(id))
	for _, p := range []string{"ocn", "on"} {
		if n, ok := strings.CutPrefix(s, p); ok && n != "" && allIn(n, cDigit) {
			return n
		}
	}
	return id
}

func leadingZeros(id string) string {
	if !allIn(id, cDigit) || id == "" {
		return id
	}
	return strings.TrimLeft(id[:len(id)-1], "0") + id[len(id)-1:]
}
