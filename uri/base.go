package uri

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"linkcheck/uri/internal/chars"
)

// base holds what every scheme shares.
type base struct {
	p     Parts
	valid Validity
	at    int32  // the offset of the fault if valid is Invalid
	code  string // says why valid is not Valid, or warns
}

func newBase(p Parts) base { return base{p: p, valid: Valid} }

func (b *base) Scheme() string           { return b.p.Scheme }
func (b *base) String() string           { return b.p.raw }
func (b *base) Validity() Validity       { return b.valid }
func (b *base) Code() string             { return b.code }
func (b *base) Fragment() (string, bool) { return b.p.Fragment, b.p.HasFragment }
func (b *base) Parts() Parts             { return b.p }
func (b *base) shared() *base            { return b }

// note lowers the validity to v. The first code of the lowest validity is kept.
func (b *base) note(v Validity, code string) {
	if v < b.valid || b.code == "" {
		b.valid, b.code = min(v, b.valid), code
	}
}

// fail makes the string invalid for a fault at an offset of it. The first fault is
// kept, so that a parser need not stop at one.
func (b *base) fail(at int, code string) {
	if b.valid != Invalid {
		b.valid, b.code, b.at = Invalid, code, int32(at)
	}
}

// text rejects all but escapes and characters of mask in s, which stands at offset at.
func (b *base) text(s string, at int, mask chars.Class, code string) {
	i, escape := chars.Scan(s, mask)
	switch {
	case i < 0:
	case escape:
		b.fail(at+i, "bad-percent")
	default:
		b.fail(at+i, code)
	}
}

// ascii is text for the grammars that have no octets above ASCII but in escapes; what
// names the part in the codes.
func (b *base) ascii(s string, at int, mask chars.Class, what string) {
	if i, _ := chars.Scan(s, mask); i >= 0 && s[i] >= 0x80 {
		b.fail(at+i, what+"-non-ascii")
	}
	b.text(s, at, mask, what+"-char")
}

// escapes rejects truncated escapes in s, which stands at offset at.
func (b *base) escapes(s string, at int) {
	if i, escape := chars.Scan(s, chars.Any); escape {
		b.fail(at+i, "bad-percent")
	}
}

// forgiving rejects controls in s, which stands at offset at; stray percent signs and
// other characters outside spec are lax.
func (b *base) forgiving(s string, at int, spec chars.Class, code string) {
	for i := 0; i < len(s); i++ {
		switch {
		case chars.Is(s[i], spec):
		case s[i] == '%':
			if !chars.IsEscape(s, i) {
				b.note(Lax, "bad-percent")
			}
		case chars.Is(s[i], chars.Wild):
			b.note(Lax, code)
		default:
			b.fail(at+i, "control-char")
		}
	}
}

// forbid rejects octets that must not reach a line protocol, in a decoded part.
func (b *base) forbid(octets, part string, at int, code string) {
	if strings.ContainsAny(part, octets) {
		b.fail(at, code)
	}
}

// laxRaw makes s lax if it has characters outside spec.
func (b *base) laxRaw(s string, spec chars.Class, code string) {
	if i, _ := chars.Scan(s, spec); i >= 0 {
		b.note(Lax, code)
	}
}

// optionalServer is the endpoint of a scheme whose URIs need not name a server.
func optionalServer(at *Endpoint) (Endpoint, bool) {
	if at == nil {
		return Endpoint{}, false
	}
	return *at, true
}

// Components gives the decoded parts of u by name, as JSON: octets that are no UTF-8
// are shown as latin-1, the members are sorted. A password is among them as written.
func Components(u URI) json.RawMessage {
	m := u.components()
	frag, has := u.Fragment()
	if _, file := u.(*File); has && !file {
		m["fragment"] = text(frag)
	}
	host := "host"
	if _, ok := u.(*Go); ok {
		host = "server"
	}
	if at, ok := u.Endpoint(); ok {
		m[host], m["port"] = at.Host, at.Port
	}
	if name := u.shared().p.Host; !chars.IsASCII(name) || strings.IndexByte(name, '%') >= 0 {
		m[host] = strings.ToLower(text(chars.Decode(name))) // as people read it; the endpoint has A-labels
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return json.RawMessage("{}")
	}
	return bytes.TrimSpace(b.Bytes())
}

// text gives octets as a string that JSON can hold.
func text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	r := make([]rune, len(s))
	for i := 0; i < len(s); i++ {
		r[i] = rune(s[i])
	}
	return string(r)
}

// texts is text for a list.
func texts(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = text(s)
	}
	return out
}

// optional is nil for absent.
func optional(s *string) any {
	if s == nil {
		return nil
	}
	return text(*s)
}

// params gives pairs of name and value.
func params(list []Param) [][2]string {
	out := make([][2]string, len(list))
	for i, p := range list {
		out[i] = [2]string{text(p.Name), text(p.Value)}
	}
	return out
}

// members are the decoded parts of a URI by their names in JSON.
type members map[string]any

// user adds user and password.
func (m members) user(u *User) members {
	m["user"], m["password"] = nil, nil
	if u != nil {
		m["user"], m["password"] = text(u.Name), optional(u.Password)
	}
	return m
}
