package textscan

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"linkcheck/internal/ascii"
)

// score adds up the evidence that the reference goes on behind the line break;
// see joinScore.
func (j lineBreak) score() int {
	if len(j.word) == 0 || !j.mayGoOn() {
		return -10
	}
	n := j.endEvidence() + j.wordEvidence() - j.listed
	rest := bytes.TrimLeft(j.rest, ".,;:)]'>\" \t\r")
	for _, e := range []struct {
		holds  bool
		weight int
	}{
		{j.fits, -2}, {!j.fits, 1},
		{len(rest) == 0 || bytes.HasPrefix(j.rest, []byte("  ")) || rest[0] == '(', 1}, // the word stands alone
		{j.paged || j.shallow, -1},
		{j.column && j.indent < -8, -3},
		{j.closed, 2},
		{j.indent > 8, 1},
		{j.dedent, -2},
		{j.midWord() && !j.hard, -4},
		{j.midWord() && j.cut, 3 + j.listed},
		{j.midWord() && j.cut && j.again, 1},
		{!j.midWord() && j.cut && j.sure(), 1},
	} {
		if e.holds {
			n += e.weight
		}
	}
	return n
}

// The length of lines that were cut inside a word, and the room that is left on such lines
// where it is known.
const minHardLine, maxHardLine, hardRoom = 60, 132, 2

// midWord says whether the break is inside a word, as programs make it that cut
// lines at a fixed length.
func (j lineBreak) midWord() bool {
	return ascii.Alnum(j.last) && (ascii.Alnum(j.word[0]) || j.word[0] == '_') && !j.splitExtension()
}

// mayGoOn rules out words that cannot belong to the reference.
func (j lineBreak) mayGoOn() bool {
	c, stopped, alone := j.word[0], ascii.Alnum(j.last), j.alone()
	switch {
	case bytes.IndexByte([]byte(",;:!)]}'"), j.last) >= 0,
		j.need() > 2 && j.fits, j.need() > 0 && ftpHost(hostOf(j.word)), // another row
		c == ':' && !(onlyHost(j.ref) && ascii.Digits(j.word[1:])),
		!ascii.Alnum(c) && c != ':' && (len(j.word) < 3 || bytes.IndexByte([]byte("/~%_?=&#.-+;"), c) < 0),
		bytes.Contains(j.word[:min(3, len(j.word))], []byte("//")),                                 // an authority without its scheme
		len(j.word) == 1 && !alone && !j.cut && !(j.last == '.' && extension("x."+string(j.word))), // a bullet, an article
		j.last == '/' && bytes.IndexByte(j.word, '/') < 0 && (j.need() > 0 && ascii.Alnum(c) && (c < 'a' || c > 'z') || // another row
			ascii.Digits(j.word) && !alone && ascii.Blank(j.rest[0])), // the number of a house
		ruler(j.word), softBlank(j.word), j.label && !(j.last == '-' && bytes.IndexByte(j.word, '/') > 0), digest(j.word),
		stopped && rooted(j.word), // a path of the local file system
		!alone && dated(j.word),
		stopped && (strings.Contains(j.path(), "/") && ftpHost(hostOf(j.word)) || j.sameRoot()), // the next in a list
		j.column && j.indent < 0 && wordAhead(j.rest),                                           // a row that begins with a word and a gap
		hasScheme(j.word), stopped && labelled(j.word), bytes.HasPrefix(j.word, []byte("www.")),
		bytes.IndexByte(j.word, '@') >= 0 && bytes.IndexByte(j.word, '/') < 0,
		bytes.HasPrefix(j.rest, []byte(":")), bytes.HasPrefix(bytes.TrimLeft(j.rest, " \t"), []byte(": ")), // a label
		j.last != '?' && bytes.Contains(j.rest, []byte("://")) && bytes.IndexByte(j.rest, '=') >= 0: // the next row of a table
		return false
	}
	return true
}

// wordAhead says whether text stands behind a wide gap.
func wordAhead(rest []byte) bool {
	left := bytes.TrimLeft(rest, " \t\r")
	return len(left) > 0 && wideGap(rest[:len(rest)-len(left)])
}

// labelled says whether another address begins inside a word, behind the colon of a
// table's field: "clouds:http://host/".
func labelled(w []byte) bool {
	n := bytes.Index(w, []byte("://"))
	for n > 0 && ascii.Letter(w[n-1]) {
		n--
	}
	return n > 0 && w[n-1] == ':'
}

// path is what follows the authority of the reference so far, with its slash.
func (j lineBreak) path() string {
	_, rest, _ := strings.Cut(j.ref, "//")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return ""
}

// sameRoot says whether the word is another path from the root that the
// reference begins with ("ftp://h/pub/a", below it "/pub/b").
func (j lineBreak) sameRoot() bool {
	first, _, ok := bytes.Cut(j.word[1:], []byte("/"))
	return ok && j.word[0] == '/' && strings.HasPrefix(j.path(), "/"+string(first)+"/")
}

// endEvidence weighs how the reference stops at the break.
func (j lineBreak) endEvidence() int {
	if j.splitExtension() {
		return 5
	}
	switch j.last {
	case '-':
		return 6 // references hardly ever end in a hyphen
	case '=', '&', '%', '?', '_', '~', '+', '#':
		return 3
	case '/':
		return 1
	case '.':
		switch {
		case extension("x." + string(j.word)):
			return 3
		case extension(strings.TrimSuffix(j.ref, ".")):
			return -4 // a sentence ends behind a file's name
		case 'A' <= j.word[0] && j.word[0] <= 'Z':
			return -4
		}
		return 0
	}
	n := -1
	if extension(j.ref) {
		n -= 3
	}
	if j.path() == "" {
		n--
	}
	switch c := j.word[0]; {
	case c == '/':
		n += 2
	case 'A' <= c && c <= 'Z' && j.short:
		n -= 3 // a directory, and a file in it
	}
	return n
}

// splitExtension says whether the break is inside the extension of a file's name:
// ".z", "ip".
func (j lineBreak) splitExtension() bool {
	run := j.word[:ascii.Skip(j.word, 0, ascii.Alnum)]
	return ascii.Alnum(j.last) && len(run) > 0 && j.alone() && extension(j.ref+string(run)) && strings.Contains(j.path(), ".")
}

// wordEvidence weighs whether the word behind the break looks like the rest of a
// reference or like prose.
func (j lineBreak) wordEvidence() int {
	w := j.word
	switch {
	case connective[ascii.Lower(w)]:
		return -5
	case j.cut && len(w) == 1 && !bytes.ContainsAny(w, "aAI"): // no word
	case j.last == '.' && extension("x."+string(w)):
		return 2
	case j.firm && j.hard && j.midWord() && onlyLetters(w) && IsFragment(string(w)):
		return 2
	case j.firm && j.hard && camel(w):
	case prose(w, ascii.Alnum(j.last)):
		if j.firm && j.last == '/' && j.endsThere() && !function[ascii.Lower(w)] && 'a' <= w[0] && w[0] <= 'z' {
			return 1
		}
		return -2
	}
	n := 0
	if j.firm && len(w) > 1 && w[0] == '.' && ascii.Alnum(w[1]) {
		n += 2 // nor so
	}
	if len(w) > 2 && w[0] == '%' && hexDigit(w[1]) < 16 && hexDigit(w[2]) < 16 {
		n += 4 // no word begins so
	}
	if w[0] == ':' {
		n += 2 // a port: see mayGoOn
	}
	if bytes.IndexByte(w, '/') >= 0 {
		n += 2
	}
	if dotted(w) || extension("x."+string(w)) {
		n += 2
	}
	if bytes.ContainsAny(w, "_~%=&?#") {
		n += 2
	}
	if bytes.ContainsAny(w, "0123456789") && (dotted(w) || len(bytes.Trim(w, "0123456789")) > 0 || len(bytes.TrimSpace(j.rest)) == 0) {
		n++
	}
	return n
}

// endsThere says whether the sentence ends behind the word, or the paragraph or cell does: no
// sentence goes on behind an address for a word.
func (j lineBreak) endsThere() bool {
	rest := bytes.TrimLeft(j.rest, " ")
	return j.punctuated || j.alone() || rest[0] == '(' || rest[0] == '['
}

// camel says whether a capital follows a small letter, as in no word of a sentence but a name.
func camel(w []byte) bool {
	for i := 1; i < len(w); i++ {
		if 'a' <= w[i-1] && w[i-1] <= 'z' && 'A' <= w[i] && w[i] <= 'Z' {
			return true
		}
	}
	return false
}

func onlyLetters(w []byte) bool { return ascii.Skip(w, 0, ascii.Letter) == len(w) }

// rooted says whether a word is a path of the local file system.
func rooted(w []byte) bool {
	roots := []string{"/usr/", "/etc/", "/var/", "/home/", "/opt/", "/tmp/"}
	return slices.ContainsFunc(roots, func(root string) bool { return bytes.HasPrefix(w, []byte(root)) })
}

// digest says whether a word is a whole SHA-1 or SHA-256 in hexadecimal.
func digest(w []byte) bool {
	return (len(w) == 40 || len(w) == 64) && len(bytes.Trim(w, "0123456789abcdef")) == 0
}

// dated says whether a word is a date, a span of years or the number of an
// edition: digits with something between them, which may be the name of a month.
func dated(w []byte) bool {
	if i := bytes.IndexFunc(w, unicode.IsLetter); i > 0 && i+3 < len(w) && month[ascii.Lower(w[i:i+3])] && !ascii.Letter(w[i+3]) {
		w = slices.Concat(w[:i], w[i+3:])
	}
	if year, number, ok := bytes.Cut(w, []byte(".")); ok && len(year) > 2 && len(number) > 2 && ascii.Digits(year) && ascii.Digits(number) {
		return false // parts of a DOI
	}
	inner := bytes.TrimRight(w, "0123456789")
	return ascii.Digit(w[0]) && w[len(w)-1] != '/' && len(bytes.Trim(w, "0123456789.-/:T+,")) == 0 && len(bytes.Trim(inner, "0123456789")) > 0
}

var month = map[string]bool{"jan": true, "feb": true, "mar": true, "apr": true, "may": true, "jun": true, "jul": true, "aug": true, "sep": true, "oct": true, "nov": true, "dec": true}

// wordLength is how much of the word would have had to fit on the line before:
// lines are broken behind slashes and hyphens, but not before a digit (Unicode Standard Annex 14, rule LB25).
func wordLength(word []byte) int {
	for i := 1; i < len(word); i++ {
		if (word[i] == '/' || word[i] == '-') && (i+1 == len(word) || !ascii.Digit(word[i+1])) {
			return i + 1
		}
	}
	return len(word)
}
