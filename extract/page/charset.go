package page

import (
	"bytes"

	"linkcheck/internal/ascii"
)

// metaCharset finds the charset that a page declares in its head.
func metaCharset(head []byte) string {
	low := bytes.ToLower(head)
	if i := bytes.Index(low, []byte("<?xml")); i >= 0 && i < 4 {
		if decl, _, ok := bytes.Cut(low, []byte("?>")); ok {
			if _, v, ok := bytes.Cut(decl, []byte("encoding=")); ok {
				return charsetToken(v)
			}
		}
	}
	for {
		i := bytes.Index(low, []byte("<meta"))
		if i < 0 {
			return ""
		}
		tag, rest, ok := bytes.Cut(low[i:], []byte(">"))
		if !ok {
			return ""
		}
		if _, v, ok := bytes.Cut(tag, []byte("charset=")); ok {
			return charsetToken(v)
		}
		low = rest
	}
}

// charsetToken is the name at the front of b, quotes left out.
func charsetToken(b []byte) string {
	b = bytes.TrimLeft(b, " \t\"'")
	i := 0
	for i < len(b) && (ascii.Alnum(b[i]) || bytes.IndexByte([]byte("-_:.+"), b[i]) >= 0) {
		i++
	}
	return string(b[:i])
}
