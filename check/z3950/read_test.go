package z3950

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/internal/lab"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// bring reads what is at an address, and gives the entries in one line each.
func bring(t *testing.T, address string, w check.Wanted) (string, []string) {
	t.Helper()
	u, err := uri.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	r, err := New(check.Options{Dialer: checktest.Loopback()}).(check.Reader).Read(t.Context(), check.Target{URI: u}, w, func(a *check.Answer) error {
		all = append(all, a.Version+" "+a.Media)
		for e, err := range a.Entries {
			all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s%s %v", e.Name, e.Data, e.Version, map[bool]any{true: "", false: err}[err == nil])))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return fmt.Sprintf("%s(%s) %s", r.Outcome, r.Reason, r.Reply), all
}

func TestRead(t *testing.T) {
	set := &lab.Z3950Set{}
	for i := range 7 {
		set.Records = append(set.Records, fmt.Appendf(nil, "record%d", i+1))
	}
	at := labtest.Start(t, set.Serve)
	for _, test := range []struct {
		name, path string
		wanted     check.Wanted
		change     func()
		result     string
		want       string
	}{
		{"all", "books", check.Wanted{}, nil, "ok(z3950-hit) 7 records", "7 application/marc|1 record1|2 record2|3 record3|4 record4|5 record5|6 record6|7 record7"},
		{"some", "books", check.Wanted{After: "2", Most: 3}, nil, "ok(z3950-hit) 7 records", "7 application/marc|3 record3|4 record4|5 record5"},
		{"the last", "books;esn=F;rs=marc", check.Wanted{After: "6", Most: 3}, nil, "ok(z3950-hit) 7 records", "7 application/marc|7 record7"},
		{"in a form that is not there", "books;rs=xml", check.Wanted{}, nil, "undetermined(z3950-239) diagnostic 239", ""},
		{"behind the last", "books", check.Wanted{After: "7", Most: 3}, nil, "ok(z3950-hit) 7 records", "7 application/marc"},
		{"in portions", "books", check.Wanted{}, func() { set.Most = 2 }, "ok(z3950-hit) 7 records", "7 application/marc|1 record1|2 record2|3 record3|4 record4|5 record5|6 record6|7 record7"},
		{"one that is not given", "books", check.Wanted{Most: 3}, func() { set.Records[1] = nil }, "ok(z3950-hit) 7 records", "7 application/marc|1 record1|2 diagnostic 14|3 record3"},
		{"it ends in the middle", "books", check.Wanted{}, func() { set.Hangs = 5 }, "ok(z3950-hit) 7 records", "7 application/marc|1 record1|2 diagnostic 14|3 record3|4 record4|EOF"},
		{"it ends at once", "books", check.Wanted{After: "4"}, nil, "temporary(eof) connection closed too early", ""},
		{"no such database", "books", check.Wanted{}, func() { set.Refuses = 235 }, "gone(z3950-235) diagnostic 235 database does not exist", ""},
		{"bad query", "books", check.Wanted{Query: "@and x"}, nil, "invalid(uri-z3950-query) a query that ends too early", ""},
		{"no database", "", check.Wanted{}, nil, "unsupported(no-client) no database by its URL", ""},
		{"a document", "books?x", check.Wanted{}, nil, "unsupported(no-client) no database by its URL", ""},
	} {
		if test.change != nil {
			set.Change(test.change)
		}
		result, got := bring(t, "z39.50s://"+at+"/"+test.path, test.wanted)
		if result != test.result || strings.Join(got, "|") != test.want {
			t.Errorf("%s: %s %q, want %s %q", test.name, result, strings.Join(got, "|"), test.result, test.want)
		}
	}
}

// TestRecordedRead plays zebrasrv, whose answers are those to our questions by their
// order: Init, Search, Present ...
func TestRecordedRead(t *testing.T) {
	for name, want := range map[string]struct {
		drop    int // turns of the server that answer what we do not ask
		records int
		form    string
		broken  bool
	}{
		"z3950-harvest-alwaysmatches-numeric-zebra.txt": {0, 1, "", true}, // one record was asked for
		"z3950-harvest-partial-zebra.txt":               {0, 1, "", true}, // the rest was not
		"z3950-harvest-marc-zebra.txt":                  {1, 5, "", false},
	} {
		turns := serverTurns(t, name)
		turns = append(turns[:1:1], turns[1+want.drop:]...)
		at := labtest.Start(t, func(l net.Listener) error {
			return lab.Serve(l, func(c net.Conn) {
				for _, turn := range turns {
					if _, err := c.Read(make([]byte, 4096)); err != nil {
						return
					}
					c.Write(turn)
				}
			})
		})
		result, got := bring(t, "z39.50s://"+at+"/Default", check.Wanted{})
		if result != "ok(z3950-hit) 5 records" || len(got) != 1+want.records && !want.broken || !strings.HasPrefix(got[1], "1 00195nam a2200085") {
			t.Errorf("%s: %s %q", name, result, got)
		}
	}
}

func serverTurns(t *testing.T, name string) (turns [][]byte) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(labtest.Transcripts(t), "harvest", name))
	if err != nil {
		t.Fatal(err)
	}
	server := false
	for line := range strings.Lines(string(text)) {
		octets, dump := labtest.Dumped(line)
		switch {
		case strings.HasPrefix(line, "S:"):
			turns, server = append(turns, nil), true
		case strings.HasPrefix(line, "C:"):
			server = false
		case dump && server:
			turns[len(turns)-1] = append(turns[len(turns)-1], octets...)
		}
	}
	return turns
}

func TestPQF(t *testing.T) {
	term := func(attributes, text string) string {
		return hex.EncodeToString(cons(0, cons(102, cons(44, octets(t, attributes)), prim(45, []byte(text)...))))
	}
	title := "3008 9f780101 9f790104"
	for query, want := range map[string]string{
		allRecords:              term("3008 9f780101 9f79010c 3008 9f780102 9f790167", ""),
		`x`:                     term("", "x"),
		` @attr 1=4 "a \"b\\" `: term(title, `a "b\`),
		`@and @attr 1=4 a b`:    hex.EncodeToString(cons(1, octets(t, term(title, "a")), octets(t, term("", "b")), cons(46, prim(0)))),
		`@attr 1=4 @not a b`:    hex.EncodeToString(cons(1, octets(t, term(title, "a")), octets(t, term(title, "b")), cons(46, prim(2)))),
		``:                      "a query that ends too early",
		`@or a`:                 "a query that ends too early",
		`a b`:                   `behind the query stands "b"`,
		`@set 1`:                `"@set" is none of @and, @or, @not and @attr`,
		`@attr title x`:         `"title" is no attribute such as 1=4`,
		`"a`:                    "a quote that is not closed",
		strings.Repeat("@and ", 100) + strings.Repeat("x ", 101): "a query with too many operators",
		strings.Repeat("x", 5000):                                "a query of more than 4096 octets",
	} {
		rpn, err := parsePQF(query)
		if got := hex.EncodeToString(rpn); err == nil && got != want || err != nil && err.Error() != want {
			t.Errorf("%.40s: %s %v, want %s", query, got, err, want)
		}
	}
}

// FuzzPQF: a query is refused, or is one element of BER.
func FuzzPQF(f *testing.F) {
	f.Add(allRecords)
	f.Add(`@attr 1=4 @or @and a "b c" @not d e`)
	f.Fuzz(func(t *testing.T, query string) {
		rpn, err := parsePQF(query)
		if err != nil {
			return
		}
		in := bytes.NewReader(rpn)
		if len(rpn) < maxAPDU/2 && strings.Count(query, "@") < 5 {
			if _, err := readAPDU(in); err != nil || in.Len() > 0 {
				t.Errorf("%q: %x, %v, %d octets left", query, rpn, err, in.Len())
			}
		}
	})
}

// FuzzRecords: whatever a server presents, as many records come as its answer has, each
// with data or with words.
func FuzzRecords(f *testing.F) {
	f.Add([]byte("\xb9\x03\x98\x01\x00"))
	f.Fuzz(func(t *testing.T, apdu []byte) {
		n, err := readAPDU(bytes.NewReader(apdu))
		if err != nil {
			return
		}
		p, _ := parseRecords(n)
		for _, e := range p.records {
			if (e.Data == nil) == (e.Version == "") {
				t.Errorf("%+v", e)
			}
		}
	})
}
