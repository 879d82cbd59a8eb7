package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

var mailtoScheme = Descriptor{
	Name: "mailto", Spec: "RFC 6068", Text: SpelledMail,
	syntax: syntaxFlat, unres: chars.Unreserved, parse: parseMailto,
}

// Mailto is a mailto URI.
//
//	mailtoURI = "mailto:" [ to ] [ "?" hfname "=" hfvalue *( "&" hfname "=" hfvalue ) ]   RFC 6068 section 2
type Mailto struct {
	base
	To      []string
	Headers []Param
}

// Endpoint implements [URI].
func (*Mailto) Endpoint() (Endpoint, bool) { return Endpoint{}, false }

func parseMailto(p Parts) URI {
	u := &Mailto{base: newBase(p)}
	u.text(p.body(), p.pathAt(), chars.Pchar|chars.Slash|chars.Question|chars.Wild, "control-char")
	u.laxRaw(p.body(), chars.Pchar|chars.Slash|chars.Question, "mailto-char")
	to, headers, has := strings.Cut(p.body(), "?")
	if to != "" {
		for addr := range strings.SplitSeq(to, ",") {
			addr = strings.TrimSpace(chars.Decode(addr))
			if !isAddress(addr) {
				u.fail(p.pathAt(), "mailto-address") // addr-spec has both parts: RFC 6068 section 2, RFC 5322 section 3.4.1
			}
			u.To = append(u.To, addr)
		}
	}
	if has && headers != "" {
		for h := range strings.SplitSeq(headers, "&") {
			k, v, _ := strings.Cut(h, "=")
			u.Headers = append(u.Headers, Param{chars.Decode(k), chars.Decode(v)})
		}
	}
	return u
}

// isAddress reports whether s has a local part, an @, and a domain. Only a quoted local part
// has an @ of its own (RFC 5322 section 3.4.1).
func isAddress(s string) bool {
	i := strings.LastIndexByte(s, '@')
	if i < 1 || i == len(s)-1 || strings.ContainsAny(s[i:], " \t") {
		return false
	}
	local := s[:i]
	quoted := len(local) > 1 && local[0] == '"' && local[len(local)-1] == '"'
	return quoted || strings.IndexByte(local, '@') < 0
}

func (*Mailto) writeKey(w *keyWriter, p *Parts) { w.addPath(p) }

func (u *Mailto) components() members {
	return members{"to": texts(u.To), "headers": params(u.Headers)}
}
