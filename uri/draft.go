package uri

import "strings"

// draft is a URI taken apart so that a rule of the upper levels may change it.
type draft struct {
	Scheme, User, Host, Port, Path, Query, Fragment  string
	HasAuthority, HasUser, HasPort, HasQuery, HasFragment bool
}

func draftOf(sp *Parts) *draft {
	return &draft{
		Scheme: sp.desc.Name, User: sp.User, Host: sp.Host, Port: sp.Port,
		Path: sp.Path, Query: sp.Query, Fragment: sp.Fragment,
		HasAuthority: sp.HasAuthority, HasUser: sp.HasUser, HasPort: sp.HasPort,
		HasQuery: sp.HasQuery, HasFragment: sp.HasFragment,
	}
}

func (d *draft) String() string {
	var b strings.Builder
	b.WriteString(d.Scheme + ":")
	if d.HasAuthority {
		b.WriteString("//")
		if d.HasUser {
			b.WriteString(d.User + "@")
		}
		b.WriteString(d.Host)
		if d.HasPort {
			b.WriteString(":" + d.Port)
		}
	}
	b.WriteString(d.Path)
	if d.HasQuery {
		b.WriteString("?" + d.Query)
	}
	if d.HasFragment {
		b.WriteString("#" + d.Fragment)
	}
	return b.String()
}

// recoded is pen.recode for a string.
func recoded(s string, show, keep class) string {
	var p keyWriter
	p.recode(s, show, keep, "")
	return string(p.buf)
}
