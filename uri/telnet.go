package uri

import "linkcheck/uri/internal/chars"

var telnetScheme = Descriptor{
	Name: "telnet", DefaultPort: 23, Spec: "rfc1738bis section 2.6", Text: SpelledSlashes,
	aliases: []alias{{"tn3270", 23, "RFC 6270"}, {"rlogin", 513, "UDI (1991); RFC 1282"}},
	syntax:  syntaxPath, unres: chars.Unreserved, parse: parseTelnet,
}

// Telnet is a telnet, tn3270 or rlogin URL.
//
//	telnet://<user>:<password>@<host>:<port>/   rfc1738bis section 2.6
//
// A path asks nothing of the server: it is forgiven.
type Telnet struct {
	base
	At   Endpoint
	User *User // advisory only
}

// Endpoint implements [URI].
func (u *Telnet) Endpoint() (Endpoint, bool) { return u.At, true }

func parseTelnet(p Parts) URI {
	u := &Telnet{base: newBase(p)}
	u.At, u.User = u.authority(allowUser)
	if p.Path != "" && p.Path != "/" {
		u.text(p.Path, p.pathAt(), chars.Pchar|chars.Slash, "telnet-path-char")
		u.note(Lax, "telnet-path-ignored")
	}
	return u
}

// writeKey: the final slash may be omitted.
func (*Telnet) writeKey(w *keyWriter, p *Parts) {
	if p.Path == "" {
		w.mark(stepTelnetSlash)
		w.add("/")
	}
	w.add(p.Path)
}

func (u *Telnet) components() members { return members{}.user(u.User) }
