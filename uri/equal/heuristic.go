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
	for _, part := range []*string{&d.Path, &d.Query} {
		if strings.Contains(*part, "%C") {
			changed = composed(part) || changed
		}
	}
	return changed
}

func composed(part *string) bool {
	plain := recoded(*part, 0, cAny)
	var p keyWriter
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
	if _, web := u.(*HTTP); web || d.Host == "" || !is(d.Host[0], cDigit) || !strings.Contains("."+d.Host, ".0") {
		return false
	}
	groups := strings.Split(d.Host, ".")
	if len(groups) != 4 || !allIn(strings.Join(groups, ""), cDigit) {
		return false
	}
	for i, g := range groups {
		groups[i] = strings.TrimLeft(g[:len(g)-1], "0") + g[len(g)-1:]
	}
	host := strings.Join(groups, ".")
	ok := host != d.Host
	d.Host = host
	return ok
}

// ftpAlias: many servers take "ftp" for "anonymous".
func ftpAlias(u URI, d *draft) bool {
	name, _, _ := strings.Cut(d.User, ":")
	if _, ok := u.(*FTP); !ok || !d.HasUser || name != "ftp" {
		return false
	}
	d.HasUser, d.User = false, ""
	return true
}

// ftpType: a client guesses the mode where none is written; a listing is another thing.
func ftpType(u URI, d *draft) bool {
	f, ok := u.(*FTP)
	if !ok || f.Type != 'a' && f.Type != 'i' {
		return false
	}
	d.Path, _, _ = cutTypecode(d.Path)
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
	n := len(d.Path)
	if !hierarchical(u) || n < 2 || d.Path[n-1] != '/' || d.Path[n-2] == '/' {
		return false
	}
	d.Path = d.Path[:n-1]
	return true
}

func pathCase(u URI, d *draft) bool {
	switch u.(type) {
	case *HTTP, *File, *FTP:
		return lowerPart(&d.Path)
	}
	return false
}

func loopbackAlias(u URI, d *draft) bool {
	f, ok := u.(*File)
	if !ok || !strings.HasPrefix(f.Host, "127.") && f.Host != "[::1]" {
		return false
	}
	d.Host = ""
	return true
}

// driveBar: "C|" is the old spelling of "C:" (RFC 8089 appendix E.2.2).
func driveBar(u URI, d *draft) bool {
	f, ok := u.(*File)
	if !ok || !hasDrive(f.Segments[0]) || len(d.Path) < 3 || d.Path[2] != '|' {
		return false
	}
	d.Path = d.Path[:2] + ":" + d.Path[3:]
	return true
}

func driveCase(u URI, d *draft) bool {
	f, ok := u.(*File)
	if !ok || !hasDrive(f.Segments[0]) {
		return false
	}
	drive := d.Path[1:2]
	ok = lowerPart(&drive)
	d.Path = "/" + drive + d.Path[2:]
	return ok
}

func driveEscaped(u URI, d *draft) bool {
	f, ok := u.(*File)
	if !ok || !hasDrive(f.Segments[0]) || !isEscape(d.Path, 2) {
		return false
	}
	d.Path = d.Path[:2] + ":" + d.Path[5:]
	return true
}

// gopherQuestion: UDI (1991) put a search after '?'.
func gopherQuestion(u URI, d *draft) bool {
	g, ok := u.(*Gopher)
	i := strings.IndexByte(d.Path, '?')
	if !ok || i < 0 || g.Search != nil {
		return false
	}
	d.Path = d.Path[:i] + "%09" + recoded(d.Path[i+1:], cPchar|cSlash, cPchar|cSlash)
	return true
}

func gopherRoot(u URI, d *draft) bool {
	g, ok := u.(*Gopher)
	if !ok || g.Type != '1' || g.Selector != "/" || g.Search != nil {
		return false
	}
	d.Path = "/1"
	return true
}

// gopherDefaultView: a gopher+ string of "+" asks for the default view (section 2.3.4).
func gopherDefaultView(u URI, d *draft) bool {
	g, ok := u.(*Gopher)
	if !ok || g.Plus == nil || *g.Plus != "+" {
		return false
	}
	d.Path = strings.TrimSuffix(d.Path, "%09+")
	if *g.Search == "" {
		d.Path = strings.TrimSuffix(d.Path, "%09")
	}
	return true
}

func groupCase(u URI, d *draft) bool {
	switch n := u.(type) {
	case *NNTP:
		return lowerPart(&d.Path)
	case *News:
		return n.Kind == NewsGroup && lowerPart(&d.Path)
	}
	return false
}

// postmasterCase: INN folds this one mailbox.
func postmasterCase(u URI, d *draft) bool {
	n, ok := u.(*News)
	if !ok || n.Kind != NewsArticle {
		return false
	}
	left, _, _ := strings.Cut(d.Path, "@")
	if left == "postmaster" || !foldEqual(left, "postmaster") {
		return false
	}
	d.Path = "postmaster" + d.Path[len(left):]
	return true
}

// waisLength: UDI (1991) carries the document's length before its id.
func waisLength(u URI, d *draft) bool {
	w, ok := u.(*WAIS)
	if !ok || w.Form != WAISUDIDocument {
		return false
	}
	parts := strings.SplitN(d.Path, "/", 5)
	d.Path = strings.Join(slices.Delete(parts, 3, 4), "/")
	return true
}

// waisSlash: a raw slash in a document id is most likely data of the id.
func waisSlash(u URI, d *draft) bool {
	if w, ok := u.(*WAIS); !ok || w.Form != WAISDocument || strings.Count(d.Path, "/") < 4 {
		return false
	}
	parts := strings.SplitN(d.Path, "/", 4)
	parts[3] = strings.ReplaceAll(parts[3], "/", "%2F")
	d.Path = strings.Join(parts, "/")
	return true
}

func waisDatabaseCase(u URI, d *draft) bool {
	if _, ok := u.(*WAIS); !ok {
		return false
	}
	db, rest, has := strings.Cut(d.Path[1:], "/")
	ok := lowerPart(&db)
	if ok {
		d.Path = "/" + db
		if has {
			d.Path += "/" + rest
		}
	}
	return ok
}

// paramOrder sorts the fields of prospero and the pairs of go.
func paramOrder(u URI, d *draft) bool {
	part := &d.Path
	switch u := u.(type) {
	case *Prospero:
	case *Go:
		if u.Form == 1 {
			part = &d.Query
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
	end := strings.IndexByte(d.Path, ';')
	if end < 0 {
		end = len(d.Path)
	}
	list := strings.Split(d.Path[1:end], "+")
	if slices.IsSorted(list) {
		return false
	}
	slices.Sort(list)
	d.Path = "/" + strings.Join(list, "+") + d.Path[end:]
	return true
}

func commonNameCase(u URI, d *draft) bool {
	g, ok := u.(*Go)
	if !ok || g.CommonName == nil {
		return false
	}
	part := &d.Path
	if g.Form == 1 {
		part = &d.Query
	}
	name, _, _ := strings.Cut(*part, ";")
	rest := (*part)[len(name):]
	ok = lowerPart(&name)
	*part = name + rest
	return ok
}

func hdlCase(u URI, d *draft) bool {
	i, ok := u.(*Info)
	return ok && i.Namespace == "hdl" && lowerPart(&d.Path)
}

// pctReserved: reserved characters but '/' and '?' unescape to the same identifier.
func pctReserved(u URI, d *draft) bool {
	if _, ok := u.(*Info); !ok {
		return false
	}
	was := d.Path
	d.Path = recoded(was, cPchar, cAny)
	return d.Path != was
}

// isbnForm writes an ISBN of either length as RFC 8254 does: 13 digits, no hyphens.
func isbnForm(u URI, d *draft) bool {
	nid, nss, _ := strings.Cut(d.Path, ":")
	isbn := bookland(nss)
	if u.Scheme() != "urn" || nid != "isbn" || isbn == "" || isbn == nss {
		return false
	}
	d.Path = "isbn:" + isbn
	return true
}

// convention applies a habit to the identifiers of one info namespace.
func convention(namespace string, f func(id string) string) func(URI, *draft) bool {
	return func(u URI, d *draft) bool {
		i, ok := u.(*Info)
		if !ok || i.Namespace != namespace {
			return false
		}
		id := d.Path[len(namespace)+1:]
		out := f(id)
		if out == id || out == "" {
			return false
		}
		d.Path = namespace + "/" + out
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
