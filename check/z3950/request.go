package z3950

import (
	"bytes"
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
	oidSyntaxes  = "\x2a\x86\x48\xce\x13\x05"     // record syntaxes begin with this
	useDocID     = 1032                           // Bib-1 Use: Doc-id
	structureURx = 104                            // Bib-1 Structure: URx
)

// resultSet is the one name that servers without named result sets accept.
const resultSet = "default"

// implementation names us in an Init request, as a polite caller does.
const implementation = "linkcheck"

// initRequest offers versions 1 to 3, or 1 and 2, and asks for search and
// present alone: with access or resource control a server could interrupt.
func initRequest(v3 bool) []byte {
	version := byte(0xe0)
	if !v3 {
		version = 0xc0
	}
	return cons(apduInitRequest,
		prim(3, 5, version),
		prim(4, 6, 0xc0),
		prim(5, 1, 0, 0), // preferred message size 65536
		prim(6, 1, 0, 0), // exceptional record size 65536
		prim(110, []byte(implementation)...),
		prim(111, []byte(implementation)...),
		prim(112, []byte("0.1")...))
}

// searchRequest asks how many records have the docid, and for none of them:
// small set 0, large set 1 (RFC 2056 section 4; PROTOCOLS 1.3).
func searchRequest(databases []string, docid string, structure bool) []byte {
	var names [][]byte
	for _, d := range databases {
		names = append(names, prim(105, []byte(d)...))
	}
	attributes := attribute(1, useDocID)
	if structure {
		attributes = append(attributes, attribute(4, structureURx)...)
	}
	operand := cons(102, cons(44, attributes), prim(45, []byte(docid)...))
	return cons(apduSearchRequest,
		prim(13, 0), prim(14, 1), prim(15, 0), prim(16, 0xff),
		prim(17, []byte(resultSet)...),
		cons(18, names...),
		cons(21, cons(1, oid([]byte(oidBib1)), cons(0, operand))))
}

func attribute(kind, value int) []byte {
	return seq(prim(120, number(kind)...), prim(121, number(value)...))
}

// presentRequest asks for the one record of the result set, in the element set
// and syntax of the URL; "" leaves the choice to the server.
func presentRequest(elementSet, syntax string) []byte {
	parts := [][]byte{prim(31, []byte(resultSet)...), prim(30, 1), prim(29, 1)}
	if elementSet != "" {
		parts = append(parts, cons(19, prim(0, []byte(elementSet)...)))
	}
	if syntax != "" {
		parts = append(parts, prim(104, []byte(syntax)...))
	}
	return cons(apduPresentRequest, parts...)
}

// closeRequest says goodbye: reason finished. Only version 3 knows it.
func closeRequest() []byte { return cons(apduClose, prim(211, 0)) }

// syntaxNumber gives the number of a record syntax, as the rs of a URL names it,
// under 1.2.840.10003.5. RFC 2056 lists none; its own example
// writes "marc", which we read as USmarc.
func syntaxNumber(name string) string {
	switch strings.ToLower(name) {
	case "unimarc":
		return "1"
	case "intermarc":
		return "2"
	case "ccf":
		return "3"
	case "usmarc", "marc21", "marc":
		return "10"
	case "ukmarc":
		return "11"
	case "normarc":
		return "12"
	case "librismarc":
		return "13"
	case "danmarc":
		return "14"
	case "finmarc":
		return "15"
	case "mab":
		return "16"
	case "canmarc":
		return "17"
	case "sbn":
		return "18"
	case "picamarc":
		return "19"
	case "ausmarc":
		return "20"
	case "ibermarc":
		return "21"
	case "explain":
		return "100"
	case "sutrs":
		return "101"
	case "opac":
		return "102"
	case "summary":
		return "103"
	case "grs-0":
		return "104"
	case "grs-1":
		return "105"
	case "extended":
		return "106"
	case "html":
		return "109.3"
	case "sgml":
		return "109.9"
	case "xml", "text-xml":
		return "109.10"
	}
	return strings.TrimPrefix(name, "1.2.840.10003.5.")
}

// syntaxOID gives the encoded object identifier of the first syntax that we
// know, as RFC 2056 section 4 asks; "" if none is known.
func syntaxOID(names []string) string {
	for _, name := range names {
		if arcs, ok := arcs(syntaxNumber(name)); ok {
			return oidSyntaxes + arcs
		}
	}
	return ""
}

// arcs encodes a dotted list of at most four numbers as the tail of an object identifier.
func arcs(dotted string) (string, bool) {
	var out []byte
	parts := strings.Split(dotted, ".")
	if len(parts) > 4 {
		return "", false
	}
	for _, part := range parts {
		v, err := strconv.ParseUint(part, 10, 14)
		if err != nil {
			return "", false
		}
		if v >= 0x80 {
			out = append(out, 0x80|byte(v>>7))
		}
		out = append(out, byte(v&0x7f))
	}
	return string(out), true
}

// header is tag and length of an element in the shortest form.
func header(class byte, tag int, constructed bool, size int) []byte {
	if constructed {
		class |= 0x20
	}
	var h []byte
	if tag < 0x1f {
		h = append(h, class|byte(tag))
	} else {
		h = append(h, class|0x1f)
		for shift := 21; shift > 0; shift -= 7 {
			if tag>>shift > 0 {
				h = append(h, 0x80|byte(tag>>shift&0x7f))
			}
		}
		h = append(h, byte(tag&0x7f))
	}
	switch {
	case size < 0x80:
		return append(h, byte(size))
	case size < 0x100:
		return append(h, 0x81, byte(size))
	default:
		return binary.BigEndian.AppendUint32(append(h, 0x84), uint32(size))
	}
}

// prim is a primitive element with a context tag.
func prim(tag int, body ...byte) []byte {
	return append(header(contextClass, tag, false, len(body)), body...)
}

// cons is a constructed element with a context tag around others.
func cons(tag int, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(header(contextClass, tag, true, len(body)), body...)
}

// seq is a universal SEQUENCE around others.
func seq(parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(header(universal, tagSeq, true, len(body)), body...)
}

// oid is a universal OBJECT IDENTIFIER whose octets are encoded already.
func oid(body []byte) []byte {
	return append(header(universal, tagOID, false, len(body)), body...)
}

// number is the shortest two's complement of v, for v >= 0.
func number(v int) []byte {
	b := []byte{byte(v)}
	for v >>= 8; v > 0; v >>= 8 {
		b = append([]byte{byte(v)}, b...)
	}
	if b[0]&0x80 != 0 {
		b = append([]byte{0}, b...)
	}
	return b
}
