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
func (v Validity) String() string {
	return [...]string{"no", "lax", "ext", "yes"}[v]
}

// URI is one parsed reference. The concrete types (*HTTP, *FTP, *Gopher, *News,
// *NNTP, *Telnet, *WAIS, *File, *Prospero, *Z3950, *Info, *Go, *Mailto,
// *Opaque) carry the decoded parts.
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

	parts() *Parts                   // the string cut at its delimiters
	components() members             // the decoded parts
	writeKey(w *keyWriter, p *Parts) // path and query at level Scheme; p is at level Syntax
}

// Endpoint is where a server listens.
type Endpoint struct {
	Host string // lower case, IPv6 in brackets
	Port int    // effective: the scheme's default if none is written
}

// optionalServer is the server of a scheme where none need be written.
func optionalServer(at *Endpoint) (Endpoint, bool) {
	if at == nil {
		return Endpoint{}, false
	}
	return *at, true
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

func (e *Error) Error() string {
	if e.Scheme == "" {
		return "uri: " + e.Code
	}
	return e.Scheme + ": " + e.Code
}

// base holds what every scheme shares.
type base struct {
	p     Parts
	valid Validity
	code  string
}

func newBase(p Parts) base { return base{p: p, valid: Valid} }

func (b *base) Scheme() string {
	if b.p.desc == nil { // not made by Parse
		return ""
	}
	return b.p.desc.Name
}
func (b *base) String() string     { return b.p.raw }
func (b *base) Validity() Validity { return b.valid }
func (b *base) Code() string       { return b.code }
func (b *base) Fragment() (string, bool) {
	return b.p.Fragment, b.p.HasFragment
}
func (b *base) Parts() Parts  { return b.p }
func (b *base) parts() *Parts { return &b.p }

// note lowers the validity; the first code of the worst word is kept.
func (b *base) note(v Validity, code string) {
	if v < b.valid || b.code == "" {
		b.valid, b.code = min(v, b.valid), code
	}
}

func (b *base) fail(at int, code string) *Error {
	return &Error{Scheme: b.Scheme(), Offset: at, Code: code}
}

// text checks that s, which stands at offset at, holds only escapes and
// characters of mask.
func (b *base) text(s string, at int, mask chars.Class, code string) *Error {
	i, escape := chars.Scan(s, mask)
	if i < 0 {
		return nil
	}
	if escape {
		code = "bad-percent"
	}
	return b.fail(at+i, code)
}

// laxRaw is the code of text that spec does not allow but mask forgives.
func (b *base) laxRaw(s string, spec chars.Class, code string) {
	if i, _ := chars.Scan(s, spec); i >= 0 {
		b.note(Lax, code)
	}
}

// fragment checks the fragment; RFC 3986 section 3.5 added it to schemes that
// had none in RFC 1738.
func (b *base) fragment() *Error {
	if !b.p.HasFragment {
		return nil
	}
	if err := b.text(b.p.Fragment, b.p.fragAt(), chars.Fragment, "fragment-char"); err != nil {
		return err
	}
	b.note(Ext, "3986-fragment")
	return nil
}
