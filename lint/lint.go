package lint

import (
	"net/netip"
	"slices"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/repair"
)

// The faults, by the words under which they are listed.
const (
	Empty       = "empty"         // a place for an address, and nothing in it
	NoAddress   = "no-address"    // words in the place of an address: "N/A", "http://"
	Scheme      = "scheme"        // the scheme is missing, mistyped or unknown
	Reference   = "reference"     // &amp; in a record, which knows no references
	Blanks      = "blanks"        // in the address or around it
	Several     = "two-urls"      // more than one address in one place
	Private     = "private"       // nobody elsewhere can open it
	Unclickable = "not-clickable" // a DOI or another handle that no browser opens as it stands
	Indicator   = "indicator"     // the first indicator says another way of access than the address
	Same        = "same-url"      // the address stands in several records
)

// Codes are the faults in the order in which they are listed.
var Codes = []string{Empty, NoAddress, Scheme, Reference, Blanks, Several, Private, Unclickable, Indicator, Same}

// Fault is what is wrong with a place.
type Fault struct {
	Code   string
	Value  string // as it stands there
	Repair string // what to write instead; "": only a person can tell
}

// WithoutAddress says what is wrong with a value in which no link is, in a place that is meant
// for an address.
func WithoutAddress(value string) Fault {
	switch to, sure := repair.Slips(value); {
	case value == "":
		return Fault{Empty, value, ""}
	case sure:
		return Fault{Scheme, value, to}
	}
	return Fault{NoAddress, value, ""}
}

// Address is an address in its place, as extract gives it.
type Address struct {
	How, Locator string
	Raw          string // as it stands
	URL          string // as it is asked for; Raw where that is none
}

// inField says whether the place is a subfield or a cell that is meant for an address.
func (a *Address) inField() bool {
	return strings.HasPrefix(a.How, "$") || a.How == "cell" || strings.Contains(a.Locator, "]$u")
}

// Faults gives what is wrong with an address.
func (a *Address) Faults() (list []Fault) {
	add := func(code, repair string) { list = append(list, Fault{code, a.Raw, repair}) }
	u, err := uri.Parse(a.URL)
	if err != nil {
		if code, to := a.broken(err); code != "" {
			add(code, to)
		}
		return list
	}
	at, ok := u.Endpoint()
	to, why := repair.Value(a.How, a.Raw, a.URL)
	switch resolver := resolved(u); {
	case resolver != "" && a.inField():
		add(Unclickable, resolver)
		return list
	case why == repair.References:
		add(Reference, to)
	case why == repair.BlanksWithin:
		add(Blanks, to)
	}
	if a.inField() && (u.Scheme() == "file" || ok && isPrivate(at.Host)) {
		add(Private, "")
	}
	if a.How == "www" && a.inField() {
		add(Scheme, a.URL)
	}
	return list
}

// broken says what is wrong with what is no URI, where that is a matter of how it is written.
func (a *Address) broken(err error) (code, to string) {
	to, sure := repair.Slips(a.URL)
	e, _ := err.(*uri.Error)
	switch {
	case !sure && (!a.inField() || e == nil):
		return "", ""
	case sure && strings.HasPrefix(strings.TrimSpace(a.URL), "10."):
		return Unclickable, to
	case sure && to == withoutBlanks(a.Raw):
		return Blanks, to
	case sure:
		return Scheme, to
	case hasAddress(a.URL) && strings.ContainsAny(a.Raw, " \t"):
		return Blanks, ""
	case e.Code == "scheme-missing", e.Code == "scheme-unknown":
		return Scheme, ""
	}
	return NoAddress, ""
}

func withoutBlanks(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), ""), "%20", "")
}

// hasAddress says whether something stands behind the scheme.
func hasAddress(s string) bool {
	_, rest, ok := strings.Cut(s, "://")
	return ok && strings.Trim(rest, "/ ") != ""
}

// resolved is the address at its resolver of an identifier that browsers do not open: DOIs
// (https://www.doi.org/the-identifier/resources/handbook) and other handles (RFC 3651).
func resolved(u uri.URI) string {
	s := u.String()
	_, rest, _ := strings.Cut(s, ":")
	rest = strings.TrimPrefix(rest, "%20") // "doi: 10.1000/182"
	switch scheme := u.Scheme(); {
	case scheme == "doi":
		return "https://doi.org/" + strings.TrimLeft(rest, "/")
	case scheme == "hdl":
		return "https://hdl.handle.net/" + strings.TrimLeft(rest, "/")
	case scheme == "info" && strings.HasPrefix(rest, "doi/"):
		return "https://doi.org/" + rest[len("doi/"):]
	case scheme == "info" && strings.HasPrefix(rest, "hdl/"):
		return "https://hdl.handle.net/" + rest[len("hdl/"):]
	}
	return ""
}

// localDomains are those below which names are known in one network alone (RFC 6761, RFC 6762
// section 3, RFC 8375; "internal" by the board of ICANN, 2024), and others that are used so.
var localDomains = []string{"localhost", "local", "internal", "home.arpa", "lan", "intranet", "localdomain", "corp", "home"}

var shared = netip.MustParsePrefix("100.64.0.0/10") // RFC 6598

// isPrivate says whether a host is known in one network alone: a private address, or a name of
// one label (docs/GLOSSARY.md).
func isPrivate(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		a = a.Unmap()
		return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsUnspecified() || shared.Contains(a)
	}
	return host != "" && (!strings.Contains(host, ".") || slices.ContainsFunc(localDomains, func(d string) bool { return strings.HasSuffix(host, "."+d) }))
}
