package z3950

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// answers made by hand, after PROTOCOLS 1.2 to 1.5.
const (
	initV2   = "b515 830200c0 840200c0 8503010000 8603010000 8c0101"
	initV3   = "b515 830200e0 840200c0 8503010000 8603010000 8c01ff"
	initNo   = "b515 830200e0 840200c0 8503010000 8603010000 8c0100"
	oneHit   = "b70c 970101 980100 990101 960101"
	manyHits = "b70c 97010e 980100 990101 960101"
	noHit    = "b70c 970100 980100 990100 960101"
)

// bib1 is a DefaultDiagFormat.
func bib1(code int) []byte {
	d := append(oid([]byte(oidDiagBib1)), element(universal, tagInteger, false, number(code))...)
	d = append(d, "\x1a\x02"...)
	return append(d, "db"...)
}

// rejection is an Init response that says why.
func rejection(code int) []byte {
	return cons(apduInitResponse, prim(3, 0, 0xe0), prim(12, 0), cons(11, seq(bib1(code))))
}

// diagReply is a failed search with a Bib-1 diagnostic, as YAZ writes it.
func diagReply(code int) []byte {
	return cons(apduSearchResponse, prim(23, 0), prim(24, 0), prim(25, 0), prim(22, 0), prim(26, 3), cons(130, bib1(code)))
}

// docid is z39.50r://host/db?doc.
func docid() *uri.Z3950 {
	d := "doc"
	return &uri.Z3950{Retrieval: true, Databases: []string{"db"}, DocID: &d}
}

func probe(t *testing.T, u *uri.Z3950, scripts ...string) check.Result {
	t.Helper()
	return probeWithin(t, time.Second, u, scripts...)
}

func probeWithin(t *testing.T, timeout time.Duration, u *uri.Z3950, scripts ...string) check.Result {
	t.Helper()
	s := labtest.Serve(t, scripts...)
	u.At = s.At
	p := New(check.Options{Dialer: s.Dialer(), Timeout: timeout})
	defer p.Close()
	return p.Probe(context.Background(), check.Target{URI: u})
}

// TestTable holds the lines of OUTCOMES 1.3 and 1.4 on Z39.50, with the very
// octets that may be sent.
func TestTable(t *testing.T) {
	v3, v2 := initRequest(true, oneRecord), initRequest(false, oneRecord)
	full, bare := searchRequest([]string{"db"}, "doc", true), searchRequest([]string{"db"}, "doc", false)
	bye := hears(closeRequest())
	welcomed := hears(v3) + says(octets(t, initV3))
	searched := welcomed + hears(full)
	type row struct {
		name     string
		scripts  []string
		outcome  check.Outcome
		reason   check.Reason
		evidence check.Evidence
		flags    []string
	}
	one := func(script string) []string { return []string{script} }
	rows := []row{
		{"one hit", one(searched + says(octets(t, oneHit)) + bye), check.OK, "z3950-hit", check.Strong, nil},
		{"no hit", one(searched + says(octets(t, noHit)) + bye), check.Gone, "z3950-no-hit", check.Strong, nil},
		{"many hits", one(searched + says(octets(t, manyHits)) + bye), check.Suspect, "not-unique", check.Weak, nil},
		{"one hit in version 2, without Close", one(hears(v3) + says(octets(t, initV2)) + hears(full) + says(octets(t, oneHit))),
			check.OK, "z3950-hit", check.Strong, nil},
		{"rejected", one(hears(v3) + says(octets(t, initNo))), check.Blocked, "z3950-rejected", check.None, nil},
		{"closed after Init", one(hears(v3) + "S: <closes>"), check.Temporary, "closed", check.Weak, nil},
		{"closed after Search", one(searched + "S: <closes>"), check.Temporary, "eof", check.Weak, nil},
		{"cut short", one(hears(v3) + says(octets(t, "b512 8302")) + "S: <closes>"), check.Temporary, "eof", check.Weak, nil},
		{"silent", one(hears(v3) + "S: <silent>"), check.Temporary, "timeout", check.Weak, nil},
		{"Close for Init, resources", one(hears(v3) + says(octets(t, "bf3005 9f81530104"))), check.Temporary, "z3950-close-4", check.Weak, nil},
		{"Close for Init, security", one(hears(v3) + says(octets(t, "bf3005 9f81530105"))), check.Blocked, "z3950-close-5", check.None, nil},
		{"Close for Search, protocol error", one(searched + says(octets(t, "bf3005 9f81530106"))), check.Undetermined, "z3950-close-6", check.None, nil},
		{"access control for Init", one(hears(v3) + says(octets(t, "bc03 890101"))), check.Auth, "z3950-access-control", check.None, nil},
		{"Init answer without a result", one(hears(v3) + says(octets(t, "b504 830200e0"))), check.Undetermined, "garbled", check.None, nil},
		{"another APDU", one(hears(v3) + says(octets(t, oneHit))), check.Undetermined, "garbled", check.None, nil},
		{"lying length", one(hears(v3) + says(octets(t, "b5847fffffff"))), check.Undetermined, "too-long", check.None, nil},
		{"web server", one(hears(v3) + "S: HTTP/1.1 400 Bad Request\\r\\n\n"), check.Undetermined, "protocol-mismatch", check.None, nil},
		{"ssh", one(hears(v3) + "S: SSH-2.0-OpenSSH_9.2\\r\\n\n"), check.Undetermined, "protocol-mismatch", check.None, nil},
		{"wais", one(hears(v3) + "S: 0000000000z2wais        0\n"), check.Undetermined, "protocol-mismatch", check.None, nil},
		{"telnet", one(hears(v3) + "S: \\xff\\xfd\\x18\n"), check.Undetermined, "protocol-mismatch", check.None, nil},
		{"failed without a diagnostic", one(searched + says(octets(t, "b70c 970100 980100 990100 960100")) + bye),
			check.Undetermined, "z3950-diagnostic", check.None, nil},
		{"Init rejected, too many sessions", one(hears(v3) + says(rejection(1015))), check.Temporary, "z3950-1015", check.Weak, nil},
		{"Init rejected, no databases", one(hears(v3) + says(rejection(1017))), check.Undetermined, "z3950-1017", check.None, nil},
		{"one hit without Structure", one(searched + says(diagReply(118)) + hears(bare) + says(octets(t, oneHit)) + bye),
			check.OK, "z3950-hit", check.Strong, nil},
		{"one hit in version 2 after 108", []string{searched + says(diagReply(108)) + bye,
			hears(v2) + says(octets(t, initV2)) + hears(bare) + says(octets(t, oneHit))}, check.OK, "z3950-hit", check.Strong, nil},
		{"1001 in both versions", []string{searched + says(diagReply(1001)) + bye,
			hears(v2) + says(octets(t, initV2)) + hears(bare) + says(diagReply(1001))}, check.Undetermined, "z3950-1001", check.None, nil},
	}
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			expect(t, probe(t, docid(), c.scripts...), c.outcome, c.reason, c.evidence, c.flags...)
		})
	}
}

// TestDiagnostics holds the numbers of OUTCOMES 1.4.
func TestDiagnostics(t *testing.T) {
	full, bare := hears(searchRequest([]string{"db"}, "doc", true)), hears(searchRequest([]string{"db"}, "doc", false))
	searched := hears(initRequest(true, oneRecord)) + says(octets(t, initV3)) + full
	bye := hears(closeRequest())
	words := map[int]string{1: "system error", 100: "system error", 2: "temporary", 109: "database unavailable", 114: "unsupported Use",
		118: "unsupported Structure", 235: "database does not exist", 236: "access to database denied", 1010: "authentication",
		1011: "authentication", 1012: "authentication", 1013: "authentication", 1028: "record deleted"}
	for _, group := range []struct {
		outcome  check.Outcome
		evidence check.Evidence
		flags    []string
		codes    []int
	}{
		{check.Gone, check.Strong, nil, []int{235, 1028}},
		{check.Temporary, check.Weak, nil, []int{109, 2, 29, 31, 32, 33, 1015, 1018, 1019, 1020, 1, 100}},
		{check.Auth, check.None, nil, []int{101, 236, 1010, 1011, 1012, 1013, 1016, 1021, 1022, 1023}},
		{check.Reachable, check.Strong, []string{"docid-unverified"}, []int{3, 107, 114, 115, 116, 117, 118, 121, 123, 126, 229, 1024, 1056}},
		{check.Undetermined, check.None, nil, []int{4, 13, 23, 111, 113, 119, 120, 122, 125, 1017, 9999}},
	} {
		for _, code := range group.codes {
			t.Run(fmt.Sprint(code), func(t *testing.T) {
				script := searched + says(diagReply(code))
				if code >= 114 && code <= 123 { // PROTOCOLS 1.4: once more without Structure
					script += bare + says(diagReply(code))
				}
				reason := check.Reason(fmt.Sprintf("z3950-%d", code))
				got := probe(t, docid(), script+bye)
				expect(t, got, group.outcome, reason, group.evidence, group.flags...)
				if want := fmt.Sprintf("diagnostic %d %s", code, words[code]); !strings.HasPrefix(got.Reply, want) {
					t.Errorf("reply %q, want %q", got.Reply, want)
				}
			})
		}
	}
}

// Without a docid Init is all that is asked (OUTCOMES 1.3).
func TestWithoutDocID(t *testing.T) {
	script := hears(initRequest(true, oneRecord)) + says(recorded(t)["zebra-init"]) + hears(closeRequest())
	r := probe(t, &uri.Z3950{Databases: []string{"cat"}}, script)
	expect(t, r, check.Reachable, "z3950-init", check.Strong)
	if !strings.HasPrefix(r.Reply, "Zebra Information Server") || r.Bytes != 122 {
		t.Errorf("reply %q, %d octets", r.Reply, r.Bytes)
	}
	r = probe(t, &uri.Z3950{Databases: []string{"cat"}, Retrieval: true}, script)
	expect(t, r, check.Reachable, "z3950-init", check.Strong, "undefined-retrieval")
}

// The recorded sessions of zebrasrv and yaz-ztest.
func TestRecordedSessions(t *testing.T) {
	all := recorded(t)
	search := func(database string) string { return hears(searchRequest([]string{database}, "doc", true)) }
	bare := hears(searchRequest([]string{"db"}, "doc", false))
	for _, c := range []struct {
		name, answer, after string
		outcome             check.Outcome
		reason              check.Reason
		evidence            check.Evidence
		flags               []string
	}{
		{"zebra", "zebra-one-hit", "", check.OK, "z3950-hit", check.Strong, nil},
		{"zebra", "zebra-no-hit", "", check.Gone, "z3950-no-hit", check.Strong, nil},
		{"zebra", "zebra-109", "", check.Temporary, "z3950-109", check.Weak, nil},
		{"zebra", "zebra-114", bare + says(all["zebra-114"]), check.Reachable, "z3950-114", check.Strong, []string{"docid-unverified"}},
		{"ztest", "ztest-one-hit", "", check.OK, "z3950-hit", check.Strong, nil},
		{"ztest", "ztest-no-hit", "", check.Gone, "z3950-no-hit", check.Strong, nil},
	} {
		t.Run(c.answer, func(t *testing.T) {
			r := probe(t, docid(), hears(initRequest(true, oneRecord))+says(all[c.name+"-init"])+search("db")+says(all[c.answer])+c.after+hears(closeRequest()))
			expect(t, r, c.outcome, c.reason, c.evidence, c.flags...)
		})
	}
	for _, name := range []string{"zebra-no-password", "zebra-bad-password"} {
		r := probe(t, docid(), hears(initRequest(true, oneRecord))+says(all[name]))
		expect(t, r, check.Auth, "z3950-1011", check.None)
	}
}

// Databases that cannot be combined are searched one at a time, and the hits of
// all count: RFC 2056 section 4 wants one record.
func TestDatabasesOneAtATime(t *testing.T) {
	all := recorded(t)
	begin := hears(initRequest(true, oneRecord)) + says(all["ztest-init"]) +
		hears(searchRequest([]string{"a", "b"}, "doc", true)) + says(all["ztest-two-databases"])
	first, second := hears(searchRequest([]string{"a"}, "doc", true)), hears(searchRequest([]string{"b"}, "doc", true))
	bye := hears(closeRequest())
	for _, c := range []struct {
		name     string
		a, b     []byte
		outcome  check.Outcome
		reason   check.Reason
		evidence check.Evidence
	}{
		{"in the second", octets(t, noHit), octets(t, oneHit), check.OK, "z3950-hit", check.Strong},
		{"in both", octets(t, oneHit), octets(t, oneHit), check.Suspect, "not-unique", check.Weak},
		{"in none", octets(t, noHit), octets(t, noHit), check.Gone, "z3950-no-hit", check.Strong},
		{"one is gone", diagReply(235), octets(t, oneHit), check.OK, "z3950-hit", check.Strong},
		{"one is gone, one is locked", diagReply(235), diagReply(29), check.Temporary, "z3950-29", check.Weak},
		{"none, and one is locked", octets(t, noHit), diagReply(29), check.Temporary, "z3950-29", check.Weak},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := docid()
			u.Databases = []string{"a", "b"}
			expect(t, probe(t, u, begin+first+says(c.a)+second+says(c.b)+bye), c.outcome, c.reason, c.evidence)
		})
	}
}

// A record that is longer than what we read is there all the same.
func TestLongRecord(t *testing.T) {
	all, u := recorded(t), docid()
	u.Syntaxes = []string{"marc"}
	long := append(octets(t, "b983020000 bc8301fff0"), make([]byte, 70<<10)...)
	r := probeWithin(t, 20*time.Second, u, hears(initRequest(true, oneRecord))+says(all["zebra-init"])+hears(searchRequest([]string{"db"}, "doc", true))+
		says(all["zebra-one-hit"])+hears(presentRequest(1, 1, "", syntaxOID(u.Syntaxes)))+says(long)) // whose octets take time on a machine that is busy
	expect(t, r, check.OK, "z3950-hit", check.Strong)
}

// With esn or rs the record is fetched in that form; a record in other forms
// only is there nonetheless.
func TestPresent(t *testing.T) {
	all := recorded(t)
	full := "f"
	u := docid()
	u.ElementSet, u.Syntaxes = &full, []string{"nonsense", "marc"}
	begin := hears(initRequest(true, oneRecord)) + says(all["zebra-init"]) + hears(searchRequest([]string{"db"}, "doc", true)) + says(all["zebra-one-hit"]) +
		hears(presentRequest(1, 1, "f", syntaxOID([]string{"usmarc"})))
	refusal := func(code int) []byte {
		return append([]byte{0xb9}, diagReply(code)[1:]...)
	}
	for _, c := range []struct {
		name     string
		answer   []byte
		outcome  check.Outcome
		reason   check.Reason
		evidence check.Evidence
		flags    []string
	}{
		{"record", all["zebra-record"], check.OK, "z3950-hit", check.Strong, nil},
		{"record of ztest", all["ztest-record"], check.OK, "z3950-hit", check.Strong, nil},
		{"no such syntax", refusal(239), check.OK, "z3950-hit", check.Strong, []string{"form-refused"}},
		{"element set refused", refusal(24), check.OK, "z3950-hit", check.Strong, []string{"form-refused"}},
		{"no data in this syntax", refusal(227), check.OK, "z3950-hit", check.Strong, []string{"form-refused"}},
		{"not in this syntax", refusal(238), check.OK, "z3950-hit", check.Strong, []string{"form-refused"}},
		{"no such element set", refusal(25), check.OK, "z3950-hit", check.Strong, []string{"form-refused"}},
		{"deleted", refusal(1028), check.Gone, "z3950-1028", check.Strong, nil},
		{"out of range", all["zebra-out-of-range"], check.Undetermined, "z3950-13", check.None, nil},
		{"surrogate", octets(t, "b925 980101 990102 9b0100 bc1a 3018 a116 a214 06072a8648ce130401 02020404 1a0541424344 45"), check.Gone, "z3950-1028", check.Strong, nil},
		{"nothing", octets(t, "b909 980100 990101 9b0105"), check.Undetermined, "garbled", check.None, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, probe(t, u, begin+says(c.answer)+hears(closeRequest())), c.outcome, c.reason, c.evidence, c.flags...)
		})
	}
}

func expect(t *testing.T, got check.Result, o check.Outcome, r check.Reason, e check.Evidence, flags ...string) {
	t.Helper()
	if got.Outcome != o || got.Reason != r || got.Evidence != e || !slices.Equal(got.Flags, flags) {
		t.Errorf("got %v %s %v %v %q, want %v %s %v %v", got.Outcome, got.Reason, got.Evidence, got.Flags, got.Reply, o, r, e, flags)
	}
	if _, known := got.Reason.Meaning(); !known {
		t.Errorf("reason %s is not on the list", got.Reason)
	}
	if got.Attempts != 1 || got.At.IsZero() {
		t.Errorf("attempts %d, at %v", got.Attempts, got.At)
	}
}
