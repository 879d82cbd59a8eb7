package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

var gopherScheme = Descriptor{
	Name: "gopher", DefaultPort: 70, Spec: "rfc1738bis section 2.3", Text: SpelledSlashes,
	syntax: syntaxPath, unres: chars.Unreserved, parse: parseGopher,
}

// Gopher is a gopher URL. No characters are reserved in its path.
//
//	gopher://<host>:<port>/<gophertype><selector>%09<search>%09<gopher+_string>   rfc1738bis section 2.3.1
type Gopher struct {
	base
	At       Endpoint
	Type     byte // '1' if the path is empty
	Selector string
	Search   *string
	Plus     *string // the gopher+ string
}

// Endpoint implements [URI].
func (u *Gopher) Endpoint() (Endpoint, bool) { return u.At, true }

func parseGopher(p Parts) (URI, *Error) {
	u := &Gopher{base: newBase(p), Type: '1'}
	var err *Error
	if u.At, _, err = u.authority(0); err != nil {
		return nil, err
	}
	if strings.HasPrefix(p.Path, "?") {
		return nil, u.fail(p.pathAt(), "gopher-query-without-path")
	}
	if err = u.text(p.Path, p.pathAt(), chars.Pchar|chars.Slash|chars.Question, "gopher-path-char"); err != nil {
		return nil, err
	}
	if len(p.Path) > 1 {
		if err = u.item(chars.Decode(p.Path[1:])); err != nil {
			return nil, err
		}
	}
	return u, u.fragment()
}

// item splits the decoded path at its tabs. CR and LF are legal in the gopher+
// string alone, where a filled form needs them (section 2.3.9).
func (u *Gopher) item(s string) *Error {
	switch s[0] {
	case '\t':
		return u.fail(u.p.pathAt()+1, "gopher-type-missing")
	case '\r', '\n':
		return u.fail(u.p.pathAt()+1, "gopher-selector-crlf")
	case '/':
		u.note(Valid, "gopher-type-slash")
	}
	u.Type = s[0]
	sel, rest, has := strings.Cut(s[1:], "\t")
	u.Selector = sel
	if strings.ContainsAny(sel, "\r\n") {
		return u.fail(u.p.pathAt(), "gopher-selector-crlf")
	}
	if !has {
		return nil
	}
	search, plus, has := strings.Cut(rest, "\t")
	if strings.ContainsAny(search, "\r\n") {
		return u.fail(u.p.pathAt(), "gopher-selector-crlf")
	}
	u.Search = &search
	if has {
		u.Plus = &plus
	}
	return nil
}

// writeKey: an empty path names type 1; every octet that a URI can show is
// shown. A raw '?' of a search item stays apart from its escape, for UDI
// documents put the search there.
func (*Gopher) writeKey(w *keyWriter, p *Parts) {
	if len(p.Path) < 2 {
		w.mark(stepGopherDefaultType)
		w.add("/1")
		return
	}
	mask := chars.Pchar | chars.Slash
	if p.Path[1] == '7' {
		mask |= chars.Question
	}
	w.recode(p.Path, chars.Pchar|chars.Slash, mask, stepGopherNoReserved)
}

func (u *Gopher) components() members {
	return members{
		"type": text(string([]byte{u.Type})), "selector": text(u.Selector),
		"search": optional(u.Search), "plus": optional(u.Plus),
	}.at(u.At)
}
