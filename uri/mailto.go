package uri

import "strings"

var mailtoScheme = Descriptor{
	Name: "mailto", Spec: "RFC 6068", Text: SpelledMail,
	syntax: syntaxFlat, unres: cUnres, parse: parseMailto,
}

// Mailto is a mailto URI.
//
//	mailtoURI = "mailto:" [ to ] [ "?" hfname "=" hfvalue *( "&" hfname "=" hfvalue ) ]   RFC 6068 section 2
type Mailto struct {
	base
	To      []string
	Headers []Param
}

func (*Mailto) Endpoint() (Endpoint, bool) { return Endpoint{}, false }

func parseMailto(sp Parts) (URI, *Error) {
	u := &Mailto{base: newBase(sp)}
	if err := u.text(sp.body(), sp.pathAt(), cPchar|cSlash|cQuest|cWild, "control-char"); err != nil {
		return nil, err
	}
	u.laxRaw(sp.body(), cPchar|cSlash|cQuest, "mailto-char")
	to, headers, has := strings.Cut(sp.body(), "?")
	if to != "" {
		for addr := range strings.SplitSeq(to, ",") {
			addr = strings.TrimSpace(decode(addr))
			if i := strings.LastIndexByte(addr, '@'); i < 1 || i == len(addr)-1 {
				u.note(Lax, "mailto-address")
			}
			u.To = append(u.To, addr)
		}
	}
	if has && headers != "" {
		for h := range strings.SplitSeq(headers, "&") {
			k, v, _ := strings.Cut(h, "=")
			u.Headers = append(u.Headers, Param{decode(k), decode(v)})
		}
	}
	return u, u.fragment()
}

func (*Mailto) writeKey(p *keyWriter, sp *Parts) { p.addPath(sp) }
