package uri

import (
	"strconv"
	"strings"

	"linkcheck/uri/internal/chars"
	"linkcheck/uri/internal/host"
)

// Rules for an authority, beside those of rfc1738bis section 2.1.
const (
	allowUser uint8 = 1 << iota
	allowNoHost
	webHost // the number forms of browsers pass
)

// authority checks user, host and port.
func (b *base) authority(rules uint8) (at Endpoint, user *User, err *Error) {
	p := &b.p
	if !p.HasAuthority {
		return at, nil, b.fail(len(b.Scheme())+1, "missing-authority")
	}
	if p.HasUser {
		if rules&allowUser == 0 {
			return at, nil, b.fail(p.userAt(), "userinfo-not-allowed")
		}
		if user, err = b.userinfo(); err != nil {
			return at, nil, err
		}
	}
	if at.Port, err = b.port(); err != nil {
		return at, nil, err
	}
	if p.Host == "" {
		if rules&allowNoHost != 0 {
			return at, user, nil
		}
		return at, nil, b.fail(p.hostAt(), "host-empty")
	}
	name, fault, code := host.Parse(p.Host, rules&webHost != 0)
	switch fault {
	case host.Bad:
		return at, nil, b.fail(p.hostAt(), code)
	case host.Forgiven:
		b.note(Lax, code)
	case host.Later:
		b.note(Ext, code)
	}
	at.Host = name
	return at, user, nil
}

// userinfo splits at the first ':'; rfc1738bis section 2.1: an empty name or
// password differs from none.
func (b *base) userinfo() (*User, *Error) {
	s := b.p.User
	if err := b.text(s, b.p.userAt(), chars.Pchar, "userinfo-char"); err != nil {
		return nil, err
	}
	if strings.IndexByte(s, '@') >= 0 {
		b.note(Lax, "userinfo-raw-at")
	}
	name, pass, ok := strings.Cut(s, ":")
	u := &User{Name: chars.Decode(name)}
	if ok {
		if strings.IndexByte(pass, ':') >= 0 {
			b.note(Lax, "userinfo-raw-colon")
		}
		pass = chars.Decode(pass)
		u.Password = &pass
	}
	return u, nil
}

// port gives the effective port.
func (b *base) port() (int, *Error) {
	if !b.p.HasPort {
		return b.p.desc.DefaultPort, nil
	}
	p := b.p.Port
	if p == "" {
		b.note(Lax, "port-empty")
		return b.p.desc.DefaultPort, nil
	}
	if !chars.AllIn(p, chars.Digit) {
		return 0, b.fail(b.p.portAt(), "port-syntax")
	}
	digits := strings.TrimLeft(p, "0")
	if len(digits) > 5 {
		return 0, b.fail(b.p.portAt(), "port-range")
	}
	n, _ := strconv.Atoi("0" + digits)
	switch {
	case n > 65535:
		return 0, b.fail(b.p.portAt(), "port-range")
	case n == 0:
		b.note(Lax, "port-zero")
	case len(digits) != len(p):
		b.note(Lax, "port-leading-zero")
	}
	return n, nil
}
