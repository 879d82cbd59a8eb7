package z3950

import "strings"

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

// welcome is what we keep of an Init response.
type welcome struct {
	accepted bool
	v3       bool   // version 3 was agreed on
	server   string // implementation name and version
	diag     *diagnostic
}

func parseInit(n *node) (w welcome, ok bool) {
	result := n.kid(12)
	if result == nil || len(result.data) != 1 {
		return w, false
	}
	w.accepted = result.data[0] != 0
	if bits := n.kid(3).text(); len(bits) > 1 {
		w.v3 = bits[1]&0x20 != 0
	}
	w.server = strings.TrimSpace(n.kid(111).text() + " " + n.kid(112).text())
	w.diag = findDiagnostic(n)
	return w, true
}

// found is what we keep of a Search response.
type found struct {
	hits int64
	diag *diagnostic
}

func parseSearch(n *node) (f found, ok bool) {
	status := n.kid(22)
	hits, counted := n.kid(23).int()
	if status == nil || len(status.data) != 1 || !counted || hits < 0 {
		return f, false
	}
	f.hits = hits
	if status.data[0] == 0 {
		f.diag = findDiagnostic(n)
		if f.diag == nil {
			f.diag = &diagnostic{}
		}
	}
	return f, true
}

// parsePresent gives the diagnostic that came in the place of the record, or
// nil with ok if a record came.
func parsePresent(n *node) (d *diagnostic, ok bool) {
	for _, tag := range []int{130, 205} {
		if k := n.kid(tag); k != nil {
			return findDiagnostic(k), true
		}
	}
	records := n.kid(28)
	if records == nil || len(records.kids) == 0 {
		return nil, false
	}
	record := records.kids[0].kid(1)
	if surrogate := record.kid(2); surrogate != nil {
		return findDiagnostic(surrogate), true
	}
	return nil, record.kid(1) != nil
}

// diagnostic is a DefaultDiagFormat. Code 0 is one of another set than Bib-1,
// or none where one was due.
type diagnostic struct {
	code int
	info string
}

// findDiagnostic gives the first DefaultDiagFormat within n: an OID, a number
// and a string. Init responses hide it four levels deep in user information.
func findDiagnostic(n *node) *diagnostic {
	if k := n.kids; len(k) == 3 && k[0].class == universal && k[0].tag == tagOID {
		if code, ok := k[1].int(); ok && k[1].class == universal && k[1].tag == tagInteger && k[2].class == universal {
			if string(k[0].data) != oidDiagBib1 {
				code = 0
			}
			return &diagnostic{code: int(code), info: k[2].text()}
		}
	}
	for i := range n.kids {
		if d := findDiagnostic(&n.kids[i]); d != nil {
			return d
		}
	}
	return nil
}
