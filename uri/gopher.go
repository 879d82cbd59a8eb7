package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

var gopherScheme = Descriptor{
	Name: "gopher", DefaultPort: 70, Spec: "rfc1738bis section 2.3", Text: SpelledSlashes,
	aliases: []alias{{"gophers", 70, "practice: gopher in TLS"}},
	syntax:  syntaxPath, unres: chars.Unreserved, parse: parseGopher,
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

func parseGopher(p Parts) URI {
	u := &Gopher{base: newBase(p), Type: '1'}
	u.At, _ = u.authority(0)
	if strings.HasPrefix(p.Path, "?") {
		u.fail(p.pathAt(), "gopher-query-without-path")
	}
	u.text(p.Path, p.pathAt(), chars.Pchar|chars.Slash|chars.Question, "gopher-path-char")
	if len(p.Path) > 1 {
		u.item(chars.Decode(p.Path[1:]))
	}
	return u
}

// item splits the decoded path at its tabs. CR and LF are legal in the gopher+
// string alone, where a filled form needs them (section 2.3.9).
func (u *Gopher) item(s string) {
	at := u.p.pathAt()
	switch s[0] {
	case '\t':
		u.fail(at+1, "gopher-type-missing")
	case '\r', '\n':
		u.fail(at+1, "gopher-selector-crlf")
	case '/':
		u.note(Valid, "gopher-type-slash")
	}
	u.Type = s[0]
	selector, rest, has := strings.Cut(s[1:], "\t")
	u.Selector = selector
	u.forbid("\r\n", selector, at, "gopher-selector-crlf")
	if has {
		fields := strings.SplitN(rest, "\t", 2)
		u.Search = &fields[0]
		u.forbid("\r\n", fields[0], at, "gopher-selector-crlf")
		if len(fields) > 1 {
			u.Plus = &fields[1]
		}
	}
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
	}
}
