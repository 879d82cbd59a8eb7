package checktest

import (
	"bytes"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab"
	"linkcheck/internal/lab/labtest"
)

// server is one broken TCP server; serve returns when the connection is closed.
type server struct {
	name   string
	serve  func(c *net.TCPConn)
	proves bool // its answer may prove something: only the laws of every result are checked
}

func runTCP(t *testing.T, c Case) {
	for _, greeting := range slices.Compact([]string{"", c.Greeting}) {
		for _, s := range brokenServers(c) {
			name := s.name
			if greeting != "" {
				name += " after the greeting"
			}
			t.Run(name, func(t *testing.T) {
				addr := listen(t, greet(greeting, s.serve))
				r := probe(t, c, addr, setup{})
				if !s.proves {
					unproven(t, r)
				}
				if r.Outcome == check.Gone && !strings.HasPrefix(s.name, "lies ") {
					t.Errorf("got gone(%s) %q", r.Reason, r.Reply)
				}
			})
		}
	}
	t.Run("refused", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr := l.Addr().String()
		l.Close()
		want(t, probe(t, c, addr, setup{}), check.Unreachable, check.ReasonTCPRefused)
	})
	t.Run("cut anywhere", func(t *testing.T) { cut(t, c) })
	t.Run("many at once", func(t *testing.T) { manyAtOnce(t, c) })
}

// brokenServers lists the broken servers.
func brokenServers(c Case) []server {
	list := []server{
		{"silent", readOnly, c.SilentOK},
		{"closes at once", func(*net.TCPConn) {}, false},
		{"half close", func(c *net.TCPConn) { c.CloseWrite(); readOnly(c) }, false},
		{"resets at once", func(c *net.TCPConn) { c.SetLinger(0) }, false},
		{"reset in the middle", func(conn *net.TCPConn) {
			first(conn)
			conn.Write([]byte(c.Reply[:len(c.Reply)/2]))
			conn.SetLinger(0)
		}, true},
		{"slow drip", drip([]byte("a")), true},
		{"slow drip of a good answer", drip([]byte(c.Reply + "\r\n")), true},
		{"flood", repeat(bytes.Repeat([]byte("x"), 32<<10)), true},
		{"flood of zeros", repeat(make([]byte, 32<<10)), true},
		{"flood of ones", repeat(bytes.Repeat([]byte{0xff}, 32<<10)), true},
		{"endless lines", repeat(bytes.Repeat([]byte(c.Endless), 1000)), true},
		{"endless empty lines", repeat(bytes.Repeat([]byte("\r\n"), 10000)), true},
		{"echo", func(c *net.TCPConn) { io.Copy(c, struct{ io.Reader }{c}) }, true},
	}
	for _, f := range foreign {
		if f.name != c.Speaks {
			list = append(list, server{"speaks " + f.name, say(f.words), c.SilentOK})
		}
	}
	for _, lie := range c.Lying {
		list = append(list, server{"lies " + check.CleanReply(lie[:min(len(lie), 20)]), say(lie), true})
	}
	return list
}

// foreign lists what other protocols say, be it first or to anything.
var foreign = []struct{ name, words string }{
	{"http", "HTTP/1.1 400 Bad Request\r\nServer: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"},
	{"ssh", "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"},
	{"smtp", "220 mail.example.org ESMTP Postfix\r\n"},
	{"pop3", "+OK POP3 ready\r\n"},
	{"imap", "* OK [CAPABILITY IMAP4rev1] ready.\r\n"},
	{"irc", ":irc.example.org NOTICE * :*** Looking up your hostname\r\n"},
	{"tls", "\x15\x03\x03\x00\x02\x02\x46"},
	{"mysql", "\x4a\x00\x00\x00\x0a5.5.5-10.11.6-MariaDB\x00\x08\x00\x00\x00"},
}

func listen(t *testing.T, serve func(*net.TCPConn)) string {
	t.Helper()
	return labtest.Start(t, func(l net.Listener) error {
		return lab.Serve(l, func(c net.Conn) { serve(c.(*net.TCPConn)) })
	})
}

func greet(words string, serve func(*net.TCPConn)) func(*net.TCPConn) {
	return func(c *net.TCPConn) {
		c.Write([]byte(words))
		serve(c)
	}
}

// readOnly reads what comes and says nothing.
func readOnly(c *net.TCPConn) { io.Copy(io.Discard, c) }

// first waits for the first octets of the client, or a little while: some wait for us.
func first(c *net.TCPConn) {
	c.SetReadDeadline(time.Now().Add(timeout / 4))
	c.Read(make([]byte, 4096))
	c.SetReadDeadline(time.Time{})
}

func say(words string) func(*net.TCPConn) {
	return func(c *net.TCPConn) {
		first(c)
		c.Write([]byte(words))
		readOnly(c)
	}
}

func repeat(block []byte) func(*net.TCPConn) {
	return func(c *net.TCPConn) {
		for {
			if _, err := c.Write(block); err != nil {
				return
			}
		}
	}
}

// drip sends one octet every 20 ms: more often than any idle timeout.
func drip(words []byte) func(*net.TCPConn) {
	return func(c *net.TCPConn) {
		for i := 0; ; i++ {
			if _, err := c.Write(words[i%len(words) : i%len(words)+1]); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// cut ends a good answer at one octet after another: what is left of it may prove
// that a thing is there, never that it is gone.
func cut(t *testing.T, c Case) {
	for n := 0; n < len(c.Reply); n += 1 + len(c.Reply)/maxCuts {
		part := c.Reply[:n]
		addr := listen(t, greet(c.Greeting, func(conn *net.TCPConn) {
			first(conn)
			conn.Write([]byte(part))
			conn.CloseWrite()
			readOnly(conn)
		}))
		if r := probe(t, c, addr, setup{}); r.Outcome == check.Gone {
			t.Errorf("%q: got gone(%s) %q", part, r.Reason, r.Reply)
		}
	}
}

// maxCuts is into how many places an answer is cut at most.
const maxCuts = 50

// manyAtOnce shares one prober among many probes of one server.
func manyAtOnce(t *testing.T, c Case) {
	addr := listen(t, greet(c.Greeting, say(c.Reply)))
	m := newMeter(false)
	p := c.New(check.Options{Dialer: m, Timeout: timeout, MaxBytes: maxBytes})
	u := labtest.URI(t, addr, c.URL)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { checkLaws(t, p.Probe(t.Context(), check.Target{URI: u})) })
	}
	wg.Wait()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	m.checkEnd(t, c)
}
