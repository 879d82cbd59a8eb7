package uri

import (
	"cmp"
	"strconv"
	"strings"

	"linkcheck/uri/internal/chars"
)

var dictScheme = Descriptor{
	Name: "dict", DefaultPort: 2628, Spec: "RFC 2229 section 5", Text: SpelledSlashes,
	syntax: syntaxPath, unres: chars.Unreserved, parse: parseDict,
}

// Dict is a dict URL: a definition, or with Match a list of matches.
//
//	dict://<user>;<auth>@<host>:<port>/d:<word>:<database>:<n>           RFC 2229 section 5
//	dict://<user>;<auth>@<host>:<port>/m:<word>:<database>:<strat>:<n>
//
// All but the command and the word may be omitted, and so may trailing colons. A URL
// without a path names the server.
type Dict struct {
	base
	At       Endpoint
	User     *User
	Match    bool
	Word     string // "": the server is meant
	Database string // "!" if omitted: the first that has the word
	Strategy string // of a match; "." if omitted: the server's own
	N        int    // the nth definition or match; 0: all
}

// Endpoint implements [URI].
func (u *Dict) Endpoint() (Endpoint, bool) { return u.At, true }

func parseDict(p Parts) URI {
	u := &Dict{base: newBase(p)}
	u.At, u.User = u.authority(allowUser)
	u.text(p.Path, p.pathAt(), chars.Pchar|chars.Slash, "dict-char")
	if path := strings.TrimPrefix(p.Path, "/"); path != "" {
		u.request(strings.Split(path, ":"))
	} else {
		u.note(Lax, "dict-no-word")
	}
	return u
}

// request reads the fields of a path; CR, LF and NUL would reach the connection.
func (u *Dict) request(fields []string) {
	at := u.p.pathAt() + 1
	u.Match = fields[0] == "m"
	last := 3
	if u.Match {
		last = 4
	}
	switch {
	case fields[0] != "d" && fields[0] != "m":
		u.fail(at, "dict-command")
	case len(fields) < 2 || fields[1] == "":
		u.fail(at, "dict-word-missing")
	case len(fields) > last+1:
		u.fail(at, "dict-fields")
	}
	for i, f := range fields {
		fields[i] = chars.Decode(f)
		u.forbid("\r\n\x00", fields[i], at, "dict-crlf")
	}
	fields = append(fields, make([]string, last)...) // those left out are empty
	u.Word, u.Database = fields[1], cmp.Or(fields[2], "!")
	if u.Match {
		u.Strategy = cmp.Or(fields[3], ".")
	}
	n := fields[last]
	if !chars.AllIn(n, chars.Digit) || len(n) > 9 {
		u.fail(at, "dict-number")
	}
	u.N, _ = strconv.Atoi(n)
}

// writeKey leaves out what an omitted field stands for, and trailing colons.
func (u *Dict) writeKey(w *keyWriter, p *Parts) {
	if p.Path == "" {
		w.mark(stepPathEmpty)
		w.add("/")
		return
	}
	fields := strings.Split(p.Path, ":")
	if len(fields) > 2 && fields[2] == "!" {
		fields[2] = ""
	}
	if len(fields) > 3 && fields[3] == "." && fields[0] == "/m" {
		fields[3] = ""
	}
	key := strings.TrimRight(strings.Join(fields, ":"), ":")
	if key != p.Path {
		w.mark(stepDictOmitted)
	}
	w.add(key)
}

func (u *Dict) components() members {
	m := members{"match": u.Match, "word": text(u.Word), "database": text(u.Database), "n": u.N}
	if u.Match {
		m["strategy"] = text(u.Strategy)
	}
	return m.user(u.User)
}
