package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

// NewsKind is the kind of thing that a news URI names.
type NewsKind uint8

const (
	NewsGroup   NewsKind = iota // a newsgroup
	NewsWildmat                 // the groups that a pattern of RFC 5538 section 2.2 matches
	NewsArticle                 // a message-id
	NewsAll                     // "*"
	NewsServer                  // news://host/ of RFC 5538
)

func (k NewsKind) String() string {
	return [...]string{"group", "wildmat", "article", "all", "server"}[k]
}

var newsScheme = Descriptor{
	Name: "news", DefaultPort: 119, Spec: "rfc1738bis section 2.4, RFC 5538", Text: SpelledNews,
	aliases: []alias{{"snews", 563, "RFC 5538 section 8.1"}},
	syntax:  syntaxPath, relative: true, unres: chars.Unreserved, parse: parseNews,
}

// News is a news or snews URI.
//
//	news:<newsgroup-name>, news:<message-id>, news:*   rfc1738bis section 2.4
//	news://<server>/<any of these>                     RFC 5538 section 2.2
type News struct {
	base
	At        *Endpoint // nil without a server
	Kind      NewsKind
	Group     string
	MessageID string // without angle brackets
}

// Endpoint implements [URI].
func (u *News) Endpoint() (Endpoint, bool) { return optionalServer(u.At) }

func parseNews(p Parts) URI {
	u := &News{base: newBase(p)}
	name, at := p.Path, p.pathAt()
	if p.HasAuthority {
		server, _ := u.authority(0)
		u.note(Ext, "5538-server")
		u.At = &server
		name = strings.TrimPrefix(name, "/")
		at += len(p.Path) - len(name)
	}
	u.escapes(name, at)
	inner, angles := cutAngles(name)
	if angles {
		u.note(Lax, "news-angle-brackets")
	}
	decoded := chars.Decode(inner)
	switch {
	case name == "" && u.At != nil:
		u.Kind = NewsServer
	case name == "":
		u.fail(at, "news-empty")
	case strings.IndexByte(inner, '@') >= 0:
		u.Kind, u.MessageID = NewsArticle, decoded
		u.article(at)
		u.laxRaw(inner, chars.Fragment, "news-raw-char")
	case decoded == "*":
		u.Kind, u.Group = NewsAll, decoded
	default:
		u.Group = decoded
		u.group(at)
	}
	return u
}

// group checks a newsgroup or a wildmat pattern.
func (u *News) group(at int) {
	if strings.IndexByte(u.Group, '@') >= 0 {
		u.fail(at, "news-encoded-at")
	}
	if strings.ContainsAny(u.Group, "*?[") {
		u.Kind = NewsWildmat
		u.note(Ext, "5538-wildmat")
	}
	if !groupName(u.Group, true) {
		u.fail(at, "news-group-syntax")
	}
}

// article checks <unique>@<full_domain_name>, RFC 1036 section 2.1.5.
func (u *News) article(at int) {
	left, right, _ := strings.Cut(u.MessageID, "@")
	if left == "" || right == "" || strings.IndexByte(right, '@') >= 0 {
		u.fail(at, "news-mid-form")
	}
	if strings.ContainsFunc(u.MessageID, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '<' || r == '>' }) {
		u.fail(at, "news-mid-char")
	}
}

// cutAngles removes raw or escaped angle brackets around a message-id.
func cutAngles(s string) (string, bool) {
	switch n := len(s); {
	case n > 2 && s[0] == '<' && s[n-1] == '>':
		return s[1 : n-1], true
	case n > 6 && strings.EqualFold(s[:3], "%3c") && strings.EqualFold(s[n-3:], "%3e"):
		return s[3 : n-3], true
	}
	return s, false
}

// groupName checks a period-delimited name, or a wildmat where allowed.
func groupName(g string, wild bool) bool {
	for part := range strings.SplitSeq(g, ".") {
		if part == "" {
			return false
		}
		for i := 0; i < len(part); i++ {
			if !chars.Is(part[i], chars.Group) && !(wild && strings.IndexByte("*?[]^,", part[i]) >= 0) {
				return false
			}
		}
	}
	return true
}

// writeKey: no characters are reserved; brackets are no part of the id; '/', '?' and
// '#' are escaped, as RFC 5538 wants them.
func (*News) writeKey(w *keyWriter, p *Parts) {
	name := p.Path
	if p.HasAuthority {
		w.add("/")
		if name == "" {
			w.mark(stepPathEmpty)
		}
		name = strings.TrimPrefix(name, "/")
	}
	if inner, ok := cutAngles(name); ok {
		w.mark(stepNewsAngleBrackets)
		name = inner
	}
	w.recode(name, chars.Pchar, chars.Pchar, stepNewsNoReserved)
}

func (u *News) components() members {
	m := members{"kind": u.Kind.String()}
	switch u.Kind {
	case NewsGroup, NewsWildmat, NewsAll:
		m["group"] = text(u.Group)
	case NewsArticle:
		m["message_id"] = text(u.MessageID)
	}
	return m
}

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
	Article string // "" in the RFC 5538 section 2.3 form without a number
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
	case article == "":
		u.note(Lax, "nntp-trailing-slash")
	case len(u.Article) > maxArticleDigits || !chars.AllIn(u.Article, chars.Digit):
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
