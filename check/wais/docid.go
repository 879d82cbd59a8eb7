package wais

import (
	"net/url"
	"strconv"
	"strings"
)

// Fields of a document id that every retrieval needs (PROTOCOLS 2.6).
const (
	fieldDatabase = 2 // original database
	fieldLocalID  = 3 // original local id
	maxField      = 10
)

// docidOf makes the document id of a wpath. Two notations are read: that of
// libwww, "1=host%3A210;2=db;3=0%2079%20/doc;", and the octets themselves. ok
// is false for anything else, and for an id without database or local id, at
// which a server's process was seen to fall over (REAL-SERVERS A14).
func docidOf(rawPath, path string) (docid []byte, ok bool) {
	docid, ok = libwwwID(rawPath)
	if !ok {
		docid = []byte(path)
	}
	_, database := docidField(docid, fieldDatabase)
	_, local := docidField(docid, fieldLocalID)
	return docid, database && local
}

// libwwwID reads fields of the form type=value; with escapes in the value.
func libwwwID(rawPath string) (docid []byte, ok bool) {
	for _, field := range strings.Split(strings.TrimSuffix(rawPath, ";"), ";") {
		name, raw, cut := strings.Cut(field, "=")
		kind, err := strconv.ParseUint(name, 10, 8)
		value, bad := url.PathUnescape(raw)
		if !cut || err != nil || bad != nil || kind < 1 || kind > maxField {
			return nil, false
		}
		docid = append(docid, taggedText(int(kind), value)...)
	}
	return docid, true
}

// docidField gives the value of a field. ok is false too where the id as a
// whole is not made of fields.
func docidField(docid []byte, kind int) (value []byte, ok bool) {
	for f := (fields{docid}); len(f.rest) > 0; {
		tag, v, whole := f.next()
		if !whole || tag < 1 || tag > maxField {
			return nil, false
		}
		if tag == kind && !ok {
			value, ok = v, true
		}
	}
	return value, ok
}
