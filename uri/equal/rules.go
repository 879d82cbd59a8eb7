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
	maybe   bool   // the step makes two URIs related, not the same
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
		{code: "doi-is-handle", maybe: true, apply: on(doiIsHandle)},
		{code: "doi-scheme", maybe: true, apply: on(toInfo("doi", "10."))},
		{code: "hdl-scheme", maybe: true, apply: on(toInfo("hdl", ""))},
	},
	// No document allows these; they are habits of servers and writers.
	Heuristic: {
		{code: "unicode-nfc", maybe: true, apply: unicodeNFC},
		{code: "ipv4-leading-zero", maybe: true, apply: ipv4Zeros},
		{code: "ipv4-form", maybe: true, apply: on(ipv4Form)},
		{code: "http-https", maybe: true, apply: on(httpHTTPS)},
		{code: "www-prefix", maybe: true, apply: on(wwwPrefix)},
		{code: "session-id", maybe: true, apply: on(sessionID)},
		{code: "double-slash", maybe: true, apply: on(doubleSlash)},
		{code: "directory-index", maybe: true, apply: on(directoryIndex)},
		{code: "plus-as-space", maybe: true, apply: plusAsSpace},
		{code: "query-order", maybe: true, apply: on(queryOrder)},
		{code: "empty-query", maybe: true, apply: on(emptyQuery)},
		{code: "ftp-user-alias", maybe: true, apply: on(ftpAlias)},
		{code: "ftp-type-omitted", maybe: true, apply: on(ftpType)},
		{code: "trailing-slash", maybe: true, apply: trailingSlash},
		{code: "file-drive-case", maybe: true, apply: on(driveCase)},
		{code: "path-case", maybe: true, apply: pathCase},
		{code: "loopback-alias", maybe: true, apply: on(loopbackAlias)},
		{code: "file-drive-bar", maybe: true, apply: on(driveBar)},
		{code: "file-drive-escaped", maybe: true, apply: on(driveEscaped)},
		{code: "gopher-qmark-search", maybe: true, apply: on(gopherQuestion), udi: true},
		{code: "gopher-root-selector", maybe: true, apply: on(gopherRoot)},
		{code: "gopher-plus-default-view", maybe: true, apply: on(gopherDefaultView)},
		{code: "group-case", maybe: true, apply: groupCase},
		{code: "msgid-postmaster-case", maybe: true, apply: on(postmasterCase)},
		{code: "wais-udi-length", maybe: true, apply: on(waisLength)},
		{code: "wais-raw-slash", maybe: true, apply: on(waisSlash)},
		{code: "wais-db-case", maybe: true, apply: on(waisDatabaseCase)},
		{code: "param-order", maybe: true, apply: paramOrder},
		{code: "z3950-db-order", maybe: true, apply: on(databaseOrder)},
		{code: "common-name-case", maybe: true, apply: on(commonNameCase)},
		{code: "hdl-case", maybe: true, apply: on(hdlCase)},
		{code: "pct-reserved-equal", maybe: true, apply: on(pctReserved)},
		{code: "isbn-form", maybe: true, apply: on(isbnForm)},
		{code: "registry-convention:pii-case", maybe: true, apply: on(convention("pii", chars.UpperRaw))},
		{code: "registry-convention:pii-punctuation", maybe: true, apply: on(convention("pii", piiPunctuation))},
		{code: "registry-convention:oclcnum-prefix", maybe: true, apply: on(convention("oclcnum", oclcPrefix))},
		{code: "registry-convention:oclcnum-leading-zeros", maybe: true, apply: on(convention("oclcnum", leadingZeros))},
		{code: "registry-convention:pmid-leading-zeros", maybe: true, apply: on(convention("pmid", leadingZeros))},
	},
}
