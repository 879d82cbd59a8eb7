package textscan

import (
	"bytes"
	"strings"

	"linkcheck/internal/ascii"
)

// wrapper is what stands right before a reference.
type wrapper struct {
	open       byte // the character that opens, 0 for none
	close      byte // the character that ends it, 0 when nothing delimits
	prefixed   bool // URL: or UDI= stands before (RFC 1738 appendix; UDI, 1992)
	identifier bool // what stands here names a namespace, a DTD or a schema
}

// how is how a reference inside w was recognised: by its prefix, or else as given.
func (w wrapper) how(other string) string {
	if w.prefixed {
		return HowPrefix
	}
	return other
}

// wrapperAt looks back from the start of a reference.
func wrapperAt(text []byte, start int) wrapper {
	var w wrapper
	i := start
	if j := prefixBefore(text, i); j < i {
		w.prefixed, i = true, j
	}
	j := i
	for j > 0 && ascii.Blank(text[j-1]) && i-j < 4 {
		j--
	}
	if j > 0 && text[j-1] == '<' {
		i = j
	}
	if i == 0 {
		return w
	}
	switch c := text[i-1]; c {
	case '<':
		w.open, w.close = c, '>'
	case '"', '\'':
		w.open = c
		if c == '"' {
			w.close = c
		}
		w.identifier = namesOnly(text, i-1)
	case '(', '[', '{', '`', '*', '_', '~', '|':
		w.open = c
	case ' ', '\n', '\t': // a further one between the same quotes
		before := text[max(0, i-300):i]
		if bytes.IndexByte(before, '"') < 0 {
			break // the usual case, and the fast test
		}
		if n := bytes.LastIndexByte(before, '"'); bytes.IndexByte(before[n:], '>') < 0 {
			w.identifier = namesOnly(text, i-len(before)+n)
		}
	}
	return w
}

// prefixBefore gives where "URL:", "URL=", "UDI=" or "UDI:" starts if it stands before start.
func prefixBefore(text []byte, start int) int {
	i := start
	if i >= 2 && text[i-1] == '/' && text[i-2] == '/' {
		i -= 2 // <URL://http://...: the slashes before the scheme are dropped
	}
	for i > 0 && ascii.Space(text[i-1]) && start-i < 80 {
		i--
	}
	if i < 4 || text[i-1] != ':' && text[i-1] != '=' {
		return start
	}
	switch word := ascii.Lower(text[i-4 : i-1]); {
	case word != "url" && word != "udi" && word != "uri":
		return start
	case i > 4 && ascii.Alnum(text[i-5]):
		return start
	}
	return i - 4
}

// namesOnly says whether the quote at text[i] opens the name of a namespace or
// the identifier of a DTD or schema, which link to nothing.
func namesOnly(text []byte, i int) bool {
	before := text[max(0, i-300):i]
	if inDoctype(before) {
		return true
	}
	before = bytes.TrimRight(before, " \t")
	before, ok := bytes.CutSuffix(before, []byte("="))
	if !ok {
		return false
	}
	name := ascii.Lower(before[bytes.LastIndexAny(before, " \t\r\n<")+1:])
	return strings.HasPrefix(name, "xmlns") || strings.HasSuffix(name, "namespace") || strings.HasSuffix(name, "schemalocation")
}

// inDoctype says whether a document type declaration is open at the end of
// before. A ">" at a line's start is a mark of quoting and closes nothing.
func inDoctype(before []byte) bool {
	n := bytes.LastIndex(before, []byte("<!"))
	if n < 0 || !bytes.EqualFold(before[n:min(n+9, len(before))], []byte("<!doctype")) {
		return false
	}
	for line := range bytes.Lines(before[n:]) {
		if bytes.IndexByte(bytes.TrimLeft(line, "> \t"), '>') >= 0 {
			return false
		}
	}
	return true
}
