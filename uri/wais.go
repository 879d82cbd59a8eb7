package uri

import (
	"strconv"
	"strings"
)

// WAISForm tells the forms of a wais URL apart.
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
	syntax: syntaxQuery, relative: true, unres: cUnres, parse: parseWAIS,
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

func (u *WAIS) Endpoint() (Endpoint, bool) { return u.At, true }

func parseWAIS(sp Parts) (URI, *Error) {
	u := &WAIS{base: newBase(sp)}
	var err *Error
	if u.At, _, err = u.authority(0); err != nil {
		return nil, err
	}
	if err = u.text(sp.Path, sp.pathAt(), cPchar|cSlash, "wais-char"); err != nil {
		return nil, err
	}
	if err = u.text(sp.Query, sp.qAt(), cFragment, "wais-char"); err != nil {
		return nil, err
	}
	db, doc, hasDoc := strings.Cut(strings.TrimPrefix(sp.Path, "/"), "/")
	if db == "" {
		return nil, u.fail(sp.pathAt(), "wais-database-missing")
	}
	u.Database = decode(db)
	if hasDoc && doc == "" {
		u.note(Lax, "wais-trailing-slash")
		hasDoc = false
	}
	switch {
	case sp.HasQuery && hasDoc:
		return nil, u.fail(sp.qAt()-1, "wais-search-and-doc")
	case sp.HasQuery:
		u.Form, u.Search = WAISSearch, decode(sp.Query)
	case hasDoc:
		if err = u.document(doc); err != nil {
			return nil, err
		}
	}
	return u, u.fragment()
}

// document reads <wtype>/<wpath>; digits and a further slash are UDI's length.
func (u *WAIS) document(doc string) *Error {
	wtype, path, _ := strings.Cut(doc, "/")
	if wtype == "" {
		return u.fail(u.sp.pathAt(), "wais-wtype-missing")
	}
	if path == "" {
		return u.fail(u.sp.pathAt()+len(u.sp.Path), "wais-wpath-missing")
	}
	u.Form, u.Type = WAISDocument, decode(wtype)
	if digits, rest, ok := strings.Cut(path, "/"); ok && digits != "" && allIn(digits, cDigit) {
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return u.fail(u.sp.pathAt(), "wais-length")
		}
		if rest == "" {
			return u.fail(u.sp.pathAt()+len(u.sp.Path), "wais-wpath-missing")
		}
		u.Form, u.Length, path = WAISUDIDocument, n, rest
		u.note(Ext, "udi-wais-length")
	} else if ok {
		u.note(Lax, "wais-wpath-raw-slash")
	}
	u.RawPath, u.Path = path, decode(path)
	return nil
}

// waisKey drops the slash after a database.
func (*WAIS) writeKey(p *keyWriter, sp *Parts) {
	path := sp.Path
	if n := len(path); n > 1 && path[n-1] == '/' && strings.Count(path, "/") == 2 {
		p.mark("wais-trailing-slash")
		path = path[:n-1]
	}
	p.add(path)
	p.addQuery(sp)
}
