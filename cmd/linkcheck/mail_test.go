package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// smtpServer is a mail server that takes every mail but those to nobody@.
type smtpServer struct {
	net.Listener
	mu   sync.Mutex
	said strings.Builder
}

func (p *smtpServer) note(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said.WriteString(line + "\n")
}

// received gives the lines that came since the last call.
func (p *smtpServer) received() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.said.Reset()
	return p.said.String()
}

func newSMTPServer(t *testing.T) *smtpServer {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	p := &smtpServer{Listener: l}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(c)
		}
	}()
	return p
}

func (p *smtpServer) serve(c net.Conn) {
	defer c.Close()
	fmt.Fprint(c, "220 ready\r\n")
	for in := bufio.NewScanner(c); in.Scan(); {
		p.note(in.Text())
		answer := "250 well"
		switch word, _, _ := strings.Cut(in.Text(), " "); {
		case word == "EHLO":
			answer = "250-mill\r\n250 AUTH PLAIN LOGIN"
		case word == "DATA":
			fmt.Fprint(c, "354 go on\r\n")
			for in.Scan() && in.Text() != "." {
				p.note(in.Text())
			}
		case word == "QUIT":
			answer = "221 bye"
		case strings.Contains(in.Text(), "nobody@"):
			answer = "550 no such person"
		}
		fmt.Fprint(c, answer+"\r\n")
	}
}

// The summary by mail; the password is never in the store, and never sent in the
// clear (OUTCOMES section 3).
func TestSummaryByMail(t *testing.T) {
	const password = "s3cret-of-the-mill"
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test:99999/x"})
	l.runQuietly(0)
	db := l.store()
	p := newSMTPServer(t)
	_, port, _ := net.SplitHostPort(p.Addr().String())
	secret := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(secret, []byte(password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		code int
		err  string
		sent []string // to the server; none: no mail
	}{
		{"one", []string{"--mail-to", "eve@mill.test", "--mail-from", "lc@mill.test"}, 0, "",
			[]string{"MAIL FROM:<lc@mill.test>", "RCPT TO:<eve@mill.test>", "Subject: linkcheck: 1 link", "Fix                        1"}},
		{"two", []string{"--mail-to", "eve@mill.test, joe@mill.test"}, 0, "", []string{"RCPT TO:<eve@mill.test>", "RCPT TO:<joe@mill.test>"}},
		{"refused", []string{"--mail-to", "nobody@mill.test"}, exit.Partial, "no such person", nil},
		{"no address", []string{"--mail-to", "the librarian"}, exit.BadUsage, "--mail-to", nil},
		{"no password", []string{"--mail-to", "eve@mill.test", "--smtp-user", "eve"}, exit.BadUsage, "--smtp-password-file", nil},
		{"no TLS", []string{"--mail-to", "eve@mill.test", "--smtp-user", "eve", "--smtp-password-file", secret}, exit.Partial, "over TLS alone", nil},
	}
	for _, tt := range tests {
		s := call(t.Context(), "", append([]string{"report", "--store", db, "--summary", "--smtp-host", "127.0.0.1", "--smtp-port", port}, tt.args...)...)
		if s.code != tt.code || !strings.Contains(s.err, tt.err) || strings.Contains(s.out+s.err, password) {
			t.Errorf("%s: %+v", tt.name, s)
		}
		said := p.received()
		for _, want := range tt.sent {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in\n%s", tt.name, want, said)
			}
		}
		if strings.Contains(said, "AUTH") || tt.sent == nil && strings.Contains(said, "DATA") {
			t.Errorf("%s: said\n%s", tt.name, said)
		}
	}
	if text, err := os.ReadFile(db); err != nil || strings.Contains(string(text), password) {
		t.Errorf("the password is in the store, or %v", err)
	}
}

// TestRunMailsNews: a run mails what is new, once, and nothing else; mail that does not
// leave costs no answer (OUTCOMES section 5.1.13).
func TestRunMailsNews(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/old http://gone.test/1 http://gone.test/2 http://gone.test/3 http://www.mill.test/a"})
	l.serveWeb(lab.Web{"www.mill.test": {"/old": lab.Redirect(301, "/new"), "/new": lab.Text("text/plain", "here"), "/a": lab.Text("text/plain", "here")}})
	l.rules = append(l.rules, "gone.test:80:127.0.0.1:1") // a host that never lived
	p := newSMTPServer(t)
	_, port, _ := net.SplitHostPort(p.Addr().String())
	to := func(who string) []string {
		return []string{"--mail-to", who, "--mail-from", "lc@mill.test", "--smtp-host", "127.0.0.1", "--smtp-port", port}
	}
	for _, args := range [][]string{to("the librarian"), append(to("eve@mill.test"), "--mail-from", "x"), append(to("eve@mill.test"), "--smtp-user", "eve"), append(to("eve@mill.test"), "--smtp-port", "0")} {
		if s := l.run(0, args...); s.code != exit.BadUsage {
			t.Errorf("%v: %+v", args, s)
		}
	}
	if _, err := os.Stat(l.store()); err == nil {
		t.Error("an error of usage made a store")
	}
	s, said := l.run(0, to("eve@mill.test")...), p.received()
	if s != (result{}) {
		t.Errorf("news that were mailed: %+v", s)
	}
	for _, want := range []string{"RCPT TO:<eve@mill.test>", "Subject: linkcheck: 1 newly moved (docs, ", "Auto-Submitted: auto-generated", "X-Linkcheck-Run: 1", "newly moved: http://www.mill.test/old"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	for night := range 3 { // gone.test is asked again and again
		if s, said := l.run(float64(1+night), append(to("eve@mill.test"), "--all")...), p.received(); s != (result{}) || said != "" {
			t.Errorf("night %d: %+v, mailed\n%s", 1+night, s, said)
		}
	}
	l.write("b.txt", "http://www.mill.test/old?2")
	l.rules = append([]string{"www.mill.test:80:127.0.0.1:1"}, l.rules...)
	s, said = l.run(9, append(to("eve@mill.test"), "--all", "--max-duration", "1ns")...), p.received()
	if s.code != exit.Partial || !strings.Contains(said, "Subject: linkcheck: finished in part (docs, ") || !strings.Contains(said, "exit code 3") {
		t.Errorf("%+v, mailed\n%s", s, said)
	}
	s, said = l.run(9.5, append(to("eve@mill.test"), filepath.Join(l.dir, "nowhere"))...), p.received()
	if s.code != exit.Partial || !strings.Contains(said, "(exit code 3): 1 source could not be read") {
		t.Errorf("%+v, mailed\n%s", s, said)
	}
	s = l.run(10, append(to("nobody@mill.test"), "--all")...)
	if s.code != exit.Partial || !strings.Contains(s.err, "no such person") || !strings.Contains(s.out, "Hosts out of service") {
		t.Errorf("mail that was refused: %+v", s)
	}
	if checked := l.links()["http://www.mill.test/a"].LastChecked; checked != day(10) {
		t.Errorf("the answers are of %s", checked)
	}
}
