package extract

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// attr is one attribute of a start tag.
type attr struct {
	name  string // lower case
	value string // without entities
	raw   string // as it stands
	off   int    // where it stands in the token
}

// nextAttr reads the attribute at or after i in a start tag as HTML section
// "before attribute name state" has it. The tokenizer's own TagAttr says neither
// where a value stands nor how it was written.
func nextAttr(tag []byte, i int) (name, value []byte, off, next int) {
	for i < len(tag) && (space(tag[i]) || tag[i] == '/') {
		i++
	}
	start := i
	for i < len(tag) && !space(tag[i]) && tag[i] != '/' && tag[i] != '>' && (tag[i] != '=' || i == start) {
		i++
	}
	name = tag[start:i]
	j := skipSpace(tag, i)
	if j >= len(tag) || tag[j] != '=' {
		return name, nil, 0, i
	}
	i = skipSpace(tag, j+1)
	if i >= len(tag) {
		return name, nil, 0, i
	}
	if q := tag[i]; q == '"' || q == '\'' {
		i++
		n := bytes.IndexByte(tag[i:], q)
		if n < 0 {
			return name, tag[i:], i, len(tag)
		}
		return name, tag[i : i+n], i, i + n + 1
	}
	start = i
	for i < len(tag) && !space(tag[i]) && tag[i] != '>' {
		i++
	}
	return name, tag[start:i], start, i
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && space(b[i]) {
		i++
	}
	return i
}

// unescapeAttr undoes the character references of an attribute value. One
// without a semicolon is none where "=" or a letter follows: &copy=1 is a
// parameter, not a sign (HTML, "named character reference state").
func unescapeAttr(s string) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s
	}
	var b strings.Builder
	for i >= 0 {
		b.WriteString(s[:i])
		s = s[i:]
		n := referenceEnd(s)
		b.WriteString(unescapeOne(s[:n], s[n:]))
		s = s[n:]
		i = strings.IndexByte(s, '&')
	}
	b.WriteString(s)
	return b.String()
}

// referenceEnd gives the length of "&" and the name or number behind it.
func referenceEnd(s string) int {
	n := 1
	if n < len(s) && s[n] == '#' {
		n++
	}
	for n < len(s) && alnum(s[n]) {
		n++
	}
	if n > 1 && n < len(s) && s[n] == ';' {
		n++
	}
	return n
}

func unescapeOne(ref, rest string) string {
	open := !strings.HasSuffix(ref, ";")
	if open && strings.HasPrefix(rest, "=") && !strings.HasPrefix(ref, "&#") {
		return ref
	}
	u := html.UnescapeString(ref)
	if open && !strings.HasPrefix(ref, "&#") && len([]rune(u)) > 1 {
		return ref // only the front of the name is an entity
	}
	return u
}
