package records

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Alone makes a document of an XML record that stands alone. One that is not well formed
// stays as it is, without its facts.
func Alone(text []byte) (body []byte, f Facts) {
	inner := &innerPage{}
	s := newScanner(bytes.NewReader(text), maxRecord+1, inner)
	s.bare = true
	if s.run(); inner.body == nil {
		return slices.Concat([]byte(prolog), text), f
	}
	return inner.body, inner.facts
}

// innerPage is a record alone.
type innerPage struct {
	body  []byte
	facts Facts
}

func (*innerPage) start(string, string, []xml.Attr) bool { return true }
func (*innerPage) end(string, string, string) error      { return nil }
func (*innerPage) entry(string, string) (string, bool)   { return "", false }
func (*innerPage) fault(string) error                    { return nil }
func (p *innerPage) record(body []byte, f Facts)         { p.body, p.facts = body, f }

// The parts of a MARC record (ISO 2709).
const (
	leaderSize = 24
	entrySize  = 12 // of the directory: tag, length and place of a field
	fieldEnd   = '\x1e'
	subfield   = '\x1f'
)

// MARC reads what a record of ISO 2709 says of itself. The title is left out where it is
// in another character set than UTF-8.
func MARC(record []byte) Facts {
	var f factReader
	eachField(record, func(tag string, field []byte) {
		switch tag {
		case "001":
			f.Control = oneLine(field)
		case "003":
			f.Agency = oneLine(field)
		case "245":
			if f.Title == "" {
				f.Title = titleOf(field)
			}
		}
	})
	return f.done()
}

// eachField calls f with the fields of a record, as far as its directory is true.
func eachField(record []byte, f func(tag string, field []byte)) {
	if len(record) < leaderSize {
		return
	}
	base, err := strconv.Atoi(string(record[12:17]))
	if err != nil || base > len(record) {
		return
	}
	directory, _, _ := bytes.Cut(record[leaderSize:max(base, leaderSize)], []byte{fieldEnd})
	for ; len(directory) >= entrySize; directory = directory[entrySize:] {
		length, err := strconv.ParseUint(string(directory[3:7]), 10, 16)
		place, err2 := strconv.ParseUint(string(directory[7:12]), 10, 32)
		from := uint64(base) + place
		if err != nil || err2 != nil || from+length > uint64(len(record)) {
			continue
		}
		field, _, _ := bytes.Cut(record[from:from+length], []byte{fieldEnd})
		f(string(directory[:3]), field)
	}
}

// titleOf is what field 245 says.
func titleOf(field []byte) string {
	var parts []string
	for _, s := range bytes.Split(field, []byte{subfield})[1:] {
		if len(s) > 1 && strings.IndexByte("abnpe", s[0]) >= 0 {
			parts = append(parts, strings.Fields(oneLine(s[1:]))...)
		}
	}
	return strings.TrimRight(strings.Join(parts, " "), " /:;,=")
}

// oneLine is a text without blanks around and in it; "": it is no UTF-8.
func oneLine(text []byte) string {
	if !utf8.Valid(text) {
		return ""
	}
	return strings.Join(strings.Fields(string(text)), " ")
}
