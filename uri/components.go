package uri

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"unicode/utf8"

	"linkcheck/uri/internal/chars"
)

// Components gives the decoded parts of u by name, as JSON: octets that are no UTF-8
// are shown as latin-1, the members are sorted. A password is among them as written.
func Components(u URI) json.RawMessage {
	m := members{}
	frag, has := u.Fragment()
	if _, file := u.(*File); has && !file {
		m["fragment"] = text(frag)
	}
	maps.Copy(m, u.components())
	if host := u.parts().Host; !chars.IsASCII(host) || strings.IndexByte(host, '%') >= 0 {
		m[hostName(m)] = strings.ToLower(text(chars.Decode(host))) // as people read it; the endpoint has A-labels
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return json.RawMessage("{}")
	}
	return bytes.TrimSpace(b.Bytes())
}

// hostName is the name of the member with the host: go has a server.
func hostName(m map[string]any) string {
	if _, ok := m["server"]; ok {
		return "server"
	}
	return "host"
}

// text gives octets as a string that JSON can hold.
func text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	r := make([]rune, len(s))
	for i := 0; i < len(s); i++ {
		r[i] = rune(s[i])
	}
	return string(r)
}

func texts(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = text(s)
	}
	return out
}

// optional is nil for absent.
func optional(s *string) any {
	if s == nil {
		return nil
	}
	return text(*s)
}

func params(list []Param) [][2]string {
	out := make([][2]string, len(list))
	for i, p := range list {
		out[i] = [2]string{text(p.Name), text(p.Value)}
	}
	return out
}

// members are decoded parts by name.
type members map[string]any

func (m members) at(e Endpoint) members {
	m["host"], m["port"] = e.Host, e.Port
	return m
}

func (m members) user(u *User) members {
	m["user"], m["password"] = nil, nil
	if u != nil {
		m["user"], m["password"] = text(u.Name), optional(u.Password)
	}
	return m
}

// fragmentOf is the fragment for the schemes whose syntax always has one.
func (b *base) fragmentOf() any {
	if !b.p.HasFragment {
		return nil
	}
	return text(b.p.Fragment)
}
