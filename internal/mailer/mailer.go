// Package mailer sends one mail of plain text to each of some people, as a program that
// nobody is to answer does (RFC 3834): by SMTP with STARTTLS, or TLS from the start on
// port 465 (RFC 8314).
package mailer

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wneessen/go-mail"

	"linkcheck/internal/escape"
)

// Server is a mail server and how to talk to it.
type Server struct {
	Host           string
	Port           int
	Plain          bool // a server without TLS will do; on this machine it always does
	User, Password string
	Timeout        time.Duration  // for all of a Send; 0: two minutes
	Roots          *x509.CertPool // nil: those of the system
}

// Message is a mail. Its lines may be of any length and in any script.
type Message struct {
	From, To string // To may be several addresses, with commas between
	Subject  string
	Body     string
	Date     time.Time
	Program  string // that wrote it, such as "linkcheck/1.0"
	Run      string // number of the run that it tells of; "": none
}

const (
	defaultTimeout = 2 * time.Minute
	smtps          = 465
	maxSubject     = 200 // runes
	maxError       = 400
)

// ErrAddress: an address is none.
var ErrAddress = errors.New("no mail address")

// Addresses reads what From and To may be; errors wrap ErrAddress.
func Addresses(s string) ([]*netmail.Address, error) {
	list, err := netmail.ParseAddressList(s)
	if err != nil {
		return nil, fmt.Errorf("%w: %.200q", ErrAddress, s)
	}
	return list, nil
}

// Send hands the mail to the server, once for each recipient, so that one whom the server
// refuses costs the others nothing. The error names those whom it did not reach.
func (s *Server) Send(ctx context.Context, m *Message) error {
	to, err := Addresses(m.To)
	if err != nil {
		return err
	}
	var mails []*mail.Msg
	for _, person := range to {
		msg, err := m.build(person)
		if err != nil {
			return err
		}
		mails = append(mails, msg)
	}
	timeout := cmp.Or(s.Timeout, defaultTimeout)
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	client, err := s.client(limited, timeout)
	if err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- client.DialAndSendWithContext(limited, mails...) }() // TLS from the start hears no context
	select {
	case err = <-done:
	case <-limited.Done():
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return fmt.Errorf("the server did not take it within %s", timeout)
	}
	return undelivered(to, mails, err)
}

// undelivered names the people whom the mail did not reach, and why. What the server took
// is delivered, even if it then failed to say goodbye.
func undelivered(to []*netmail.Address, mails []*mail.Msg, err error) error {
	var missed []error
	for i, msg := range mails {
		if msg.IsDelivered() {
			continue
		}
		why := err
		if own := msg.SendError(); own != nil {
			why = own
		}
		words, _, _ := strings.Cut(why.Error(), ", affected ") // the library names people and mail behind that
		missed = append(missed, fmt.Errorf("%s: %s", to[i].Address, cut(words, maxError)))
	}
	return errors.Join(missed...)
}

// cut is s as one line of at most n runes.
func cut(s string, n int) string {
	s = escape.Line(strings.Join(strings.Fields(s), " "))
	if utf8.RuneCountInString(s) > n {
		s = string([]rune(s)[:n-1]) + "…"
	}
	return s
}

// build makes the mail to one person. The library folds and encodes: header fields by
// RFC 2047, the body as quoted-printable, so that no line is longer than 76 octets.
func (m *Message) build(to *netmail.Address) (*mail.Msg, error) {
	from, err := netmail.ParseAddress(m.From)
	if err != nil {
		return nil, fmt.Errorf("%w: %.200q", ErrAddress, m.From)
	}
	msg := mail.NewMsg(mail.WithEncoding(mail.EncodingQP), mail.WithNoDefaultUserAgent())
	if err := errors.Join(msg.From(from.String()), msg.To(to.String())); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAddress, err)
	}
	msg.Subject(cut(m.Subject, maxSubject))
	msg.SetDateWithValue(m.Date)
	_, domain, _ := strings.Cut(from.Address[strings.LastIndexByte(from.Address, '@'):], "@")
	msg.SetMessageIDWithValue(rand.Text() + "@" + domain)
	msg.SetBulk()
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834 section 5
	msg.SetUserAgent(m.Program)
	if m.Run != "" {
		msg.SetGenHeader("X-Linkcheck-Run", m.Run)
	}
	msg.SetBodyString(mail.TypeTextPlain, m.Body)
	return msg, nil
}

func (s *Server) client(ctx context.Context, timeout time.Duration) (*mail.Client, error) {
	config := &tls.Config{ServerName: s.Host, MinVersion: tls.VersionTLS12, RootCAs: s.Roots}
	policy := mail.TLSMandatory
	if local := s.Host == "localhost" || isLoopback(s.Host); local || s.Plain {
		policy = mail.TLSOpportunistic
		config.InsecureSkipVerify = local // it does not leave the machine, and such servers sign for themselves
	}
	o := []mail.Option{
		mail.WithTLSPortPolicy(policy), mail.WithPort(s.Port), mail.WithTLSConfig(config),
		mail.WithTimeout(timeout + time.Second), // the context ends first
	}
	if s.User != "" {
		o = append(o, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.User), mail.WithPassword(s.Password))
	}
	if s.Port == smtps { // only the library's own dialler tells it that the connection is encrypted
		o = append(o, mail.WithSSL())
	} else {
		o = append(o, mail.WithDialContextFunc(dialUntil(ctx)))
	}
	return mail.NewClient(s.Host, o...)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// dialUntil makes a function that dials, and closes the connection once ctx ends: the
// library asks its context only while it dials.
func dialUntil(ctx context.Context) mail.DialContextFunc {
	return func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(dialing, network, address)
		if err == nil {
			context.AfterFunc(ctx, func() { _ = conn.Close() })
		}
		return conn, err
	}
}
