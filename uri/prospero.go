package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

var prosperoScheme = Descriptor{
	Name: "prospero", DefaultPort: 1525, Spec: "rfc1738bis section 2.9", Text: SpelledSlashes,
	syntax: syntaxPath, unres: chars.Unreserved, parse: parseProspero,
}

// Prospero is a prospero URL.
//
//	prospero://<host>:<port>/<hsoname>;<field>=<value>   rfc1738bis section 2.9
type Prospero struct {
	base
	At      Endpoint
	HSOName string
	Fields  []Param
}

// Endpoint implements [URI].
func (u *Prospero) Endpoint() (Endpoint, bool) { return u.At, true }

func parseProspero(p Parts) (URI, *Error) {
	u := &Prospero{base: newBase(p)}
	var err *Error
	if u.At, _, err = u.authority(0); err != nil {
		return nil, err
	}
	if p.Path == "" || p.Path[0] != '/' {
		return nil, u.fail(p.pathAt(), "prospero-hsoname-missing")
	}
	if err = u.text(p.Path, p.pathAt(), chars.Pchar|chars.Slash|chars.Question, "prospero-char"); err != nil {
		return nil, err
	}
	name, rest, more := strings.Cut(p.Path[1:], ";")
	u.HSOName = chars.Decode(name)
	if name == "" {
		u.note(Lax, "prospero-hsoname-empty")
	}
	if strings.ContainsAny(u.HSOName, "\r\n\x00") {
		return nil, u.fail(p.pathAt(), "prospero-crlf")
	}
	for more {
		var field string
		field, rest, more = strings.Cut(rest, ";")
		k, v, ok := strings.Cut(field, "=")
		if !ok || k == "" {
			return nil, u.fail(p.pathAt(), "prospero-field-form")
		}
		param := Param{chars.Decode(k), chars.Decode(v)}
		if strings.ContainsAny(param.Name+param.Value, "\r\n\x00") {
			return nil, u.fail(p.pathAt(), "prospero-crlf")
		}
		u.Fields = append(u.Fields, param)
	}
	return u, u.fragment()
}

// writeKey: a slash of the hsoname "may appear without quoting" and means
// nothing, so its escape is the same; the semicolon is reserved.
func (*Prospero) writeKey(w *keyWriter, p *Parts) {
	name := p.Path
	if i := strings.IndexByte(name, ';'); i >= 0 {
		name = name[:i]
	}
	w.recode(name, chars.Slash, chars.Any, stepProsperoOpaqueSlash)
	w.add(p.Path[len(name):])
}

func (u *Prospero) components() members {
	return members{"hsoname": text(u.HSOName), "fields": params(u.Fields)}.at(u.At)
}
