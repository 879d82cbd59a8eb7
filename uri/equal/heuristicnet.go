package equal

import (
	"slices"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/internal/chars"
	"linkcheck/uri/registry"
)

// The heuristics of the other protocols and of identifiers.

// gopherQuestion: UDI (1991) put a search after '?'.
func gopherQuestion(u *uri.Gopher, p *uri.Parts) bool {
	i := strings.IndexByte(p.Path, '?')
	if i < 0 || u.Search != nil {
		return false
	}
	const shown = chars.Pchar | chars.Slash
	return set(&p.Path, p.Path[:i]+"%09"+chars.Recode(p.Path[i+1:], shown, shown))
}

// gopherRoot: most servers give their first menu for "/" too.
func gopherRoot(u *uri.Gopher, p *uri.Parts) bool {
	return u.Type == '1' && u.Selector == "/" && u.Search == nil && set(&p.Path, "/1")
}

// gopherDefaultView: a gopher+ string of "+" asks for the default view (section 2.3.4).
func gopherDefaultView(u *uri.Gopher, p *uri.Parts) bool {
	if u.Plus == nil || *u.Plus != "+" {
		return false
	}
	path := strings.TrimSuffix(p.Path, "%09+")
	if *u.Search == "" {
		path = strings.TrimSuffix(path, "%09")
	}
	return set(&p.Path, path)
}

// groupCase: some servers fold the names of groups.
func groupCase(u uri.URI, p *uri.Parts) bool {
	switch n := u.(type) {
	case *uri.NNTP:
		return lowerPart(&p.Path)
	case *uri.News:
		return (n.Kind == uri.NewsGroup || n.Kind == uri.NewsWildmat) && lowerPart(&p.Path)
	}
	return false
}

// postmasterCase: INN folds this one mailbox.
func postmasterCase(u *uri.News, p *uri.Parts) bool {
	left, _, _ := strings.Cut(p.Path, "@")
	return u.Kind == uri.NewsArticle && strings.EqualFold(left, "postmaster") && set(&p.Path, "postmaster"+p.Path[len(left):])
}

// waisLength: UDI (1991) carries the document's length before its id.
func waisLength(u *uri.WAIS, p *uri.Parts) bool {
	if u.Form != uri.WAISUDIDocument {
		return false
	}
	parts := strings.SplitN(p.Path, "/", 5)
	return set(&p.Path, strings.Join(slices.Delete(parts, 3, 4), "/"))
}

// waisSlash: a raw slash in a document id is most likely data of the id.
func waisSlash(u *uri.WAIS, p *uri.Parts) bool {
	if u.Form != uri.WAISDocument {
		return false
	}
	parts := strings.SplitN(p.Path, "/", 4)
	parts[3] = strings.ReplaceAll(parts[3], "/", "%2F")
	return set(&p.Path, strings.Join(parts, "/"))
}

// waisDatabaseCase: servers on some file systems fold the names of databases.
func waisDatabaseCase(_ *uri.WAIS, p *uri.Parts) bool { return lowerUntil(&p.Path, 1, '/') }

// paramOrder sorts the fields of prospero and the pairs of go.
func paramOrder(u uri.URI, p *uri.Parts) bool {
	part := &p.Path
	switch u := u.(type) {
	case *uri.Prospero:
	case *uri.Go:
		part = goName(u, p)
	default:
		return false
	}
	head, fields, ok := strings.Cut(*part, ";")
	return ok && sortList(&fields, ";") && set(part, head+";"+fields)
}

// goName is the part with the common name and its pairs.
func goName(u *uri.Go, p *uri.Parts) *string {
	if u.Form == 1 {
		return &p.Query
	}
	return &p.Path
}

// databaseOrder: a search of several databases may name them in any order.
func databaseOrder(_ *uri.Z3950, p *uri.Parts) bool {
	list, _, _ := strings.Cut(p.Path[1:], ";")
	rest := p.Path[1+len(list):]
	return sortList(&list, "+") && set(&p.Path, "/"+list+rest)
}

// commonNameCase: resolution services may fold common names.
func commonNameCase(u *uri.Go, p *uri.Parts) bool {
	return u.CommonName != nil && lowerUntil(goName(u, p), 0, ';')
}

// hdlCase: a naming authority may fold its handles.
func hdlCase(u *uri.Info, p *uri.Parts) bool { return u.Namespace == "hdl" && lowerPart(&p.Path) }

// pctReserved: reserved characters but '/' and '?' unescape to the same identifier.
func pctReserved(_ *uri.Info, p *uri.Parts) bool {
	return set(&p.Path, chars.Recode(p.Path, chars.Pchar, chars.Any))
}

// isbnForm writes an ISBN of either length as RFC 8254 does: 13 digits, no hyphens.
func isbnForm(u *uri.Opaque, p *uri.Parts) bool {
	nid, nss, _ := strings.Cut(p.Path, ":")
	if u.Scheme() != "urn" || nid != "isbn" {
		return false
	}
	isbn := registry.ISBN13(nss)
	return isbn != "" && set(&p.Path, "isbn:"+isbn)
}

// convention applies a habit to the identifiers of one info namespace.
func convention(namespace string, f func(id string) string) func(*uri.Info, *uri.Parts) bool {
	prefix := namespace + "/"
	return func(_ *uri.Info, p *uri.Parts) bool {
		id, ok := strings.CutPrefix(p.Path, prefix)
		if !ok {
			return false
		}
		out := f(id)
		return out != "" && set(&p.Path, prefix+out)
	}
}

// piiPunctuation keeps letters and digits. The rules for pii are the "if" of
// draft-vandesompel-info-uri-01 section 6: it was never registered.
func piiPunctuation(id string) string {
	return chars.MapRaw(id, func(c byte) (byte, bool) { return c, chars.Is(c, chars.Alnum) })
}

// oclcPrefix drops the prefixes of OCLC numbers of 2006 and later.
func oclcPrefix(id string) string {
	s := registry.TrimSource(chars.Decode(id))
	for _, p := range []string{"ocn", "on"} {
		if n, ok := strings.CutPrefix(s, p); ok && n != "" && chars.AllIn(n, chars.Digit) {
			return n
		}
	}
	return id
}

// leadingZeros drops the zeros before a number.
func leadingZeros(id string) string {
	if !chars.AllIn(id, chars.Digit) || id == "" {
		return id
	}
	return chars.TrimZeros(id)
}
