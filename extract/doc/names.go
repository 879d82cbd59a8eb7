package doc

import "strings"

func MessageName(id string) string {
	if id == "" {
		return ""
	}
	return "mid:" + id
}

func ContentName(id string) string {
	if id == "" {
		return ""
	}
	return "cid:" + id
}

// partName parts the two by a blank, which stands in no identifier.
func PartName(message, content string) string {
	if message == "" || content == "" {
		return ""
	}
	return "mid:" + message + " " + content
}

// bracketed takes what stands between the first < and >, or all of it.
func Bracketed(s string) string {
	if i := strings.IndexByte(s, '<'); i >= 0 {
		s = s[i+1:]
		if j := strings.IndexByte(s, '>'); j >= 0 {
			s = s[:j]
		}
	}
	return strings.TrimSpace(s)
}

// named gives out that a thing of this name begins at a line, where Options.Names asks for it.
func (d *Document) Named(name string, line int, f Found) {
	if d.Options.Names && name != "" {
		f.Name, f.Line = name, line
		d.Yield(f)
	}
}
