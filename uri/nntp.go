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

func parseNNTP(p Parts) URI {
	u := &NNTP{base: newBase(p)}
	u.At, _ = u.authority(0)
	u.escapes(p.Path, p.pathAt())
	group, article, has := strings.Cut(strings.TrimPrefix(p.Path, "/"), "/")
	u.Group, u.Article = chars.Decode(group), chars.Decode(article)
	at := p.pathAt() + len(p.Path) - len(article)
	switch {
	case group == "":
		u.fail(p.pathAt(), "nntp-group-missing")
	case !groupName(u.Group, false):
		u.fail(p.pathAt(), "nntp-group-syntax")
	case !has:
		u.note(Ext, "5538-no-article")
	case strings.IndexByte(article, '/') >= 0:
		u.fail(at, "nntp-extra-path")
	case u.Article == "" || len(u.Article) > maxArticleDigits || !chars.AllIn(u.Article, chars.Digit):
		u.fail(at, "nntp-article-number")
	}
	return u
}

func (*NNTP) writeKey(w *keyWriter, p *Parts) { w.addPath(p) }

func (u *NNTP) components() members {
	m := members{"group": text(u.Group), "article": nil}
	if u.Article != "" {
		m["article"] = u.Article
	}
	return m
}
