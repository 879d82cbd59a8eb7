package z3950

import (
	"fmt"
	"slices"

	"linkcheck/check"
)

// opened is the result of a URL without a docid.
func opened(w initResponse, retrieval bool) check.Result {
	r := check.New(check.Reachable, check.ReasonZ3950Init, w.server)
	if retrieval {
		return r.WithFlags(check.FlagUndefinedRetrieval) // RFC 2056 section 4
	}
	return r
}

// refused is the result of an Init that the server turned down.
func refused(w initResponse) check.Result {
	if w.diag != nil {
		return diagnosed(w.diag)
	}
	return check.New(check.Blocked, check.ReasonZ3950Rejected, w.server)
}

// counted is the result of a number of hits: RFC 2056 section 4 calls every
// retrieval but of exactly one record unsuccessful.
func counted(hits int64) check.Result {
	switch hits {
	case 0:
		return check.New(check.Gone, check.ReasonZ3950NoHit, "0 records")
	case 1:
		return check.New(check.OK, check.ReasonZ3950Hit, "1 record")
	}
	return check.New(check.Suspect, check.ReasonNotUnique, fmt.Sprintf("%d records", hits))
}

// Bib-1 diagnostics that change what is asked next.
const (
	combination      = 23   // databases cannot be combined
	tooManyDatabases = 111  // in one search
	badQuery         = 108  // malformed query
	badAPDU          = 1001 // malformed APDU
)

func (d *diagnostic) in(codes ...int) bool { return d != nil && slices.Contains(codes, d.code) }

// unsupportedAttribute: the server knows the query, not what stands in it.
func (d *diagnostic) unsupportedAttribute() bool { return d != nil && d.code >= 114 && d.code <= 123 }

// unsupportedForm: no such element set or record syntax for a record that is there.
func (d *diagnostic) unsupportedForm() bool { return d.in(24, 25, 227, 238, 239) }

// outcome is the table of OUTCOMES 1.4.
func (d *diagnostic) outcome() check.Outcome {
	switch {
	case d.in(235, 1028):
		return check.Gone
	case d.in(1, 2, 29, 31, 32, 33, 100, 109, 1015, 1018, 1019, 1020):
		return check.Temporary
	case d.in(101, 236, 1010, 1011, 1012, 1013, 1016, 1021, 1022, 1023):
		return check.Auth
	case d.in(3, 107, 114, 115, 116, 117, 118, 121, 123, 126, 229, 1024, 1056):
		return check.Reachable
	}
	return check.Undetermined
}

// diagnosed is the result of a diagnostic in the place of what was asked for.
func diagnosed(d *diagnostic) check.Result {
	reason := check.ReasonZ3950Diagnostic
	if d.code > 0 && d.code < 10000 {
		reason = check.ReasonZ3950(d.code)
	}
	r := check.New(d.outcome(), reason, fmt.Sprintf("diagnostic %d %s %s", d.code, meaning[d.code], d.info))
	if r.Outcome == check.Reachable {
		return r.WithFlags(check.FlagDocIDUnverified)
	}
	return r
}

// meaning describes the Bib-1 diagnostics that librarians meet most.
var meaning = map[int]string{
	1: "system error", 100: "system error", 2: "temporary system error", 109: "database unavailable",
	114: "unsupported Use attribute", 118: "unsupported Structure attribute", 235: "database does not exist",
	236: "access to database denied", 1010: "authentication", 1011: "authentication", 1012: "authentication",
	1013: "authentication", 1028: "record deleted",
}
