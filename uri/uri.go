package uri

import "linkcheck/uri/internal/chars"

// Validity says how a string stands to the specification of its scheme.
type Validity uint8

const (
	Invalid Validity = iota // no: rejected, Parse returns an *Error
	Lax                     // violates the scheme harmlessly; Code says how
	Ext                     // valid only under a later RFC or announced extension; Code names it
	Valid                   // yes: conforms
)

// String gives the word of the program's JSON: no, lax, ext, yes.
func (v Validity) String() string { return [...]string{"no", "lax", "ext", "yes"}[v] }

// URI is one parsed reference. Each grammar has a concrete type, such as *HTTP, which
// carries the decoded parts; *Opaque is the type of schemes without one of their own.
type URI interface {
	// Scheme is the scheme in lower case.
	Scheme() string
	// String is the string exactly as Parse was given it.
	String() string
	// Validity is Lax, Ext or Valid.
	Validity() Validity
	// Code is the stable reason for Lax and Ext, or a warning on a Valid URI; "" for none.
	Code() string
	// Fragment is the raw fragment without '#', and whether there is one.
	Fragment() (string, bool)
	// Endpoint is the server that the URI names, if it names one.
	Endpoint() (at Endpoint, ok bool)
	// Parts is the string cut at its delimiters.
	Parts() Parts

	// What a scheme must have beside its parser. The methods are unexported: no
	// other package has schemes, and a type without one of them does not compile.

	shared() *base
	components() members             // the decoded parts, but for server and fragment
	writeKey(w *keyWriter, p *Parts) // path and query at level Scheme; p is at level Syntax
}

// Parse reads one URI. The error is always an *Error.
func Parse(s string) (URI, error) {
	p, err := cut(s)
	if err != nil {
		return nil, err
	}
	u := p.desc.parse(p)
	b := u.shared()
	if p.HasFragment && !p.desc.ownFragment { // RFC 3986 section 3.5 added it to schemes that had none in RFC 1738
		b.text(p.Fragment, p.fragAt(), chars.Fragment, "fragment-char")
		b.note(Ext, "3986-fragment")
	}
	if b.valid == Invalid {
		return nil, &Error{Scheme: p.Scheme, Offset: int(b.at), Code: b.code}
	}
	return u, nil
}

// Endpoint is where a server listens.
type Endpoint struct {
	Host string // lower case, IPv6 in brackets
	Port int    // effective: the scheme's default if none is written
}

// User is the userinfo part of RFC 1738; an empty name differs from none.
type User struct {
	Name     string
	Password *string // nil: absent
}

// Param is one name=value pair, decoded.
type Param struct{ Name, Value string }

// Error is the only error that Parse returns.
type Error struct {
	Scheme string // lower case; "" if none was found
	Offset int    // byte offset in the input
	Code   string // stable kebab-case code
}

// Error is the scheme and the code.
func (e *Error) Error() string {
	if e.Scheme == "" {
		return "uri: " + e.Code
	}
	return e.Scheme + ": " + e.Code
}
