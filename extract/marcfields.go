package extract

import (
	"bytes"
	"sort"
	"strconv"
)

// entry is one of the directory, ISO 2709 section 4.4: tag, length, place.
type entry struct {
	tag           string
	length, start int
}

// entriesOf reads the directory; entries with anything but digits have length 0.
func entriesOf(dir []byte) []entry {
	var out []entry
	for len(dir) >= 12 {
		e := entry{tag: string(dir[:3]), length: number(dir[3:7]), start: number(dir[7:12])}
		out, dir = append(out, e), dir[12:]
	}
	return out
}

func number(b []byte) int {
	if !digits(b) {
		return 0
	}
	n, _ := strconv.Atoi(string(b))
	return n
}

// fieldsInOrder gives the tags of the directory, in order of place, to the
// fields that the terminators part.
func fieldsInOrder(rec []byte, end int, entries []entry) ([]marcField, error) {
	sort.SliceStable(entries, func(i, j int) bool { return entries[i].start < entries[j].start })
	var fields []marcField
	off := end + 1
	for i := 0; off < len(rec); i++ {
		to := len(rec)
		if n := bytes.IndexByte(rec[off:], fieldEnd); n >= 0 {
			to = off + n
		}
		tag := "???"
		if i < len(entries) {
			tag = entries[i].tag
		}
		fields = append(fields, marcField{tag, rec[off:to], off})
		off = to + 1
	}
	return fields, errDirectory
}

// isUnimarc: leader byte 9 tells the charset in MARC 21 only; UNIMARC has its
// title in 200 and never a 245.
func isUnimarc(fields []marcField) bool {
	title := ""
	for _, f := range fields {
		if f.tag == "245" || f.tag == "200" && title == "" {
			title = f.tag
		}
	}
	return title == "200"
}

// subfieldsOf takes a variable field apart: indicators, then subfields.
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
