package uri

// Telnet is a telnet, tn3270 or rlogin URL.
//
//	telnet://<user>:<password>@<host>:<port>/   rfc1738bis section 2.6
type Telnet struct {
	base
	At   Endpoint
	User *User // advisory only
}

func (u *Telnet) Endpoint() Endpoint { return u.At }

func parseTelnet(sp split) (URI, *Error) {
	u := &Telnet{base: newBase(sp)}
	var err *Error
	if u.At, u.User, err = u.authority(allowUser); err != nil {
		return nil, err
	}
	if sp.path != "" && sp.path != "/" {
		return nil, u.fail(sp.pathAt(), "telnet-path-not-allowed")
	}
	return u, u.fragment()
}

// telnetKey: the final slash may be omitted.
func telnetKey(p *pen, sp *split) {
	if sp.path == "" {
		p.mark("telnet-slash")
	}
	p.add("/")
}
