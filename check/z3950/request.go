package z3950

import (
	"bytes"
	"encoding/asn1"
	"encoding/binary"
	"strconv"
	"strings"
)

// Tags of the APDUs we send and read (Z39.50-1995 appendix 3, PROTOCOLS 1.1).
const (
	apduInitRequest    = 20
	apduInitResponse   = 21
	apduSearchRequest  = 22
	apduSearchResponse = 23
	apduPresentRequest = 24
	apduPresentReply   = 25
	apduAccessControl  = 28
	apduClose          = 48
)

// Object identifiers, already encoded; all lie under 1.2.840.10003.
const (
	oidBib1      = "\x2a\x86\x48\xce\x13\x03\x01" // attribute set Bib-1
	oidDiagBib1  = "\x2a\x86\x48\xce\x13\x04\x01" // diagnostics Bib-1
	useDocID     = 1032                           // Bib-1 Use: Doc-id
	structureURx = 104                            // Bib-1 Structure: URx
)

// resultSet is the one name that servers without named result sets accept.
const resultSet = "default"

// implementation is our name in an Init request.
const implementation = "linkcheck"

// Sizes of the messages that we want: of one record at most, and of many.
const (
	oneRecord   = 64 << 10
	manyRecords = maxAPDU - 64<<10
)

// initRequest offers versions 1 to 3, or 1 and 2, and asks for search and
// present alone: with access or resource control a server could interrupt.
func initRequest(v3 bool, size int) []byte {
	version := byte(0xe0)
	if !v3 {
		version = 0xc0
	}
	return cons(apduInitRequest,
		prim(3, 5, version),
		prim(4, 6, 0xc0),
		prim(5, number(size)...), // preferred message size
		prim(6, number(size)...), // exceptional record size
		prim(110, []byte(implementation)...),
		prim(111, []byte(implementation)...),
		prim(112, []byte("0.1")...))
}

// searchRequest asks how many records have the docid, and for none of them:
// small set 0, large set 1 (RFC 2056 section 4; PROTOCOLS 1.3).
func searchRequest(databases []string, docid string, structure bool) []byte {
	attributes := attribute(1, useDocID)
	if structure {
		attributes = append(attributes, attribute(4, structureURx)...)
	}
	return queryRequest(databases, cons(0, cons(102, cons(44, attributes), prim(45, []byte(docid)...))))
}

// queryRequest asks how many records a query of type 1 finds.
func queryRequest(databases []string, rpn []byte) []byte {
	var names [][]byte
	for _, d := range databases {
		names = append(names, prim(105, []byte(d)...))
	}
	return cons(apduSearchRequest,
		prim(13, 0), prim(14, 1), prim(15, 0), prim(16, 0xff),
		prim(17, []byte(resultSet)...),
		cons(18, names...),
		cons(21, cons(1, oid([]byte(oidBib1)), rpn)))
}

func attribute(kind, value int) []byte {
	return seq(prim(120, number(kind)...), prim(121, number(value)...))
}

// presentRequest asks for n records of the result set from a place on, in an element set
// and a syntax; "" leaves the choice to the server.
func presentRequest(from, n int, elementSet, syntax string) []byte {
	parts := [][]byte{prim(31, []byte(resultSet)...), prim(30, number(from)...), prim(29, number(n)...)}
	if elementSet != "" {
		parts = append(parts, cons(19, prim(0, []byte(elementSet)...)))
	}
	if syntax != "" {
		parts = append(parts, prim(104, []byte(syntax)...))
	}
	return cons(apduPresentRequest, parts...)
}

// closeRequest is the APDU that ends a session: reason finished. Only version 3 knows it.
func closeRequest() []byte { return cons(apduClose, prim(211, 0)) }

// syntaxNumber returns the number of a record syntax, as the rs of a URL names it,
// under 1.2.840.10003.5. RFC 2056 lists none; its own example
// writes "marc", which we read as USmarc.
func syntaxNumber(name string) string {
	if number, ok := syntaxNumbers[strings.ToLower(name)]; ok {
		return number
	}
	return strings.TrimPrefix(name, "1.2.840.10003.5.")
}

var syntaxNumbers = map[string]string{
	"unimarc": "1", "intermarc": "2", "ccf": "3", "usmarc": "10", "marc21": "10", "marc": "10", "ukmarc": "11",
	"normarc": "12", "librismarc": "13", "danmarc": "14", "finmarc": "15", "mab": "16", "canmarc": "17", "sbn": "18",
	"picamarc": "19", "ausmarc": "20", "ibermarc": "21", "explain": "100", "sutrs": "101", "opac": "102",
	"summary": "103", "grs-0": "104", "grs-1": "105", "extended": "106", "html": "109.3", "sgml": "109.9",
	"xml": "109.10", "text-xml": "109.10",
}

// syntaxOID returns the encoded object identifier of the first syntax that we
// know, as RFC 2056 section 4 asks; "" if none is known.
func syntaxOID(names []string) string {
	for _, name := range names {
		if id, ok := objectID(syntaxNumber(name)); ok {
			e, _ := asn1.Marshal(id) // its numbers are in range
			return string(e[2:])     // without tag and length
		}
	}
	return ""
}

// objectID puts a dotted list of at most four numbers under 1.2.840.10003.5.
func objectID(dotted string) (asn1.ObjectIdentifier, bool) {
	id := asn1.ObjectIdentifier{1, 2, 840, 10003, 5}
	for part := range strings.SplitSeq(dotted, ".") {
		v, err := strconv.ParseUint(part, 10, 14)
		if err != nil || len(id) == 9 {
			return nil, false
		}
		id = append(id, int(v))
	}
	return id, true
}

// element is a BER element. Its length has the shortest form, but four octets over 255.
func element(class byte, tag int, constructed bool, body []byte) []byte {
	e := asn1.RawValue{Class: int(class >> 6), Tag: tag, IsCompound: constructed}
	empty, _ := asn1.Marshal(e) // a RawValue has no errors
	if identifier := empty[:len(empty)-1]; len(body) > 0xff {
		return append(binary.BigEndian.AppendUint32(append(identifier, 0x84), uint32(len(body))), body...)
	}
	e.Bytes = body
	all, _ := asn1.Marshal(e)
	return all
}

// prim is a primitive element with a context tag.
func prim(tag int, body ...byte) []byte { return element(contextClass, tag, false, body) }

// cons is a constructed element with a context tag around others.
func cons(tag int, parts ...[]byte) []byte {
	return element(contextClass, tag, true, bytes.Join(parts, nil))
}

// seq is a universal SEQUENCE around others.
func seq(parts ...[]byte) []byte { return element(universal, tagSeq, true, bytes.Join(parts, nil)) }

// oid is a universal OBJECT IDENTIFIER whose octets are encoded already.
func oid(body []byte) []byte { return element(universal, tagOID, false, body) }

// number is the shortest two's complement of v.
func number(v int) []byte {
	e, _ := asn1.Marshal(v) // an int has no errors
	return e[2:]            // without tag and length
}
