package equal

import (
	"linkcheck/uri"
	"linkcheck/uri/proxied"
	"linkcheck/uri/registry"
)

// Level is one of the levels of equality, from the surest to the boldest.
type Level uint8

const (
	Identical Level = iota // the same string
	Syntax                 // spelled differently as RFC 3986 section 6.2.2 allows
	Scheme                 // the same by the specification of the scheme
	Registry               // the same identifier by the record of its info namespace
	Protocol               // the same request to the same server
	Resolver               // the same work at another address
	Heuristic              // perhaps the same: a habit, and no rule
	Observed               // the same after redirects: no key, but what probes found
)

// String is the word of the program's JSON.
func (l Level) String() string {
	return [...]string{"identical", "syntax", "scheme", "registry", "protocol", "resolver", "heuristic", "observed"}[l]
}

// Edition numbers the rules by which keys are made. A store makes its keys anew when it
// was written under another edition. TestEdition fails when keys change without a new one.
const Edition = 2

// Keys holds one key a level; each is a function of the one before, so groups nest.
type Keys struct {
	Syntax    string `json:"syntax"`
	Scheme    string `json:"scheme"`
	Registry  string `json:"registry"`
	Protocol  string `json:"protocol"`
	Resolver  string `json:"resolver"`
	Heuristic string `json:"heuristic"`
}

// KeysOf computes the keys of u by the frozen registry.
func KeysOf(u uri.URI) Keys { return Rules{}.Keys(u) }

// Rules are the choices of a caller about how keys are made. The zero value is the
// frozen registry, and references as they are read today.
type Rules struct {
	Registry *registry.Registry // nil: registry.Default
	Proxies  proxied.Rules      // of the libraries' proxies, beside the known forms
	// UDI reads a document of 1991 to 1993, or a reference marked "UDI=":
	// file://host is anonymous FTP and '?' of a gopher item is its search.
	UDI bool
}

// Keys computes the keys of u.
func (r Rules) Keys(u uri.URI) Keys {
	k, _ := r.normalize(u)
	return k
}

func (r Rules) registry() *registry.Registry {
	if r.Registry != nil {
		return r.Registry
	}
	return registry.Default()
}
