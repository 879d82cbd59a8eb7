package catalog

import (
	"bytes"
	"slices"

	"linkcheck/internal/ascii"
)

// entry is an entry of the directory (ISO 2709 section 4.4).
type entry struct {
	tag           string
	length, start int
}

// readDirectory reads the entries; what should be a number and is none counts as 0.
func (m *marcReader) readDirectory(dir []byte) {
	tags := string(dir) // at once: a string for each would be an allocation each
	for i := 0; i+12 <= len(dir) && len(m.entries) < maxFields; i += 12 {
		m.entries = append(m.entries, entry{tags[i : i+3], number(dir[i+3 : i+7]), number(dir[i+7 : i+12])})
	}
}

func number(b []byte) int {
	n := 0
	for _, c := range b {
		if !ascii.Digit(c) {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// inOrder splits the record at the terminators of fields and gives the fields the
// tags of the directory: in its order, or in that of the starts it notes, whichever
// agrees with more of the lengths.
func (m *marcReader) inOrder(rec []byte, end int) {
	m.fields = m.fields[:0]
	off := end + 1
	for data := range bytes.SplitSeq(bytes.TrimSuffix(rec[off:], []byte{fieldEnd}), []byte{fieldEnd}) {
		if len(m.fields) == maxFields {
			break
		}
		m.fields = append(m.fields, marcField{"???", data, off})
		off += len(data) + 1
	}
	placed := slices.Clone(m.entries)
	slices.SortStableFunc(placed, func(a, b entry) int { return a.start - b.start })
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

func countTags(fields []marcField, tag string) (n int) {
	for _, f := range fields {
		if f.tag == tag {
			n++
		}
	}
	return n
}

// controlValue is the value of a control field, or the first subfield of one
// that has subfields.
func controlValue(data []byte) []byte {
	if i := bytes.IndexByte(data, subfield); i >= 0 && i+2 < len(data) {
		data, _, _ = bytes.Cut(data[i+2:], []byte{subfield})
	}
	return data
}
