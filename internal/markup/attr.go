package markup

import (
	"bytes"
	"iter"
	"strings"

	"golang.org/x/net/html"

	"linkcheck/internal/ascii"
)

// NameSize is the length in bytes of the longest name that FoldName takes.
const NameSize = 16

// FoldName is a name in lower case, in buf; nothing when it is too long.
func FoldName(buf *[NameSize]byte, name []byte) []byte {
	if len(name) > len(buf) {
		return nil
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		buf[i] = c
	}
	return buf[:len(name)]
}

// TagName is the name of a start tag in lower case, in buf; nothing when it is too long.
func TagName(buf *[NameSize]byte, tag []byte) []byte { return FoldName(buf, tag[1:nameEnd(tag)]) }

// nameEnd gives where the name of a start tag ends.
func nameEnd(tag []byte) int {
	i := 1
	for i < len(tag) && !endsName(tag[i]) {
		i++
	}
	return i
}

// Attributes gives the names and values in a start tag as they stand, as parts of it.
func Attributes(tag []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		for i := nameEnd(tag); i < len(tag) && tag[i] != '>'; {
			name, value, _, next := NextAttr(tag, i)
			if i = next; !yield(name, value) {
				return
			}
		}
	}
}

// NextAttr reads the attribute at or after i in a start tag as HTML section
// 13.2.5.32 "before attribute name state" has it: its name and value as they
// stand, the offset of the value, and where the next attribute may begin. A
// vertical tab parts attributes too.
func NextAttr(tag []byte, i int) (name, value []byte, off, next int) {
	for i < len(tag) && (ascii.Space(tag[i]) || tag[i] == '/') {
		i++
	}
	start := i
	for i < len(tag) && !ascii.Space(tag[i]) && tag[i] != '/' && tag[i] != '>' && (tag[i] != '=' || i == start) {
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
	for i < len(tag) && !ascii.Space(tag[i]) && tag[i] != '>' {
		i++
	}
	return name, tag[start:i], start, i
}

// skipSpace is [ascii.Skip] for white space in a tag, the vertical tab too, inlined.
func skipSpace(b []byte, i int) int {
	for i < len(b) && ascii.Space(b[i]) {
		i++
	}
	return i
}

// UnescapeAttr undoes the character references of an attribute value. One
// without a semicolon is none where "=" or a letter follows: &copy=1 is a
// parameter, not a sign (HTML section 13.2.5.73 "named
// character reference state").
func UnescapeAttr(s string) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexByte(s, '&') {
		b.WriteString(s[:i])
		text, n := Reference(s[i:])
		b.WriteString(text)
		s = s[i+n:]
	}
	return b.String() + s
}

// Reference undoes the character reference of an attribute value that the "&" at the
// front of s begins, n bytes long.
func Reference(s string) (text string, n int) {
	n = ReferenceEnd(s)
	return unescapeOne(s[:n], s[n:]), n
}

// ReferenceEnd gives the length of "&" and the name or number behind it.
func ReferenceEnd(s string) int {
	n := 1
	if n < len(s) && s[n] == '#' {
		n++
	}
	for n < len(s) && ascii.Alnum(s[n]) {
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
