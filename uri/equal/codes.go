package uri

import (
	"slices"
	"strings"
)

// licence is the section of the document that allows a step.
type licence struct{ code, section string }

// licences lists the codes of all steps in the order of the ladder.
var licences = []licence{
	{"identical", "-"},
	{"wrapper-url", "rfc1738bis section 2.1"},
	{"wrapper-angle", "RFC 3986 appendix C"},
	{"wrapper-udi", "UDI (1991) References"},
	{"line-break-joined", "RFC 3986 appendix C"},
	{"ocr-blank-joined", "practice"},
	{"wrapper-quote", "RFC 3986 appendix C"},
	{"markdown-escape", "practice"},
	{"trailing-punctuation", "RFC 3986 appendix C"},
	{"trailing-period", "RFC 3986 appendix C"},

	{"scheme-case", "RFC 3986 section 6.2.2.1"},
	{"host-case", "RFC 3986 section 6.2.2.1"},
	{"userinfo-raw-colon", "rfc1738bis section 2.1"},
	{"userinfo-raw-at", "rfc1738bis section 2.1"},
	{"pct-repaired", "RFC 3986 section 2.1"},
	{"pct-case", "RFC 3986 section 6.2.2.1"},
	{"pct-unreserved", "RFC 3986 section 6.2.2.2"},
	{"dot-segments", "RFC 3986 section 6.2.2.3"},
	{"info-namespace-case", "draft-vandesompel-info-uri-01 section 6"},
	{"go-trailing-slash", "RFC 3368 section 3.2"},

	{"port-default", "rfc1738bis section 2.1"},
	{"port-empty", "RFC 3986 section 6.2.3"},
	{"port-leading-zero", "rfc1738bis section 2.1"},
	{"path-empty", "RFC 3986 section 6.2.3"},
	{"telnet-slash", "rfc1738bis section 2.6"},
	{"file-localhost", "rfc1738bis section 2.8"},
	{"file-no-authority", "RFC 8089 section 2"},
	{"ftp-type-case", "RFC 1738 section 5"},
	{"gopher-default-type", "rfc1738bis section 2.3.1"},
	{"gopher-no-reserved", "rfc1738bis section 2.3.1"},
	{"news-angle-brackets", "rfc1738bis section 2.4"},
	{"news-no-reserved", "rfc1738bis section 2.4"},
	{"prospero-opaque-slash", "rfc1738bis section 2.9"},
	{"wais-trailing-slash", "rfc1738bis section 2.7"},
	{"z3950-keyword-case", "RFC 2056 section 5"},
	{"z3950-unreserved-plus", "RFC 2056 section 5"},
	{"z3950-reserved-escaped", "RFC 2056 section 5"},
	{"z3950-param-order", "RFC 2056 section 5"},
	{"go-empty-server", "RFC 3368 section 3.3.2"},
	{"urn-namespace-case", "RFC 8141 section 3.1"},

	{"lccn-blank", "reg:lccn"},
	{"lccn-suffix", "reg:lccn"},
	{"lccn-hyphen", "reg:lccn"},
	{"lccn-zero-fill", "reg:lccn"},
	{"oclcnum-prefix", "reg:oclcnum"},
	{"ark-host", "reg:ark"},
	{"ark-hyphen", "reg:ark"},
	{"ark-trim", "reg:ark"},
	{"rlgid-source", "reg:rlgid"},
	{"rlgid-dash", "reg:rlgid"},
	{"rlgid-case", "reg:rlgid"},
	{"fedora-pid-case", "reg:fedora"},
	{"pronom-type-case", "reg:pronom"},

	{"host-root-dot", "RFC 1034 section 3.1"},
	{"idna", "RFC 5891 section 4"},
	{"ipv6-form", "RFC 5952 section 4"},
	{"empty-fragment", "UDI (1991) Anchor-id"},
	{"ftp-anonymous-user", "rfc1738bis section 2.2.1"},
	{"same-wire", "RFC 3986 section 2.4"},
	{"nntp-leading-zeros", "RFC 3977 section 9.8"},
	{"mailto-domain-case", "RFC 5321 section 2.4"},
	{"gopher-type-differs", "rfc1738bis section 2.3.1"},
	{"telnet-advisory-userinfo", "rfc1738bis section 2.6"},
	{"msgid-domain-case", "RFC 3977 appendix A.2"},
	{"news-server-dropped", "RFC 5538 section 2.2"},
	{"udi-file-is-ftp", "UDI (1991) References"},
	{"z3950-db-case", "ANSI/NISO Z39.50-1995"},
}

// codeRank orders reason codes as the ladder has them; others follow by name.
func codeRank(code string) int {
	if i := slices.IndexFunc(licences, func(l licence) bool { return l.code == code }); i >= 0 {
		return i
	}
	return len(licences)
}

func sortCodes(codes []string) []string {
	slices.SortStableFunc(codes, func(a, b string) int { return codeRank(a) - codeRank(b) })
	return codes
}

// sectionOf names the document that allows a step; "practice" is none.
func sectionOf(code string, level Level) string {
	if i := codeRank(code); i < len(licences) {
		return licences[i].section
	}
	if level == Registry {
		if ns, _, ok := strings.Cut(code, "-"); ok {
			return "reg:" + ns
		}
	}
	return "practice"
}
