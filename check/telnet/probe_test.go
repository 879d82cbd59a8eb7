package telnet

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rows is the telnet table of OUTCOMES 1.3 and 1.4 and PROTOCOLS 8; the
// negotiation is what inetutils telnetd says.
var rows = []struct {
	name, script string
	outcome      check.Outcome
	reason       check.Reason
	evidence     check.Evidence
	reply        string
	url          string // "": a telnet URL with user and password
}{
	{"negotiation, then a banner", `
		S: \xff\xfb\x25\xff\xfb\x26\xff\xfd\x18\xff\xfd\x20\xff\xfd\x23\xff\xfd\x27\xff\xfd\x24
		C: \xff\xfe\x25\xff\xfe\x26\xff\xfc\x18\xff\xfc\x20\xff\xfc\x23\xff\xfc\x27\xff\xfc\x24
		S: \xff\xfb\x03\xff\xfd\x01\xff\xfd\x22\xff\xfd\x1f\xff\xfb\x05\xff\xfd\x21
		C: \xff\xfe\x03\xff\xfc\x01\xff\xfc\x22\xff\xfc\x1f\xff\xfe\x05\xff\xfc\x21
		S: \xff\xfb\x01\xff\xfd\x06\xff\xfd\x00
		C: \xff\xfe\x01\xff\xfc\x06\xff\xfc\x00
		S: Test Library Catalogue\r\x00\r\nlogin:\x20
		S: <silent>`, check.Reachable, "telnet-answer", check.Strong, "Test Library Catalogue login:", ""},
	{"an option is refused once", `
		S: \xff\xfb\x03
		C: \xff\xfe\x03
		S: \xff\xfb\x03\xff\xfb\x03\xff\xfc\x03\xff\xfe\x03
		S: <silent>`, check.Reachable, "telnet-answer", check.Strong, "", ""},
	{"subnegotiation and doubled IAC are no text", `
		S: a\xff\xff\xff\xfa\x18\x01\xff\xff\xff\xf0\xff\xf9b
		S: <closes>`, check.Reachable, "telnet-answer", check.Strong, "aÿb", ""},
	{"tn3270 hosts ask for TN3270E", `
		S: \xff\xfd\x28
		C: \xff\xfc\x28
		S: <silent>`, check.Reachable, "telnet-answer", check.Strong, "", ""},
	{"tn3270 URL", "S: \\xff\\xfd\\x18\nC: \\xff\\xfc\\x18\nS: <silent>", check.Reachable, "telnet-answer", check.Strong, "", "tn3270://{at}/"},
	{"rlogin only connects, PROTOCOLS 8", "C: ", check.Reachable, "tcp-accepted", check.Strong, "", "rlogin://guest@{at}/"},
	{"plain banner", "S: Welcome to MELVYL\\r\\n\nS: <closes>", check.Reachable, "telnet-answer", check.Strong, "Welcome to MELVYL", ""},
	{"Latin-1 and cursor movements", "S: \\x1b[2J\\x1b[HBiblioth\\xe8que\\r\\n\nS: <closes>", check.Reachable, "telnet-answer", check.Strong, "Bibliothèque", ""},
	{"silence", "S: <silent>", check.Reachable, "telnet-silent", check.Weak, "", ""},
	{"closes at once", "S: <closes>", check.Temporary, "closed", check.Weak, "", ""},
	{"resets at once", "S: <resets>", check.Temporary, "tcp-reset", check.Weak, "connection reset", ""},
	{"SSH, 1.4", "S: SSH-2.0-OpenSSH_9.2\\r\\n\nS: <silent>", check.Undetermined, "protocol-mismatch", check.None, "SSH-2.0-OpenSSH_9.2", ""},
	{"HTTP, 1.4", "S: HTTP/1.0 400 Bad Request\\r\\n\\r\\n\nS: <closes>", check.Undetermined, "protocol-mismatch", check.None, "HTTP/1.0 400 Bad Request", ""},
}

func TestRows(t *testing.T) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			s := labtest.Serve(t, r.script)
			url := "telnet://alice:wonder@{at}/"
			if r.url != "" {
				url = r.url
			}
			got := New(Options{Options: check.Options{Dialer: s.Dialer(), Timeout: 2 * time.Second}, Wait: time.Second}).
				Probe(context.Background(), check.Target{URI: s.URI(url)})
			if got.Outcome != r.outcome || got.Reason != r.reason || got.Evidence != r.evidence || got.Reply != r.reply {
				t.Errorf("%s(%s) %s %q, want %s(%s) %s %q", got.Outcome, got.Reason, got.Evidence, got.Reply,
					r.outcome, r.reason, r.evidence, r.reply)
			}
			if secret := strings.Contains(url, ":wonder@"); secret != slices.Contains(got.Flags, "credentials-in-url") {
				t.Errorf("flags %q", got.Flags)
			}
		})
	}
}

// Only refusals are ever sent, one for each option at most, and the pieces in
// which the octets come make no difference.
func FuzzTake(f *testing.F) {
	f.Add([]byte("\xff\xfb\x25\xff\xfd\x18login: \xff\xfa\x18\x01\xff\xf0"), 3)
	f.Add([]byte("\xff\xff\xff"), 1)
	f.Fuzz(func(t *testing.T, octets []byte, at int) {
		var whole, pieces negotiation
		sent := whole.read(octets)
		at = min(max(at, 0), len(octets))
		parts := append(pieces.read(octets[:at]), pieces.read(octets[at:])...)
		if !bytes.Equal(sent, parts) || !bytes.Equal(whole.text, pieces.text) {
			t.Errorf("in pieces: %x, whole: %x", parts, sent)
		}
		if len(sent) > 2*256*3 || len(sent)%3 != 0 || len(whole.text) > len(octets) {
			t.Errorf("sent %d octets", len(sent))
		}
		for i := 0; i < len(sent); i += 3 {
			if sent[i] != iac || sent[i+1] != wont && sent[i+1] != dont {
				t.Errorf("sent %x", sent[i:i+3])
			}
		}
	})
}
