package cnrp

import (
	"encoding/xml"
	"strings"

	"linkcheck/uri"
)

// prologue begins every document (RFC 3367 section 8). The DTD is named, never
// fetched.
const prologue = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE cnrp PUBLIC "-//IETF//DTD CNRP 1.0//EN" "http://ietf.org/dtd/cnrp-1.0.dtd">
`

// kind is what a go URI asks for.
type kind uint8

const (
	service kind = iota // whether there is a service
	name                // a common name
	item                // an identifier
)

func kindOf(u *uri.Go) kind {
	switch {
	case u.ID != nil:
		return item
	case u.CommonName != nil && *u.CommonName != "":
		return name
	}
	return service
}

// query is the document that asks for u (PROTOCOLS 4.2). An attribute without
// a type is sent without one.
func query(u *uri.Go) string {
	var b strings.Builder
	b.WriteString(prologue + "<cnrp>")
	switch kindOf(u) {
	case service:
		b.WriteString("<servicequery/>")
	case item:
		b.WriteString("<query><id>" + escape(*u.ID) + "</id></query>")
	case name:
		b.WriteString("<query><commonname>" + escape(*u.CommonName) + "</commonname>")
		for _, p := range u.Pairs {
			b.WriteString(`<property name="` + escape(p.Attribute) + `"`)
			if p.Type != nil {
				b.WriteString(` type="` + escape(*p.Type) + `"`)
			}
			b.WriteString(">" + escape(p.Value) + "</property>")
		}
		b.WriteString("</query>")
	}
	b.WriteString("</cnrp>\n")
	return b.String()
}

// words lists all that query writes, to be judged before.
func words(u *uri.Go) []string {
	var all []string
	if u.ID != nil {
		all = append(all, *u.ID)
	}
	if u.CommonName != nil {
		all = append(all, *u.CommonName)
	}
	for _, p := range u.Pairs {
		all = append(all, p.Attribute, p.Value)
		if p.Type != nil {
			all = append(all, *p.Type)
		}
	}
	return all
}

func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}
