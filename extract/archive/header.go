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
	date := 1 + slices.IndexFunc(f[1:], func(s string) bool { return len(s) >= 12 && ascii.Digits(s) })
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

// record is what the header of a record says.
type record struct {
	kind, target, id, date, media string
	length                        int64 // -1: not said
	offset                        int64
}

const maxHeader = 64 << 10 // bytes of the header of one record

// headerFields reads the lines that next gives up to a blank one, at most maxHeader
// bytes. name is in lower case. The error says that the stream ends before.
func headerFields(next func() ([]byte, error), field func(name, value string)) error {
	for size := 0; size < maxHeader; {
		line, err := next()
		if len(line) == 0 {
			return err
		}
		if doc.BlankLine(line) {
			return nil
		}
		size += len(line)
		name, value, _ := strings.Cut(string(bytes.TrimSpace(line)), ":")
		field(strings.ToLower(name), strings.TrimSpace(value))
	}
	return nil
}
