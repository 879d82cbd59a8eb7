package records

import (
	"encoding/xml"
	"strings"
	"unicode/utf8"
)

const (
	maxID    = 2000 // octets of an identifier
	maxTitle = 160  // octets of a title
)

// Facts is what a record says of itself.
type Facts struct {
	Control, Agency string // MARC 001, and 003: whose number it is
	Own             string // recordIdentifier, eadid or recordid
	Title           string // MARC 245, else the first title
}

// factReader gathers them from the elements of a record.
type factReader struct {
	Facts
	wanted *string // what the text at hand is read into; nil: nothing
	text   []byte
	in245  bool
	sub    string // the subfield at hand
	parts  []string
}

func (f *factReader) start(name string, attrs []xml.Attr) {
	f.wanted, f.text = nil, f.text[:0]
	want := func(to *string) {
		if *to == "" {
			f.wanted = to
		}
	}
	switch name {
	case "controlfield":
		switch attr(attrs, "tag") {
		case "001":
			want(&f.Control)
		case "003":
			want(&f.Agency)
		}
	case "datafield":
		f.in245 = f.Title == "" && attr(attrs, "tag") == "245"
	case "subfield":
		if code := attr(attrs, "code"); f.in245 && code != "" && strings.Contains("abnpe", code) {
			f.sub, f.wanted = "", &f.sub
		}
	case "title", "titleproper", "unittitle":
		want(&f.Title)
	case "recordIdentifier", "eadid", "recordid":
		want(&f.Own)
	}
}

func (f *factReader) chars(text []byte) {
	if f.wanted != nil && len(f.text) < maxText {
		f.text = append(f.text, text...)
	}
}

func (f *factReader) end(name string) {
	if f.wanted != nil {
		*f.wanted = strings.Join(strings.Fields(string(f.text)), " ")
	}
	f.wanted = nil
	switch {
	case name == "subfield" && f.sub != "":
		f.parts, f.sub = append(f.parts, f.sub), ""
	case name == "datafield" && f.in245:
		f.Title, f.in245, f.parts = strings.TrimRight(strings.Join(f.parts, " "), " /:;,="), false, nil
	}
}

// done gives what was gathered.
func (f *factReader) done() Facts {
	for _, id := range []*string{&f.Control, &f.Agency, &f.Own} {
		*id = strings.TrimSpace(cut(*id, maxID))
	}
	f.Title = strings.TrimSpace(cut(f.Title, maxTitle))
	return f.Facts
}

// cut is the beginning of a text, in whole characters.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
