package extract

import (
	"net/url"
	"strings"
)

// A link may name a message or a part of one and say no place: news:ID (RFC
// 5538), mid:ID, mid:ID/CID and cid:CID (RFC 2392). Where the thing stands in
// the documents themselves nobody has to be asked about it. Names are the keys
// by which such links and the things are brought together.

// NameOf gives the name that a reference asks for, "" for one that names no
// message or part, or names a server to get it from.
func NameOf(ref string) string {
	rest := ref[strings.IndexByte(ref, ':')+1:]
	switch schemeOf(ref) {
	case "news", "snews":
		if address(rest) && !strings.HasPrefix(rest, "//") {
			return messageName(plainID(rest))
		}
	case "mid":
		id, part, parted := strings.Cut(rest, "/")
		if parted && part != "" {
			return partName(plainID(id), plainID(part))
		}
		return messageName(plainID(id))
	case "cid":
		return contentName(plainID(rest))
	}
	return ""
}

// plainID undoes the escapes of an identifier and the angle brackets that old
// articles leave around it.
func plainID(s string) string {
	s, _, _ = strings.Cut(s, "#")
	if t, err := url.PathUnescape(s); err == nil {
		s = t
	}
	return bracketed(s)
}

func messageName(id string) string {
	if id == "" {
		return ""
	}
	return "mid:" + id
}

func contentName(id string) string {
	if id == "" {
		return ""
	}
	return "cid:" + id
}

// partName parts the two by a blank, which stands in no identifier.
func partName(message, content string) string {
	if message == "" || content == "" {
		return ""
	}
	return "mid:" + message + " " + content
}

// named gives out that a thing of this name begins at a line, where Options.Names asks for it.
func (d *doc) named(name string, line int, f Found) {
	if d.o.Names && name != "" {
		f.Name, f.Line = name, line
		d.found(f)
	}
}

// names gives out what the header of e names: the message, or the part.
func (m *message) names(e *entity, message, content string) {
	if !m.d.o.Names || len(m.head.lines) == 0 {
		return
	}
	line, f := m.head.lines[0].number, Found{Record: m.id, Title: m.title}
	if e.number != "" {
		f.Locator = m.locator("")
	}
	if message != "" {
		e.id = message
		m.d.named(messageName(message), line, f)
	}
	if content != "" {
		m.d.named(contentName(content), line, f)
		m.d.named(partName(e.id, content), line, f)
	}
}
