package secret

import "bytes"

// How far things go, in octets.
const (
	reach        = 420       // of a password in running text: from its ':' or from an '@' to the next '@'
	reachEscaped = 4 * reach // where some of them are escaped
	maxGaps      = 2         // blanks in a user in running text; a line end is two
	maxGapsPath  = 3         // and in a password whose user holds a '/', '?' or '#'
	maxScheme    = 24        // of the name of a scheme
	maxPort      = 5         // of a port
	maxBracket   = 48        // of a host in brackets
)

// finder finds the secrets of s.
type finder struct {
	s     []byte
	whole bool // s is one reference
	torn  bool // s may end within a secret
	sure  bool // a user holds no '/', '?' and '#'

	ats   seeker // '@'
	blank int    // the last blank that was looked for
	spans []Span
	paths bool // one of them has a user with a '/', '?' or '#'
	steps int  // characters read, for the test of growth
}

// find gives the secrets of s in order. In running text those whose user holds no '/', '?'
// and '#' are hidden to their ends, whatever begins before them.
func (f finder) find() []Span {
	wide := f
	spans := wide.all()
	if f.whole || !wide.paths {
		return spans
	}
	f.sure = true
	spans = append(spans, f.all()...)
	return merge(spans)
}

// all looks at each stretch of words in which a ':' stands.
func (f *finder) all() []Span {
	e := see(f.s)
	f.ats, f.blank = newSeeker(f.s, '@', e.at), -1
	colons := newSeeker(f.s, ':', e.colon)
	before := reachEscaped // an '@', in which a secret that ends there begins
	if !e.escapes {
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
		word, brings := f.start(colon, done)
		if pos = colon + 1; brings || f.s[colon] != ':' {
			done = f.words(word, colon)
			pos = done
		}
	}
}

// start is where the words begin in which a user before a ':' may stand, with what that
// stands behind: some words back, but not before done. It says whether something in them
// brings a user.
func (f *finder) start(colon, done int) (i int, brings bool) {
	if f.whole {
		return done, true
	}
	gaps := 0
	for i = colon; i > done; i-- {
		f.steps++
		switch c := f.s[i-1]; {
		case isBlank(c):
			if i == colon || !isBlank(f.s[i]) {
				gaps++
			}
			if gaps > 2*maxGaps { // a line end with quote marks holds two
				return i, brings
			}
		case c == ':': // of the same word, or of a scheme with a slash
			brings = brings || gaps == 0 || f.s[i] == '/'
		case c == '/':
			brings = brings || f.s[i] == '/'
		case bringsUser(c):
			brings = true
		}
	}
	return i, brings
}

// bringsUser says whether a user may stand behind c, or what it escapes.
func bringsUser(c byte) bool { return c == ':' || c == '/' || c == '\\' || c == '%' || c == '&' }

// hasUser says whether in s a ':' stands behind what brings a user.
func hasUser(s []byte) bool {
	last := len(s) - 1
	for last > 0 && s[last] != ':' {
		last--
	}
	for i := range max(last, 0) {
		if bringsUser(s[i]) {
			return true
		}
	}
	return false
}

// end is that of the secret that begins at from, behind the ':' at colon; 0 for none. The
// user before it begins at user.
func (f *finder) end(user, colon, from int, behind behind) int {
	if f.port(from) || f.drive(user, colon, from) {
		return 0
	}
	if f.whole {
		return f.lastAt(from)
	}
	to, gaps := 0, 0
	for at := from; ; {
		next := f.ats.from(f.s, at)
		if next == len(f.s) || !f.reaches(at, next, behind) {
			break
		}
		if behind == path || behind == opaque {
			if gaps += f.gaps(at, next); gaps > maxGapsPath {
				break
			}
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
func (f *finder) reaches(from, at int, behind behind) bool {
	f.steps += min(at-from, reachEscaped)
	switch n := at - from; {
	case n > reachEscaped, n > reach && !bytes.ContainsAny(f.s[from:from+reach], escapes):
		return false
	case behind == naming && f.nextBlank(from) < at:
		return false
	}
	return bytes.Count(f.s[from:at], []byte{'\n'}) <= 1
}

// gaps counts the blanks in a part of s, line ends with quote marks too.
func (f *finder) gaps(from, to int) (n int) {
	for i := from; i < to; i++ {
		if isBlank(f.s[i]) {
			i = f.gap(i) - 1
			n++
		}
	}
	return n
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
