package doc

import (
	"bytes"
	"net/url"
	"strings"
	"unicode/utf8"

	"linkcheck/internal/ascii"
)

// MediaType reads a Content-Type: the type in lower case, and its parameters. Unlike
// mime.ParseMediaType it goes on behind unquoted blanks, missing values and junk.
// Parameters in pieces and with charsets are put together (RFC 2231).
func MediaType(v string) (string, map[string]string) {
	parts := splitParams(v)
	kind := strings.ToLower(strings.TrimSpace(parts[0]))
	kind, _, _ = strings.Cut(kind, " ")
	params := map[string]string{}
	for _, p := range parts[1:] {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			continue
		}
		name, value = strings.ToLower(strings.TrimSpace(name)), unquote(strings.TrimSpace(value))
		encoded := strings.HasSuffix(name, "*")
		name = strings.TrimSuffix(name, "*")
		if encoded {
			value = extended(value)
		}
		if base, _, piece := strings.Cut(name, "*"); piece {
			params[base] += value
		} else if params[name] == "" {
			params[name] = value
		}
	}
	return kind, params
}

// splitParams cuts at semicolons outside of quotes and drops comments.
func splitParams(v string) []string {
	parts, cur, quoted, depth := []string{}, []byte{}, false, 0
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case c == '\\' && i+1 < len(v) && (quoted || depth > 0):
			if depth == 0 {
				cur = append(cur, c, v[i+1])
			}
			i++
		case c == '"' && depth == 0:
			quoted = !quoted
			cur = append(cur, c)
		case quoted:
			cur = append(cur, c)
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth > 0:
		case c == ';':
			parts, cur = append(parts, string(cur)), cur[:0]
		default:
			cur = append(cur, c)
		}
	}
	return append(parts, string(cur))
}

func unquote(s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	var b []byte
	for i := 1; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// extended undoes charset'language'%XX (RFC 2231 section 4), as far as the
// bytes: names of boundaries and charsets are ASCII.
func extended(s string) string {
	if parts := strings.SplitN(s, "'", 3); len(parts) == 3 {
		s = parts[2]
	}
	if t, err := url.PathUnescape(s); err == nil {
		return t
	}
	return s
}

// FormatOf is the format by which documents of a media type are read, "" for those
// that are not, "auto" where they look like what they are: octet streams, images and signatures hold no text, whatever their
// bytes look like.
func FormatOf(kind string) string {
	top, sub, _ := strings.Cut(kind, "/")
	switch {
	case isOffice(kind) || kind == "application/pdf" || kind == "application/x-pdf":
		return "auto" // servers call old and new formats by one name
	case sub == "html" || sub == "xhtml+xml" || sub == "x-html":
		return "html"
	case kind == "message/rfc822" || kind == "message/news":
		return "message"
	case kind == "image/svg+xml" || sub == "xml" || strings.HasSuffix(sub, "+xml") && top != "image":
		return "xml"
	case sub == "markdown" || sub == "x-markdown": // RFC 7763
		return "markdown"
	case sub == "calendar" || sub == "vcard" || sub == "x-vcard": // RFC 5545, RFC 6350
		return "vobject"
	case top == "text" || top == "message" || top == "multipart" || strings.HasPrefix(sub, "pgp") || sub == "json" || sub == "x-sh":
		return "text"
	}
	return ""
}

// isOffice says whether a media type is that of a document that an office program wrote.
func isOffice(kind string) bool {
	sub, ok := strings.CutPrefix(kind, "application/vnd.")
	return ok && (strings.HasPrefix(sub, "openxmlformats-officedocument.") || strings.HasPrefix(sub, "oasis.opendocument.") || strings.HasPrefix(sub, "ms-") && strings.HasSuffix(sub, ".macroenabled.12")) ||
		kind == "application/epub+zip" || kind == "application/rtf" || kind == "application/x-rtf" || kind == "text/rtf"
}

// HasTags says whether b holds a tag that pages have.
func HasTags(b []byte) bool {
	_, tags, _ := bytes.Cut(b, []byte{'<'})
	for tag := range bytes.SplitSeq(tags, []byte{'<'}) {
		from := len(tag) - len(bytes.TrimPrefix(tag, []byte{'!'}))
		n := ascii.Skip(tag[:min(len(tag), 10)], from, ascii.Alnum)
		switch ascii.Lower(tag[:n]) {
		case "html", "head", "title", "meta", "body", "p", "br", "a", "div", "span", "font", "table", "pre", "img", "li", "ul", "ol", "dl", "dt",
			"h1", "h2", "h3", "h4", "hr", "b", "i", "em", "strong", "center", "blockquote", "frame", "frameset", "area", "!doctype":
			return true
		}
	}
	return false
}

// LooksLikeHTML recognises the head of a page by the tag that it begins with.
func LooksLikeHTML(head []byte) bool {
	p := Peek{Head: bytes.ToLower(head)}
	return p.TextBegins("<!doctype html", "<html", "<head", "<title", "<body", "<h1", "<a href") ||
		p.TextBegins("<!--") && bytes.Contains(p.Head, []byte("<html"))
}

// LooksLikeText says whether data reads as text: no NULs and hardly any other
// control characters.
func LooksLikeText(data []byte) bool {
	odd := 0
	for _, c := range data[:min(len(data), 4096)] {
		if c == 0 {
			return false
		}
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' {
			odd++
		}
	}
	return len(data) > 0 && odd*20 < len(data) && (utf8.Valid(data) || odd == 0)
}
