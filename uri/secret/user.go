package secret

import (
	"bytes"
	"slices"
	"strings"
)

// behind is what a user stands behind.
type behind byte

const (
	nothing behind = iota
	slashes        // "//", "\\" or a scheme's "x:/"
	path           // one of those, and a '/', '?' or '#' or a port
	opaque         // "x:", and a '/', '?' or '#'
	scheme         // "x:"
	naming         // "x:" of a scheme whose references name things
)

// reading is where in a reference a reader is.
type reading struct {
	behind behind
	user   int  // where a user begins,
	octets int  // how many octets of what it stands behind stand for one character,
	gaps   int  // and how many blanks were read since, a line end as two
	name   int  // where what may be the name of a scheme begins; -1 for nowhere
	slash  int  // slashes just read
	colon  bool // the ':' of a scheme was just read, and nothing since but slashes
	last   byte
}

// words looks at the words at i up to the end of the one that until stands in, or that of
// a user there, or that of the first secret that begins in them. It says where to go on.
func (f *finder) words(i, until int) int {
	r := reading{octets: 1, name: -1, last: ' '}
	for i < len(f.s) {
		if !f.whole && isBlank(f.s[i]) {
			end := f.gap(i)
			if r.gaps += 1 + bytes.Count(f.s[i:end], []byte{'\n'}); r.behind != slashes || r.gaps > maxGaps {
				if i > until {
					return i
				}
				r.behind = nothing
			}
			i = end
			r.name, r.slash, r.colon, r.last = -1, 0, false, ' '
			continue
		}
		c, n := token(f.s, i)
		f.steps++
		at := i
		i += n
		switch {
		case isSlash(c):
			f.slash(&r, c, at, i)
			continue
		case c == ':':
			nested, to := f.colon(&r, at, i)
			if to > i {
				f.spans = append(f.spans, Span{i, to})
				f.paths = f.paths || r.behind == path || r.behind == opaque
				return to
			}
			f.pass(&r, nested, at, i)
		case c == '[' && (at == r.user || r.last == '@'):
			i = f.bracket(i)
			r.name, r.colon = -1, false
		default:
			if n <= r.octets {
				r.behind = f.after(&r, c)
			}
			if r.colon || !inScheme(c) {
				r.name = -1
			}
			if r.colon = false; r.name < 0 && isLetter(c) && !isLetter(r.last) && !isDigit(r.last) && r.last != '@' {
				r.name = at
			}
			for n == 1 && alnum[c] && i < len(f.s) && alnum[f.s[i]] { // what follows in a name changes nothing
				c = f.s[i]
				i++
				f.steps++
			}
		}
		r.slash, r.last = 0, c
	}
	return i
}

// gap gives the end of the blanks at i, and of the quote marks behind a line end in them.
func (f *finder) gap(i int) int {
	quoted := false
	for ; i < len(f.s) && (isBlank(f.s[i]) || quoted && oneOf(f.s[i], ">|")); i++ {
		quoted = quoted || f.s[i] == '\n'
		f.steps++
	}
	return i
}

// slash reads a slash, from at up to i.
func (f *finder) slash(r *reading, c byte, at, i int) {
	r.slash++
	switch {
	case r.slash > 1 || r.colon && (c == '/' || i-at > 2):
		r.user, r.behind, r.octets, r.gaps = i, slashes, i-at, 0
	case c == '/' && i-at <= r.octets: // a '\' may stand in a user: DOMAIN\ann
		r.behind = f.within(r.behind)
	}
	r.name, r.last = -1, c
}

// within is what a user stands behind when a '/', '?' or '#' stands in it.
func (f *finder) within(b behind) behind {
	switch {
	case f.sure || b == nothing || b == naming && !f.whole:
		return nothing
	case b >= scheme:
		return opaque
	case b == slashes:
		return path
	}
	return b
}

// colon gives the end of the secret that begins behind a ':', from at up to i, and says
// whether it is the ':' of a scheme in another.
func (f *finder) colon(r *reading, at, i int) (nested bool, to int) {
	switch r.behind {
	case nothing:
		return false, 0
	case slashes: // what follows a blank may be another reference
		name := at
		if r.name >= 0 {
			name = r.name
		}
		nested = r.gaps > 0 && f.nested(f.s[name:at], i, true)
	case path, opaque:
		nested = r.name >= 0 && f.nested(f.s[r.name:at], i, true)
	case scheme, naming:
		nested = at == r.user || f.nested(f.s[r.user:at], i, false)
	}
	if !nested {
		to = f.end(r.user, at, i, r.behind)
	}
	return nested, to
}

// pass goes on behind a ':', from at up to i, that no secret stands behind.
func (f *finder) pass(r *reading, nested bool, at, i int) {
	r.colon = r.name >= 0
	switch b := f.within(r.behind); {
	case r.colon && (nested || b == nothing || b == opaque && r.behind >= scheme):
		r.user, r.behind, r.octets, r.gaps = i, kindOf(string(f.s[r.name:at])), i-at, 0
	default:
		r.behind = b
	}
}

// after is what a user stands behind when c stands in it.
func (f *finder) after(r *reading, c byte) behind {
	switch c {
	case '?', '#':
		return f.within(r.behind)
	case '"', '<', '>':
		if !f.whole {
			return nothing
		}
	case '(':
		if r.last == ']' { // "](" of Markdown
			return nothing
		}
		fallthrough
	case ';', ')', '{', '}':
		if r.behind == opaque && !f.whole {
			return nothing // style="a:b/c;d:e"
		}
		fallthrough
	case ',', '=':
		if r.behind >= scheme && !f.whole {
			return nothing // style="a:b;c:d"
		}
	default:
		if isBlank(c) && r.behind >= scheme && !f.whole {
			return nothing
		}
	}
	return r.behind
}

func kindOf(name string) behind {
	switch strings.ToLower(name) {
	case "urn", "info", "doi", "hdl", "oai", "tag", "ark":
		return naming
	}
	return scheme
}

func inScheme(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '+' || c == '-' || c == '.'
}

// nested says whether the word before the ':' in front of i is a scheme in another, and
// no user: "//" follows, perhaps behind a common one, or it is one whose references hold an '@'
// and no password. In a path or query a common one wants no second '/', and a "Re:" is the
// subject of a mail.
func (f *finder) nested(word []byte, i int, path bool) bool {
	if len(word) > maxScheme {
		word = word[:maxScheme]
	}
	slashes := 2
	switch name := strings.ToLower(string(word)); name {
	case "mailto", "news", "mid", "cid", "url":
		return true
	case "re", "fwd", "fw":
		if path {
			return true
		}
	default:
		if path && slices.Contains(common, name) {
			slashes = 1
		}
	}
	if name, rest, ok := bytes.Cut(f.s[i:min(len(f.s), i+maxScheme)], []byte{':'}); ok && slices.Contains(common, string(name)) {
		i += len(f.s[i:min(len(f.s), i+maxScheme)]) - len(rest)
	}
	for range slashes {
		if i >= len(f.s) {
			return false
		}
		c, n := token(f.s, i)
		if !isSlash(c) {
			return false
		}
		i += n
	}
	return true
}

// common are schemes that stand in others, as in URL:jar:http://.
var common = []string{"http", "https", "ftp", "gopher", "telnet", "file"}
