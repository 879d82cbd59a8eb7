package imap

import (
	"bufio"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/check/wire"
)

const (
	goodbyeTime   = 2 * time.Second // that LOGOUT may take
	mostResponses = 10_000          // to one command: a server may tell of flags that changed
)

// key is the same for sessions of which any can be used.
type key struct {
	address string // "host:port"
	tls     bool   // from the first octet
	secret  check.Secret
}

// session is one conversation with a server, used by one Read at a time.
type session struct {
	key     key
	ctx     context.Context // of its first Read
	contact string          // who asks, where anybody may
	conn    *wire.Conn
	peer    net.Conn // conn, or TLS upon it
	in      *bufio.Reader
	secure  bool
	flag    check.Flag // what is wrong with the certificate
	tags    int
	more    []string // that the server may ask for
	secrets []string // that it was sent, and may repeat

	ready        bool // it is logged in
	capabilities []string
	mailbox      string // that is open
	validity     uint32 // of it
	exists       uint32 // messages in it

	body     func(io.Reader) error // takes the literal of a message
	answered bool                  // this question
	spent    bool                  // to be closed after this Read
	failed   error                 // the conversation cannot go on
}

// dial connects, and reads nothing yet.
func dial(ctx context.Context, o check.Options, k key, budget int64) (*session, error) {
	c, err := wire.Dial(ctx, o.Dialer, k.address, budget)
	if err != nil {
		return nil, err
	}
	s := &session{key: k, ctx: ctx, contact: o.Contact, conn: c, peer: c, in: wire.NewReader(c), secrets: []string{k.secret.Password}}
	if k.tls {
		if err := s.startTLS(); err != nil {
			c.Close()
			return nil, err
		}
	}
	return s, nil
}

// startTLS puts TLS upon the connection. What came ahead in clear is dropped.
func (s *session) startTLS() error {
	host, _, _ := net.SplitHostPort(s.key.address)
	c, flag, err := check.StartTLS(s.ctx, s.conn, host)
	if err != nil {
		return s.fail(err)
	}
	s.peer, s.in, s.flag, s.secure = c, wire.NewReader(c), flag, true
	return nil
}

// login reads the greeting of a new session, begins TLS where the server offers it, and logs
// in. It says whether questions can be asked.
func (s *session) login() (r check.Result, ready bool) {
	if s.ready {
		return r, true
	}
	greeting, err := s.read()
	switch {
	case err != nil && greeting.tag == "":
		return check.ClassifyFirst(err), false
	case err != nil:
		return check.Classify(err), false
	case greeting.tag != "*" || greeting.word != "OK" && greeting.word != "PREAUTH" && greeting.word != "BYE":
		s.fail(errEnded)
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, greeting.line), false
	case greeting.word == "BYE":
		s.fail(errEnded)
		return greeting.judge(false), false
	}
	s.answered = true
	if greeting.word == "OK" { // else we are known
		if r, ok := s.secureAndKnown(); !ok {
			return r, false
		}
	}
	s.ctx, s.ready = nil, true
	return r, true
}

// secureAndKnown begins TLS and logs in, RFC 3501 sections 6.2.1 and 6.2.3.
func (s *session) secureAndKnown() (r check.Result, ok bool) {
	if !s.secure && s.offers("STARTTLS") {
		end, err := s.command("STARTTLS", nil)
		if err == nil && end.word == "OK" {
			s.capabilities = nil // those in clear may be anybody's
			err = s.startTLS()
		}
		if err != nil {
			return check.Classify(err), false
		}
	}
	if s.failed != nil {
		return check.Classify(s.failed), false
	}
	secret := s.key.secret
	switch {
	case secret.User == "" && s.offers("AUTH=ANONYMOUS"):
	case s.offers("LOGINDISABLED") && !s.secure:
		return check.New(check.Auth, check.ReasonTLSRequired, "the server takes no login without TLS, and offers none"), false
	case s.offers("LOGINDISABLED"):
		return check.New(check.Auth, check.ReasonIMAPLogin, "the server takes no password (LOGINDISABLED)"), false
	case secret.User == "" || isLoopback(s.key.address):
	case !s.secure:
		return check.New(check.Skipped, check.ReasonTLSRequired, "the server offers no TLS: the password is not sent"), false
	case s.flag != "":
		return check.New(check.Skipped, check.Reason(s.flag), "the certificate does not hold: the password is not sent"), false
	}
	end, err := s.command(s.loginCommand(), nil)
	switch {
	case err != nil:
		return check.Classify(err), false
	case end.word != "OK":
		return end.judgeLogin(), false
	}
	return r, true
}

// loginCommand logs in, or begins to: then more is what is said when the server asks for it.
func (s *session) loginCommand() string {
	user, password := s.key.secret.User, s.key.secret.Password
	plain := base64.StdEncoding.EncodeToString([]byte("\x00" + user + "\x00" + password)) // RFC 4616
	switch {
	case user == "" && s.offers("AUTH=ANONYMOUS"): // RFC 4505
		s.more = []string{base64.StdEncoding.EncodeToString([]byte(s.contact))}
		return "AUTHENTICATE ANONYMOUS"
	case user == "":
		return "LOGIN anonymous " + quoted(s.contact)
	case s.offers("AUTH=PLAIN") && !isPrintable(user+password): // which LOGIN cannot quote
		s.more, s.secrets = []string{plain}, append(s.secrets, plain)
		return "AUTHENTICATE PLAIN"
	}
	return "LOGIN " + quoted(user) + " " + quoted(password)
}

func isPrintable(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' })
}

// isLoopback says whether a server is on this machine, by its name alone.
func isLoopback(address string) bool {
	host, _, _ := net.SplitHostPort(address)
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// offers says whether the server can do a thing; where it has not said what it can do it is
// asked.
func (s *session) offers(capability string) bool {
	if s.capabilities == nil && s.failed == nil {
		s.capabilities = []string{}
		_, _ = s.command("CAPABILITY", nil) // what fails is kept
	}
	return slices.Contains(s.capabilities, capability)
}

// command sends a command and reads what comes until its end, which it gives. each is shown
// what comes before; nil: nothing is. An error ends the conversation.
func (s *session) command(text string, each func(*response) error) (end response, err error) {
	if s.failed != nil {
		return end, s.failed
	}
	if !wire.LineSafe(text) {
		return end, s.fail(wire.ErrControl)
	}
	s.tags++
	tag := fmt.Sprintf("a%d", s.tags)
	if err := s.send(tag + " " + text); err != nil {
		return end, err
	}
	for range mostResponses {
		r, err := s.read()
		if err != nil {
			return r, err
		}
		s.answered = s.answered || r.word != "BYE"
		switch {
		case r.tag == tag:
			if r.word != "OK" && r.word != "NO" && r.word != "BAD" {
				return r, s.fail(r.garbled())
			}
			return r, nil
		case r.tag == "+" && len(s.more) > 0:
			err = s.send(s.more[0])
			s.more = s.more[1:]
		case r.tag != "*":
			err = s.fail(r.garbled())
		case r.word == "BYE":
			err = s.fail(r.error())
		case each != nil:
			if err = each(&r); err != nil {
				err = s.fail(err)
			}
		}
		if err != nil {
			return r, err
		}
	}
	return end, s.fail(wire.ErrTooLong)
}

func (s *session) send(line string) error {
	if _, err := io.WriteString(s.peer, line+"\r\n"); err != nil {
		return s.fail(err)
	}
	return nil
}

// errEnded marks a session that is over.
var errEnded = errors.New("the session is over")

func (s *session) fail(err error) error {
	s.failed = cmp.Or(s.failed, err)
	return err
}

// Close says LOGOUT, unless the conversation is broken, RFC 3501 section 6.1.3.
func (s *session) Close() error {
	if s.failed == nil && !s.spent {
		ctx, cancel := context.WithTimeout(context.Background(), goodbyeTime)
		defer cancel()
		s.conn.Reset(ctx, maxResponse)
		s.tags++
		if s.send(fmt.Sprintf("a%d LOGOUT", s.tags)) == nil {
			for r, err := s.read(); err == nil && r.tag == "*"; r, err = s.read() {
			}
		}
	}
	return s.conn.Close()
}
