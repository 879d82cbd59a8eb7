package uri

import (
	"strconv"
	"strings"

	"linkcheck/uri/internal/chars"
)

// WAISForm is the form of a wais URL.
type WAISForm uint8

const (
	WAISDatabase WAISForm = iota
	WAISSearch
	WAISDocument
	WAISUDIDocument // UDI (1991): the document's length stands before its id
)

func (f WAISForm) String() string {
	return [...]string{"database", "search", "document", "udi-document"}[f]
}

var waisScheme = Descriptor{
	Name: "wais", DefaultPort: 210, Spec: "rfc1738bis section 2.7", Text: SpelledSlashes,
	syntax: syntaxQuery, relative: true, unres: chars.Unreserved, parse: parseWAIS,
}

// WAIS is a wais URL.
//
//	wais://<host>:<port>/<database>                    rfc1738bis section 2.7
//	wais://<host>:<port>/<database>?<search>
//	wais://<host>:<port>/<database>/<wtype>/<wpath>
//	wais://<host>:<port>/<database>/<wtype>/<digits>/<path>   UDI (1991), BNF
type WAIS struct {
	base
	At       Endpoint
	Form     WAISForm
	Database string
	Search   string
	Type     string // wtype
	Path     string // wpath, decoded
	RawPath  string // wpath as written; a docid is decoded field by field
	Length   int64  // of WAISUDIDocument
}

// Endpoint implements [URI].
func (u *WAIS) Endpoint() (Endpoint, bool) { return u.At, true }

func parseWAIS(p Parts) URI {
	u := &WAIS{base: newBase(p)}
	u.At, _ = u.authority(0)
	u.text(p.Path, p.pathAt(), chars.Pchar|chars.Slash, "wais-char")
	u.text(p.Query, p.qAt(), chars.Fragment, "wais-char")
	db, doc, hasDoc := strings.Cut(strings.TrimPrefix(p.Path, "/"), "/")
	if db == "" {
		u.fail(p.pathAt(), "wais-database-missing")
	}
	u.Database = chars.Decode(db)
	if hasDoc && doc == "" {
		u.note(Lax, "wais-trailing-slash")
		hasDoc = false
	}
	switch {
	case p.HasQuery && hasDoc:
		u.fail(p.qAt()-1, "wais-search-and-doc")
	case p.HasQuery:
		u.Form, u.Search = WAISSearch, chars.Decode(p.Query)
	case hasDoc:
		u.document(doc)
	}
	return u
}

// document reads <wtype>/<wpath>; digits and a further slash are UDI's length.
func (u *WAIS) document(doc string) {
	wtype, path, _ := strings.Cut(doc, "/")
	if wtype == "" {
		u.fail(u.p.pathAt(), "wais-wtype-missing")
	}
	u.Form, u.Type = WAISDocument, chars.Decode(wtype)
	if digits, rest, ok := strings.Cut(path, "/"); ok && digits != "" && chars.AllIn(digits, chars.Digit) {
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			u.fail(u.p.pathAt(), "wais-length")
		}
		u.Form, u.Length, path = WAISUDIDocument, n, rest
		u.note(Ext, "udi-wais-length")
	} else if ok {
		u.note(Lax, "wais-wpath-raw-slash")
	}
	if path == "" {
		u.fail(u.p.pathAt()+len(u.p.Path), "wais-wpath-missing")
	}
	u.RawPath, u.Path = path, chars.Decode(path)
}

// writeKey drops the slash after a database.
func (*WAIS) writeKey(w *keyWriter, p *Parts) {
	path := p.Path
	if n := len(path); n > 1 && path[n-1] == '/' && strings.Count(path, "/") == 2 {
		w.mark(stepWAISTrailingSlash)
		path = path[:n-1]
	}
	w.add(path)
	w.addQuery(p)
}

func (u *WAIS) components() members {
	m := members{"database": text(u.Database), "form": u.Form.String()}
	switch u.Form {
	case WAISSearch:
		m["search"] = text(u.Search)
	case WAISUDIDocument:
		m["length"] = u.Length
		fallthrough
	case WAISDocument:
		m["wtype"], m["wpath"] = text(u.Type), text(u.Path)
	}
	return m
}
