package uri

import "strings"

// draft is a URI taken apart so that a rule of the upper levels may change it.
type draft struct {
	scheme, user, host, port, path, query, frag  string
	hasAuth, hasUser, hasPort, hasQuery, hasFrag bool
}

func draftOf(sp *split) *draft {
	return &draft{
		scheme: sp.row.Name, user: sp.user, host: sp.host, port: sp.port,
		path: sp.path, query: sp.query, frag: sp.frag,
		hasAuth: sp.hasAuth, hasUser: sp.hasUser, hasPort: sp.hasPort,
		hasQuery: sp.hasQuery, hasFrag: sp.hasFrag,
	}
}

func (d *draft) String() string {
	var b strings.Builder
	b.WriteString(d.scheme + ":")
	if d.hasAuth {
		b.WriteString("//")
		if d.hasUser {
			b.WriteString(d.user + "@")
		}
		b.WriteString(d.host)
		if d.hasPort {
			b.WriteString(":" + d.port)
		}
	}
	b.WriteString(d.path)
	if d.hasQuery {
		b.WriteString("?" + d.query)
	}
	if d.hasFrag {
		b.WriteString("#" + d.frag)
	}
	return b.String()
}

// recoded is pen.recode for a string.
func recoded(s string, show, keep class) string {
	var p pen
	p.recode(s, show, keep, "")
	return string(p.buf)
}
