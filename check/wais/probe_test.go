package wais

import (
	"context"
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// turn is what one side says: who is 'C' or 'S'; no octets: it closes.
type turn struct {
	who    byte
	octets []byte
}

// recorded reads testdata/recorded.txt: sessions by name, without the Init
// that begins them all.
func recorded(t testing.TB) map[string][]turn {
	t.Helper()
	text, err := os.ReadFile("testdata/recorded.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, name := map[string][]turn{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line[0] == '#':
		case line[0] == '=':
			name = line[2:]
		case line[0] == ' ':
			last := &all[name][len(all[name])-1]
			last.octets = append(last.octets, unhex(t, line)...)
		case line[2:] == "<closes>":
			all[name] = append(all[name], turn{who: line[0]})
		default:
			all[name] = append(all[name], turn{line[0], unhex(t, line[2:])})
		}
	}
	if len(all) == 0 {
		t.Fatal("testdata/recorded.txt holds no sessions")
	}
	return all
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// script writes turns in the notation of labtest, all octets escaped.
func script(turns ...turn) string {
	var s strings.Builder
	for _, turn := range turns {
		s.WriteByte(turn.who)
		s.WriteString(": ")
		if len(turn.octets) == 0 {
			s.WriteString("<closes>")
		}
		for _, c := range turn.octets {
			s.WriteString(`\x` + hex.EncodeToString([]byte{c}))
		}
		s.WriteByte('\n')
	}
	return s.String()
}

func hears(b []byte) turn { return turn{'C', b} }
func says(b []byte) turn  { return turn{'S', b} }

var closes = turn{who: 'S'}

// reply is a search response with groups of user information, made by hand.
func reply(groups ...[]byte) turn {
	part := append([]byte{pduSearchResponse, 1}, make([]byte, 9)...)
	part = append(part, tagged(27, []byte{0})...)
	return says(message(append(counted(part), tagged(tagUserInfo, slices.Concat(groups...))...)))
}

// complaint is a diagnostic record.
func complaint(code, text string) []byte {
	body := code + text + "\x00"
	return append([]byte{tagDiagnostic, 0, byte(len(body))}, body+"\x1d"...)
}

const (
	quake2 = "1=vm%3A12210;2=%2Fsrv%2Fw%2Fwais%2Fw%2Fdb%2Fquakes;3=0%2079%20%2Fsrv%2Fw%2Fwais%2Fw%2Fdocs%2Fquakes%2Fquake2.txt;"
	simple = "1=h%3A210;2=db;3=0%209%20/x;"
)

func database(name string) *uri.WAIS { return &uri.WAIS{Form: uri.WAISDatabase, Database: name} }

func search(name, words string) *uri.WAIS {
	return &uri.WAIS{Form: uri.WAISSearch, Database: name, Search: words}
}

func document(name, kind, raw string) *uri.WAIS {
	return &uri.WAIS{Form: uri.WAISDocument, Database: name, Type: kind, RawPath: raw, Path: raw}
}

// row is one probe and what must come of it.
type row struct {
	name     string
	u        *uri.WAIS
	scripts  []string
	outcome  check.Outcome
	reason   check.Reason
	evidence check.Evidence
	flags    []string
}

func (c row) run(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		s := labtest.Serve(t, c.scripts...)
		u := *c.u
		u.At = s.At
		got := New(check.Options{Dialer: s.Dialer(), Timeout: time.Second}).Probe(context.Background(), check.Target{URI: &u})
		if got.Outcome != c.outcome || got.Reason != c.reason || got.Evidence != c.evidence || !slices.Equal(got.Flags, c.flags) {
			t.Errorf("got %v(%s) %v %v %q, want %v(%s) %v %v", got.Outcome, got.Reason, got.Evidence, got.Flags, got.Reply,
				c.outcome, c.reason, c.evidence, c.flags)
		}
		if _, known := got.Reason.Meaning(); !known {
			t.Errorf("reason %s is not on the list", got.Reason)
		}
	})
}

// The recorded sessions of freeWAIS-sf in which what we send is what was sent
// then, octet for octet.
func TestRecordedSessions(t *testing.T) {
	all := recorded(t)
	session := func(name string) string { return script(slices.Concat(all["init"], all[name])...) }
	for _, c := range []row{
		{u: database("quakes"), name: "search-empty-words", outcome: check.OK, reason: "wais-database", evidence: check.Strong},
		{u: database("INFO"), name: "search-emptywords-info", outcome: check.OK, reason: "wais-database", evidence: check.Strong},
		{u: search("quakes", ""), name: "search-empty-words", outcome: check.OK, reason: "wais-database", evidence: check.Strong},
		{u: database("nosuchdb"), name: "search-emptywords-unknowndb", outcome: check.Gone, reason: "wais-no-database", evidence: check.Weak},
		{u: database("quakes"), name: "denied-db-emptywords", outcome: check.Auth, reason: "wais-denied"},
		{u: document("quakes", "TEXT", quake2), name: "retr-short-docid", outcome: check.OK, reason: "wais-document", evidence: check.Strong},
		{u: document("quakes", "TEXT", quake2), name: "denied-db-retrieve", outcome: check.Auth, reason: "wais-denied"},
		{u: document("quakes", "TEXT", "2=quakes;3=0%200%20%2Fsrv%2Fw%2Fwais%2Fw%2Fdb%2Fquakes.cat;7=%00;"), name: "retr-catalog",
			outcome: check.OK, reason: "wais-document", evidence: check.Strong},
	} {
		c.scripts = []string{session(c.name)}
		c.run(t)
	}
}

// The rows of OUTCOMES 1.3 and 1.4 on WAIS and of REAL-SERVERS A, with recorded
// answers where there are any.
func TestTable(t *testing.T) {
	all := recorded(t)
	answer := func(name string) turn { return all[name][1] }
	docid, ok := docidOf(simple, "")
	if !ok {
		t.Fatal("no docid")
	}
	var (
		init    = all["init"]
		ask     = hears(searchRequest("db", ""))
		words   = hears(searchRequest("db", "two words"))
		fetch   = hears(retrievalRequest("db", "TEXT", docid))
		refused = answer("bad-apdu-length")
		there   = answer("search-empty-words")
		db      = database("db")
		doc     = document("db", "TEXT", simple)
		find    = search("db", "two+words")
		flag    = []string{"docid-unverified"}
		one     = func(turns ...turn) []string { return []string{script(append(slices.Clone(init), turns...)...)} }
		bare    = func(turns ...turn) string { return script(turns...) }
		rejects = script(init[0], says(message(counted([]byte{pduInitResponse, 0}))))
		shut    = script(init[0], closes)
		nak     = says([]byte("0000000000n2wais        0"))
		silent  = script(init[0]) + "S: <silent>"
		zInit   = turn{'C', []byte("\xb4\x12\x83\x02\x05\xe0\x84\x02\x06\xc0\x85\x03\x01\x00\x00\x86\x03\x01\x00\x00")}
	)
	for _, c := range []row{
		{"database refused without words, A7", db, one(ask, refused), check.Reachable, "wais-answer", check.Strong, nil},
		{"S1 database not available, A4", db, one(ask, answer("search-unknowndb")), check.Gone, "wais-no-database", check.Strong, nil},
		{"S2", db, one(ask, reply(complaint("S2", "try later"))), check.Temporary, "wais-diagnostic", check.Weak, nil},
		{"SF of another kind", doc, one(fetch, reply(complaint("SF", "internal error"))), check.Undetermined, "wais-diagnostic", check.None, nil},
		{"T2", doc, one(fetch, reply(complaint("T2", "no"))), check.Auth, "wais-denied", check.None, nil},
		{"S1 of another thing", db, one(ask, reply(complaint("S1", "headline file does not exist"))), check.Undetermined, "wais-diagnostic", check.None, nil},
		{"S1 without a reason", db, one(ask, reply(complaint("S1", "error"))), check.Undetermined, "wais-diagnostic", check.None, nil},
		{"diagnostic beside a header, A4", db, one(ask, answer("field")), check.OK, "wais-database", check.Strong, nil},
		{"SH", db, one(ask, reply(complaint("SH", "no"))), check.Auth, "wais-denied", check.None, nil},

		{"closed at the search after a good Init, A14", db, one(ask, closes), check.Reachable, "closed", check.Strong, nil},
		{"cut off at the search after a good Init, A14", db, []string{script(append(slices.Clone(init), ask)...) + "S: <resets>"}, check.Reachable, "closed", check.Strong, nil},
		{"not acknowledged, PROTOCOLS 2.1", db, one(ask, nak), check.Undetermined, "wais-answer", check.None, nil},
		{"Init not acknowledged, answers without", db, []string{script(init[0], nak), bare(ask, there)}, check.OK, "wais-database", check.Strong, nil},
		{"nothing acknowledged", db, []string{script(init[0], nak), bare(ask, nak)}, check.Undetermined, "wais-answer", check.None, nil},
		{"no records and no user information", db, one(ask, says(message(counted(append([]byte{pduSearchResponse, 1}, make([]byte, 9)...))))),
			check.Undetermined, "wais-answer", check.None, nil},

		{"hits", find, one(ask, there, words, answer("search-hits")), check.OK, "wais-hit", check.Strong, nil},
		{"catalogue for no hits, A3", find, one(ask, there, words, answer("search-nohits")), check.Reachable, "search-no-hit", check.Strong, nil},
		{"catalogue of INFO, A3", find, one(ask, there, words, answer("search-info-nohit")), check.Reachable, "search-no-hit", check.Strong, nil},
		{"no header for no hits", find, one(ask, there, words, reply()), check.Reachable, "search-no-hit", check.Strong, nil},
		{"words not understood", find, one(ask, there, words, reply(complaint("S1", "query syntax error: ?"))), check.Reachable, "wais-diagnostic", check.Strong, nil},
		{"denied for words", find, one(ask, there, words, answer("denied-db-emptywords")), check.Auth, "wais-denied", check.None, nil},
		{"refused for words", find, one(ask, there, words, refused), check.Reachable, "wais-answer", check.Strong, nil},
		{"closed at the words", find, one(ask, there, words, closes), check.OK, "wais-database", check.Strong, nil},
		{"search in an unknown database", find, one(ask, answer("search-emptywords-unknowndb")), check.Gone, "wais-no-database", check.Weak, nil},

		{"document", doc, one(fetch, answer("retr-0-64")), check.OK, "wais-document", check.Strong, nil},
		{"document of another database, A14", doc, one(fetch, answer("retr-wrongdb")), check.OK, "wais-document", check.Strong, nil},
		{"range beyond the end, A5", doc, one(fetch, answer("retr-beyond")), check.OK, "wais-document", check.Strong, nil},
		{"text and diagnostic, A5", doc, one(fetch, answer("retr-pastend")), check.OK, "wais-document", check.Strong, nil},
		{"missing file, A5", doc, one(fetch, answer("retr-missing-file")), check.Gone, "wais-no-document", check.Strong, nil},
		{"not indexed, A5", doc, one(fetch, answer("retr-unindexed-file")), check.Gone, "wais-no-document", check.Strong, nil},
		{"no records", doc, one(fetch, answer("retr-nochunk")), check.Undetermined, "wais-answer", check.None, nil},
		{"document refused, A7", doc, one(fetch, refused), check.Reachable, "wais-answer", check.Strong, flag},
		{"closed, database gone, A14", doc, append(one(fetch, closes), bare(ask, answer("search-emptywords-unknowndb"))),
			check.Gone, "wais-no-database", check.Weak, nil},
		{"closed, database there, A14", doc, append(one(fetch, closes), bare(ask, there)), check.Undetermined, "closed", check.None, nil},
		{"docid of no known form, A14", document("db", "TEXT", "doc1"), one(ask, there), check.Reachable, "wais-database", check.Strong, flag},
		{"docid with a local id alone, A14", document("db", "TEXT", "3=x;"), one(ask, there), check.Reachable, "wais-database", check.Strong, flag},

		{"Init rejected, PROTOCOLS 2.7", db, []string{rejects, bare(ask, there)}, check.OK, "wais-database", check.Strong, nil},
		{"Init rejected, then closed", db, []string{rejects, bare(ask, closes)}, check.Reachable, "wais-answer", check.Strong, nil},
		{"bare header for Init", db, []string{script(init[0], refused), bare(ask, there)}, check.OK, "wais-database", check.Strong, nil},
		{"closed at Init, answers without", db, []string{shut, bare(ask, there)}, check.OK, "wais-database", check.Strong, nil},
		{"closed at Init, document without", doc, []string{shut, bare(fetch, answer("retr-0-64"))}, check.OK, "wais-document", check.Strong, nil},
		{"closed at everything", db, []string{shut, bare(ask, closes), bare(zInit, closes)}, check.Temporary, "eof", check.Weak, nil},
		{"silent at everything, 1.4", db, []string{silent, bare(ask) + "S: <silent>", bare(zInit) + "S: <silent>"}, check.Temporary, "timeout", check.Weak, nil},
		{"Z39.50 server, 1.4", db, []string{shut, bare(ask, closes), bare(zInit, turn{'S', []byte("\xb5\x03\x8c\x01\x01")})},
			check.Undetermined, "protocol-mismatch", check.None, nil},
		{"Z39.50 server that answers at once", db, []string{bare(init[0], turn{'S', []byte("\xb5\x03\x8c\x01\x01")})},
			check.Undetermined, "protocol-mismatch", check.None, nil},
		{"web server", db, []string{bare(init[0]) + "S: HTTP/1.0 400 Bad Request\\r\\n"}, check.Undetermined, "protocol-mismatch", check.None, nil},
		{"compressed", db, []string{bare(init[0], says([]byte("0000000003z2wais      u 0abc")))}, check.Undetermined, "garbled", check.None, nil},
		{"another PDU", db, one(ask, init[1]), check.Undetermined, "garbled", check.None, nil},
	} {
		c.run(t)
	}
}
