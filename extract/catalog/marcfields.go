package catalog

import (
	"bytes"
	"slices"
	"sort"

	"linkcheck/internal/ascii"
)

// entry is an entry of the directory (ISO 2709 section 4.4).
type entry struct {
	tag           string
	length, start int
}

// readDirectory reads the entries; those with anything but digits have length 0.
func (m *marcReader) readDirectory(dir []byte) {
	tags := string(dir)
	for i := 0; i+12 <= len(dir) && len(m.entries) < maxFields; i += 12 {
		m.entries = append(m.entries, entry{tags[i : i+3], number(dir[i+3 : i+7]), number(dir[i+7 : i+12])})
	}
}

func number(b []byte) (n int) {
	for _, c := range b {
		if !ascii.Digit(c) {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// inOrder splits the record at the terminators of fields and gives the fields the
// tags of the directory: in its order, or in that of the starts it notes, whichever
// agrees with more of the lengths.
func (m *marcReader) inOrder(rec []byte, end int) {
	m.fields = m.fields[:0]
	for off := end + 1; off < len(rec) && len(m.fields) < maxFields; {
		to := len(rec)
		if n := bytes.IndexByte(rec[off:], fieldEnd); n >= 0 {
			to = off + n
		}
		m.fields = append(m.fields, marcField{"???", rec[off:to], off})
		off = to + 1
	}
	placed := slices.Clone(m.entries)
	sort.SliceStable(placed, func(i, j int) bool { return placed[i].start < placed[j].start })
	if countAgreeing(m.fields, placed) > countAgreeing(m.fields, m.entries) {
		m.entries = placed
	}
	for i := range min(len(m.fields), len(m.entries)) {
		m.fields[i].tag = m.entries[i].tag
	}
}

// countAgreeing counts the fields that are as long as their entry says.
func countAgreeing(fields []marcField, entries []entry) (n int) {
	for i := range min(len(fields), len(entries)) {
		if len(fields[i].data)+1 == entries[i].length {
			n++
		}
	}
	return n
}

// isUnimarc says whether a record is UNIMARC, where leader byte 9 does not tell the
// charset: its title stands in 200, and it has no 245.
func isUnimarc(fields []marcField) bool {
	title := ""
	for _, f := range fields {
		if f.tag == "245" || f.tag == "200" && title == "" {
			title = f.tag
		}
	}
	return title == "200"
}

// subfieldsOf splits a variable field into indicators and subfields.
func subfieldsOf(f marcField, decode func([]byte) string) (inds string, subs []bibSub) {
	first := bytes.IndexByte(f.data, subfield)
	if first < 0 {
		return "", nil
	}
	inds = decode(f.data[:first])
	for at := first; at < len(f.data); {
		end := len(f.data)
		if n := bytes.IndexByte(f.data[at+1:], subfield); n >= 0 {
			end = at + 1 + n
		}
		if end-at > 1 {
			subs = append(subs, bibSub{code: f.data[at+1], text: decode(f.data[at+2 : end]), off: at + 2})
		}
		at = end
	}
	return inds, subs
}

// controlValue is the value of a control field, or the first subfield of one
// that has subfields.
func controlValue(data []byte) []byte {
	if i := bytes.IndexByte(data, subfield); i >= 0 && i+2 < len(data) {
		data, _, _ = bytes.Cut(data[i+2:], []byte{subfield})
	}
	return data
}
