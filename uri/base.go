package uri

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"unicode/utf8"

	"linkcheck/uri/internal/chars"
)

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

// fail is the error of an offset of the string.
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

// optionalServer is the server of a scheme where none need be written.
func optionalServer(at *Endpoint) (Endpoint, bool) {
	if at == nil {
		return Endpoint{}, false
	}
	return *at, true
}

// Components gives the decoded parts of u by name, as JSON: octets that are no UTF-8
// are shown as latin-1, the members are sorted. A password is among them as written.
func Components(u URI) json.RawMessage {
	m := members{}
	frag, has := u.Fragment()
	if _, file := u.(*File); has && !file {
		m["fragment"] = text(frag)
	}
	maps.Copy(m, u.components())
	if host := u.parts().Host; !chars.IsASCII(host) || strings.IndexByte(host, '%') >= 0 {
		m[hostName(m)] = strings.ToLower(text(chars.Decode(host))) // as people read it; the endpoint has A-labels
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return json.RawMessage("{}")
	}
	return bytes.TrimSpace(b.Bytes())
}

// hostName is the name of the member with the host: go has a server.
func hostName(m map[string]any) string {
	if _, ok := m["server"]; ok {
		return "server"
	}
	return "host"
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

// members are decoded parts by name.
type members map[string]any

// at adds the server.
func (m members) at(e Endpoint) members {
	m["host"], m["port"] = e.Host, e.Port
	return m
}

// user adds user and password.
func (m members) user(u *User) members {
	m["user"], m["password"] = nil, nil
	if u != nil {
		m["user"], m["password"] = text(u.Name), optional(u.Password)
	}
	return m
}

// fragmentOf is the fragment for the schemes whose syntax always has one.
func (b *base) fragmentOf() any {
	if !b.p.HasFragment {
		return nil
	}
	return text(b.p.Fragment)
}
