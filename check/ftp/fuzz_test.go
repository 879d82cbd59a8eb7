package ftp

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
)

// Whatever a server says, a probe ends with a reason of the list, sends one
// command a line from its short list, and no password of the URL.
func FuzzSession(f *testing.F) {
	for _, r := range rows() {
		said := labtest.ServerOctets(r.script)
		f.Add(said)
		if greeting, rest, ok := bytes.Cut(said, []byte("\r\n")); ok { // with answers to FEAT and HOST
			f.Add(slices.Concat(greeting, []byte("\r\n211-Features\r\n HOST\r\n211 End\r\n220 ok\r\n"), rest))
		}
	}
	may := map[string]bool{"FEAT": true, "HOST": true, "USER": true, "PASS": true, "TYPE": true, "CWD": true, "PWD": true, "SIZE": true, "MDTM": true, "MLST": true,
		"EPSV": true, "PASV": true, "NLST": true, "AUTH": true, "QUIT": true}
	u := parse("ftp://anonymous:secret@h.example/pub/f")
	f.Fuzz(func(t *testing.T, said []byte) {
		c := labtest.NewReplay(said)
		p := New(check.Options{Dialer: c, Timeout: time.Second})
		r := p.Probe(context.Background(), check.Target{URI: u})
		p.Probe(context.Background(), check.Target{URI: u}) // with what is left on the tape
		p.Close()
		if _, listed := r.Reason.Meaning(); !listed || r.Reason == "internal-error" || r.Reason == "panic" {
			t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
		for l := range strings.Lines(c.Sent()) {
			verb, _, _ := strings.Cut(strings.TrimSuffix(l, "\r\n"), " ")
			if verb == "AUTH" {
				break // what follows is TLS
			}
			if !may[verb] || strings.Contains(l, "secret") {
				t.Errorf("sent %q", l)
			}
		}
	})
}
