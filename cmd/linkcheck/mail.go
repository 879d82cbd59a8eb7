package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/crawl"
	"linkcheck/internal/mailer"
	"linkcheck/report"
	"linkcheck/report/text"
	"linkcheck/store"
)

// mailFlags say to whom the summary is mailed, and how. The password comes from a file or
// from the environment, never from the store or the command line.
type mailFlags struct {
	to, from, host, user, passwordFile string
	port                               int
	plain                              bool
}

const smtpPassword = envPrefix + "SMTP_PASSWORD"

// register adds the flags; what says what is mailed to --mail-to.
func (m *mailFlags) register(cmd *cobra.Command, what string) {
	f := cmd.Flags()
	f.StringVar(&m.to, "mail-to", "", what+" to this `ADDRESS`; several are separated by commas")
	f.StringVar(&m.host, "smtp-host", "localhost", "`host` of the mail server")
	f.IntVar(&m.port, "smtp-port", 25, "its port; 465 is TLS from the start")
	f.StringVar(&m.from, "mail-from", "linkcheck@localhost", "sender `address`")
	f.StringVar(&m.user, "smtp-user", "", "log in as this `user`")
	f.StringVar(&m.passwordFile, "smtp-password-file", "", "`FILE` with the password (or set "+smtpPassword+")")
	f.BoolVar(&m.plain, "smtp-plain", false, "allow mail servers without TLS other than localhost")
}

// server checks the flags and reads the password: before a run, so that a night is not
// told to nobody. Without --mail-to it is nil.
func (m *mailFlags) server(ctx context.Context, getenv func(string) string) (*mailer.Server, error) {
	if m.to == "" {
		return nil, nil
	}
	if _, err := mailer.Addresses(m.to); err != nil {
		return nil, usage("--mail-to: %w", err)
	}
	if from, err := mailer.Addresses(m.from); err != nil || len(from) != 1 {
		return nil, usage("--mail-from: %w", cmp.Or(err, errors.New("one address is wanted")))
	}
	if m.port < 1 || m.port > 65535 {
		return nil, usage("--smtp-port: %d is no port", m.port)
	}
	s := &mailer.Server{Host: m.host, Port: m.port, Plain: m.plain, User: m.user}
	if m.user == "" {
		return s, nil
	}
	s.Password = getenv(smtpPassword)
	if m.passwordFile != "" {
		text, err := readFile(ctx, m.passwordFile)
		if err != nil {
			return nil, usage("--smtp-password-file: %w", err)
		}
		s.Password = strings.TrimRight(string(text), "\r\n")
	}
	if s.Password == "" {
		return nil, usage("--smtp-user needs --smtp-password-file or " + smtpPassword)
	}
	return s, nil
}

// send mails the summary of a report. The subject begins with what there is to say, and so
// does the body with first, if that is not "".
func (m *mailFlags) send(ctx context.Context, server *mailer.Server, say, first string, rep *report.Report) error {
	var body bytes.Buffer
	body.WriteString(first)
	if err := text.WriteSummary(&body, rep); err != nil {
		return err
	}
	at := ""
	if host, err := os.Hostname(); err == nil {
		at = ", " + host
	}
	msg := &mailer.Message{
		From: m.from, To: m.to, Subject: fmt.Sprintf("linkcheck: %s (%s%s)", strings.TrimRight(strings.TrimSpace(say), "."), rep.Heading(), at),
		Body: body.String(), Date: time.Now(), Program: "linkcheck/" + version,
	}
	if rep.Run != nil {
		msg.Run = fmt.Sprint(rep.Run.ID)
	}
	err := server.Send(ctx, msg)
	if err == nil || ctx.Err() != nil {
		return err
	}
	hint := "the mail did not leave; 'linkcheck report --summary' prints what it would have said"
	if m.user != "" {
		hint += "; a password is given over TLS alone"
	}
	return fail(exitPartial, hint, "mail: %w", err)
}

// tellNews prints the summary of a run, and mails it where there is news. With --quiet it
// prints only news, and only where none were mailed.
func (a *app) tellNews(ctx context.Context, st *store.Store, n *storeRun, sum crawl.Summary, code int, now time.Time) error {
	o := report.Options{Now: now, Lang: n.due.lang, StorePath: n.due.store, StoreBytes: sizeOf(n.due.store), RecordURL: n.recordURL, Settings: n.net.settings()}
	a.fillOptions(&o, n.due.store)
	news := len(sum.Run.Changes) > 0 || len(sum.Run.Fallen) > 0 || code >= exitPartial
	silent := a.quiet && !news
	if silent && n.due.metrics == "" {
		return nil
	}
	rep, err := report.Build(ctx, st, o)
	if err != nil {
		return reportFailed(err)
	}
	rep.Unreadable = cmp.Or(sum.Run.Unreadable, rep.Unreadable)
	a.figures.report = rep
	var failed error
	if n.server != nil && news && code != exitInterrupted {
		say, first := newsOf(rep, code)
		failed = n.mail.send(ctx, n.server, say, first, rep)
		silent = a.quiet && failed == nil
	}
	if !silent {
		failed = errors.Join(text.WriteSummary(a.stdout, rep), failed)
	}
	return failed
}

// newsOf says what is new: in the subject of a mail, and in its first lines.
func newsOf(rep *report.Report, code int) (say, first string) {
	var list []string
	switch code {
	case exitPartial:
		list = append(list, "finished in part")
	case exitDistrusted:
		list = append(list, "results distrusted")
	}
	if len(list) > 0 {
		first = fmt.Sprintf("linkcheck: %s (exit code %d)", list[0], code)
		if n := rep.Unreadable; n != nil && *n > 0 {
			first += ": " + plural(*n, "source", "sources") + " could not be read"
		}
		first += "\n"
	}
	if rep.Changed > 0 {
		list = append(list, rep.ChangedLine())
	}
	if n := len(rep.Run.Fallen); n > 0 {
		list = append(list, plural(n, "host", "hosts")+" out of service")
	}
	return strings.Join(list, ", "), first
}

// isWeb says whether s is the address of a web server.
func isWeb(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
