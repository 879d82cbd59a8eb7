package mend

import (
	"bytes"
	"html"
	"strings"

	"golang.org/x/text/encoding"

	"linkcheck/extract/catalog"
)

// reading reads the first piece of a value as it stands: its text, and its octets.
type reading func(b []byte) (text string, n int)

// spelling is how values are written in a format.
type spelling struct {
	read   []reading                 // the ways in which extract gives values, the usual one last but for one alone
	begins func(before []byte) []int // where the value may begin that these octets of a line end in; nil: places are exact
	write  func(before []byte, value string) string
}

var spellings = map[string]spelling{
	"marc":      {[]reading{octet}, nil, verbatim},
	"mrk":       {[]reading{mnemonic}, afterDollar, func(_ []byte, value string) string { return strings.ReplaceAll(value, "$", "{dollar}") }},
	"xml":       {[]reading{reference, octet}, afterTag, writeXML},
	"csv":       {[]reading{quoted, octet}, afterQuote, verbatim},
	"html":      {[]reading{octet, reference}, nil, writeHTML},
	"bookmarks": {[]reading{octet, reference}, nil, writeHTML},
}

func octet(b []byte) (string, int) { return string(b[:1]), 1 }

func verbatim(_ []byte, value string) string { return value }

const dollar = "{dollar}"

// mnemonic reads .mrk, where a dollar is spelled out.
func mnemonic(b []byte) (string, int) {
	if bytes.HasPrefix(b, []byte(dollar)) {
		return "$", len(dollar)
	}
	return octet(b)
}

// afterDollar is where the subfield begins that the octets end in.
func afterDollar(before []byte) []int {
	return []int{min(len(before), bytes.LastIndexByte(before, '$')+2)}
}

// quoted reads a table, where a quote is doubled within quotes and one alone is none of the
// cell (RFC 4180 section 2).
func quoted(b []byte) (string, int) {
	switch {
	case bytes.HasPrefix(b, []byte(`""`)):
		return `"`, 2
	case b[0] == '"':
		return "", 1
	}
	return octet(b)
}

// afterQuote are the line and each cell in quotes that begins in it.
func afterQuote(before []byte) []int {
	list := []int{0}
	for i, c := range before {
		if c == '"' && (i == 0 || bytes.IndexByte([]byte(",;\t|"), before[i-1]) >= 0) {
			list = append(list, i)
		}
	}
	return list
}

const maxReference = 40 // octets of a character reference

// reference reads a character reference as extract does: one without a semicolon is none.
func reference(b []byte) (string, int) {
	if b[0] != '&' {
		return octet(b)
	}
	n := bytes.IndexByte(b[:min(len(b), maxReference)], ';') + 1
	if n < 3 {
		return octet(b)
	}
	ref := string(b[:n])
	if s := html.UnescapeString(ref); s != ref && !strings.HasSuffix(s, ";") {
		return s, n
	}
	return octet(b)
}

// afterTag is where the text begins that the octets end in.
func afterTag(before []byte) []int { return []int{bytes.LastIndexByte(before, '>') + 1} }

// inMarkup writes a value as text or as an attribute, be it between ' or ".
func inMarkup(before []byte, value string) string {
	value = strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(value)
	if q := bytes.LastIndexAny(before, "\"'>"); q >= 0 && before[q] == '\'' {
		return strings.ReplaceAll(value, "'", "&#39;")
	}
	return strings.ReplaceAll(value, `"`, "&quot;")
}

// writeXML writes a value as text or as an attribute, or as it is in a section of CDATA
// (XML 1.0 sections 2.4 and 2.7).
func writeXML(before []byte, value string) string {
	before = before[max(0, len(before)-maxSection):]
	if bytes.LastIndex(before, []byte(section)) > bytes.LastIndex(before, []byte("]]>")) {
		return value
	}
	return inMarkup(before, value)
}

const section = "<![CDATA["

// maxSection is how far behind the beginning of a section of CDATA an address is looked
// for. One further on is written as text is, read again, and left.
const maxSection = 16 << 10

// writeHTML writes the value of an attribute, or what stands in a style sheet, where there
// are no references.
func writeHTML(before []byte, value string) string {
	tag := bytes.LastIndexByte(before, '<')
	if tag >= 0 && bytes.IndexByte(before[tag:], '>') >= 0 {
		return value
	}
	return inMarkup(before, value)
}

// plainPieces: the whole document is one piece, in the octets that extract counts; of UTF-16
// those are decoded.
func plainPieces(d *document) ([]*piece, error) {
	if bytes.HasPrefix(d.octets, []byte("\xff\xfe")) || bytes.HasPrefix(d.octets, []byte("\xfe\xff")) {
		return wholePieces(d, catalog.XMLEncoding(d.octets, ""))
	}
	return wholePieces(d, nil)
}

// xmlPieces decodes what is not in UTF-8.
func xmlPieces(d *document) ([]*piece, error) {
	pieces, err := wholePieces(d, catalog.XMLEncoding(d.octets[:min(len(d.octets), sniffed)], d.o.Charset))
	if err == nil {
		pieces[0].free = true
	}
	return pieces, err
}

// wholePieces makes one piece of a document, decoded by e as extract does, and encodes the
// copy again; nil: by nothing.
func wholePieces(d *document, e encoding.Encoding) ([]*piece, error) {
	p := &piece{span: span{0, len(d.octets)}, text: d.octets}
	p.founds, p.damages = read(d.name, d.octets, d.o)
	d.founds = p.founds
	p.apply = func(jobs []job) ([]byte, error) { return splice(p.text, jobs), nil }
	if e == nil {
		return []*piece{p}, nil
	}
	text, err := e.NewDecoder().Bytes(d.octets)
	if err != nil {
		return nil, errCharset
	}
	if back, err := e.NewEncoder().Bytes(text); err != nil || !bytes.Equal(back, d.octets) {
		return nil, errCharset
	}
	p.text = text
	p.apply = func(jobs []job) ([]byte, error) { return e.NewEncoder().Bytes(splice(text, jobs)) }
	return []*piece{p}, nil
}

// splice writes the values of jobs, which are in order and do not overlap.
func splice(text []byte, jobs []job) []byte {
	out, last := make([]byte, 0, len(text)+64*len(jobs)), 0
	for _, j := range jobs {
		out = append(append(out, text[last:j.at.from]...), j.value...)
		last = j.at.to
	}
	return append(out, text[last:]...)
}
