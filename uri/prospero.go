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

func parseProspero(p Parts) URI {
	u := &Prospero{base: newBase(p)}
	u.At, _ = u.authority(0)
	path, ok := strings.CutPrefix(p.Path, "/")
	if !ok {
		u.fail(p.pathAt(), "prospero-hsoname-missing")
	}
	u.text(p.Path, p.pathAt(), chars.Pchar|chars.Slash|chars.Question, "prospero-char")
	name, rest, more := strings.Cut(path, ";")
	u.HSOName = chars.Decode(name)
	if name == "" {
		u.note(Lax, "prospero-hsoname-empty")
	}
	u.forbid("\r\n\x00", u.HSOName, p.pathAt(), "prospero-crlf")
	for more {
		var field string
		field, rest, more = strings.Cut(rest, ";")
		k, v, ok := strings.Cut(field, "=")
		if !ok || k == "" {
			u.fail(p.pathAt(), "prospero-field-form")
		}
		u.forbid("\r\n\x00", chars.Decode(field), p.pathAt(), "prospero-crlf")
		u.Fields = append(u.Fields, Param{chars.Decode(k), chars.Decode(v)})
	}
	return u
}

// writeKey: a slash of the hsoname "may appear without quoting" and means
// nothing, so its escape is the same; the semicolon is reserved.
func (*Prospero) writeKey(w *keyWriter, p *Parts) {
	name, _, _ := strings.Cut(p.Path, ";")
	w.recode(name, chars.Slash, chars.Any, stepProsperoOpaqueSlash)
	w.add(p.Path[len(name):])
}

func (u *Prospero) components() members {
	return members{"hsoname": text(u.HSOName), "fields": params(u.Fields)}
}
