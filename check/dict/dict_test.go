package dict

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	greeting = "S: 220 lab dictd <auth.mime> <1@lab>\\r\\n\n"
	client   = greeting + "C: CLIENT linkcheck\\r\\n\nS: 250 ok\\r\\n\n"
	quit     = "C: QUIT\\r\\n\n"
)

// The rows of PROTOCOLS section 10 for dict, one reply each.
var rows = []struct {
	name, url, script string
	outcome           check.Outcome
	reason            check.Reason
}{
	{"a definition", "dict://{at}/d:sun", client + "C: DEFINE ! sun\\r\\n\nS: 150 1 definitions retrieved\\r\\n\nS: 151 \"sun\" wn \"WordNet\"\\r\\n\n" + quit, check.OK, "dict-150"},
	{"a phrase of a database", "dict://{at}/d:mot%20juste:fr", client + "C: DEFINE fr \"mot juste\"\\r\\n\nS: 150 2 definitions retrieved\\r\\n\n" + quit, check.OK, "dict-150"},
	{"fewer than counted to", "dict://{at}/d:sun::3", client + "C: DEFINE ! sun\\r\\n\nS: 150 2 definitions retrieved\\r\\n\n" + quit, check.Suspect, "dict-fewer"},
	{"matches", "dict://{at}/m:sun:*:soundex", client + "C: MATCH * soundex sun\\r\\n\nS: 152 4 matches found\\r\\n\n" + quit, check.OK, "dict-152"},
	{"no such word", "dict://{at}/d:snu", client + "C: DEFINE ! snu\\r\\n\nS: 552 No match\\r\\n\n" + quit, check.Gone, "dict-552"},
	{"no such database", "dict://{at}/d:sun:old", client + "C: DEFINE old sun\\r\\n\nS: 550 Invalid database\\r\\n\n" + quit, check.Gone, "dict-550"},
	{"no such strategy", "dict://{at}/m:sun::near", client + "C: MATCH ! near sun\\r\\n\nS: 551 Invalid strategy\\r\\n\n" + quit, check.Undetermined, "dict-551"},
	{"CLIENT is not known", "dict://{at}/d:sun", greeting + "C: CLIENT linkcheck\\r\\n\nS: 500 What?\\r\\n\nC: DEFINE ! sun\\r\\n\nS: 150 1 definitions retrieved\\r\\n\n" + quit, check.OK, "dict-150"},
	{"the server", "dict://{at}/", greeting + quit, check.Reachable, "dict-220"},
	{"a password is wanted", "dict://{at}/d:sun", client + "C: DEFINE ! sun\\r\\n\nS: 531 Access denied\\r\\n\n" + quit, check.Auth, "dict-531"},
	{"a mechanism is wanted", "dict://{at}/d:sun", client + "C: DEFINE ! sun\\r\\n\nS: 532 Access denied\\r\\n\n" + quit, check.Auth, "dict-532"},
	{"not for us", "dict://{at}/d:sun", "S: 530 Access denied\\r\\n\nS: <closes>", check.Blocked, "dict-530"},
	{"busy", "dict://{at}/d:sun", "S: 420 Server temporarily unavailable\\r\\n\nS: <closes>", check.Temporary, "dict-420"},
	{"shutting down", "dict://{at}/d:sun", "S: 421 Server shutting down\\r\\n\nS: <closes>", check.Temporary, "dict-421"},
	{"a code of its own", "dict://{at}/d:sun", client + "C: DEFINE ! sun\\r\\n\nS: 502 Command not implemented\\r\\n\n" + quit, check.Undetermined, "dict-502"},
	{"another protocol", "dict://{at}/d:sun", "S: +OK POP3 ready\\r\\n\nS: <closes>", check.Undetermined, "protocol-mismatch"},
	{"closes", "dict://{at}/d:sun", "S: <closes>", check.Temporary, "closed"},
}

func TestRows(t *testing.T) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := labtest.Serve(t, r.script)
			p := New(check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second})
			got := p.Probe(t.Context(), check.Target{URI: s.URI(r.url)})
			if got.Outcome != r.outcome || got.Reason != r.reason {
				t.Errorf("%s(%s), want %s(%s); reply %q", got.Outcome, got.Reason, r.outcome, r.reason, got.Reply)
			}
		})
	}
}

// RFC 2229 section 2.2.
func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{"sun": "sun", "": `""`, "mot juste": `"mot juste"`, `a"b\c`: `"a\"b\\c"`, "l'eau": `"l'eau"`} {
		if got := quoted(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestSuite(t *testing.T) {
	checktest.Run(t, checktest.Case{
		New:      New,
		URL:      "dict://{at}/d:sun",
		Greeting: "220 lab ready\r\n",
		Reply:    "250 ok\r\n",
		Lying:    []string{"150 99999999999999999999 definitions\r\n", "1500 x\r\n", "150\r\n"},
		Control:  []uri.URI{&uri.Dict{Word: "a\r\nQUIT"}, &uri.Dict{Word: "a", Database: "\x00"}, &uri.Dict{Word: "a", Strategy: "\n"}},
	})
}

// Whatever a server says, a probe ends with a reason of the list and sends only
// questions.
func FuzzProbe(f *testing.F) {
	for _, r := range rows {
		f.Add(byte(0), labtest.ServerOctets(r.script))
	}
	f.Add(byte(1), []byte("220 a\r\n250 b\r\n152\r\n"))
	may := map[string]bool{"CLIENT": true, "DEFINE": true, "MATCH": true, "QUIT": true}
	var targets []uri.URI
	for _, s := range []string{"dict://h.example/d:sun", "dict://h.example/m:sun:*:prefix:2", "dict://h.example/"} {
		u, err := uri.Parse(s)
		if err != nil {
			f.Fatal(err)
		}
		targets = append(targets, u)
	}
	f.Fuzz(func(t *testing.T, which byte, said []byte) {
		c := labtest.NewReplay(said)
		r := New(check.Options{Dialer: c, Timeout: time.Second}).Probe(context.Background(), check.Target{URI: targets[int(which)%len(targets)]})
		if _, listed := r.Reason.Meaning(); !listed || r.Reason == "internal-error" || r.Reason == "panic" {
			t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
		for l := range strings.Lines(c.Sent()) {
			if verb, _, _ := strings.Cut(strings.TrimSpace(l), " "); !may[verb] {
				t.Errorf("sent %q", l)
			}
		}
	})
}
