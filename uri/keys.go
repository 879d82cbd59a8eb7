package uri

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"linkcheck/uri/internal/chars"
)

// Key is a key of a URI, and the codes of the [Steps] that led to it.
type Key struct {
	Text  string
	Codes []string
}

// SchemeKey is the key of level Scheme: the identity of a link.
func SchemeKey(u URI) string {
	_, scheme := Normalize(u)
	return scheme.Text
}

// Normalize gives the key of level Syntax, which RFC 3986 section 6.2.2 (for info, steps a
// to d of its section 6) allows any reader to make, and that of level Scheme, which the
// specification of the scheme allows, with the steps that led to it from the first.
func Normalize(u URI) (syntax, scheme Key) {
	p, w := &u.shared().p, newKeyWriter()
	syntax = w.syntaxKey(p)
	if syntax.Text != p.raw {
		next, err := cut(syntax.Text)
		if err != nil {
			return syntax, Key{Text: syntax.Text}
		}
		p = &next
	}
	return syntax, w.schemeKey(u, p)
}

func (w *keyWriter) syntaxKey(p *Parts) Key {
	d := p.desc
	if !strings.HasPrefix(p.raw, d.Name) {
		w.mark(stepSchemeCase)
	}
	w.add(d.Name, ":")
	if p.HasAuthority {
		w.add("//")
		w.writeUser(p)
		w.writeHost(p.Host)
		if p.HasPort {
			w.add(":", p.Port)
		}
	}
	start := len(w.buf)
	switch {
	case d.Name == "info":
		w.writeInfo(p.Path)
	case d.Name == "go" && p.HasAuthority && p.Path == "/": // RFC 3368 section 3.2 has no path
		w.mark(stepGoTrailingSlash)
	default:
		w.canon(p.Path, d.unres, d.repair)
	}
	w.removeDots(d.dots, start)
	if !p.HasAuthority && d.dots == dotsGone && bytes.HasPrefix(w.buf[start:], []byte("//")) {
		w.buf = slices.Insert(w.buf, start, '/', '/') // lest the path be read as an authority
	}
	w.syntaxTail(p)
	return w.key(p.raw)
}

// schemeKey takes the parts of the key of level Syntax.
func (w *keyWriter) schemeKey(u URI, p *Parts) Key {
	d := p.desc
	w.add(d.Name, ":")
	switch {
	case p.HasAuthority:
		w.add("//")
		if p.HasUser {
			w.add(p.User, "@")
		}
		w.schemeHost(p)
		w.schemePort(p)
	case d.Name == "file": // RFC 8089 section 2
		w.mark(stepFileNoAuthority)
		w.add("//")
	}
	u.writeKey(w, p)
	if p.HasFragment {
		w.add("#", p.Fragment)
	}
	return w.key(p.raw)
}

// syntaxTail writes query and fragment. Of info's fragment nothing may be touched
// (draft-vandesompel-info-uri-01 section 6).
func (w *keyWriter) syntaxTail(p *Parts) {
	if p.HasQuery {
		w.add("?")
		w.canon(p.Query, p.desc.unres, p.desc.repair)
	}
	switch {
	case !p.HasFragment:
	case p.desc.Name == "info":
		w.add("#", p.Fragment)
	default:
		w.add("#")
		w.canon(p.Fragment, chars.Unreserved, p.desc.repair)
	}
}

// writeUser keeps name and password apart: only the first ':' may be raw.
func (w *keyWriter) writeUser(p *Parts) {
	if !p.HasUser {
		return
	}
	name, pass, has := strings.Cut(p.User, ":")
	w.writeUserPart(name)
	if has {
		w.add(":")
		w.writeUserPart(pass)
	}
	w.add("@")
}

func (w *keyWriter) writeUserPart(s string) {
	for {
		i := strings.IndexAny(s, ":@")
		if i < 0 {
			w.canon(s, chars.Unreserved, false)
			return
		}
		w.canon(s[:i], chars.Unreserved, false)
		if s[i] == ':' {
			w.mark(stepUserinfoRawColon)
		} else {
			w.mark(stepUserinfoRawAt)
		}
		w.buf = chars.AppendEscape(w.buf, s[i])
		s = s[i+1:]
	}
}

// writeHost folds the case of letters, but not inside escapes.
func (w *keyWriter) writeHost(host string) {
	start := len(w.buf)
	w.canon(host, chars.Unreserved, false)
	h := w.buf[start:]
	var wide bool
	for i := 0; i < len(h); i++ {
		switch c := h[i]; {
		case c == '%':
			i += 2
		case c >= 'A' && c <= 'Z':
			w.mark(stepHostCase)
			h[i] = chars.LowerByte(c)
		case c >= 0x80:
			wide = true
		}
	}
	if wide {
		folded := string(h)
		w.buf = w.buf[:start]
		w.recode(folded, 0, chars.Any&^chars.Wild, stepPctRepaired)
	}
}

// writeInfo folds the namespace after unescaping it: step b needs step c first.
func (w *keyWriter) writeInfo(body string) {
	ns, id, _ := strings.Cut(body, "/")
	start := len(w.buf)
	w.canon(ns, chars.Unreserved2396|chars.SchemeName, false)
	for i, c := range w.buf[start:] {
		if c >= 'A' && c <= 'Z' {
			w.mark(stepInfoNamespaceCase)
			w.buf[start+i] = chars.LowerByte(c)
		}
	}
	w.add("/")
	w.canon(id, chars.Unreserved2396, false)
}

func (w *keyWriter) schemeHost(p *Parts) {
	switch {
	case p.desc.Name == "file" && p.Host == "localhost": // rfc1738bis section 2.8
		w.mark(stepFileLocalhost)
	case p.desc.Name == "go" && p.Host == "": // RFC 3368 section 3.3.2
		w.mark(stepGoEmptyServer)
		w.add("localhost")
	default:
		w.add(p.Host)
	}
}

// schemePort drops an empty or default port and leading zeros.
func (w *keyWriter) schemePort(p *Parts) {
	if !p.HasPort {
		return
	}
	if p.Port == "" {
		w.mark(stepPortEmpty)
		return
	}
	digits := chars.TrimZeros(p.Port)
	if digits != p.Port {
		w.mark(stepPortLeadingZero)
	}
	if n, err := strconv.Atoi(digits); err == nil && n != 0 && n == p.desc.DefaultPort {
		w.mark(stepPortDefault)
		return
	}
	w.add(":", digits)
}
