package page

import (
	"bytes"
	"strings"

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
		_, meta, _ := bytes.Cut(low, []byte("<meta"))
		tag, rest, ok := bytes.Cut(meta, []byte(">"))
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
	return string(b[:ascii.Skip(b, 0, func(c byte) bool { return ascii.Alnum(c) || strings.IndexByte("-_:.+", c) >= 0 })])
}
