package textscan

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// A bare reference that stops at a line's end may go on in the next line. What
// speaks for it and against it is added up; joinScore is enough.
const joinScore = 2

const (
	maxJoins  = 5
	textWidth = 72 // of a line, where the lines around do not tell
)

// joinBare continues h, whose last line's rest is text[h.end:tail], over line ends.
func joinBare(text []byte, h hit, tail int, w wrapper) hit {
	for range maxJoins {
		rest := tail
		for rest < len(text) && (ascii.Blank(text[rest]) || text[rest] == '\r') {
			rest++
		}
		cut := string(text[h.end:tail])
		directory := cut == "," && strings.HasPrefix(doc.SchemeOf(h.uri), "ldap")
		if rest >= len(text) || text[rest] != '\n' || cut != "" && cut != "." && !directory {
			return h
		}
		eol, quote := rest, quoteMark(text, h.start)
		next, paged, ok := lineAfter(text, eol, quote)
		if !ok || len(quote) == 0 && text[eol+1] == '!' {
			return h // a change, or the next entry of a list
		}
		end := bareEnd(text, next)
		j := joint{
			last: text[tail-1], indent: indentOf(text, next) - indentOf(text, h.start),
			sofar: h.uri + cut, dedent: indentOf(text, next) < textIndent(text, tail),
			word: TrimTail(text[next:end], w.open), rest: text[end:lineEnd(text, end)],
			width: widthAround(text, eol), line: tail - lineStart(text, tail), paged: paged,
			shallow: depthOf(text[lineStart(text, next):next]) < depthOf(quote), listed: listed(text, end), column: inColumn(text, h.start),
			closed: closes(w.open, text[next:end]) || w.close != 0 && end < len(text) && text[end] == w.close,
		}
		j.label = next+len(j.word) < end && text[next+len(j.word)] == ':'
		switch {
		case directory:
			// The comma stands inside a distinguished name (RFC 2255 section 3).
			if !attributeValue(j.word) {
				return h
			}
		case len(j.word) > 0 && softBreak(text, tail, j.sofar) && j.mayGoOn():
			j.sofar = j.sofar[:len(j.sofar)-1]
		case j.score() < joinScore:
			return h
		}
		h.uri = j.sofar + string(j.word)
		h.end, tail = next+len(j.word), end
	}
	return h
}

// joint is the place where a reference may have been broken.
type joint struct {
	indent  int    // of the word behind the break, against the reference's first byte
	last    byte   // before the break
	sofar   string // the reference up to the break
	word    []byte // behind the break, less closing punctuation
	rest    []byte // of the next line, behind the word
	dedent  bool   // it stands further left than the broken line
	line    int    // length of the broken line
	width   int    // of the lines around
	paged   bool   // a page break lies between
	shallow bool   // the next line is quoted less deep
	column  bool   // the reference stands in a column of its own
	listed  int    // what speaks for a list of which the word is one
	closed  bool   // what opened before the reference closes behind the word
	label   bool   // a colon follows the word
}

// score adds up the evidence; see joinScore.
func (j joint) score() int {
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

// The length of a line that was cut inside a word.
const minHardLine, maxHardLine = 60, 132

// midWord says whether the break went through a word: only those who cut lines
// at a fixed length do that.
func (j joint) midWord() bool {
	return ascii.Alnum(j.last) && (ascii.Alnum(j.word[0]) || j.word[0] == '_') && !j.splitExtension()
}

// softBreak says whether the "=" before tail is a soft line break of
// quoted-printable that nobody undid (RFC 2045 section 6.7): a line before or
// behind it ends so too, or it is as long as encoders make lines and the
// reference has no query that a value could be missing from.
func softBreak(text []byte, tail int, ref string) bool {
	start, eol := lineStart(text, tail), lineEnd(text, tail)
	if text[tail-1] != '=' || tail-start > 76+maxQuoting {
		return false
	}
	before := bytes.TrimRight(text[:max(0, start-1)], "\r")
	behind := bytes.TrimRight(text[:lineEnd(text, min(eol+1, len(text)))], "\r")
	if bytes.HasSuffix(before, []byte("=")) || len(behind) > eol && bytes.HasSuffix(behind, []byte("=")) {
		return true
	}
	encoded := tail - start - len(quoteMark(text, tail))
	return 70 <= encoded && encoded <= 76 && strings.IndexByte(ref, '?') < 0
}

const maxQuoting = 12 // bytes of marks of quoting before an encoded line

// attributeValue says whether a word begins as "c=US" does.
func attributeValue(w []byte) bool {
	name, value, ok := bytes.Cut(w, []byte("="))
	return ok && len(name) > 0 && len(value) > 0 && len(hostOf(name)) == len(name)
}

// inColumn says whether a wide gap stands before the reference, and text before that.
func inColumn(text []byte, start int) bool {
	before := text[lineStart(text, start):start]
	left := bytes.TrimRight(before, " \t")
	return len(bytes.TrimSpace(left)) > 0 && (len(before)-len(left) >= 3 || bytes.HasSuffix(before, []byte("\t")))
}

// listed weighs whether the word that ends at end stands in a list of its like: a
// dash and a description follow it, or another such word on the next line.
func listed(text []byte, end int) int {
	eol := lineEnd(text, end)
	rest := bytes.TrimSpace(text[end:eol])
	if len(rest) > 1 && rest[0] == '-' && (rest[1] == ' ' || rest[1] == '-') {
		return 2
	}
	if len(rest) > 0 || eol+1 >= len(text) {
		return 0
	}
	next := bytes.TrimSpace(text[eol+1 : lineEnd(text, eol+1)])
	if len(next) > 0 && !bytes.ContainsAny(next, " /") && extension("x."+string(next[bytes.LastIndexByte(next, '.')+1:])) && dotted(next) {
		return 5
	}
	return 0
}

// indentOf is the column of an offset, from 0.
func indentOf(text []byte, i int) int { return i - lineStart(text, i) }

// textIndent is the column where the text of a line begins, behind marks of quoting.
func textIndent(text []byte, i int) int {
	start := lineStart(text, i)
	return i - start - len(bytes.TrimLeft(text[start:i], " \t>|"))
}

// wordLength is what would have had to fit on the line: up to a place where
// those who break references like to.
func wordLength(word []byte) int {
	if i := bytes.IndexAny(word, "/-"); i > 0 {
		return i + 1
	}
	return len(word)
}

// mayGoOn rules out what starts something of its own.
func (j joint) mayGoOn() bool {
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

// softBlank is what quoted-printable leaves at a line's end where nobody decoded it.
func softBlank(w []byte) bool { return string(w) == "=20" || string(w) == "=09" }

// ruler is a line drawn with characters.
func ruler(w []byte) bool {
	for _, c := range w[:min(len(w), 4)] {
		if ascii.Alnum(c) {
			return false
		}
	}
	return len(w) > 2
}

// path is what follows the authority of the reference so far, with its slash.
func (j joint) path() string {
	_, rest, _ := strings.Cut(j.sofar, "//")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return ""
}

// sameRoot says whether the word is another path from the root that the
// reference begins with ("ftp://h/pub/a", below it "/pub/b").
func (j joint) sameRoot() bool {
	first, _, ok := bytes.Cut(j.word[1:], []byte("/"))
	return ok && j.word[0] == '/' && strings.HasPrefix(j.path(), "/"+string(first)+"/")
}

// hostOf is what a host name could be at the front of a word.
func hostOf(w []byte) []byte {
	i := 0
	for i < len(w) && (ascii.Alnum(w[i]) || w[i] == '.' || w[i] == '-') {
		i++
	}
	return w[:i]
}

// hasScheme says whether a word is a reference of its own, also as host:/path.
func hasScheme(word []byte) bool {
	i := bytes.IndexByte(word, ':')
	if i < 1 {
		return false
	}
	_, known := spellingOf(word[:i])
	return known || bytes.HasPrefix(word[i:], []byte(":/")) || ftpHost(word[:i])
}

// endEvidence weighs how the reference stops at the break.
func (j joint) endEvidence() int {
	if j.splitExtension() {
		return 5
	}
	switch j.last {
	case '-':
		return 6 // hardly anything ends in a hyphen
	case '=', '&', '%', '?', '_', '~', '+', '#':
		return 3
	case '/':
		return 1
	case '.':
		switch {
		case extension("x." + string(j.word)):
			return 3
		case extension(strings.TrimSuffix(j.sofar, ".")):
			return -4 // a sentence ends behind a file's name
		case 'A' <= j.word[0] && j.word[0] <= 'Z':
			return -4
		}
		return 0
	}
	n := -1
	if extension(j.sofar) {
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

// splitExtension says whether the break went through the extension of a file's
// name: ".z", "ip".
func (j joint) splitExtension() bool {
	run := j.word[:len(j.word)-len(bytes.TrimLeftFunc(j.word, func(r rune) bool { return r < 0x80 && ascii.Alnum(byte(r)) }))]
	return ascii.Alnum(j.last) && len(run) > 0 && len(bytes.TrimSpace(j.rest)) == 0 && extension(j.sofar+string(run)) && strings.Contains(j.path(), ".")
}

// wordEvidence weighs whether the word behind the break looks like the rest of a
// reference or like prose.
func (j joint) wordEvidence() int {
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

// prose is a word of letters, perhaps with an apostrophe, hyphens or slashes
// ("and/or"; where a reference may just have stopped, "client/server" too).
func prose(w []byte, stopped bool) bool {
	for i, c := range w {
		if !ascii.Letter(c) && (i == 0 || i == len(w)-1 || c != '-' && c != '\'' && (c != '/' || !stopped && len(w) > 6)) {
			return false
		}
	}
	return !extension("x." + string(w))
}

// dotted has a dot inside that is no abbreviation.
func dotted(w []byte) bool {
	i := bytes.LastIndexByte(w, '.')
	return i > 0 && i+1 < len(w) && len(w) > 4 || i == 0 && len(w) > 2
}

// extension says whether a reference ends as files do: it is complete.
func extension(s string) bool {
	i := strings.LastIndexByte(s, '.')
	if i < 0 || i < strings.LastIndexByte(s, '/') {
		return false
	}
	switch strings.ToLower(s[i+1:]) {
	case "html", "htm", "txt", "ps", "z", "gz", "zip", "pdf", "gif", "jpg", "tar", "doc", "shtml", "asp", "php", "cgi", "xml", "lha", "hqx":
		return true
	}
	return false
}

// closes says whether the bracket or quote that opened before the reference
// closes right behind the word.
func closes(open byte, word []byte) bool {
	var c byte
	switch open {
	case '(', '[', '{':
		c = closing(open)
	case '`', '\'':
		c = '\''
	default:
		return false
	}
	tail := bytes.TrimRight(word, ".,;:!?'")
	return len(word) > 1 && (bytes.HasSuffix(tail, []byte{c}) || c == '\'' && bytes.IndexByte(word[len(tail):], c) >= 0)
}

// widthAround is the length of the longest of the lines around, at least textWidth.
func widthAround(text []byte, eol int) int {
	width, pos := textWidth, eol
	for range 4 {
		start := lineStart(text, pos)
		width = max(width, min(pos-start, 80))
		if pos = start - 1; pos < 0 {
			break
		}
	}
	pos = eol
	for range 4 {
		if pos+1 >= len(text) {
			break
		}
		end := lineEnd(text, pos+1)
		width, pos = max(width, min(end-pos-1, 80)), end
	}
	return width
}
