package check

import (
	"slices"
	"strings"
)

// Meaning is a row of the closed list of reason codes, or of that of flags.
type Meaning struct {
	Code Reason `json:"code"` // NNN stands for the server's number, * for the code of uri.Error
	Says string `json:"says"`
}

// Reasons lists every reason code that a Result may carry, sorted.
func Reasons() []Meaning {
	all := slices.Concat(commonReasons, webReasons, lineReasons, binReasons)
	slices.SortFunc(all, func(a, b Meaning) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return all
}

// Meaning gives the row of r, or false for a code that is not on the list.
func (r Reason) Meaning() (Meaning, bool) {
	for _, m := range Reasons() {
		if matches(string(m.Code), string(r)) {
			return m, true
		}
	}
	return Meaning{}, false
}

// matches compares a code with a pattern: NNN is one to five digits, * anything.
func matches(pattern, code string) bool {
	if stem, ok := strings.CutSuffix(pattern, "NNN"); ok {
		digits, ok := strings.CutPrefix(code, stem)
		return ok && digits != "" && len(digits) <= 5 && strings.Trim(digits, "0123456789") == ""
	}
	if stem, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(code, stem) && len(code) > len(stem)
	}
	return pattern == code
}

// commonReasons hold for every protocol.
var commonReasons = []Meaning{
	{"cancelled", "the run was ended while the probe was under way"},
	{"control-character", "the address holds a NUL, CR or LF, which is never sent to a server"},
	{"dns-no-address", "the name exists and has no address"},
	{"dns-nxdomain", "the name does not exist"},
	{"dns-servfail", "the name servers could not answer"},
	{"dns-timeout", "the name servers did not answer in time"},
	{"empty", "the server closed the connection, or ended its answer, without content"},
	{"eof", "the connection was closed in the middle of an answer"},
	{"excluded", "left out by the operator's settings"},
	{"file-denied", "the file below the given root may not be read"},
	{"file-exists", "the file exists below the given root"},
	{"file-missing", "no such file below the given root"},
	{"file-other-host", "a file on another machine: the URI names no protocol to reach it by"},
	{"file-outside", "the path leaves the given root"},
	{"garbled", "the answer breaks the rules of its protocol"},
	{"host-backoff", "the host asked to be left alone and its time is not over"},
	{"in-archive", "the message or part stands in the documents that were read"},
	{"internal-error", "a fault of this program"},
	{"line-too-long", "a line of the answer exceeds the limit"},
	{"local-file", "a file of the reader's own machine"},
	{"local-resources", "this machine is out of ports, files or rights"},
	{"mail-address", "a mail address: no mail server is asked"},
	{"names-only", "the identifier names a thing and does not say where it is"},
	{"no-client", "there is no client for the scheme"},
	{"no-cnrp-service", "a common name without a server, and no resolution service is configured"},
	{"no-news-server", "a news reference without a server, and no news server is configured"},
	{"no-route", "there is no route to the host"},
	{"not-a-link", "inline data or a program, not a reference to a server"},
	{"own-network", "the network of the checker itself was down"},
	{"panic", "a fault of this program, caught"},
	{"port-denied", "the port belongs to a service that must not be disturbed"},
	{"private-address", "the host's address is not on the public Internet"},
	{"protocol-mismatch", "something else than the expected protocol answered"},
	{"reserved-name", "the name is reserved for examples and tests"},
	{"scheme-unknown", "the scheme is not known"},
	{"tcp-refused", "the host refused the connection"},
	{"tcp-reset", "the connection was cut by the other side"},
	{"tcp-timeout", "the host did not answer the connection in time"},
	{"timeout", "the server accepted the connection and did not answer in time"},
	{"tls-expired", "the certificate has expired"},
	{"tls-handshake", "no secure connection could be agreed on"},
	{"tls-name", "the certificate is for another name"},
	{"tls-required", "the server serves only secure connections"},
	{"tls-untrusted", "the certificate's issuer is not known"},
	{"too-long", "the answer exceeds the limit"},
	{"uri-*", "the text is not a URI of its scheme"},
}

// webReasons are those of http and https.
var webReasons = []Meaning{
	{"challenge", "the site asks for a proof that a person is reading"},
	{"http-NNN", "the web server answered with this status"},
	{"parked", "the domain is parked: the page offers it for sale or shows advertisements"},
	{"redirect-invalid", "a redirect to something that is not a URI"},
	{"redirect-loop", "the redirects go in a circle"},
	{"redirect-no-location", "a redirect that does not say where to"},
	{"redirect-scheme", "a redirect out of the web"},
	{"redirect-sink", "different pages of the site all redirect to the same page"},
	{"redirect-to-error", "a redirect to a page that says not found"},
	{"redirect-to-root", "a redirect from a deep page to the front page of a site"},
	{"redirect-too-many", "too many redirects"},
	{"robots", "the site's robots.txt asks not to be read here"},
	{"soft-404", "the site answers an address that cannot exist in the same way"},
}

// lineReasons are those of ftp, gopher, nntp, news, telnet, finger and whois.
var lineReasons = []Meaning{
	{"access-list", "the server does not serve this checker"},
	{"closed", "the server accepted the connection and closed it at once"},
	{"cso-answer", "the phone book server answered"},
	{"error-text", "the text only says that the thing was not found"},
	{"finger-answer", "the finger server answered"},
	{"ftp-is-a-file", "the FTP server does not enter the name because it is a file"},
	{"ftp-NNN", "the FTP server answered with this code"},
	{"full", "the server has too many users"},
	{"gopher-busy", "the gopher server says that it is too busy"},
	{"gopher-error-1", "the gopher+ server says that the item is not available"},
	{"gopher-error-2", "the gopher+ server asks to try later"},
	{"gopher-error-3", "the gopher+ server says that the item has moved"},
	{"gopher-error-item", "the gopher server answered with an error item"},
	{"gopher-error-text", "the text with which a known gopher server says not found"},
	{"gopher-error-other", "the gopher server refuses the request with a code that says nothing about the item"},
	{"gopher-item", "the gopher server sent the item"},
	{"gopher-menu", "the gopher server sent a menu"},
	{"gopher-not-a-menu", "the gopher server sent something else than the menu that was asked for"},
	{"gopher-not-plus", "the server does not know Gopher+, and the form is not asked for in another way"},
	{"gopher-service", "the gopher server answered; the item itself is a service"},
	{"listed", "the directory listing holds the name"},
	{"nntp-NNN", "the news server answered with this code"},
	{"search-no-hit", "the search was answered: nothing found"},
	{"tcp-accepted", "the host accepts connections; nothing more was asked"},
	{"telnet-answer", "the host answered"},
	{"telnet-silent", "the host accepted the connection and waits"},
}

// binReasons are those of z39.50, wais, prospero and go.
var binReasons = []Meaning{
	{"cnrp-NNN", "the resolution service answered with this CNRP status"},
	{"cnrp-found", "the resolution service knows the name"},
	{"cnrp-no-item", "the resolution service does not know the identifier"},
	{"cnrp-other-item", "the resolution service answered with another identifier"},
	{"cnrp-referral", "the resolution service refers to others"},
	{"cnrp-service", "the resolution service answered"},
	{"no-udp-reply", "no answer to a datagram, which proves nothing"},
	{"prospero-answer", "the Prospero server answered"},
	{"prospero-forwarded", "the Prospero server names another place"},
	{"prospero-not-a-directory", "the Prospero server says that the directory does not exist"},
	{"prospero-not-authorized", "the Prospero server does not serve this area, or not to us"},
	{"prospero-not-found", "the Prospero server says that the object does not exist"},
	{"prospero-object", "the Prospero server described the object"},
	{"prospero-server-failed", "the Prospero server cannot do it now"},
	{"wais-answer", "the WAIS server answered"},
	{"wais-database", "the WAIS server has the database"},
	{"wais-denied", "the WAIS server denies access to the database"},
	{"wais-diagnostic", "the WAIS server answered with a diagnostic"},
	{"wais-hit", "the WAIS server found documents"},
	{"wais-document", "the WAIS server sent a part of the document"},
	{"wais-no-database", "the WAIS server has no such database"},
	{"wais-no-document", "the WAIS server has no such document"},
	{"z3950-NNN", "the Z39.50 server answered with this diagnostic"},
	{"z3950-access-control", "the Z39.50 server asks for a password"},
	{"z3950-close-NNN", "the Z39.50 server closed the session with this reason"},
	{"z3950-diagnostic", "the Z39.50 server answered with a diagnostic of a set that we do not know"},
	{"z3950-hit", "the Z39.50 server found exactly one record"},
	{"z3950-init", "the Z39.50 server accepted the session"},
	{"z3950-no-hit", "the Z39.50 server found no record"},
	{"not-unique", "the Z39.50 server found more than one record"},
	{"z3950-rejected", "the Z39.50 server rejected the session"},
}
