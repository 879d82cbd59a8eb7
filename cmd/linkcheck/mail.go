package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wneessen/go-mail"

	"linkcheck/report"
	"linkcheck/report/text"
)

// smtpFlags say how the summary is mailed. The password comes from a file or from the
// environment, never from the store or the command line.
type smtpFlags struct {
	host, from, user, passwordFile string
	port                           int
	plain                          bool
}

const smtpPassword = envPrefix + "SMTP_PASSWORD"

func (s *smtpFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.host, "smtp-host", "localhost", "`host` of the mail server")
	f.IntVar(&s.port, "smtp-port", 25, "its port")
	f.StringVar(&s.from, "mail-from", "linkcheck@localhost", "sender `address`")
	f.StringVar(&s.user, "smtp-user", "", "log in as this `user`")
	f.StringVar(&s.passwordFile, "smtp-password-file", "", "`FILE` with the password (or set "+smtpPassword+")")
	f.BoolVar(&s.plain, "smtp-plain", false, "allow mail servers without TLS other than localhost")
}

func (s *smtpFlags) send(ctx context.Context, getenv func(string) string, to string, rep *report.Report) error {
	var body bytes.Buffer
	if err := text.WriteSummary(&body, rep); err != nil {
		return err
	}
	msg := mail.NewMsg()
	if err := msg.From(s.from); err != nil {
		return usage("--mail-from: %w", err)
	}
	if err := msg.ToFromString(to); err != nil {
		return usage("--mail-to: %w", err)
	}
	msg.Subject("linkcheck: " + strings.TrimSpace(rep.Headline()))
	msg.SetBodyString(mail.TypeTextPlain, body.String())
	client, err := s.client(ctx, getenv)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, msg)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		hint := "the mail did not leave; 'linkcheck report --summary' prints what it would have said"
		if s.user != "" {
			hint += "; a password is given over TLS alone"
		}
		return fail(exitPartial, hint, "mail to %s: %w", to, err)
	}
	return nil
}

func (s *smtpFlags) client(ctx context.Context, getenv func(string) string) (*mail.Client, error) {
	policy := mail.TLSMandatory
	if s.plain || s.host == "localhost" || s.host == "127.0.0.1" || s.host == "::1" {
		policy = mail.TLSOpportunistic
	}
	o := []mail.Option{mail.WithTLSPortPolicy(policy), mail.WithPort(s.port), mail.WithDialContextFunc(dialUntil(ctx))}
	if s.user != "" {
		password := getenv(smtpPassword)
		if s.passwordFile != "" {
			text, err := readFile(ctx, s.passwordFile)
			if err != nil {
				return nil, usage("--smtp-password-file: %w", err)
			}
			password = strings.TrimRight(string(text), "\r\n")
		}
		if password == "" {
			return nil, usage("--smtp-user needs --smtp-password-file or " + smtpPassword)
		}
		o = append(o, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.user), mail.WithPassword(password))
	}
	client, err := mail.NewClient(s.host, o...)
	if err != nil {
		return nil, fmt.Errorf("mail server: %w", err)
	}
	return client, nil
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

// isWeb says whether s is the address of a web server.
func isWeb(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
