package mail

import (
	"bytes"
	"strings"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/uri/secret"
)

// headerDone reads a complete header: its links, and what the body will be.
func (m *message) headerDone(e *entity) {
	l := leaf{kind: "text/plain"}
	if len(m.stack) > 1 && m.stack[len(m.stack)-2].digest {
		l.kind = "message/rfc822" // RFC 2046 section 5.1.5
	}
	message, content := "", ""
	for f := range m.head.fields() {
		switch string(f.name) {
		case "content-type":
			if kind, params := doc.MediaType(f.value()); strings.Contains(kind, "/") {
				l.kind, l.params = kind, params
			}
		case "content-transfer-encoding":
			encoding, _, _ := strings.Cut(strings.ToLower(f.value()), ";")
			l.encoding = strings.TrimSpace(encoding)
		case "content-base", "content-location":
			if v := f.value(); doc.SchemeOf(v) != "" {
				base, cut := m.d.Cut(e.firstLine, "base", strings.Join(strings.Fields(v), "")) // RFC 2110 section 4.4: folding breaks it
				if !cut {
					e.base = base
				}
			}
		case "message-id":
			id := f.value()
			message, _ = m.d.Cut(e.firstLine, "Message-ID", doc.Bracketed(id))
			if len(m.stack) == 1 {
				m.id, _ = m.d.Cut(e.firstLine, "Message-ID", doc.Bracketed(secret.MaskText(id))) // a password may hold a bracket
			}
		case "content-id":
			content, _ = m.d.Cut(e.firstLine, "Content-ID", doc.Bracketed(f.value()))
		case "date":
			if len(m.stack) == 1 {
				m.date = dates.OfText(f.value())
			}
		case "content-length":
			if len(m.stack) == 1 {
				m.length = f.value()
			}
		case "subject":
			if len(m.stack) == 1 {
				m.title, _ = m.d.Cut(e.firstLine, "title", doc.OneLine(m.decodeWords(f.value())))
			}
		}
	}
	m.names(e, message, content)
	m.headerLinks()
	if l.kind == "message/external-body" {
		m.externalBody(l)
	}
	m.head.reset()
	m.bodyBegins(e, l)
}

// bodyBegins goes from the header of e to what its type holds. A type that cannot
// be followed is read as text.
func (m *message) bodyBegins(e *entity, l leaf) {
	var bad error
	deep := len(m.stack) >= maxMIMEDeep
	switch {
	case strings.HasPrefix(l.kind, "multipart/"):
		boundary := strings.TrimRight(l.params["boundary"], " \t\r\n")
		switch {
		case deep || m.parts > maxParts:
			bad = errDeepMIME
		case boundary == "":
			bad = errNoBoundary
		default:
			e.boundary, e.digest, e.state = []byte(boundary), l.kind == "multipart/digest", between
			m.body.begin(leaf{kind: "text/plain"}, e)
			return
		}
	case l.kind == "message/rfc822" || l.kind == "message/news" || l.kind == "message/partial" && l.params["number"] == "1":
		if deep {
			bad = errDeepMIME
		} else if l.encoding != "base64" && l.encoding != "quoted-printable" {
			e.state = between
			m.open(entity{number: e.number, base: e.base, id: e.id})
			return
		}
	}
	if bad != nil {
		m.damage(e.firstLine, bad)
		l.kind = "text/plain"
	}
	e.state = inBody
	m.body.begin(l, e)
}

// headerLinks searches the fields that may hold links.
func (m *message) headerLinks() {
	for f := range m.head.fields() {
		if f.quiet() || !f.linked() {
			continue
		}
		for i, l := range f.lines {
			text := l.text
			if bytes.Contains(text, []byte("=?")) {
				text = doc.Chop(text)
				if i > 0 && goesOn(f.lines[i-1], l) {
					text = bytes.TrimLeft(text, " \t")
				}
				text = []byte(m.decodeWords(string(text)))
				if i+1 == len(f.lines) || !goesOn(l, f.lines[i+1]) {
					text = append(text, '\n')
				}
			}
			m.fields.Add(text, l.number, l.column)
		}
		m.fields.Add([]byte("\n"), 0, 0) // no reference goes on from one field to the next
	}
	m.fields.Flush()
}

// goesOn says whether only what folds a field stands between the encoded words of two lines,
// which is no part of its text (RFC 2047 section 6.2).
func goesOn(a, b headerLine) bool {
	return bytes.HasSuffix(bytes.TrimRight(a.text, " \t\r\n"), []byte("?=")) && bytes.HasPrefix(bytes.TrimLeft(b.text, " \t"), []byte("=?"))
}

// headerLink gives out a link of a header. Bare hosts and paths in it are no
// links: headers are full of both.
func (m *message) headerLink(f doc.Found) bool {
	if f.How == textscan.HowHostPath || f.How == textscan.HowWWW {
		return true
	}
	f.How = "header"
	return m.found(f, "header")
}

// externalBody gives out where a body lies that was not sent along: RFC 2017 for
// a URL, RFC 2046 section 5.2.3.1 for a file of anonymous FTP.
func (m *message) externalBody(l leaf) {
	f := doc.Found{How: "external-body"}
	switch strings.ToLower(l.params["access-type"]) {
	case "url":
		f.URI = strings.Join(strings.Fields(doc.WithoutControls(l.params["url"])), "") // blanks are of folding
	case "anon-ftp":
		if site := l.params["site"]; site != "" && l.params["name"] != "" {
			path := strings.Trim(l.params["directory"], "/") + "/" + l.params["name"]
			f.URI = "ftp://" + site + "/" + doc.EscapePath(strings.TrimPrefix(path, "/"))
		}
	}
	if f.URI = doc.WithoutControls(f.URI); f.URI == "" {
		return
	}
	f.Raw, f.Context = f.URI, doc.OneLine(l.params["name"])
	f.Line = m.head.lineOf(f.URI[:strings.Index(f.URI+"/", "/")], l.params["site"])
	m.found(f, "header")
}

// names gives out what the header of e names: the message, or the part.
func (m *message) names(e *entity, message, content string) {
	if !m.d.Options.Names || len(m.head.lines) == 0 {
		return
	}
	line, f := m.head.lines[0].number, doc.Found{Record: m.id, Title: m.title}
	if e.number != "" {
		f.Locator = m.locator("")
	}
	if message != "" {
		e.id = message
		m.d.YieldName(doc.MessageName(message), line, f)
	}
	if content != "" {
		m.d.YieldName(doc.ContentName(content), line, f)
		m.d.YieldName(doc.PartName(e.id, content), line, f)
	}
}
