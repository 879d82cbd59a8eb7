package textscan

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// A bare reference that stops at the end of a line may go on in the next one. The
// evidence for it and against it is added up (lineBreak.score); joinScore is enough.
const joinScore = 2

const (
	maxJoins  = 5
	textWidth = 72 // of a line, where the lines around are shorter
)

// joinLines continues h, whose last line's rest is text[h.end:tail], over line ends.
func (s *scanner) joinLines(h hit, tail int, w wrapper) hit {
	text, again := s.text, false
	for range maxJoins {
		rest := ascii.Skip(text, tail, func(c byte) bool { return ascii.Blank(c) || c == '\r' })
		cut := string(text[h.end:tail])
		directory := cut == "," && strings.HasPrefix(doc.SchemeOf(h.uri), "ldap")
		port := cut == ":"
		if rest >= len(text) || text[rest] != '\n' || cut != "" && cut != "." && cut != "?" && !directory && !port {
			return h
		}
		eol, quote := rest, quoteMark(text, h.start)
		next, paged, ok := lineAfter(text, eol, quote)
		if !ok || len(quote) == 0 && text[eol+1] == '!' || leavesComment(text, eol, quote) {
			return h // the next line is a changed one of a diff, or a program
		}
		end := s.bareEnd(next)
		if !s.tried(end - next) {
			return h
		}
		j := lineBreak{
			last: text[tail-1], indent: indentOf(text, next) - indentOf(text, h.start),
			ref: h.uri + cut, dedent: indentOf(text, next) < textIndent(text, tail),
			word: TrimTail(text[next:end], w.open), rest: text[end:lineEnd(text, end)],
			width: widthAround(text, eol), line: tail - lineStart(text, tail), paged: paged,
			shallow: quoteDepth(text[lineStart(text, next):next]) < quoteDepth(quote), listed: listEvidence(text, end), column: inColumn(text, h.start),
			closed: closes(w.open, text[next:end]) || w.close != 0 && end < len(text) && text[end] == w.close,
		}
		j.measure(s.room, eol)
		j.again, j.row, j.punctuated = again, s.block, next+len(j.word) < end
		j.label = j.punctuated && text[next+len(j.word)] == ':'
		switch {
		case port:
			if !query(j.word) && !(onlyHost(h.uri) && (portAndPath(j.word) || j.sure() && j.alone() && ascii.Digits(j.word))) {
				return h // the end of a clause, not the colon before a port
			}
		case cut == "?":
			if !attributeValue(j.word) || !j.mayGoOn() {
				return h // the end of a question, not the beginning of a query
			}
		case directory:
			// The comma stands inside a distinguished name (RFC 2255 section 3).
			if !attributeValue(j.word) {
				return h
			}
		case len(j.word) > 0 && s.saidBefore(h.start, j.ref, j.word):
		case strings.HasSuffix(j.ref, "=3D="): // an equals sign would be encoded, too
			j.ref = j.ref[:len(j.ref)-1]
		case len(j.word) > 0 && softBreak(text, tail, j.ref) && j.mayGoOn():
			j.ref = j.ref[:len(j.ref)-1]
		case j.score() < joinScore+j.need():
			return h
		case j.last == '-' && s.hyphen != nil && s.hyphen(j.ref[:len(j.ref)-1], j.word):
			j.ref = j.ref[:len(j.ref)-1]
		}
		again = j.cut && j.midWord()
		h.uri = j.ref + string(j.word)
		h.end, tail = next+len(j.word), end
	}
	return h
}

// saidBefore says whether the reference in angle brackets right before start begins with ref
// and word: mailers write a link so, and then its text, which is mostly the same address.
func (s *scanner) saidBefore(start int, ref string, word []byte) bool {
	text, from := s.text, max(0, start-maxTwin)
	if start == 0 || text[start-1] != '>' || !s.tried(start-from) {
		return false
	}
	open := bytes.LastIndexByte(text[from:start], '<')
	if open < 0 {
		return false
	}
	lines, end, ok := delimited(text, from+open+1, '>')
	if !ok || end != start-1 {
		return false
	}
	said, _ := s.unwrap(lines, false)
	rest, ok := strings.CutPrefix(said, ref)
	return ok && strings.HasPrefix(rest, string(word))
}

const maxTwin = 512 // bytes before a reference that are looked at

// lineBreak is a line end over which a reference may go on.
type lineBreak struct {
	indent     int    // of the word behind the break, against the reference's first byte
	last       byte   // before the break
	ref        string // the reference up to the break
	word       []byte // behind the break, less closing punctuation
	rest       []byte // of the next line, behind the word
	dedent     bool   // it stands further left than the broken line
	line       int    // length of the broken line
	width      int    // of the lines around
	paged      bool   // a page break lies between
	shallow    bool   // the next line is quoted less deep
	column     bool   // the reference stands in a column of its own
	listed     int    // evidence that the word is one of a list; see listEvidence
	closed     bool   // what opened before the reference closes behind the word
	label      bool   // a colon follows the word
	punctuated bool   // closing punctuation does
	fits       bool   // the word would have fit on the broken line
	hard       bool   // the line is as long as those that are cut inside a word
	short      bool   // it is shorter than lines of text are
	cut        bool   // lines are cut wherever they are full
	again      bool   // and the reference was cut so before
	firm       bool   // the room is that of printed lines of which others are as long
	row        *block // in which the line stands; may be nil
}

// sure says whether the next line is known to go on with this one.
func (j *lineBreak) sure() bool { return j.row != nil && j.row.sure }

// need is the evidence that is wanted beyond joinScore.
func (j *lineBreak) need() int {
	if j.row == nil {
		return 0
	}
	return j.row.need
}

// alone says whether nothing follows the word in its line.
func (j *lineBreak) alone() bool { return len(bytes.TrimSpace(j.rest)) == 0 }

// measure compares the broken line, which ends at eol, with the others.
func (j *lineBreak) measure(room func(eol int) (int, bool), eol int) {
	if room == nil {
		j.fits, j.short = j.line+wordLength(j.word) < j.width, j.line < textWidth
		j.hard = j.line >= minHardLine && j.line <= maxHardLine
		return
	}
	n, firm := room(eol)
	j.firm = firm
	j.fits, j.short, j.hard, j.cut = wordLength(j.word) < n, n > hardRoom, n <= hardRoom, n == Cut
}

// portAndPath says whether a word begins as "8080/" does.
func portAndPath(w []byte) bool {
	digits := ascii.Skip(w, 0, ascii.Digit)
	return 1 < digits && digits <= 5 && digits < len(w) && w[digits] == '/'
}

// query says whether a word is a name with a query, as no clause begins: "Seeds?a=b".
func query(w []byte) bool {
	name, value, ok := bytes.Cut(w, []byte("?"))
	return ok && len(name) > 0 && len(hostOf(name)) == len(name) && attributeValue(value)
}

// onlyHost says whether a reference is a scheme and a host, and no port.
func onlyHost(ref string) bool {
	_, host, ok := strings.Cut(ref, "://")
	host = host[strings.IndexByte(host, '@')+1:]
	return ok && DottedHost(host) && len(hostOf(host)) == len(host)
}

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

// listEvidence weighs whether the word that ends at end stands in a list: a dash
// and a description follow it, or another such word on the next line.
func listEvidence(text []byte, end int) int {
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
