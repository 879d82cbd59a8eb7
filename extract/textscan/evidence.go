package textscan

import (
	"bytes"
	"strings"

	"linkcheck/internal/ascii"
)

// score adds up the evidence that the reference goes on behind the line break;
// see joinScore.
func (j lineBreak) score() int {
	if len(j.word) == 0 || !j.mayGoOn() {
		return -10
	}
	n := j.endEvidence() + j.wordEvidence()
	if j.line+wordLength(j.word) >= j.width {
		n++ // it would not have fitted
	} else {
		n -= 2
	}
	if rest := bytes.TrimLeft(j.rest, ".,;:)]'>\" \t\r"); len(rest) == 0 || bytes.HasPrefix(j.rest, []byte("  ")) || rest[0] == '(' {
		n++
	}
	if j.paged || j.shallow {
		n--
	}
	n -= j.listed
	if j.column && j.indent < -8 {
		n -= 3
	}
	if j.closed {
		n += 2
	}
	if j.indent > 8 {
		n++
	}
	if j.dedent {
		n -= 2
	}
	if j.midWord() && (j.line < minHardLine || j.line > maxHardLine) {
		n -= 4
	}
	return n
}

// The length of lines that were cut inside a word.
const minHardLine, maxHardLine = 60, 132

// midWord says whether the break is inside a word, as programs make it that cut
// lines at a fixed length.
func (j lineBreak) midWord() bool {
	return ascii.Alnum(j.last) && (ascii.Alnum(j.word[0]) || j.word[0] == '_') && !j.splitExtension()
}

// mayGoOn rules out words that cannot belong to the reference.
func (j lineBreak) mayGoOn() bool {
	c := j.word[0]
	switch {
	case !ascii.Alnum(c) && bytes.IndexByte([]byte("/~%_?=&#.-+;"), c) < 0:
		return false
	case bytes.Contains(j.word[:min(3, len(j.word))], []byte("//")):
		return false // an authority without its scheme
	case len(j.word) == 1 && len(bytes.TrimSpace(j.rest)) > 0:
		return false // a bullet, an article
	case !ascii.Alnum(c) && len(j.word) < 3, ruler(j.word), softBlank(j.word), j.startsAnew():
		return false
	case ascii.Alnum(j.last) && (strings.Contains(j.path(), "/") && ftpHost(hostOf(j.word)) || j.sameRoot()):
		return false // the next in a list
	case hasScheme(j.word) || bytes.HasPrefix(j.word, []byte("www.")):
		return false
	case bytes.IndexByte(j.word, '@') >= 0 && bytes.IndexByte(j.word, '/') < 0:
		return false
	case bytes.HasPrefix(j.rest, []byte(":")) || bytes.HasPrefix(bytes.TrimLeft(j.rest, " \t"), []byte(": ")):
		return false // a label
	case bytes.Contains(j.rest, []byte("://")) && bytes.IndexByte(j.rest, '=') >= 0:
		return false // the next row of a table
	}
	return bytes.IndexByte([]byte(",;:!)]}'"), j.last) < 0
}

// startsAnew says whether the word behind the break is surely no part of the
// reference: a label, a path of the local file system, a commit, a date.
func (j lineBreak) startsAnew() bool {
	prose := len(bytes.TrimSpace(j.rest)) > 0
	switch {
	case j.label:
		return true
	case ascii.Alnum(j.last) && rooted(j.word), digest(j.word):
		return true
	case prose && dated(j.word):
		return true
	}
	return false
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
	case 'A' <= c && c <= 'Z' && j.line < textWidth:
		n -= 3 // a directory, and a file in it
	}
	return n
}

// splitExtension says whether the break is inside the extension of a file's name:
// ".z", "ip".
func (j lineBreak) splitExtension() bool {
	run := j.word[:len(j.word)-len(bytes.TrimLeftFunc(j.word, func(r rune) bool { return r < 0x80 && ascii.Alnum(byte(r)) }))]
	return ascii.Alnum(j.last) && len(run) > 0 && len(bytes.TrimSpace(j.rest)) == 0 && extension(j.ref+string(run)) && strings.Contains(j.path(), ".")
}

// wordEvidence weighs whether the word behind the break looks like the rest of a
// reference or like prose.
func (j lineBreak) wordEvidence() int {
	w := j.word
	switch {
	case connective[ascii.Lower(w)]:
		return -5
	case prose(w, ascii.Alnum(j.last)):
		return -2
	}
	n := 0
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

// rooted says whether a word is a path of the local file system.
func rooted(w []byte) bool {
	for _, root := range []string{"/usr/", "/etc/", "/var/", "/home/", "/opt/", "/tmp/"} {
		if bytes.HasPrefix(w, []byte(root)) {
			return true
		}
	}
	return false
}

// digest says whether a word is a whole SHA-1 or SHA-256 in hexadecimal.
func digest(w []byte) bool {
	return (len(w) == 40 || len(w) == 64) && len(bytes.Trim(w, "0123456789abcdef")) == 0
}

// dated says whether a word is a date, a span of years or the number of an
// edition: digits with something between them.
func dated(w []byte) bool {
	inner := bytes.TrimRight(w, "0123456789")
	return '0' <= w[0] && w[0] <= '9' && len(bytes.Trim(w, "0123456789.-/:T+,")) == 0 && len(bytes.Trim(inner, "0123456789")) > 0
}

// wordLength is how much of the word would have had to fit on the line before:
// lines are broken behind slashes and hyphens.
func wordLength(word []byte) int {
	if i := bytes.IndexAny(word, "/-"); i > 0 {
		return i + 1
	}
	return len(word)
}
