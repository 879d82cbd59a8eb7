package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

// maxArticleDigits is the length of an article number, RFC 3977 section 9.8.
const maxArticleDigits = 16

var nntpScheme = Descriptor{
	Name: "nntp", DefaultPort: 119, Spec: "rfc1738bis section 2.5", Text: SpelledSlashes,
	aliases: []alias{{"nntps", 563, "RFC 5538 section 2.1"}},
	syntax:  syntaxPath, relative: true, unres: chars.Unreserved, parse: parseNNTP,
}

// NNTP is an nntp or nntps URL.
//
//	nntp://<host>:<port>/<newsgroup-name>/<article-number>   rfc1738bis section 2.5
type NNTP struct {
	base
	At      Endpoint
	Group   string
	Article string // "" in the RFC 5538 form without a number
}

// Endpoint implements [URI].
func (u *NNTP) Endpoint() (Endpoint, bool) { return u.At, true }

func parseNNTP(p Parts) (URI, *Error) {
	u := &NNTP{base: newBase(p)}
	var err *Error
	if u.At, _, err = u.authority(0); err != nil {
		return nil, err
	}
	if i, escape := chars.Scan(p.Path, chars.Any); i >= 0 && escape {
		return nil, u.fail(p.pathAt()+i, "bad-percent")
	}
	group, article, has := strings.Cut(strings.TrimPrefix(p.Path, "/"), "/")
	if group == "" {
		return nil, u.fail(p.pathAt(), "nntp-group-missing")
	}
	u.Group = chars.Decode(group)
	if !groupName(u.Group, false) {
		return nil, u.fail(p.pathAt(), "nntp-group-syntax")
	}
	if err = u.number(article, has); err != nil {
		return nil, err
	}
	return u, u.fragment()
}

func (u *NNTP) number(s string, has bool) *Error {
	if !has {
		u.note(Ext, "5538-no-article")
		return nil
	}
	at := u.p.pathAt() + len(u.p.Path) - len(s)
	if strings.IndexByte(s, '/') >= 0 {
		return u.fail(at, "nntp-extra-path")
	}
	u.Article = chars.Decode(s)
	if u.Article == "" || len(u.Article) > maxArticleDigits || !chars.AllIn(u.Article, chars.Digit) {
		return u.fail(at, "nntp-article-number")
	}
	return nil
}

func (*NNTP) writeKey(w *keyWriter, p *Parts) { w.addPath(p) }

func (u *NNTP) components() members {
	m := members{"group": text(u.Group), "article": nil}
	if u.Article != "" {
		m["article"] = u.Article
	}
	return m.at(u.At)
}
