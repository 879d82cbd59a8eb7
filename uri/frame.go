package uri

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// writeSyntax writes the key of level syntax: what RFC 3986 section 6.2.2 (and
// for info steps a to d of its section 6) lets any reader change.
func writeSyntax(p *pen, sp *split) {
	r := sp.row
	if !strings.HasPrefix(sp.raw, r.Name) {
		p.mark("scheme-case")
	}
	p.add(r.Name)
	p.add(":")
	if sp.hasAuth {
		p.add("//")
		p.writeUser(sp)
		p.writeHost(sp.host)
		if sp.hasPort {
			p.add(":")
			p.add(sp.port)
		}
	}
	start := len(p.buf)
	switch {
	case r.Name == "info":
		p.writeInfo(sp.path)
	case r.Name == "go" && sp.hasAuth && sp.path == "/": // RFC 3368 section 3.2 has no path
		p.mark("go-trailing-slash")
	default:
		p.canon(sp.path, r.unres, r.repair)
	}
	p.writeDots(r.dots, start)
	if !sp.hasAuth && r.dots == dotsGone && bytes.HasPrefix(p.buf[start:], []byte("//")) {
		p.buf = slices.Insert(p.buf, start, '/', '/') // lest the path be read as an authority
	}
	p.syntaxTail(sp)
}

// syntaxTail writes query and fragment. Of info's fragment nothing may be touched
// (draft-vandesompel-info-uri-01 section 6).
func (p *pen) syntaxTail(sp *split) {
	if sp.hasQuery {
		p.add("?")
		p.canon(sp.query, sp.row.unres, sp.row.repair)
	}
	switch {
	case !sp.hasFrag:
	case sp.row.Name == "info":
		p.add("#")
		p.add(sp.frag)
	default:
		p.add("#")
		p.canon(sp.frag, cUnres, sp.row.repair)
	}
}

// plain reports that level syntax has nothing to change: a shortcut for most.
func (sp *split) plain() bool {
	r := sp.row
	if strings.IndexByte(sp.raw, '%') >= 0 || !strings.HasPrefix(sp.raw, r.Name) || sp.hasUser || r.syntax == syntaxFlat {
		return false
	}
	for i := 0; i < len(sp.host); i++ {
		if c := sp.host[i]; c >= 'A' && c <= 'Z' || c >= 0x80 {
			return false
		}
	}
	if r.repair && !(allIn(sp.path, cPchar|cSlash) && allIn(sp.query, cFragment) && allIn(sp.frag, cFragment)) {
		return false
	}
	return !strings.Contains(sp.path, "/.") && r.Name != "go"
}

// writeUser keeps name and password apart: only the first ':' may be raw.
func (p *pen) writeUser(sp *split) {
	if !sp.hasUser {
		return
	}
	name, pass, has := strings.Cut(sp.user, ":")
	p.writeUserPart(name)
	if has {
		p.add(":")
		p.writeUserPart(pass)
	}
	p.add("@")
}

func (p *pen) writeUserPart(s string) {
	for {
		i := strings.IndexAny(s, ":@")
		if i < 0 {
			p.canon(s, cUnres, false)
			return
		}
		p.canon(s[:i], cUnres, false)
		if s[i] == ':' {
			p.mark("userinfo-raw-colon")
		} else {
			p.mark("userinfo-raw-at")
		}
		p.buf = appendEscape(p.buf, s[i])
		s = s[i+1:]
	}
}

// writeHost folds the case of letters, but not inside escapes.
func (p *pen) writeHost(host string) {
	start := len(p.buf)
	p.canon(host, cUnres, false)
	h := p.buf[start:]
	var wide bool
	for i := 0; i < len(h); i++ {
		switch c := h[i]; {
		case c == '%':
			i += 2
		case c >= 'A' && c <= 'Z':
			p.mark("host-case")
			h[i] = lowerByte(c)
		case c >= 0x80:
			wide = true
		}
	}
	if wide {
		p.mark("pct-repaired")
		s := string(h)
		p.buf = p.buf[:start]
		for i := 0; i < len(s); i++ {
			if s[i] >= 0x80 {
				p.buf = appendEscape(p.buf, s[i])
			} else {
				p.buf = append(p.buf, s[i])
			}
		}
	}
}

// writeInfo folds the namespace after unescaping it: step b needs step c first.
func (p *pen) writeInfo(body string) {
	ns, id, _ := strings.Cut(body, "/")
	start := len(p.buf)
	p.canon(ns, cUnres96|cScheme, false)
	for i, c := range p.buf[start:] {
		if c >= 'A' && c <= 'Z' {
			p.mark("info-namespace-case")
			p.buf[start+i] = lowerByte(c)
		}
	}
	p.add("/")
	p.canon(id, cUnres96, false)
}

func (p *pen) writeDots(d dots, start int) {
	switch d {
	case dotsGone:
		p.removeDots(start)
	case dotsPlain:
		whole := string(p.buf[start:])
		path, _, _ := cutTypecode(whole)
		if !hasDots(path) || ftpDotsStay(path) {
			return
		}
		p.buf = p.buf[:start+len(path)]
		p.removeDots(start)
		p.add(whole[len(path):])
	}
}

// writeScheme writes the key of level scheme from a URI at level syntax: what
// the scheme's own specification says is the same.
func writeScheme(p *pen, u URI, sp *split) {
	r := sp.row
	p.add(r.Name)
	p.add(":")
	switch {
	case sp.hasAuth:
		p.add("//")
		if sp.hasUser {
			p.add(sp.user)
			p.add("@")
		}
		p.schemeHost(sp)
		p.schemePort(sp)
	case r.Name == "file": // RFC 8089 section 2
		p.mark("file-no-authority")
		p.add("//")
	}
	u.writeKey(p, sp)
	if sp.hasFrag {
		p.add("#")
		p.add(sp.frag)
	}
}

func (p *pen) schemeHost(sp *split) {
	switch {
	case sp.row.Name == "file" && sp.host == "localhost": // rfc1738bis section 2.8
		p.mark("file-localhost")
	case sp.row.Name == "go" && sp.host == "": // RFC 3368 section 3.3.2
		p.mark("go-empty-server")
		p.add("localhost")
	default:
		p.add(sp.host)
	}
}

// schemePort drops an empty or default port and leading zeros.
func (p *pen) schemePort(sp *split) {
	if !sp.hasPort {
		return
	}
	if sp.port == "" {
		p.mark("port-empty")
		return
	}
	digits := sp.port
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	if digits != sp.port {
		p.mark("port-leading-zero")
	}
	if n, err := strconv.Atoi(digits); err == nil && n != 0 && n == sp.row.DefaultPort {
		p.mark("port-default")
		return
	}
	p.add(":")
	p.add(digits)
}
