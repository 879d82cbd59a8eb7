package uri

import (
	"bytes"
	"strings"
)

// pen writes a key, and the codes of what it changed when somebody asks.
type keyWriter struct {
	buf   []byte
	codes *[]string // nil: nobody asks
	first [96]byte  // where most keys find space
}

func newKeyWriter(codes *[]string) *keyWriter {
	p := &keyWriter{codes: codes}
	p.buf = p.first[:0]
	return p
}

func (p *keyWriter) add(s string) { p.buf = append(p.buf, s...) }

func (p *keyWriter) mark(code string) {
	if p.codes == nil {
		return
	}
	for _, c := range *p.codes {
		if c == code {
			return
		}
	}
	*p.codes = append(*p.codes, code)
}

// addPath adds path and query as they are.
func (p *keyWriter) addPath(sp *Parts) {
	p.add(sp.Path)
	p.addQuery(sp)
}

func (p *keyWriter) addQuery(sp *Parts) {
	if sp.HasQuery {
		p.add("?")
		p.add(sp.Query)
	}
}

// canon writes s with its escapes in upper case and the needless ones resolved
// (RFC 3986 sections 6.2.2.1 and 6.2.2.2). With repair, characters that no URI
// may hold are escaped too; a stray '%' always is, lest it swallow what follows.
func (p *keyWriter) canon(s string, unres class, repair bool) {
	if !repair && strings.IndexByte(s, '%') < 0 {
		p.add(s)
		return
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%' && isEscape(s, i):
			o := unhex(s[i+1])<<4 | unhex(s[i+2])
			if is(o, unres) {
				p.mark("pct-unreserved")
				p.buf = append(p.buf, o)
			} else {
				if s[i+1] >= 'a' || s[i+2] >= 'a' {
					p.mark("pct-case")
				}
				p.buf = appendEscape(p.buf, o)
			}
			i += 2
		case c == '%' || repair && is(c, cWild):
			p.mark("pct-repaired")
			p.buf = appendEscape(p.buf, c)
		default:
			p.buf = append(p.buf, c)
		}
	}
}

// recode shows every octet of s that show allows and hides raw characters that
// keep does not allow; code names the licence.
func (p *keyWriter) recode(s string, show, keep class, code string) {
	for i := 0; i < len(s); i++ {
		if isEscape(s, i) {
			o := unhex(s[i+1])<<4 | unhex(s[i+2])
			i += 2
			if is(o, show) {
				p.mark(code)
				p.buf = append(p.buf, o)
			} else {
				p.buf = appendEscape(p.buf, o)
			}
			continue
		}
		if is(s[i], keep) {
			p.buf = append(p.buf, s[i])
			continue
		}
		p.mark(code)
		p.buf = appendEscape(p.buf, s[i])
	}
}

// unescape resolves the escapes of characters in show and leaves the rest.
func (p *keyWriter) unescape(s string, show class, code string) { p.recode(s, show, cAny, code) }

// removeDots drops the dot segments of the path written since start, RFC 3986 section 5.2.4.
func (p *keyWriter) removeDots(start int) {
	path := string(p.buf[start:])
	if !hasDots(path) {
		return
	}
	p.mark("dot-segments")
	p.buf = appendWithoutDots(p.buf[:start], path)
}

// hasDots reports a complete "." or ".." segment.
func hasDots(path string) bool {
	for i := 0; ; {
		j := strings.Index(path[i:], "/.")
		if j < 0 {
			return false
		}
		i += j + 2
		seg := path[i:]
		seg = strings.TrimPrefix(seg, ".")
		if seg == "" || seg[0] == '/' {
			return true
		}
	}
}

// appendWithoutDots appends an absolute path without its dot segments.
func appendWithoutDots(dst []byte, path string) []byte {
	start := len(dst)
	for rest, more := strings.TrimPrefix(path, "/"), true; more; {
		var seg string
		seg, rest, more = strings.Cut(rest, "/")
		switch seg {
		case ".":
		case "..":
			dst = dst[:start+max(0, bytes.LastIndexByte(dst[start:], '/'))]
		default:
			dst = append(dst, '/')
			dst = append(dst, seg...)
			continue
		}
		if !more {
			dst = append(dst, '/')
		}
	}
	return dst
}
