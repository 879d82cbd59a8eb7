package uri

// Step is a change that normalization makes on the way to the keys of levels
// Syntax and Scheme, and the section of the document that allows it.
type Step struct{ Code, Section string }

// step numbers the steps: a change that is not listed here does not compile.
type step uint8

const (
	stepSchemeCase step = iota
	stepHostCase
	stepUserinfoRawColon
	stepUserinfoRawAt
	stepPctRepaired
	stepPctCase
	stepPctUnreserved
	stepDotSegments
	stepInfoNamespaceCase
	stepGoTrailingSlash

	stepPortDefault
	stepPortEmpty
	stepPortLeadingZero
	stepPathEmpty
	stepTelnetSlash
	stepFileLocalhost
	stepFileNoAuthority
	stepFTPTypeCase
	stepGopherDefaultType
	stepGopherNoReserved
	stepNewsAngleBrackets
	stepNewsNoReserved
	stepProsperoOpaqueSlash
	stepWAISTrailingSlash
	stepZ3950KeywordCase
	stepZ3950UnreservedPlus
	stepZ3950ReservedEscaped
	stepZ3950ParamOrder
	stepGoEmptyServer
	stepDictOmitted
	stepURNNamespaceCase
)

// steps lists the steps of level Syntax and, from stepPortDefault on, those of level Scheme.
var steps = [...]Step{
	stepSchemeCase:        {"scheme-case", "RFC 3986 section 6.2.2.1"},
	stepHostCase:          {"host-case", "RFC 3986 section 6.2.2.1"},
	stepUserinfoRawColon:  {"userinfo-raw-colon", "rfc1738bis section 2.1"},
	stepUserinfoRawAt:     {"userinfo-raw-at", "rfc1738bis section 2.1"},
	stepPctRepaired:       {"pct-repaired", "RFC 3986 section 2.1"},
	stepPctCase:           {"pct-case", "RFC 3986 section 6.2.2.1"},
	stepPctUnreserved:     {"pct-unreserved", "RFC 3986 section 6.2.2.2"},
	stepDotSegments:       {"dot-segments", "RFC 3986 section 6.2.2.3"},
	stepInfoNamespaceCase: {"info-namespace-case", "draft-vandesompel-info-uri-01 section 6"},
	stepGoTrailingSlash:   {"go-trailing-slash", "RFC 3368 section 3.2"},

	stepPortDefault:          {"port-default", "rfc1738bis section 2.1"},
	stepPortEmpty:            {"port-empty", "RFC 3986 section 6.2.3"},
	stepPortLeadingZero:      {"port-leading-zero", "rfc1738bis section 2.1"},
	stepPathEmpty:            {"path-empty", "RFC 3986 section 6.2.3"},
	stepTelnetSlash:          {"telnet-slash", "rfc1738bis section 2.6"},
	stepFileLocalhost:        {"file-localhost", "rfc1738bis section 2.8"},
	stepFileNoAuthority:      {"file-no-authority", "RFC 8089 section 2"},
	stepFTPTypeCase:          {"ftp-type-case", "RFC 1738 section 5"},
	stepGopherDefaultType:    {"gopher-default-type", "rfc1738bis section 2.3.1"},
	stepGopherNoReserved:     {"gopher-no-reserved", "rfc1738bis section 2.3.1"},
	stepNewsAngleBrackets:    {"news-angle-brackets", "rfc1738bis section 2.4"},
	stepNewsNoReserved:       {"news-no-reserved", "rfc1738bis section 2.4"},
	stepProsperoOpaqueSlash:  {"prospero-opaque-slash", "rfc1738bis section 2.9"},
	stepWAISTrailingSlash:    {"wais-trailing-slash", "rfc1738bis section 2.7"},
	stepZ3950KeywordCase:     {"z3950-keyword-case", "RFC 2056 section 5"},
	stepZ3950UnreservedPlus:  {"z3950-unreserved-plus", "RFC 2056 section 5"},
	stepZ3950ReservedEscaped: {"z3950-reserved-escaped", "RFC 2056 section 5"},
	stepZ3950ParamOrder:      {"z3950-param-order", "RFC 2056 section 5"},
	stepDictOmitted:          {"dict-omitted", "RFC 2229 section 5"},
	stepGoEmptyServer:        {"go-empty-server", "RFC 3368 section 3.3.2"},
	stepURNNamespaceCase:     {"urn-namespace-case", "RFC 8141 section 3.1"},
}

// Steps lists the steps of levels Syntax and Scheme in their order.
func Steps() []Step { return steps[:] }
