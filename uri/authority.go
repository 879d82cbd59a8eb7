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
func (b *base) authority(rules uint8) (at Endpoint, user *User) {
	p := &b.p
	if !p.HasAuthority {
		b.fail(p.pathAt(), "missing-authority")
		return at, nil
	}
	if p.HasUser {
		if rules&allowUser == 0 {
			b.fail(p.userAt(), "userinfo-not-allowed")
		}
		user = b.userinfo()
	}
	at.Port = b.port()
	if p.Host == "" {
		if rules&allowNoHost == 0 {
			b.fail(p.hostAt(), "host-empty")
		}
		return at, user
	}
	name, fault, code := host.Parse(p.Host, rules&webHost != 0)
	switch fault {
	case host.Bad:
		b.fail(p.hostAt(), code)
	case host.Forgiven:
		b.note(Lax, code)
	case host.Later:
		b.note(Ext, code)
	}
	at.Host = name
	return at, user
}

// userinfo splits at the first ':'; rfc1738bis section 2.1: an empty name or
// password differs from none.
func (b *base) userinfo() *User {
	s := b.p.User
	b.text(s, b.p.userAt(), chars.Pchar, "userinfo-char")
	if strings.IndexByte(s, '@') >= 0 {
		b.note(Lax, "userinfo-raw-at")
	}
	name, pass, ok := strings.Cut(s, ":")
	u := &User{Name: chars.Decode(name)}
	if ok {
		if strings.IndexByte(pass, ':') >= 0 {
			b.note(Lax, "userinfo-raw-colon")
		}
		u.Password = new(chars.Decode(pass))
	}
	return u
}

// port gives the effective port.
func (b *base) port() int {
	p := b.p.Port
	if p == "" {
		if b.p.HasPort {
			b.note(Lax, "port-empty")
		}
		return b.p.desc.DefaultPort
	}
	digits := strings.TrimLeft(p, "0")
	n, _ := strconv.Atoi("0" + digits[:min(len(digits), 6)])
	switch {
	case !chars.AllIn(p, chars.Digit):
		b.fail(b.p.portAt(), "port-syntax")
	case n > 65535:
		b.fail(b.p.portAt(), "port-range")
	case n == 0:
		b.note(Lax, "port-zero")
	case len(digits) != len(p):
		b.note(Lax, "port-leading-zero")
	}
	return n
}
