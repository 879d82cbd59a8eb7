package nntp

import (
	"bytes"
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/checktest"
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
		URL:      func(addr string) uri.URI { return parse("nntp://" + addr + "/g.h/1") },
		Greeting: "200 ready\r\n",
		Reply:    "200 reader\r\n",
		Endless:  "200 hello\r\n",
		Lying:    []string{"211 99999999999999999999 0 0\r\n", "2000 x\r\n", "101 list\r\n"},
		Control:  []uri.URI{&uri.NNTP{Group: "a\r\nPOST"}, &uri.NNTP{Group: "a", Article: "1\n"}, &uri.NNTP{Group: "\x00"}},
	}
	checktest.Run(t, c)
	t.Run("news", func(t *testing.T) {
		c.URL = func(addr string) uri.URI { return parse("news://" + addr + "/a@b.c") }
		checktest.Run(t, c)
	})
}

// tape is a connection on which a server has said everything beforehand.
type tape struct {
	net.Conn
	r    *bytes.Reader
	sent bytes.Buffer
}

func (c *tape) Read(p []byte) (int, error)       { return c.r.Read(p) }
func (c *tape) Write(p []byte) (int, error)      { return c.sent.Write(p) }
func (c *tape) Close() error                     { return nil }
func (c *tape) SetDeadline(time.Time) error      { return nil }
func (c *tape) SetWriteDeadline(time.Time) error { return nil }

func (c *tape) DialContext(context.Context, string, string) (net.Conn, error) { return c, nil }
func (c *tape) ListenPacket(context.Context, string) (net.PacketConn, net.Addr, error) {
	return nil, nil, net.ErrClosed
}

// Whatever a server says, a probe ends with a reason of the list and sends only
// questions.
func FuzzSession(f *testing.F) {
	for _, r := range rows {
		var said strings.Builder
		for l := range strings.Lines(r.script) {
			if l = strings.TrimSpace(l); strings.HasPrefix(l, "S: ") && !strings.Contains(l, ": <") {
				said.WriteString(strings.NewReplacer(`\r`, "\r", `\n`, "\n").Replace(l[3:]))
			}
		}
		f.Add(byte(0), []byte(said.String()))
	}
	f.Add(byte(2), []byte("200 a\r\n500 b\r\n215 c\r\n.\r\n"))
	may := map[string]bool{"MODE": true, "STAT": true, "HEAD": true, "GROUP": true, "LIST": true, "CAPABILITIES": true, "STARTTLS": true, "QUIT": true}
	targets := []uri.URI{parse("news://h.example/a@b.c"), parse("nntp://h.example/g.h/1"), parse("news://h.example/g.*")}
	f.Fuzz(func(t *testing.T, which byte, said []byte) {
		c := &tape{r: bytes.NewReader(said)}
		p := New(Options{Options: check.Options{Dialer: c, Timeout: time.Second}})
		r := p.Probe(context.Background(), check.Target{URI: targets[int(which)%len(targets)]})
		p.Close()
		if _, listed := r.Reason.Meaning(); !listed || r.Reason == "internal-error" || r.Reason == "panic" {
			t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
		for l := range strings.Lines(c.sent.String()) {
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
