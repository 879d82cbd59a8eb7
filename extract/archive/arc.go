package archive

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// arcHeader reads the line that begins a record of an ARC file (Internet
// Archive, ARC version 1 and 2): URL, address, date, [...] media type, length.
func arcHeader(line []byte) (record, bool) {
	f := strings.Fields(string(doc.Chop(line)))
	if len(f) < 5 || doc.SchemeOf(f[0]) == "" {
		return record{}, false
	}
	// URLs with raw blanks stand in real files: the date is the first field of 12 digits or more.
	date := 1 + slices.IndexFunc(f[1:], func(s string) bool { return len(s) >= 12 && ascii.Digits([]byte(s)) })
	if date < 2 || date >= len(f)-2 {
		return record{}, false
	}
	n, err := strconv.ParseInt(f[len(f)-1], 10, 64)
	if err != nil || n < 0 {
		n = -1
	}
	target := strings.Join(f[:date-1], "%20")
	return record{kind: "response", target: target, date: f[date], media: f[date+1], id: f[date] + "/" + target, length: n}, true
}

// arcAhead says whether the bytes ahead begin with the header line of a record.
func arcAhead(b []byte) bool {
	line, _, ok := bytes.Cut(b, []byte{'\n'})
	if !ok || bytes.IndexByte(line, ' ') < 0 {
		return false
	}
	_, is := arcHeader(line)
	return is
}
