package secret

import (
	"bytes"
	"slices"
	"strings"
)

// How far things go, in octets.
const (
	reach        = 420       // of a password in running text: from its ':' or from an '@' to the next '@'
	reachEscaped = 4 * reach // where some of them are escaped
	maxScheme    = 24        // of the name of a scheme
	maxPort      = 5         // of a port
	maxBracket   = 48        // of a host in brackets
)

// finder finds the secrets of s.
type finder struct {
	s     []byte
	whole bool // s is one reference
	torn  bool // s may end within a secret

	ats   seeker // '@'
	blank int    // the last blank that was looked for
	spans []Span
	steps int // characters read, for the test of growth
}

// all looks at each word in which a ':' stands: a user stands in one word with what it
// stands behind.
func (f *finder) all() []Span {
	f.ats, f.blank = newSeeker(f.s, '@'), -1
	colons := f.ats
	colons.want = ':'
	before := reachEscaped // an '@', in which a secret that ends there begins
	if f.ats.plain(f.s) {
		before = reach
	}
	for pos, done := 0, 0; ; { // where to go on, and up to where words are read
		colon := colons.from(f.s, pos)
		if colon == len(f.s) {
			return f.spans
		}
		if at := f.ats.from(f.s, colon); !f.torn && at == len(f.s) {
			return f.spans
		} else if !f.torn && !f.whole && at-colon > before {
			pos = at - before
			continue
		}
		word, first := colon, f.s[colon] == ':'
		for word > done && !isBlank(f.s[word-1]) {
			word--
			first = first && !bringsUser(f.s[word])
			f.steps++
		}
		if pos = colon + 1; !first { // else no user can stand before this ':'
			done = f.word(word)
			pos = done
		}
	}
}

// bringsUser says whether a user may stand behind c, or what it escapes.
func bringsUser(c byte) bool { return c == ':' || c == '/' || c == '\\' || c == '%' || c == '&' }

// hasUser says whether in some word of s a ':' stands behind what brings a user.
func hasUser(s string) bool {
	for i := strings.IndexByte(s, ':'); i >= 0; {
		for j := i - 1; j >= 0 && !isBlank(s[j]); j-- {
			if bringsUser(s[j]) {
				return true
			}
		}
		next := strings.IndexByte(s[i+1:], ':')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// before is what a user stands behind.
type before byte

const (
	nothing before = iota
	slashes        // "//", "\\" or a scheme's "x:/"
	scheme         // "x:"
	naming         // "x:" of a scheme whose references name things
)

// word looks at the word at i up to its end, or that of the first secret that begins in
// it, and says where to go on.
func (f *finder) word(i int) int {
	var (
		name   = -1    // where what may be the name of a scheme begins
		user   = 0     // where a user begins,
		behind before  // behind what,
		octets = 1     // and how many octets of that stand for one character
		run    = 0     // slashes just read
		colon  = false // the ':' of a scheme was just read, and nothing since but slashes
		last   = byte(' ')
	)
	for i < len(f.s) && !isBlank(f.s[i]) {
		c, n := token(f.s, i)
		f.steps++
		at := i
		i += n
		switch {
		case isSlash(c):
			if run++; run > 1 || colon && (c == '/' || at-name > 2) {
				user, behind, octets = i, slashes, n
			} else if c == '/' && n <= octets {
				behind = nothing // a '\' may stand in a user: DOMAIN\ann
			}
			last = c
			continue
		case c == ':':
			if behind == slashes || behind >= scheme && at > user && !f.nested(string(f.s[user:min(at, user+maxScheme)]), i) {
				if to := f.secret(user, at, i, behind); to > i {
					f.spans = append(f.spans, Span{i, to})
					return to
				}
			}
			behind = nothing
			if colon = name >= 0; colon {
				user, behind, octets = i, kindOf(string(f.s[name:at])), n
			}
		case c == '[' && (at == user || last == '@'):
			i = f.bracket(i)
			name, colon = -1, false
		case n <= octets && f.endsUser(c, last, behind): // what is escaped once more stands in a user
			name, behind, colon = -1, nothing, false
		default:
			if colon || !inScheme(c) {
				name = -1
			}
			if colon = false; name < 0 && isLetter(c) && !isLetter(last) && !isDigit(last) && last != '@' {
				name = at
			}
		}
		run, last = 0, c
	}
	return i
}

// endsUser says whether c, behind last, stands in no user.
func (f *finder) endsUser(c, last byte, behind before) bool {
	switch c {
	case '?', '#':
		return true
	case '"', '<', '>':
		return !f.whole
	case '(':
		return last == ']' || behind >= scheme // "](" of Markdown
	case ';', ',', '=', ')', '{', '}':
		return behind >= scheme // style="a:b;c:d"
	}
	return isBlank(c)
}

func kindOf(name string) before {
	switch strings.ToLower(name) {
	case "urn", "info", "doi", "hdl", "oai", "tag", "ark":
		return naming
	}
	return scheme
}

func oneOf(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }

func inScheme(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '+' || c == '-' || c == '.'
}

// nested says whether what stands before the ':' in front of i is a scheme in another, and
// no user: "//" follows, perhaps behind a common one, or it is one whose references hold an '@'
// and no password.
func (f *finder) nested(word string, i int) bool {
	switch strings.ToLower(word) {
	case "mailto", "news", "mid", "cid", "url":
		return true
	}
	if name, rest, ok := bytes.Cut(f.s[i:min(len(f.s), i+maxScheme)], []byte{':'}); ok && slices.Contains(common, string(name)) {
		i += len(f.s[i:min(len(f.s), i+maxScheme)]) - len(rest)
	}
	for range 2 {
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

// secret gives the end of the secret that begins at from, behind the ':' at colon; 0 for
// none. The user before it begins at user.
func (f *finder) secret(user, colon, from int, behind before) int {
	if f.port(from) || f.drive(user, colon, from) {
		return 0
	}
	if f.whole {
		return f.lastAt(from)
	}
	to := 0
	for at := from; ; {
		next := f.ats.from(f.s, at)
		if next == len(f.s) || !f.reaches(at, next, behind) {
			break
		}
		to = next
		_, n := token(f.s, next)
		at = next + n
	}
	if rest := f.s[from:]; to == 0 && f.torn && behind == slashes && len(rest) <= reachEscaped &&
		bytes.IndexFunc(rest, endsWord) < 0 && bytes.IndexFunc(rest, isWord) >= 0 {
		return len(f.s)
	}
	return to
}

func isWord(r rune) bool { return r >= 0x80 || isLetter(byte(r)) || isDigit(byte(r)) }

func endsWord(r rune) bool { return r < 0x80 && isBlank(byte(r)) || r == '/' || r == '?' || r == '#' }

// lastAt is the last '@' of the whole; 0 for none behind from.
func (f *finder) lastAt(from int) (last int) {
	for i := from; ; {
		i = f.ats.from(f.s, i)
		if i == len(f.s) {
			return last
		}
		_, n := token(f.s, i)
		last, i = i, i+n
	}
}

// reaches says whether a password may go on from one place to an '@'. It may hold blanks
// and one line end, but not in a name such as urn:isbn:0-395-36341-1.
func (f *finder) reaches(from, at int, behind before) bool {
	f.steps += min(at-from, reachEscaped)
	switch n := at - from; {
	case n > reachEscaped, n > reach && !bytes.ContainsAny(f.s[from:from+reach], escapes):
		return false
	case behind == naming && f.nextBlank(from) < at:
		return false
	}
	return bytes.Count(f.s[from:at], []byte{'\n'}) <= 1
}

// nextBlank is the first blank, tab or line end from i on. It is asked with rising positions.
func (f *finder) nextBlank(i int) int {
	if f.blank < i {
		f.blank = len(f.s)
		if n := bytes.IndexAny(f.s[i:], " \t\r\n"); n >= 0 {
			f.blank = i + n
		}
	}
	return f.blank
}
