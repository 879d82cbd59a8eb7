package uri

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// writeSyntax writes the key of level syntax: what RFC 3986 section 6.2.2 (and
// for info steps a to d of its section 6) lets any reader change.
func writeSyntax(p *keyWriter, sp *Parts) {
	r := sp.desc
	if !strings.HasPrefix(sp.raw, r.Name) {
		p.mark("scheme-case")
	}
	p.add(r.Name)
	p.add(":")
	if sp.HasAuthority {
		p.add("//")
		p.writeUser(sp)
		p.writeHost(sp.Host)
		if sp.HasPort {
			p.add(":")
			p.add(sp.Port)
		}
	}
	start := len(p.buf)
	switch {
	case r.Name == "info":
		p.writeInfo(sp.Path)
	case r.Name == "go" && sp.HasAuthority && sp.Path == "/": // RFC 3368 section 3.2 has no path
		p.mark("go-trailing-slash")
	default:
		p.canon(sp.Path, r.unres, r.repair)
	}
	p.writeDots(r.dots, start)
	if !sp.HasAuthority && r.dots == dotsGone && bytes.HasPrefix(p.buf[start:], []byte("//")) {
		p.buf = slices.Insert(p.buf, start, '/', '/') // lest the path be read as an authority
	}
	p.syntaxTail(sp)
}

// syntaxTail writes query and fragment. Of info's fragment nothing may be touched
// (draft-vandesompel-info-uri-01 section 6).
func (p *keyWriter) syntaxTail(sp *Parts) {
	if sp.HasQuery {
		p.add("?")
		p.canon(sp.Query, sp.desc.unres, sp.desc.repair)
	}
	switch {
	case !sp.HasFragment:
	case sp.desc.Name == "info":
		p.add("#")
		p.add(sp.Fragment)
	default:
		p.add("#")
		p.canon(sp.Fragment, cUnres, sp.desc.repair)
	}
}

// plain reports that level syntax has nothing to change: a shortcut for most.
func (sp *Parts) plain() bool {
	r := sp.desc
	if strings.IndexByte(sp.raw, '%') >= 0 || !strings.HasPrefix(sp.raw, r.Name) || sp.HasUser || r.syntax == syntaxFlat {
		return false
	}
	for i := 0; i < len(sp.Host); i++ {
		if c := sp.Host[i]; c >= 'A' && c <= 'Z' || c >= 0x80 {
			return false
		}
	}
	if r.repair && !(allIn(sp.Path, cPchar|cSlash) && allIn(sp.Query, cFragment) && allIn(sp.Fragment, cFragment)) {
		return false
	}
	return !strings.Contains(sp.Path, "/.") && r.Name != "go"
}

// writeUser keeps name and password apart: only the first ':' may be raw.
func (p *keyWriter) writeUser(sp *Parts) {
	if !sp.HasUser {
		return
	}
	name, pass, has := strings.Cut(sp.User, ":")
	p.writeUserPart(name)
	if has {
		p.add(":")
		p.writeUserPart(pass)
	}
	p.add("@")
}

func (p *keyWriter) writeUserPart(s string) {
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
func (p *keyWriter) writeHost(host string) {
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
func (p *keyWriter) writeInfo(body string) {
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

func (p *keyWriter) writeDots(d dots, start int) {
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
func writeScheme(p *keyWriter, u URI, sp *Parts) {
	r := sp.desc
	p.add(r.Name)
	p.add(":")
	switch {
	case sp.HasAuthority:
		p.add("//")
		if sp.HasUser {
			p.add(sp.User)
			p.add("@")
		}
		p.schemeHost(sp)
		p.schemePort(sp)
	case r.Name == "file": // RFC 8089 section 2
		p.mark("file-no-authority")
		p.add("//")
	}
	u.writeKey(p, sp)
	if sp.HasFragment {
		p.add("#")
		p.add(sp.Fragment)
	}
}

func (p *keyWriter) schemeHost(sp *Parts) {
	switch {
	case sp.desc.Name == "file" && sp.Host == "localhost": // rfc1738bis section 2.8
		p.mark("file-localhost")
	case sp.desc.Name == "go" && sp.Host == "": // RFC 3368 section 3.3.2
		p.mark("go-empty-server")
		p.add("localhost")
	default:
		p.add(sp.Host)
	}
}

// schemePort drops an empty or default port and leading zeros.
func (p *keyWriter) schemePort(sp *Parts) {
	if !sp.HasPort {
		return
	}
	if sp.Port == "" {
		p.mark("port-empty")
		return
	}
	digits := sp.Port
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	if digits != sp.Port {
		p.mark("port-leading-zero")
	}
	if n, err := strconv.Atoi(digits); err == nil && n != 0 && n == sp.desc.DefaultPort {
		p.mark("port-default")
		return
	}
	p.add(":")
	p.add(digits)
}
