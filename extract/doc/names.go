package doc

import "strings"

// MessageName is the name by which links ask for a message; "" without its Message-ID.
func MessageName(id string) string { return nameOf("mid:", id) }

// ContentName is the name by which links ask for a part of the message they stand
// in; "" without its Content-ID.
func ContentName(id string) string { return nameOf("cid:", id) }

func nameOf(kind, id string) string {
	if id == "" {
		return ""
	}
	return kind + id
}

// PartName is the name by which links ask for a part of any message. A blank, which
// stands in no identifier, separates the two.
func PartName(message, content string) string {
	if message == "" || content == "" {
		return ""
	}
	return "mid:" + message + " " + content
}

// Bracketed takes what stands between the first < and >, or all of it.
func Bracketed(s string) string {
	if _, inner, ok := strings.Cut(s, "<"); ok {
		s, _, _ = strings.Cut(inner, ">")
	}
	return strings.TrimSpace(s)
}
