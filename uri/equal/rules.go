package equal

import (
	"linkcheck/uri"
	"linkcheck/uri/internal/chars"
)

// practice is the section of a step that no document allows.
const practice = "practice"

// rule is one step of the levels above Registry.
type rule struct {
	code    string
	section string // of the document that allows it; "": it is practice
	maybe   bool   // the step makes two URIs related, not the same; always above Protocol
	udi     bool   // no maybe in documents of 1991 to 1993, see [Rules]
	apply   func(u uri.URI, p *uri.Parts) bool
}

// on is a rule for one scheme: apply changes p, which are the parts of u, and reports
// whether it did.
func on[U uri.URI](apply func(u U, p *uri.Parts) bool) func(uri.URI, *uri.Parts) bool {
	return func(u uri.URI, p *uri.Parts) bool {
		v, ok := u.(U)
		return ok && apply(v, p)
	}
}

// rules are the rules of each level in the order in which they are tried. Of level
// Protocol, those that prove a duplicate stand before those that only relate.
var rules = map[Level][]rule{
	// The same commands on the wire, or the same server.
	Protocol: {
		{code: "host-root-dot", section: "RFC 1034 section 3.1", apply: hostRootDot},
		{code: "idna", section: "RFC 5891 section 4", apply: hostIDNA},
		{code: "ipv6-form", section: "RFC 5952 section 4", apply: ipv6Form},
		{code: "empty-fragment", section: "UDI (1991) Anchor-id", apply: emptyFragment},
		{code: "ftp-anonymous-user", section: "rfc1738bis section 2.2.1", apply: on(anonymousUser)},
		{code: "same-wire", section: "RFC 3986 section 2.4", apply: sameWire},
		{code: "nntp-leading-zeros", section: "RFC 3977 section 9.8", apply: on(articleZeros)},
		{code: "mailto-domain-case", section: "RFC 5321 section 2.4", apply: on(mailtoDomain)},
		{code: "gopher-type-differs", section: "rfc1738bis section 2.3.1", maybe: true, apply: on(gopherType)},
		{code: "telnet-advisory-userinfo", section: "rfc1738bis section 2.6", maybe: true, apply: on(advisoryUser)},
		{code: "msgid-domain-case", section: "RFC 3977 appendix A.2", maybe: true, apply: on(messageDomain)},
		{code: "news-server-dropped", section: "RFC 5538 section 2.2", maybe: true, apply: on(newsServer)},
		{code: "udi-file-is-ftp", section: "UDI (1991) References", maybe: true, apply: on(udiFile), udi: true},
		{code: "z3950-db-case", section: "ANSI/NISO Z39.50-1995", maybe: true, apply: on(databaseCase)},
	},
	// Identifiers that are handles of another kind; [resolve] follows, with the
	// addresses of services that resolve identifiers.
	Resolver: {
		{code: "doi-is-handle", apply: on(doiIsHandle)},
		{code: "doi-scheme", apply: on(toInfo("doi", "10."))},
		{code: "hdl-scheme", apply: on(toInfo("hdl", ""))},
	},
	// No document allows these; they are habits of servers and writers.
	Heuristic: {
		{code: "unicode-nfc", apply: unicodeNFC},
		{code: "ipv4-leading-zero", apply: ipv4Zeros},
		{code: "ipv4-form", apply: on(ipv4Form)},
		{code: "http-https", apply: on(httpHTTPS)},
		{code: "www-prefix", apply: on(wwwPrefix)},
		{code: "session-id", apply: on(sessionID)},
		{code: "double-slash", apply: on(doubleSlash)},
		{code: "directory-index", apply: on(directoryIndex)},
		{code: "plus-as-space", apply: plusAsSpace},
		{code: "query-order", apply: on(queryOrder)},
		{code: "empty-query", apply: on(emptyQuery)},
		{code: "ftp-user-alias", apply: on(ftpAlias)},
		{code: "ftp-type-omitted", apply: on(ftpType)},
		{code: "trailing-slash", apply: trailingSlash},
		{code: "file-drive-case", apply: on(driveCase)},
		{code: "path-case", apply: pathCase},
		{code: "loopback-alias", apply: on(loopbackAlias)},
		{code: "file-drive-bar", apply: on(driveBar)},
		{code: "file-drive-escaped", apply: on(driveEscaped)},
		{code: "gopher-qmark-search", apply: on(gopherQuestion), udi: true},
		{code: "gopher-root-selector", apply: on(gopherRoot)},
		{code: "gopher-plus-default-view", apply: on(gopherDefaultView)},
		{code: "group-case", apply: groupCase},
		{code: "msgid-postmaster-case", apply: on(postmasterCase)},
		{code: "wais-udi-length", apply: on(waisLength)},
		{code: "wais-raw-slash", apply: on(waisSlash)},
		{code: "wais-db-case", apply: on(waisDatabaseCase)},
		{code: "param-order", apply: paramOrder},
		{code: "z3950-db-order", apply: on(databaseOrder)},
		{code: "common-name-case", apply: on(commonNameCase)},
		{code: "hdl-case", apply: on(hdlCase)},
		{code: "pct-reserved-equal", apply: on(pctReserved)},
		{code: "isbn-form", apply: on(isbnForm)},
		{code: "registry-convention:pii-case", apply: on(convention("pii", chars.UpperRaw))},
		{code: "registry-convention:pii-punctuation", apply: on(convention("pii", piiPunctuation))},
		{code: "registry-convention:oclcnum-prefix", apply: on(convention("oclcnum", oclcPrefix))},
		{code: "registry-convention:oclcnum-leading-zeros", apply: on(convention("oclcnum", leadingZeros))},
		{code: "registry-convention:pmid-leading-zeros", apply: on(convention("pmid", leadingZeros))},
	},
}
