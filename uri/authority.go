package uri

import (
	"strconv"
	"strings"
)

// Limits of RFC 1035 section 2.3.4.
const (
	maxLabel = 63
	maxHost  = 253
)

// Rules for an authority, beside those of rfc1738bis section 2.1.
const (
	allowUser uint8 = 1 << iota
	allowNoHost
	webHost // the number forms of browsers pass
)

// authority checks user, host and port.
func (b *base) authority(rules uint8) (at Endpoint, user *User, err *Error) {
	sp := &b.sp
	if !sp.HasAuthority {
		return at, nil, b.fail(len(b.Scheme())+1, "missing-authority")
	}
	if sp.HasUser {
		if rules&allowUser == 0 {
			return at, nil, b.fail(sp.userAt(), "userinfo-not-allowed")
		}
		if user, err = b.userinfo(); err != nil {
			return at, nil, err
		}
	}
	if at.Port, err = b.port(); err != nil {
		return at, nil, err
	}
	if sp.Host == "" {
		if rules&allowNoHost != 0 {
			return at, user, nil
		}
		return at, nil, b.fail(sp.hostAt(), "host-empty")
	}
	host, v, code := parseHost(sp.Host, rules&webHost != 0)
	if v == Invalid {
		return at, nil, b.fail(sp.hostAt(), code)
	}
	if code != "" {
		b.note(v, code)
	}
	at.Host = host
	return at, user, nil
}

// userinfo splits at the first ':'; rfc1738bis section 2.1: an empty name or
// password differs from none.
func (b *base) userinfo() (*User, *Error) {
	s := b.sp.User
	if err := b.text(s, b.sp.userAt(), cPchar, "userinfo-char"); err != nil {
		return nil, err
	}
	if strings.IndexByte(s, '@') >= 0 {
		b.note(Lax, "userinfo-raw-at")
	}
	name, pass, ok := strings.Cut(s, ":")
	u := &User{Name: decode(name)}
	if ok {
		if strings.IndexByte(pass, ':') >= 0 {
			b.note(Lax, "userinfo-raw-colon")
		}
		pass = decode(pass)
		u.Password = &pass
	}
	return u, nil
}

// port gives the effective port.
func (b *base) port() (int, *Error) {
	if !b.sp.HasPort {
		return b.sp.desc.DefaultPort, nil
	}
	p := b.sp.Port
	if p == "" {
		b.note(Lax, "port-empty")
		return b.sp.desc.DefaultPort, nil
	}
	if !allIn(p, cDigit) {
		return 0, b.fail(b.sp.portAt(), "port-syntax")
	}
	digits := strings.TrimLeft(p, "0")
	if len(digits) > 5 {
		return 0, b.fail(b.sp.portAt(), "port-range")
	}
	n, _ := strconv.Atoi("0" + digits)
	switch {
	case n > 65535:
		return 0, b.fail(b.sp.portAt(), "port-range")
	case n == 0:
		b.note(Lax, "port-zero")
	case len(digits) != len(p):
		b.note(Lax, "port-leading-zero")
	}
	return n, nil
}

// parseHost gives the host in lower case as it would be dialled (A-labels), and
// how it stands to rfc1738bis section 2.1; web admits the number forms of browsers.
func parseHost(s string, web bool) (host string, v Validity, code string) {
	if s[0] == '[' {
		return parseIPv6(s)
	}
	v = Valid
	if strings.IndexByte(s, '%') >= 0 {
		if i, bad := scan(s, cAny); i >= 0 && bad {
			return "", Invalid, "bad-percent"
		}
		s = decode(s)
		v, code = Lax, "host-escaped"
	}
	if len(s) > maxHost+1 {
		return "", Invalid, "host-length"
	}
	if !isASCII(s) {
		ascii, ok := toASCII(s)
		if !ok {
			return "", Invalid, "host-idna"
		}
		code = "host-idn"
		if mixedScripts(s) {
			code = "host-mixed-scripts"
		}
		s, v = ascii, Lax
	}
	s = lower(s)
	name := strings.TrimSuffix(s, ".")
	if len(name) != len(s) {
		v, code = Lax, "host-root-dot"
	}
	lv, lcode := checkLabels(name, web)
	if lcode != "" && lv < v || code == "" {
		v, code = min(lv, v), lcode
	}
	return s, v, code
}

// checkLabels judges a name without its root dot.
func checkLabels(name string, web bool) (v Validity, code string) {
	v = Valid
	labels, numeric, last := 0, true, ""
	for rest, more := name, true; more; {
		var l string
		l, rest, more = strings.Cut(rest, ".")
		labels++
		last = l
		if l == "" || l[0] == '-' || l[len(l)-1] == '-' {
			return Invalid, "host-label-syntax"
		}
		if len(l) > maxLabel {
			return Invalid, "host-label-length"
		}
		for i := 0; i < len(l); i++ {
			if l[i] == '_' {
				v, code = Lax, "host-underscore"
			} else if !is(l[i], cLabel) {
				return Invalid, "host-label-syntax"
			}
			numeric = numeric && is(l[i], cDigit)
		}
	}
	if !is(last[0], cDigit) {
		return v, code
	}
	if numeric && labels == 4 {
		return checkIPv4(name)
	}
	if _, ok := browserIPv4(name); web && ok {
		return Lax, "host-ipv4-form"
	}
	return Invalid, "host-last-label-digit"
}
