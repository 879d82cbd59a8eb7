package uri

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"unicode/utf8"
)

// components gives the decoded parts of u as the vectors name them: octets that
// are no UTF-8 are shown as latin-1. The members are sorted by name.
func components(u URI) json.RawMessage {
	if u == nil {
		return json.RawMessage("{}")
	}
	m := map[string]any{}
	frag, has := u.Fragment()
	if _, file := u.(*File); has && !file {
		m["fragment"] = text(frag)
	}
	maps.Copy(m, u.components())
	if host := u.parts().Host; !isASCII(host) || strings.IndexByte(host, '%') >= 0 {
		m[hostName(m)] = strings.ToLower(text(decode(host))) // as people read it; At has A-labels
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return json.RawMessage("{}")
	}
	return bytes.TrimSpace(b.Bytes())
}

// hostName is what the vectors call the host: go has a server.
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

type members map[string]any

// fragmentOf is the fragment for the schemes whose syntax always has one.
func (b *base) fragmentOf() any {
	if !b.sp.HasFragment {
		return nil
	}
	return text(b.sp.Fragment)
}

func (u *HTTP) components() map[string]any {
	return members{"path": text(u.Path), "query": optional(u.Query), "fragment": u.fragmentOf()}.at(u.At).user(u.User)
}

func (u *FTP) components() map[string]any {
	m := members{"cwd": texts(u.Dirs), "name": text(u.Name), "type": nil}
	if u.Type != 0 {
		m["type"] = string(rune(u.Type))
	}
	return m.at(u.At).user(u.User)
}

func (u *Gopher) components() map[string]any {
	return members{
		"type": text(string([]byte{u.Type})), "selector": text(u.Selector),
		"search": optional(u.Search), "plus": optional(u.Plus),
	}.at(u.At)
}

func (u *News) components() map[string]any {
	m := members{"kind": u.Kind.String()}
	if u.At != nil {
		m.at(*u.At)
	}
	switch u.Kind {
	case NewsGroup:
		m["group"] = text(u.Group)
	case NewsArticle:
		m["message_id"] = text(u.MessageID)
	}
	return m
}

func (u *NNTP) components() map[string]any {
	m := members{"group": text(u.Group), "article": nil}
	if u.Article != "" {
		m["article"] = u.Article
	}
	return m.at(u.At)
}

func (u *Telnet) components() map[string]any { return members{}.at(u.At).user(u.User) }

func (u *WAIS) components() map[string]any {
	m := members{"database": text(u.Database), "form": u.Form.String()}.at(u.At)
	switch u.Form {
	case WAISSearch:
		m["search"] = text(u.Search)
	case WAISUDIDocument:
		m["length"] = u.Length
		fallthrough
	case WAISDocument:
		m["wtype"], m["wpath"] = text(u.Type), text(u.Path)
	}
	return m
}

func (u *File) components() map[string]any {
	return members{"host": u.Host, "path": texts(u.Segments)}
}

func (u *Prospero) components() map[string]any {
	return members{"hsoname": text(u.HSOName), "fields": params(u.Fields)}.at(u.At)
}

func (u *Z3950) components() map[string]any {
	return members{
		"databases": texts(u.Databases), "docid": optional(u.DocID), "esn": optional(u.ElementSet),
		"rs": texts(u.Syntaxes), "ext": params(u.Ext),
	}.at(u.At)
}

func (u *Info) components() map[string]any {
	return members{"namespace": u.Namespace, "identifier": text(u.Identifier), "fragment": u.fragmentOf()}
}

func (u *Go) components() map[string]any {
	pairs := make([][3]any, len(u.Pairs))
	for i, p := range u.Pairs {
		pairs[i] = [3]any{p.Attribute, optional(p.Type), p.Value}
	}
	m := members{
		"form": u.Form, "common_name": optional(u.CommonName), "id": optional(u.ID),
		"avpairs": pairs, "server": nil, "port": nil,
	}
	if u.At != nil {
		m["server"], m["port"] = u.At.Host, u.At.Port
	}
	return m
}

func (u *Mailto) components() map[string]any {
	return members{"to": texts(u.To), "headers": params(u.Headers)}
}

func (u *Opaque) components() map[string]any {
	m := members{"rest": text(u.Rest)}
	if u.At != nil {
		m.at(*u.At)
	}
	return m
}
