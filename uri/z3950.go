package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

var z3950Scheme = Descriptor{
	Name: "z39.50r", DefaultPort: 210, Spec: "RFC 2056 section 4", Text: SpelledSlashes,
	aliases: []alias{{"z39.50s", 210, "RFC 2056 section 3"}},
	syntax:  syntaxQuery, unres: chars.Unreserved, parse: parseZ3950,
}

// Z3950 is a z39.50r or z39.50s URL.
//
//	zscheme "://" host [":" port]
//	        ["/" [database *["+" database] ["?" docid]]
//	             [";esn=" elementset]
//	             [";rs=" recordsyntax *[ "+" recordsyntax]]]   RFC 2056 section 5
//
// The BNF's one-character database and docid are read as strings, as its examples are.
type Z3950 struct {
	base
	At         Endpoint
	Retrieval  bool // z39.50r
	Databases  []string
	DocID      *string
	ElementSet *string
	Syntaxes   []string // rs, in order of preference
	Ext        []Param
}

// Endpoint implements [URI].
func (u *Z3950) Endpoint() (Endpoint, bool) { return u.At, true }

// z3950Forgiven may stand raw: the uchar of RFC 1738, and what writers of today leave so.
const z3950Forgiven = chars.Uchar | chars.Pchar | chars.Slash | chars.Question

func parseZ3950(p Parts) URI {
	u := &Z3950{base: newBase(p), Retrieval: p.desc.Name == "z39.50r"}
	if i := strings.IndexByte(p.Host+p.Port, ';'); i >= 0 {
		u.fail(p.hostAt()+i, "z3950-slash-missing")
	}
	u.At, _ = u.authority(0)
	rest := p.rest()
	u.text(rest, p.pathAt(), z3950Forgiven, "z3950-char")
	if strings.HasPrefix(rest, "?") {
		u.fail(p.pathAt(), "z3950-slash-missing")
	}
	head, params, has := strings.Cut(strings.TrimPrefix(rest, "/"), ";")
	u.item(head)
	if has {
		u.params(params)
	}
	return u
}

// item reads the databases and the docid.
func (u *Z3950) item(head string) {
	at := u.p.pathAt()
	dbs, doc, hasDoc := strings.Cut(head, "?")
	if dbs != "" {
		for db := range strings.SplitSeq(dbs, "+") {
			if db == "" {
				u.fail(at, "z3950-database-empty")
			}
			u.laxRaw(db, chars.Uchar, "z3950-database-char")
			u.Databases = append(u.Databases, chars.Decode(db))
		}
	}
	switch {
	case hasDoc && dbs == "":
		u.fail(at, "z3950-docid-without-database")
	case hasDoc && doc == "":
		u.fail(at, "z3950-docid-empty")
	case hasDoc:
		u.laxRaw(doc, chars.Uchar, "z3950-docid-char")
		u.DocID = new(chars.Decode(doc))
	case u.Retrieval && dbs == "":
		u.fail(at, "z3950-database-missing") // section 4: "A database is required."
	case u.Retrieval:
		u.note(Valid, "z3950r-no-docid-undefined") // section 4: the meaning is undefined
	}
}

// params reads ";keyword=value"; the BNF fixes esn before rs.
func (u *Z3950) params(s string) {
	at := u.p.pathAt()
	for p := range strings.SplitSeq(s, ";") {
		k, v, ok := strings.Cut(p, "=")
		switch {
		case !ok || k == "":
			u.fail(at, "z3950-param-form")
		case v == "":
			u.fail(at, "z3950-param-empty")
		default:
			u.param(k, v)
		}
	}
}

func (u *Z3950) param(k, v string) {
	at := u.p.pathAt()
	word := chars.Lower(k)
	if word != "esn" && word != "rs" {
		u.Ext = append(u.Ext, Param{chars.Decode(k), chars.Decode(v)})
		u.note(Ext, "2056-extension")
		return
	}
	if word != k {
		u.note(Lax, "z3950-keyword-case")
	}
	u.laxRaw(v, chars.Uchar, "z3950-param-char")
	if word == "esn" && u.ElementSet != nil || word == "rs" && u.Syntaxes != nil {
		u.fail(at, "z3950-param-repeated")
	}
	if word == "esn" {
		if u.Syntaxes != nil {
			u.note(Lax, "z3950-param-order")
		}
		u.ElementSet = new(chars.Decode(v))
		return
	}
	for rs := range strings.SplitSeq(v, "+") {
		if rs == "" {
			u.fail(at, "z3950-param-empty")
		}
		u.Syntaxes = append(u.Syntaxes, chars.Decode(rs))
	}
}

// writeKey: only host is required; '+' is no separator outside databases and
// rs; esn stands before rs.
func (*Z3950) writeKey(w *keyWriter, p *Parts) {
	rest := p.rest()
	if rest == "" {
		w.mark(stepPathEmpty)
	}
	head, params, has := strings.Cut(strings.TrimPrefix(rest, "/"), ";")
	dbs, doc, hasDoc := strings.Cut(head, "?")
	w.add("/")
	w.z3950Word(dbs, true)
	if hasDoc {
		w.add("?")
		w.z3950Word(doc, false)
	}
	if !has {
		return
	}
	list := strings.Split(params, ";")
	w.z3950Order(list)
	for _, param := range list {
		k, v, _ := strings.Cut(param, "=")
		w.add(";")
		switch word := chars.Lower(k); word {
		case "esn", "rs":
			if word != k {
				w.mark(stepZ3950KeywordCase)
			}
			w.add(word, "=")
			w.z3950Word(v, word == "rs")
		default:
			w.add(param)
		}
	}
}

// z3950Order puts esn where a preceding rs stands.
func (w *keyWriter) z3950Order(list []string) {
	rs := -1
	for i, param := range list {
		switch k, _, _ := strings.Cut(param, "="); chars.Lower(k) {
		case "rs":
			rs = i
		case "esn":
			if rs >= 0 {
				w.mark(stepZ3950ParamOrder)
				list[rs], list[i] = list[i], list[rs]
			}
			return
		}
	}
}

// z3950Word writes a word with the unreserved characters of RFC 1738 shown; in a
// list a raw '+' splits, so its escape stays.
func (w *keyWriter) z3950Word(s string, list bool) {
	for i := 0; i < len(s); i++ {
		o, escaped := s[i], chars.IsEscape(s, i)
		if escaped {
			o = chars.Unhex(s[i+1])<<4 | chars.Unhex(s[i+2])
			i += 2
		}
		show := chars.Is(o, chars.Uchar|chars.Unreserved) && !(list && escaped && o == '+')
		switch {
		case show && escaped:
			w.mark(stepZ3950UnreservedPlus)
		case !show && !escaped:
			w.mark(stepZ3950ReservedEscaped)
		}
		if show {
			w.buf = append(w.buf, o)
		} else {
			w.buf = chars.AppendEscape(w.buf, o)
		}
	}
}

func (u *Z3950) components() members {
	return members{
		"databases": texts(u.Databases), "docid": optional(u.DocID), "esn": optional(u.ElementSet),
		"rs": texts(u.Syntaxes), "ext": params(u.Ext),
	}
}
