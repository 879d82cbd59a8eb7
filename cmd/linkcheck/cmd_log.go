package main

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"os/user"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/mend"
	"linkcheck/report"
	"linkcheck/report/serve"
	"linkcheck/store"
	"linkcheck/store/marks"
	"linkcheck/uri/secret"
)

// sayFlags are those of the verbs by which people say something of a link.
type sayFlags struct {
	store, by, why, now string
	remove, json        bool
	undo                string
}

func (s *sayFlags) register(cmd *cobra.Command) {
	storeFlag(cmd, &s.store)
	cmd.Flags().StringVar(&s.by, "by", "", "`NAME` of who says it (default: you)")
	flags.Now(cmd, &s.now)
}

func cmdNote(a *app) *cobra.Command {
	s := &sayFlags{}
	cmd := &cobra.Command{
		Use:   "note URL TEXT",
		Short: "Keep a note about a link",
		Long: `Keep a note about a link of the store: it stands in every report beside the link. A link has
one note; another takes its place, and the log keeps what it was.`,
		Example: `  linkcheck note http://www.example.org/atlas "the publisher was asked on Monday"
  linkcheck note http://www.example.org/atlas --remove`,
		Args: exit.AtMostArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.sayText(cmd.Context(), s, marks.Note, args) },
	}
	s.register(cmd)
	cmd.Flags().BoolVar(&s.remove, "remove", false, "take the note back")
	return cmd
}

func cmdAssign(a *app) *cobra.Command {
	s := &sayFlags{}
	cmd := &cobra.Command{
		Use:   "assign URL OWNER",
		Short: "Say who mends a link, before what its sources say",
		Long: `Give a link of the store to an owner: the one who mends it. What a person says here goes before
what a root, a column or a field of the record says.`,
		Example: `  linkcheck assign http://www.example.org/atlas maps@library.example
  linkcheck assign http://www.example.org/atlas --remove`,
		Args: exit.AtMostArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.sayText(cmd.Context(), s, marks.Assign, args) },
	}
	s.register(cmd)
	cmd.Flags().BoolVar(&s.remove, "remove", false, "let its sources say it again")
	return cmd
}

// sayText keeps a text about a link.
func (a *app) sayText(ctx context.Context, s *sayFlags, verb string, args []string) error {
	what := map[string]string{marks.Note: "note", marks.Assign: "owner"}[verb]
	want := 2
	if s.remove {
		want = 1
	}
	if len(args) != want {
		return exit.Usage("%s wants a URL and the %s, or a URL and --remove", verb, what)
	}
	p := store.Pin{Verb: verb}
	if !s.remove {
		if p.Text = marks.Clean(args[1]); p.Text == "" {
			return exit.Usage("the %s is empty; --remove takes it back", what)
		}
	}
	return a.say(ctx, s, args[0], p, nil)
}

func cmdFix(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fix accept|refuse",
		Short: "Accept or refuse the address that is proposed for a link",
		Long: `Decide about the new address of a link. One that is accepted is a person's word: mend writes it
wherever the link stands. One that is refused mend never writes.`,
		Args: exit.WantVerb,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(cmdDecideFix(a, "accept", "Have mend write the proposed address, or NEW"), cmdDecideFix(a, "refuse", "Have mend never write the proposed address, or NEW"))
	return cmd
}

func cmdDecideFix(a *app, word, short string) *cobra.Command {
	s := &sayFlags{}
	cmd := &cobra.Command{
		Use:   word + " URL [NEW]",
		Short: short,
		Example: `  linkcheck fix ` + word + ` http://www.example.org/atlas
  linkcheck fix ` + word + ` http://www.example.org/atlas https://maps.example.org/atlas
  linkcheck fix ` + word + ` http://www.example.org/atlas --remove`,
		Args: exit.AtMostArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || s.remove && len(args) > 1 {
				return exit.Usage("fix %s wants the URL of a link, and perhaps the new address; with --remove the URL alone", word)
			}
			p := store.Pin{Verb: marks.Fix, Refused: word == "refuse", Why: marks.Clean(s.why)}
			if len(args) == 2 {
				p.Text = args[1]
				if !mend.Address(p.Text) {
					return exit.Usage("%.200q is no address", secret.Mask(p.Text))
				}
			}
			return a.say(cmd.Context(), s, args[0], p, func(st *store.Store, l *store.Link, p *store.Pin) error {
				if s.remove || p.Text != "" {
					return nil
				}
				scope, err := report.NewScope(cmd.Context(), st, report.Options{Now: p.At, ShowSecrets: true})
				if err != nil {
					return reportFailed(err)
				}
				row := scope.Row(&store.Entry{Link: *l})
				scope.Describe(&row)
				if p.Text = row.Suggested; p.Text == "" {
					return exit.Usage("no new address is proposed for %s: give one", secret.Mask(l.URL))
				}
				return nil
			})
		},
	}
	s.register(cmd)
	cmd.Flags().StringVar(&s.why, "why", "", "`TEXT`: the reason")
	cmd.Flags().BoolVar(&s.remove, "remove", false, "take the decision back")
	return cmd
}

// say keeps a word about the link that has an address; more may complete it.
func (a *app) say(ctx context.Context, s *sayFlags, url string, p store.Pin, more func(*store.Store, *store.Link, *store.Pin) error) error {
	now, err := flags.Clock(s.now)
	if err != nil {
		return err
	}
	st, err := openExisting(ctx, s.store, now)
	if err != nil {
		return err
	}
	defer st.Close()
	l, err := marks.One(st, url)
	if err != nil {
		return storeFailed(err)
	}
	p.At = now().UTC()
	if more != nil {
		if err := more(st, &l, &p); err != nil {
			return storeFailed(err)
		}
	}
	p.Link, p.By, p.From = l.ID, cmp.Or(marks.Clean(s.by), whoAmI()), "cli"
	id, err := marks.Say(st, p)
	if err != nil {
		return storeFailed(err)
	}
	lines, err := marks.Log(st)
	if err != nil {
		return storeFailed(err)
	}
	line := lines[len(lines)-1]
	a.done("%d: %s: %s: %s\n", id, line.Verb, a.mask(line.Target), a.maskText(cmp.Or(line.After, "taken back")))
	return nil
}

// whoAmI is the name of the person at this machine; "" where it has none.
func whoAmI() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

func cmdLog(a *app) *cobra.Command {
	s := &sayFlags{}
	cmd := &cobra.Command{
		Use:   "log",
		Short: "What people said of links, and taking it back",
		Long: `List what people said of links and hosts, the oldest first: when, who, by what (cli, browser, api),
what they did to which link, what it was before, what it is now, and why. With --undo what held
before a line holds again; that is a line of the log, too.`,
		Example: `  linkcheck log --store library.db
  linkcheck log --store library.db --json
  linkcheck log --store library.db --undo 17`,
		Args: exit.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.undo != "" {
				return a.undo(cmd.Context(), s)
			}
			return a.listLog(cmd.Context(), s)
		},
	}
	s.register(cmd)
	cmd.Flags().StringVar(&s.undo, "undo", "", "take the line of this `ID` back")
	cmd.Flags().BoolVar(&s.json, "json", false, "one JSON object a line")
	return cmd
}

func (a *app) undo(ctx context.Context, s *sayFlags) error {
	id, err := strconv.ParseUint(s.undo, 10, 64)
	if err != nil || id == 0 {
		return exit.Usage("--undo: %.40q is no ID of a line; 'linkcheck log' lists them", s.undo)
	}
	now, err := flags.Clock(s.now)
	if err != nil {
		return err
	}
	st, err := openExisting(ctx, s.store, now)
	if err != nil {
		return err
	}
	defer st.Close()
	line, err := marks.Undo(st, id, cmp.Or(marks.Clean(s.by), whoAmI()), "cli", now().UTC())
	if errors.Is(err, marks.ErrOvertaken) {
		return exit.Usage("--undo: %w", err)
	} else if err != nil {
		return storeFailed(err)
	}
	a.done("%d: undid %d: %s: %s: %s\n", line.ID, id, line.Verb, a.mask(line.Target), a.maskText(cmp.Or(line.After, "taken back")))
	return nil
}

func (a *app) listLog(ctx context.Context, s *sayFlags) error {
	now, err := flags.Clock(s.now)
	if err != nil {
		return err
	}
	st, err := a.openToRead(ctx, s.store, now)
	if err != nil {
		return err
	}
	defer st.Close()
	lines, err := marks.Log(st)
	if err != nil {
		return storeFailed(err)
	}
	if len(lines) == 0 && !s.json {
		a.done("nobody said anything yet\n")
		return nil
	}
	if !s.json {
		lines = slices.Insert(lines, 0, marks.Line{})
	}
	return writeRows(a.stdout, lines, s.json, func(l marks.Line) (any, string) {
		if l.ID == 0 {
			return nil, strings.Join([]string{"ID", "TIME", "WHO", "FROM", "VERB", "LINK OR HOST", "BEFORE", "AFTER", "WHY"}, "\t")
		}
		cells := []string{strconv.FormatUint(l.ID, 10), l.At.Format(time.RFC3339), l.Who, l.From, l.Verb, l.Target, l.Before, l.After, l.Why}
		for i, s := range []*string{&l.Who, &l.From, &l.Verb, &l.Target, &l.Before, &l.After, &l.Why} {
			*s = a.maskText(*s)
			cells[i+2] = cmp.Or(escape.Line(*s), "-")
		}
		return l, strings.Join(cells, "\t")
	})
}

// open gives the pages over a copy.
func (m *mirror) open(ctx context.Context, st *store.Store) (*serve.Server, error) {
	if m.edit {
		return serve.NewEditing(ctx, st, m.o, m.token)
	}
	return serve.New(ctx, st, m.o, m.hosts...)
}

// handler gives the pages, each made as a whole.
func (m *mirror) handler() http.Handler {
	return serve.Whole(m.makePage, func(err error) {
		m.log.Error("a page could not be made, which is a fault of linkcheck: %s", exit.Text(err))
	})
}
