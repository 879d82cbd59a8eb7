package ftp

import (
	"bytes"
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
)

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
func (c *tape) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 21} }

type tapes struct{ c *tape }

func (d tapes) DialContext(context.Context, string, string) (net.Conn, error) { return d.c, nil }
func (d tapes) ListenPacket(context.Context, string) (net.PacketConn, net.Addr, error) {
	return nil, nil, net.ErrClosed
}

// Whatever a server says, a probe ends with a reason of the list, sends one
// command a line from its short list, and no password of the URL.
func FuzzSession(f *testing.F) {
	for _, r := range rows() {
		var said strings.Builder
		for l := range strings.Lines(r.script) {
			if l = strings.TrimSpace(l); strings.HasPrefix(l, "S: ") && !strings.Contains(l, "<") {
				said.WriteString(strings.NewReplacer(`\r`, "\r", `\n`, "\n").Replace(l[3:]))
			}
		}
		f.Add([]byte(said.String()))
	}
	may := map[string]bool{"USER": true, "PASS": true, "TYPE": true, "CWD": true, "PWD": true, "SIZE": true, "MDTM": true, "MLST": true,
		"EPSV": true, "PASV": true, "NLST": true, "AUTH": true, "QUIT": true}
	u := parse("ftp://anonymous:secret@h.example/pub/f")
	f.Fuzz(func(t *testing.T, said []byte) {
		c := &tape{r: bytes.NewReader(said)}
		p := New(check.Options{Dialer: tapes{c}, Timeout: time.Second})
		r := p.Probe(context.Background(), check.Target{URI: u})
		p.Probe(context.Background(), check.Target{URI: u}) // with what is left on the tape
		p.Close()
		if _, listed := r.Reason.Meaning(); !listed || r.Reason == "internal-error" || r.Reason == "panic" {
			t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
		for l := range strings.Lines(c.sent.String()) {
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
