package mailer_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/internal/mailer"
)

// postman is a mail server that does what its script says, and keeps what it took.
type postman struct {
	net.Listener
	tls    *tls.Config
	offers []string          // extensions
	says   map[string]string // answer to a line that begins so, or to "greeting" and "." ; "hang" and "drop" are none

	mu    sync.Mutex
	lines []string // commands
	mails []string
}

func newPostman(t *testing.T, p *postman) *postman {
	t.Helper()
	var err error
	if p.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := p.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(ctx, func() { c.Close() })
			wg.Go(func() { defer c.Close(); p.serve(c) })
		}
	})
	t.Cleanup(func() { cancel(); p.Close(); wg.Wait() })
	return p
}

func (p *postman) port() int { return p.Addr().(*net.TCPAddr).Port }

// answer sends what the script says to a line, or else usual; false ends the session.
func (p *postman) answer(c net.Conn, line, usual string) bool {
	for start, answer := range p.says {
		if !strings.HasPrefix(line, start) {
			continue
		}
		switch usual = answer; answer {
		case "hang":
			_, _ = io.Copy(io.Discard, c)
			return false
		case "drop":
			return false
		}
	}
	_, err := fmt.Fprintf(c, "%s\r\n", usual)
	return err == nil
}

func (p *postman) serve(c net.Conn) {
	if !p.answer(c, "greeting", "220 ready") {
		return
	}
	for in := bufio.NewReader(c); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		p.mu.Lock()
		p.lines = append(p.lines, line)
		p.mu.Unlock()
		usual := "250 well"
		switch word, _, _ := strings.Cut(line, " "); word {
		case "EHLO":
			usual = "250-mill"
			for _, e := range p.offers {
				usual += "\r\n250-" + e
			}
			usual += "\r\n250 SIZE 1000000"
		case "AUTH":
			usual = "235 welcome"
		case "STARTTLS":
			if p.answer(c, line, "220 go on") {
				encrypted := tls.Server(c, p.tls)
				c, in, p.offers = encrypted, bufio.NewReader(encrypted), slices.DeleteFunc(slices.Clone(p.offers), func(s string) bool { return s == "STARTTLS" })
			}
			continue
		case "DATA":
			if !p.answer(c, line, "354 go on") || p.says["DATA"] != "" {
				continue
			}
			var text strings.Builder
			for line != ".\r\n" {
				text.WriteString(line)
				if line, err = in.ReadString('\n'); err != nil {
					return
				}
			}
			if !p.answer(c, ".", "250 taken") {
				return
			}
			if p.says["."] == "" {
				p.mu.Lock()
				p.mails = append(p.mails, strings.TrimPrefix(text.String(), "DATA"))
				p.mu.Unlock()
			}
			continue
		case "QUIT":
			usual = "221 bye"
		}
		if !p.answer(c, line, usual) || usual == "221 bye" {
			return
		}
	}
}

func (p *postman) received() (lines, mails []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.lines), slices.Clone(p.mails)
}

// certificate is one that a mail server made for itself.
func certificate(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	own := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4zero, net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, own, own, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, roots
}

func message() *mailer.Message {
	return &mailer.Message{
		From: "Link Checker <lc@mill.test>", To: "eve@mill.test, Jöe <joe@mill.test>",
		Subject: "linkcheck: 2 tote Links in Zürich \r\nBcc: all@mill.test" + strings.Repeat(" sehr viele Wörter", 20),
		Body:    "Ä line\n.\n..dots\nFrom here\n" + strings.Repeat("x", 3000) + "\nend \n",
		Date:    time.Date(2026, 11, 2, 3, 4, 5, 0, time.UTC), Program: "linkcheck/1", Run: "7",
	}
}

// TestMail reads what arrives as a mail program does: RFC 5322, 2045, 2047 and 3834.
func TestMail(t *testing.T) {
	p := newPostman(t, &postman{})
	m := message()
	if err := (&mailer.Server{Host: "127.0.0.1", Port: p.port()}).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	_, mails := p.received()
	if len(mails) != 2 {
		t.Fatalf("%d mails", len(mails))
	}
	ids := map[string]bool{}
	for i, to := range []string{"eve@mill.test", "joe@mill.test"} {
		text := strings.TrimPrefix(strings.ReplaceAll(mails[i], "\r\n..", "\r\n."), "\r\n") // RFC 5321 section 4.5.2
		for line := range strings.SplitSeq(text, "\r\n") {
			if len(line) > 78 || strings.ContainsAny(line, "\r\n") || strings.IndexFunc(line, func(r rune) bool { return r > '~' }) >= 0 {
				t.Errorf("a line of %d octets: %.90q", len(line), line)
			}
		}
		got, err := mail.ReadMessage(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		h := got.Header
		for name, want := range map[string]string{
			"Auto-Submitted": "auto-generated", "Precedence": "bulk", "Date": "Mon, 02 Nov 2026 03:04:05 +0000", "X-Linkcheck-Run": "7", "Bcc": "",
			"Content-Transfer-Encoding": "quoted-printable", "MIME-Version": "1.0", "From": `"Link Checker" <lc@mill.test>`, "User-Agent": "linkcheck/1",
		} {
			if h.Get(name) != want {
				t.Errorf("%s: %q, want %q", name, h.Get(name), want)
			}
		}
		if kind, params, err := mime.ParseMediaType(h.Get("Content-Type")); err != nil || kind != "text/plain" || !strings.EqualFold(params["charset"], "utf-8") {
			t.Errorf("Content-Type %q", h.Get("Content-Type"))
		}
		if list, err := h.AddressList("To"); err != nil || len(list) != 1 || list[0].Address != to {
			t.Errorf("To %v, %v", list, err)
		}
		if subject, err := new(mime.WordDecoder).DecodeHeader(h.Get("Subject")); err != nil || !strings.HasPrefix(subject, "linkcheck: 2 tote Links in Zürich Bcc: all@mill.test sehr") || len([]rune(subject)) != 200 {
			t.Errorf("Subject %q, %v", subject, err)
		}
		if body, err := io.ReadAll(quotedprintable.NewReader(got.Body)); err != nil || strings.ReplaceAll(string(body), "\r\n", "\n") != m.Body {
			t.Errorf("the body is %.200q, %v", body, err)
		}
		id := h.Get("Message-ID")
		if ids[id] || !strings.HasPrefix(id, "<") || !strings.HasSuffix(id, "@mill.test>") {
			t.Errorf("Message-ID %q", id)
		}
		ids[id] = true
	}
}

// TestRefusals: whom the mail did not reach is named, with the server's words; what the
// server took is delivered.
func TestRefusals(t *testing.T) {
	tests := []struct {
		name  string
		says  map[string]string
		taken int
		err   []string
	}{
		{"greeting", map[string]string{"greeting": "554 go away"}, 0, []string{"eve@mill.test", "joe@mill.test", "go away"}},
		{"busy", map[string]string{"greeting": "421 too busy"}, 0, []string{"too busy"}},
		{"sender", map[string]string{"MAIL": "550 not you"}, 0, []string{"eve@mill.test", "not you"}},
		{"one of two", map[string]string{"RCPT TO:<eve": "550 no such person"}, 1, []string{"eve@mill.test", "no such person"}},
		{"grey", map[string]string{"RCPT": "451 come back"}, 0, []string{"come back"}},
		{"no data", map[string]string{"DATA": "452 disk full"}, 0, []string{"disk full"}},
		{"spam", map[string]string{".": "554 looks like spam"}, 0, []string{"looks like spam"}},
		{"cut", map[string]string{".": "drop"}, 0, []string{"eve@mill.test"}},
		{"no goodbye", map[string]string{"QUIT": "drop"}, 2, nil},
		{"rude goodbye", map[string]string{"QUIT": "500 what?"}, 2, nil},
		{"hang at once", map[string]string{"greeting": "hang"}, 0, []string{"within 1s"}},
		{"hang at data", map[string]string{".": "hang"}, 0, []string{"within 1s"}},
		{"long answer", map[string]string{"MAIL": "550 " + strings.Repeat("no ", 150)}, 0, []string{"…"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPostman(t, &postman{says: tt.says})
			err := (&mailer.Server{Host: "127.0.0.1", Port: p.port(), Timeout: time.Second}).Send(t.Context(), message())
			if (err == nil) != (tt.err == nil) {
				t.Fatal(err)
			}
			for _, want := range tt.err {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in %q", want, err)
				}
			}
			if tt.name == "one of two" && strings.Contains(err.Error(), "joe@") {
				t.Errorf("it reached joe: %v", err)
			}
			if _, mails := p.received(); len(mails) != tt.taken {
				t.Errorf("%d mails were taken, want %d", len(mails), tt.taken)
			}
		})
	}
}

// TestTLS: a password goes over TLS alone, and a server elsewhere must have TLS, and show
// who it is.
func TestTLS(t *testing.T) {
	config, roots := certificate(t)
	tests := []struct {
		name   string
		offers []string
		server mailer.Server
		ok     bool
		auth   bool
	}{
		{"elsewhere", []string{"STARTTLS", "AUTH PLAIN LOGIN"}, mailer.Server{Host: "0.0.0.0", Roots: roots, User: "eve", Password: "s3cret"}, true, true},
		{"elsewhere, unknown", []string{"STARTTLS", "AUTH PLAIN"}, mailer.Server{Host: "0.0.0.0", User: "eve", Password: "s3cret"}, false, false},
		{"elsewhere, none", []string{"AUTH PLAIN"}, mailer.Server{Host: "0.0.0.0", Roots: roots}, false, false},
		{"elsewhere, none is allowed", nil, mailer.Server{Host: "0.0.0.0", Plain: true}, true, false},
		{"password without TLS", []string{"AUTH PLAIN"}, mailer.Server{Host: "0.0.0.0", Plain: true, User: "eve", Password: "s3cret"}, false, false},
		{"here, signed by itself", []string{"STARTTLS"}, mailer.Server{Host: "127.0.0.1"}, true, false},
	}
	for _, tt := range tests {
		p := newPostman(t, &postman{tls: config, offers: tt.offers})
		tt.server.Port, tt.server.Timeout = p.port(), 5*time.Second
		err := tt.server.Send(t.Context(), message())
		lines, mails := p.received()
		said := strings.Join(lines, "\n")
		if (err == nil) != tt.ok || tt.ok != (len(mails) == 2) || strings.Contains(said, "AUTH") != tt.auth {
			t.Errorf("%s: %v, %d mails\n%s", tt.name, err, len(mails), said)
		}
		if tt.auth && strings.Index(said, "AUTH") < strings.Index(said, "STARTTLS") || err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the password was shown: %v\n%s", tt.name, err, said)
		}
	}
}

// TestInterrupted: a server that hangs does not hold whoever was told to end.
func TestInterrupted(t *testing.T) {
	p := newPostman(t, &postman{says: map[string]string{"MAIL": "hang"}})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	begun := time.Now()
	if err := (&mailer.Server{Host: "127.0.0.1", Port: p.port()}).Send(ctx, message()); !errors.Is(err, context.Canceled) || time.Since(begun) > 2*time.Second {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
}

// TestNoAddress: what is no address is refused before anything is dialled.
func TestNoAddress(t *testing.T) {
	for _, change := range []func(*mailer.Message){
		func(m *mailer.Message) { m.To = "the librarian" }, func(m *mailer.Message) { m.To = "" }, func(m *mailer.Message) { m.From = "x" },
		func(m *mailer.Message) { m.To = "eve@mill.test\r\nBcc: all@mill.test" },
	} {
		m := message()
		change(m)
		if err := (&mailer.Server{Host: "192.0.2.1", Port: 25}).Send(t.Context(), m); !errors.Is(err, mailer.ErrAddress) {
			t.Errorf("%v", err)
		}
	}
}
