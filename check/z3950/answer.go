package z3950

import (
	"cmp"
	"strings"
)

// initResponse is what we keep of an Init response.
type initResponse struct {
	accepted bool
	v3       bool   // version 3 was agreed on
	server   string // implementation name and version
	diag     *diagnostic
}

func parseInit(n *node) (w initResponse, ok bool) {
	result := n.child(12)
	if result == nil || len(result.data) != 1 {
		return w, false
	}
	w.accepted = result.data[0] != 0
	if bits := n.child(3).text(); len(bits) > 1 {
		w.v3 = bits[1]&0x20 != 0
	}
	w.server = strings.TrimSpace(n.child(111).text() + " " + n.child(112).text())
	w.diag = findDiagnostic(n)
	return w, true
}

// searchResponse is what we keep of a Search response.
type searchResponse struct {
	hits int64
	diag *diagnostic
}

func parseSearch(n *node) (f searchResponse, ok bool) {
	status := n.child(22)
	hits, counted := n.child(23).int()
	if status == nil || len(status.data) != 1 || !counted || hits < 0 {
		return f, false
	}
	f.hits = hits
	if status.data[0] == 0 {
		f.diag = cmp.Or(findDiagnostic(n), &diagnostic{})
	}
	return f, true
}

// parsePresent returns the diagnostic that came in the place of the record, or
// nil with ok if a record came.
func parsePresent(n *node) (d *diagnostic, ok bool) {
	for _, tag := range []int{130, 205} {
		if k := n.child(tag); k != nil {
			return findDiagnostic(k), true
		}
	}
	records := n.child(28)
	if records == nil || len(records.children) == 0 {
		return nil, false
	}
	record := records.children[0].child(1)
	if surrogate := record.child(2); surrogate != nil {
		return findDiagnostic(surrogate), true
	}
	return nil, record.child(1) != nil
}

// diagnostic is a DefaultDiagFormat. Code 0 is one of another set than Bib-1,
// or none where one was due.
type diagnostic struct {
	code int
	info string
}

// findDiagnostic returns the first DefaultDiagFormat within n: an OID, a number
// and a string. Init responses hide it four levels deep in user information.
func findDiagnostic(n *node) *diagnostic {
	if k := n.children; len(k) == 3 && k[0].class == universal && k[0].tag == tagOID {
		if code, ok := k[1].int(); ok && k[1].class == universal && k[1].tag == tagInteger && k[2].class == universal {
			if string(k[0].data) != oidDiagBib1 {
				code = 0
			}
			return &diagnostic{code: int(code), info: k[2].text()}
		}
	}
	for i := range n.children {
		if d := findDiagnostic(&n.children[i]); d != nil {
			return d
		}
	}
	return nil
}
