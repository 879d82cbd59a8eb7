package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/crawl"
	"linkcheck/internal/exit"
	"linkcheck/internal/mailer"
	"linkcheck/internal/newfile"
	"linkcheck/internal/openfile"
	"linkcheck/internal/plain"
	"linkcheck/internal/streams"
	"linkcheck/internal/webhook"
	"linkcheck/report"
	"linkcheck/report/builds"
	"linkcheck/report/text"
	"linkcheck/store"
)

// mailFlags say to whom the summary is mailed, and how. The password comes from a file or
// from the environment, never from the store or the command line.
type mailFlags struct {
	to, from, host, user, passwordFile string
	port                               int
	plain, owners                      bool
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
// told to nobody. Where nobody is mailed to it is nil.
func (m *mailFlags) server(ctx context.Context, getenv func(string) string) (*mailer.Server, error) {
	if m.to == "" && !m.owners {
		return nil, nil
	}
	if _, err := mailer.Addresses(m.to); m.to != "" && err != nil {
		return nil, exit.Usage("--mail-to: %w", err)
	}
	if from, err := mailer.Addresses(m.from); err != nil || len(from) != 1 {
		return nil, exit.Usage("--mail-from: %w", cmp.Or(err, errors.New("one address is wanted")))
	}
	if m.port < 1 || m.port > 65535 {
		return nil, exit.Usage("--smtp-port: %d is no port", m.port)
	}
	s := &mailer.Server{Host: m.host, Port: m.port, Plain: m.plain, User: m.user}
	if m.user == "" {
		return s, nil
	}
	s.Password = getenv(smtpPassword)
	if m.passwordFile != "" {
		text, err := openfile.ReadAll(ctx, m.passwordFile)
		if err != nil {
			return nil, exit.Usage("--smtp-password-file: %w", err)
		}
		s.Password = strings.TrimRight(string(text), "\r\n")
	}
	if s.Password == "" {
		return nil, exit.Usage("--smtp-user needs --smtp-password-file or " + smtpPassword)
	}
	return s, nil
}

// send mails the summary of a report. The subject begins with what there is to say, and so
// does the body with first, if that is not "".
func (m *mailFlags) send(ctx context.Context, server *mailer.Server, say, first string, rep *report.Report) error {
	var body bytes.Buffer
	body.WriteString(first)
	err := text.WriteSummary(&body, rep)
	if len(rep.Owners) > 0 {
		err = errors.Join(err, text.WriteList(&body, rep))
	}
	if err != nil {
		return err
	}
	at, _ := os.Hostname()
	msg := &mailer.Message{
		From: m.from, To: m.to, Subject: fmt.Sprintf("linkcheck: %s (%s)", strings.TrimRight(strings.TrimSpace(say), "."), strings.TrimSuffix(rep.Heading()+", "+at, ", ")),
		Body: body.String(), Date: time.Now(), Program: "linkcheck/" + version,
	}
	if rep.Run != nil {
		msg.Run = fmt.Sprint(rep.Run.ID)
	}
	err = server.Send(ctx, msg)
	if err == nil || ctx.Err() != nil {
		return err
	}
	hint := "the mail did not leave; 'linkcheck report --summary' prints what it would have said"
	if m.user != "" {
		hint += "; a password is given over TLS alone"
	}
	return exit.Fail(exit.Partial, hint, "mail: %w", err)
}

// tellNews prints the summary of a run, and mails it where there is news. With --quiet it
// prints only news, and only where none were mailed.
func (a *app) tellNews(ctx context.Context, st *store.Store, n *storeRun, sum crawl.Summary, code int, now time.Time) error {
	o := report.Options{Now: now, Lang: n.due.lang, StorePath: n.due.store, StoreBytes: sizeOf(n.due.store), RecordURL: n.recordURL, Settings: n.net.Settings()}
	a.fillOptions(&o, n.due.store)
	news := len(sum.Run.Changes) > 0 || len(sum.Run.Fallen) > 0 || code >= exit.Partial
	silent := a.quiet && !news
	if silent && n.due.metrics == "" {
		return nil
	}
	if err := a.fillRoots(&o, st); err != nil {
		return err
	}
	rep, err := report.Build(ctx, st, o)
	if err != nil {
		return reportFailed(err)
	}
	rep.Unreadable = cmp.Or(sum.Run.Unreadable, rep.Unreadable)
	a.figures.report = rep
	var failed error
	mails := news && code != exit.Interrupted
	if mails && n.mail.owners {
		failed = a.mailOwners(ctx, st, n, o, rep)
	}
	if mails && n.mail.to != "" {
		say, first := newsOf(rep, code)
		failed = cmp.Or(n.mail.send(ctx, n.server, say, first, rep), failed)
		silent = a.quiet && failed == nil
	}
	if !silent {
		failed = errors.Join(text.WriteSummary(a.stdout, rep), failed)
	}
	if n.hook != nil && news && code != exit.Interrupted {
		failed = cmp.Or(failed, post(ctx, n.hook, rep, code))
	}
	return failed
}

// post tells the webhook of a run what is new.
func post(ctx context.Context, hook *webhook.Hook, rep *report.Report, code int) error {
	var body bytes.Buffer
	if err := builds.WriteChanges(&body, rep, code); err != nil {
		return err
	}
	err := hook.Post(ctx, body.Bytes())
	if err == nil || ctx.Err() != nil {
		return err
	}
	return exit.Fail(exit.Partial, "the links were checked, and the store is up to date", "webhook: %w", err)
}

// newsOf says what is new: in the subject of a mail, and in its first lines.
func newsOf(rep *report.Report, code int) (say, first string) {
	var list []string
	switch code {
	case exit.Partial:
		list = append(list, "finished in part")
	case exit.Distrusted:
		list = append(list, "results distrusted")
	}
	if len(list) > 0 {
		first = fmt.Sprintf("linkcheck: %s (exit code %d)", list[0], code)
		if n := rep.Unreadable; n != nil && *n > 0 {
			first += ": " + plain.Plural(*n, "source", "sources") + " could not be read"
		}
		first += "\n"
	}
	if rep.Changed > 0 {
		list = append(list, rep.ChangedLine())
	}
	if n := len(rep.Run.Fallen); n > 0 {
		list = append(list, plain.Plural(n, "host", "hosts")+" out of service")
	}
	return strings.Join(list, ", "), first
}

// figures are what --metrics of run and check is to tell, gathered while the run goes on.
type figures struct {
	known   bool           // the store was opened and its runs are read
	success time.Time      // when the last run before this one ended well
	report  *report.Report // nil: the run did not come that far
}

// leaveMetrics writes the file of --metrics when a run has ended with a code, whatever
// that is: who watches the file wants to hear most of all of the runs that failed. A file
// that cannot be written makes the code one of a run that was finished in part.
func (a *app) leaveMetrics(ctx context.Context, verb *cobra.Command, code int) int {
	name := metricsOf(verb)
	if name == "" {
		return code
	}
	late, cancel := streams.Graceful(ctx)
	defer cancel()
	err := a.writeRunMetrics(late, name, code)
	if err == nil {
		return code
	}
	if code != exit.Interrupted || !errors.Is(err, context.Canceled) {
		a.log.Error("metrics: %s", exit.Text(err))
		if a.figures.report != nil {
			a.log.Hint("the links were checked, and the store is up to date")
		}
	}
	return exit.Worst(code, exit.Partial)
}

// metricsOf is the file of --metrics of a run; "" for other verbs, and where a verb only
// shows its help or asks about URIs given.
func metricsOf(verb *cobra.Command) string {
	if verb == nil || verbPath(verb) != "run" && verbPath(verb) != "check" || verb.Flags().Changed("help") {
		return ""
	}
	if verbPath(verb) == "check" && verb.Flags().NArg() > 0 {
		return ""
	}
	return verb.Flag("metrics").Value.String()
}

func (a *app) writeRunMetrics(ctx context.Context, name string, code int) error {
	old, err := oldMetrics(ctx, name)
	if err != nil {
		return err
	}
	end := text.RunEnd{Exit: code, Success: a.figures.success, Known: a.figures.known}
	if !end.Known {
		end.Success, end.Known = text.LastSuccess(old)
	}
	rep := a.figures.report
	if rep != nil && rep.Run != nil && (code == exit.OK || code == exit.Matched) {
		end.Success = rep.Run.Ended
	}
	return replaceFile(ctx, name, newfile.Shared, escaped(func(w io.Writer) error { return text.WriteRunMetrics(w, end, rep) }))
}

// maxMetrics bounds what is read of an older file of figures.
const maxMetrics = 16 << 20

// oldMetrics reads the file that is to be replaced. It refuses one that holds something
// else: after an error of usage the name may be anything, such as that of a catalogue.
func oldMetrics(ctx context.Context, name string) ([]byte, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil // nothing is lost
	}
	f, err := openfile.Read(ctx, name)
	if err != nil {
		return nil, cannotWrite(name, err)
	}
	defer f.Close()
	old, err := io.ReadAll(io.LimitReader(f, maxMetrics))
	if err != nil {
		return nil, cannotWrite(name, err)
	}
	if !text.AreMetrics(old) {
		return nil, exit.Usage("%s holds something else than figures of linkcheck, and is left as it is", name)
	}
	return old, nil
}

// lookAtLast says what became of the run before this one, and verifies the store where it
// is the turn of that.
func (a *app) lookAtLast(ctx context.Context, st *store.Store, n *storeRun) error {
	last, err := lastRun(st)
	n.recordURL = cmp.Or(n.recordURL, last.RecordURL)
	if err == nil {
		err = a.tellKilled(st, &last)
	}
	if err == nil && n.verifyEvery > 0 && (last.ID+1)%uint64(n.verifyEvery) == 0 {
		err = verifyBefore(ctx, st, time.Duration(n.due.maxDuration))
	}
	return err
}

// tellCanaries says which canaries are not there, of a run that is believed.
func (a *app) tellCanaries(r *store.Run) {
	if r.Distrusted {
		return
	}
	for _, c := range r.FailedCanaries {
		a.log.Info("canary %s", a.maskText(c))
	}
}
