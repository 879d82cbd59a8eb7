package uri

import "encoding/json"

// Parse reads one URI. The error is always an *Error.
func Parse(s string) (URI, error) { return nil, &Error{Code: "scheme-missing"} }

// EndpointOf gives the server that u names, for schemes where a server is optional too.
func EndpointOf(u URI) (Endpoint, bool) {
	switch u := u.(type) {
	case *News:
		if u.At != nil {
			return *u.At, true
		}
	case *Go:
		if u.At != nil {
			return *u.At, true
		}
	case *Opaque:
		if u.At != nil {
			return *u.At, true
		}
	case Hosted:
		return u.Endpoint(), true
	}
	return Endpoint{}, false
}

// Level is a rung of the ladder of equality.
type Level uint8

const (
	Identical Level = iota
	Syntax
	Scheme
	Registry
	Protocol
	Resolver
	Heuristic
	Observed
)

func (l Level) String() string {
	return [...]string{"identical", "syntax", "scheme", "registry", "protocol", "resolver", "heuristic", "observed"}[l]
}

// Keys holds one key a level; each is a function of the one before, so groups nest.
type Keys struct {
	Syntax    string `json:"syntax"`
	Scheme    string `json:"scheme"`
	Registry  string `json:"registry"`
	Protocol  string `json:"protocol"`
	Resolver  string `json:"resolver"`
	Heuristic string `json:"heuristic"`
}

// KeysOf computes the keys of u.
func KeysOf(u URI) Keys { return Keys{} }

// SchemeKey is the key of level Scheme alone: the identity of a link in the store.
func SchemeKey(u URI) string { return u.String() }

// Step is one rule that changed something on the way up the ladder.
type Step struct {
	Level   string `json:"level"`
	Code    string `json:"code"`
	Section string `json:"section"` // of the document that allows it
}

// Explain lists the steps from the string as written to its heuristic key.
func Explain(u URI) []Step { return nil }

// Verdict is the answer of Compare.
type Verdict string

const (
	Dup   Verdict = "dup"
	Maybe Verdict = "maybe"
	Not   Verdict = "not"
)

// Comparison says whether two URIs are the same, at which lowest level and why.
type Comparison struct {
	Verdict Verdict  `json:"verdict"`
	Level   string   `json:"level"` // "-" for Not
	Reasons []string `json:"reasons"`
}

// Compare compares two strings as written.
func Compare(a, b string) Comparison { return Comparison{Verdict: Not, Level: "-"} }

// Components gives the decoded parts of u as the vectors name them.
func Components(u URI) json.RawMessage { return nil }

// Resolve resolves ref against base: RFC 3986 section 5 and the UDI partial
// forms. Schemes without relative forms (info, go, gopher) are refused with an *Error.
func Resolve(base, ref string) (string, error) { return "", &Error{Code: "relative-refused"} }

// Mask replaces the password of a URI string, if it has one, by "***".
// It works on invalid strings too.
func Mask(s string) string { return s }

// SchemeInfo is a row of the one list of schemes.
type SchemeInfo struct {
	Name        string
	DefaultPort int    // 0: none
	Spec        string // the document that defines it
}

// Schemes is the list of known schemes, sorted by name.
func Schemes() []SchemeInfo { return nil }
