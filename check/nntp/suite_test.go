package nntp

import (
	"context"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

func parse(s string) uri.URI {
	u, err := uri.Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}

func TestSuite(t *testing.T) {
	c := checktest.Case{
		New:      func(o check.Options) check.Prober { return New(Options{Options: o}) },
		URL:      "nntp://{at}/g.h/1",
		Greeting: "200 ready\r\n",
		Reply:    "200 reader\r\n",
		Endless:  "200 hello\r\n",
		Lying:    []string{"211 99999999999999999999 0 0\r\n", "2000 x\r\n", "101 list\r\n"},
		Control:  []uri.URI{&uri.NNTP{Group: "a\r\nPOST"}, &uri.NNTP{Group: "a", Article: "1\n"}, &uri.NNTP{Group: "\x00"}},
	}
	checktest.Run(t, c)
	t.Run("news", func(t *testing.T) {
		c.URL = "news://{at}/a@b.c"
		checktest.Run(t, c)
	})
}

// Whatever a server says, a probe ends with a reason of the list and sends only
// questions.
func FuzzSession(f *testing.F) {
	for _, r := range rows {
		f.Add(byte(0), labtest.ServerOctets(r.script))
	}
	f.Add(byte(2), []byte("200 a\r\n500 b\r\n215 c\r\n.\r\n"))
	may := map[string]bool{"MODE": true, "STAT": true, "HEAD": true, "GROUP": true, "LIST": true, "CAPABILITIES": true, "STARTTLS": true, "QUIT": true}
	targets := []uri.URI{parse("news://h.example/a@b.c"), parse("nntp://h.example/g.h/1"), parse("news://h.example/g.*")}
	f.Fuzz(func(t *testing.T, which byte, said []byte) {
		c := labtest.NewReplay(said)
		p := New(Options{Options: check.Options{Dialer: c, Timeout: time.Second}})
		r := p.Probe(context.Background(), check.Target{URI: targets[int(which)%len(targets)]})
		p.Close()
		if _, listed := r.Reason.Meaning(); !listed || r.Reason == "internal-error" || r.Reason == "panic" {
			t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
		for l := range strings.Lines(c.Sent()) {
			verb, _, _ := strings.Cut(strings.TrimSuffix(l, "\r\n"), " ")
			if verb == "STARTTLS" {
				break // what follows is TLS
			}
			if !may[verb] {
				t.Errorf("sent %q", l)
			}
		}
	})
}
