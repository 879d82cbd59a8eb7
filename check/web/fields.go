package web

import (
	"bytes"
	"strconv"
	"strings"
)

// mend leaves out of a header what net/http would refuse an answer for, whose status
// is clear all the same: lines that are no field (RFC 9112 section 5), and lengths and
// codings by which the body has no certain end (section 6.3), so that it ends with the
// connection. framed says that none of these was left out. What is kept stays in place;
// a line without its end, which was cut off, is kept.
func mend(header []byte) (kept []byte, framed bool) {
	lengths, codings, sound := bodyEnd{}, bodyEnd{}, true
	eachField(header, func(lines []byte) {
		switch name, value, ok := splitField(lines); {
		case !ok:
			sound = sound && !refused(lines)
		case bytes.EqualFold(name, contentLength):
			_, err := strconv.ParseUint(string(value), 10, 63)
			lengths.add(value, err == nil)
		case bytes.EqualFold(name, transferEncoding):
			codings.add(value, bytes.EqualFold(value, chunked))
		}
	})
	framed = !lengths.unclear && !codings.unclear && codings.n < 2
	if framed && sound {
		return header, true
	}
	kept, coded := header[:0], false
	eachField(header, func(lines []byte) {
		name, _, ok := splitField(lines)
		isCoding := bytes.EqualFold(name, transferEncoding)
		switch {
		case !ok && refused(lines):
			return
		case bytes.EqualFold(name, contentLength) && lengths.unclear:
			return
		case isCoding && (codings.unclear || coded):
			return
		}
		coded = coded || isCoding
		kept = append(kept, lines...)
	})
	return kept, framed
}

var contentLength, transferEncoding, chunked = []byte("Content-Length"), []byte("Transfer-Encoding"), []byte("chunked")

// refused says whether lines that are no field are for net/http to stumble on: they are
// neither the end of the header nor cut off.
func refused(lines []byte) bool {
	return len(bytes.TrimRight(lines, "\r\n")) > 0 && bytes.HasSuffix(lines, []byte("\n"))
}

// bodyEnd is what the fields of one name say about the end of a body.
type bodyEnd struct {
	value   []byte // of the first
	n       int
	unclear bool // one of them says nothing, or two differ
}

func (f *bodyEnd) add(value []byte, clear bool) {
	if f.n == 0 {
		f.value = value
	}
	f.n++
	f.unclear = f.unclear || !clear || !bytes.EqualFold(value, f.value)
}

// eachField calls f with each field of a header: its line and those that continue it,
// with their ends. The empty line at the end comes alone.
func eachField(header []byte, f func(lines []byte)) {
	for len(header) > 0 {
		end := lineEnd(header)
		for end < len(header) && (header[end] == ' ' || header[end] == '\t') {
			end += lineEnd(header[end:])
		}
		lines := header[:end]
		header = header[end:]
		f(lines)
	}
}

func lineEnd(b []byte) int {
	if end := bytes.IndexByte(b, '\n'); end >= 0 {
		return end + 1
	}
	return len(b)
}

// splitField reads the lines of one field; ok is false where net/http would not. A blank
// within a name it takes.
func splitField(lines []byte) (name, value []byte, ok bool) {
	colon := bytes.IndexByte(lines, ':')
	if colon <= 0 || lines[0] == ' ' || lines[0] == '\t' || lines[len(lines)-1] != '\n' {
		return nil, nil, false
	}
	for _, c := range lines[:colon] { // the end of the first line is no octet of a name either
		if !nameOctets[c] {
			return nil, nil, false
		}
	}
	value = lines[colon+1:]
	for i, c := range value {
		lineEnd := c == '\n' || c == '\r' && value[i+1] == '\n'
		if c < ' ' && c != '\t' && !lineEnd || c == 0x7f {
			return nil, nil, false
		}
	}
	return lines[:colon], bytes.TrimSpace(value), true
}

// nameOctets are those of which net/http takes a name.
var nameOctets = func() (octets [256]bool) {
	for c := byte(' '); c < 0x7f; c++ {
		octets[c] = strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) < 0
	}
	return octets
}()
