package mend

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"linkcheck/internal/marc8"
)

// MARCXMLHead and MARCXMLTail stand around records of MARCXML
// (www.loc.gov/standards/marcxml).
const (
	MARCXMLHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n"
	MARCXMLTail = "</collection>\n"
)

var (
	errNoMARC   = errors.New("no MARC in ISO 2709 or .mrk")
	errNoText   = errors.New("its text cannot be said in XML without a loss")
	errNoLeader = errors.New("its leader is not 24 octets long")
)

// MARCXML gives the records of a copy as elements of MARCXML, and why others could not be
// written. A copy in MARCXML is such a document itself.
func (c *Copy) MARCXML() (out []byte, faults []error) {
	var records [][]byte
	parse := parseForXML
	switch c.Format {
	case "marc":
		records = bytes.SplitAfter(c.Octets, []byte{recordEnd})
	case "mrk":
		parse = parseLines
		for _, s := range recordsOf(c.Format, c.Octets) {
			records = append(records, c.Octets[s.from:s.to])
		}
	default:
		return nil, []error{errNoMARC}
	}
	for _, text := range records {
		if len(bytes.Trim(text, "\r\n \x00\x1a")) == 0 {
			continue
		}
		leader, fields, err := parse(text)
		if err == nil {
			out, err = appendRecord(out, leader, fields)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("a record of %.60q: %w", text, err))
		}
	}
	return out, faults
}

// xmlField is a field: its tag and its octets, where the delimiter begins subfields.
type xmlField struct{ tag, value string }

func parseForXML(text []byte) (leader string, fields []xmlField, err error) {
	text = text[leadOf(text):]
	r, err := parseRecord(text)
	if err != nil {
		return "", nil, err
	}
	has := func(tag string) bool {
		return slices.ContainsFunc(r.fields, func(f field) bool { return f.tag == tag })
	}
	leader = string(text[:leaderSize])
	decode := func(b []byte) string { return string(b) }
	if text[9] != 'a' && (has("245") || !has("200")) { // and not UNIMARC, where the leader does not tell
		decode, leader = marc8.Decode, leader[:9]+"a"+leader[10:]
	}
	for _, f := range r.fields {
		var parts []string
		for part := range bytes.SplitSeq(text[f.from:f.to-1], []byte{delimiter}) {
			parts = append(parts, decode(part))
		}
		fields = append(fields, xmlField{f.tag, strings.Join(parts, string(rune(delimiter)))})
	}
	return leader, fields, nil
}

// parseLines reads a record of .mrk, in which a blank of leader, indicators and control
// fields is a backslash.
func parseLines(text []byte) (leader string, fields []xmlField, err error) {
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) < 6 || line[0] != '=' {
			continue
		}
		tag, value := string(line[1:4]), string(line[6:])
		switch {
		case tag == "LDR" || tag == "000":
			leader = strings.ReplaceAll(value, `\`, " ")
		case tag < "010":
			fields = append(fields, xmlField{tag, strings.ReplaceAll(value, `\`, " ")})
		default:
			value = strings.ReplaceAll(value, "$", string(rune(delimiter)))
			inds := min(2, len(value))
			fields = append(fields, xmlField{tag, strings.ReplaceAll(value[:inds], `\`, " ") + strings.ReplaceAll(value[inds:], dollar, "$")})
		}
	}
	if len(leader) != leaderSize {
		err = errNoLeader
	}
	return leader, fields, err
}

func appendRecord(out []byte, leader string, fields []xmlField) ([]byte, error) {
	var b bytes.Buffer
	whole := true
	text := func(s string) string {
		if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == utf8.RuneError }) {
			whole = false
		}
		var e bytes.Buffer
		_ = xml.EscapeText(&e, []byte(s)) // a Buffer takes all
		return e.String()
	}
	fmt.Fprintf(&b, "<record>\n  <leader>%s</leader>\n", text(leader))
	for _, f := range fields {
		subs := strings.Split(f.value, string(rune(delimiter)))
		switch {
		case f.tag < "010":
			fmt.Fprintf(&b, "  <controlfield tag=\"%s\">%s</controlfield>\n", text(f.tag), text(f.value))
			continue
		case len(subs[0]) != 2:
			return out, errNoText
		}
		fmt.Fprintf(&b, "  <datafield tag=\"%s\" ind1=\"%s\" ind2=\"%s\">\n", text(f.tag), text(subs[0][:1]), text(subs[0][1:]))
		for _, s := range subs[1:] {
			if s == "" {
				return out, errNoText
			}
			fmt.Fprintf(&b, "    <subfield code=\"%s\">%s</subfield>\n", text(s[:1]), text(s[1:]))
		}
		b.WriteString("  </datafield>\n")
	}
	b.WriteString("</record>\n")
	if !whole {
		return out, errNoText
	}
	return append(out, b.Bytes()...), nil
}
