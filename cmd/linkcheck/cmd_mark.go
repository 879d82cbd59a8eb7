package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/fleet/marking"
	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/openfile"
	"linkcheck/internal/plain"
	"linkcheck/store"
	"linkcheck/store/marks"
	"linkcheck/uri/secret"
)

type markFlags struct {
	fleet                            workerFlags
	store, why, until, by, from, now string
	prefixes, records, collections   []string
	remove, list, json               bool
}

func cmdMark(a *app) *cobra.Command {
	m := &markFlags{}
	cmd := &cobra.Command{
		Use:   "mark URL|HOST " + strings.Join(marks.Decisions, "|") + " --why TEXT",
		Short: "Pin a human decision to links, or to every link of a host; list the decisions",
		Long: `Pin a decision that overrules what probes say, until the date given. What is marked alive,
licence-walled (it opens for those who hold a licence) or ignored leaves the lists; what is
marked dead stands under Fix. Who decided, why and until when is kept and shown in every
report, and the summary says which decisions are about to lapse. What the store does not
know is refused, and a list is marked whole or not at all.

The mark of a host holds for links that come later too; --prefix, --record and --collection
mark the links that the store has now. Together with --collection the others mean only
links that stand in it.

With --engine and --copies the links are those of a fleet, as its copies know them. The
decision goes to the workers, and reports show it when they have made the next copies: at
once, or while a night goes on within half an hour and at its end.`,
		Example: `  linkcheck mark https://journals.example.org/ licence-walled --why "subscribers get in" --until 2027-06-30
  linkcheck mark gopher.tc.umn.edu ignore --why "kept as history"
  linkcheck mark --prefix https://www.example.org/old/ dead --why "the folder was thrown away"
  linkcheck mark --record b1000414 --collection "Rare Books" ignore --why "withdrawn"
  linkcheck mark --from decisions.txt alive --why "checked by hand"
  linkcheck mark https://journals.example.org/ --remove
  linkcheck mark --engine nats://127.0.0.1:4222 --copies /srv/copies gopher.tc.umn.edu ignore --why "kept as history"
  linkcheck mark --list`,
		Args: exit.AtMostArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if m.list {
				return a.listMarks(cmd.Context(), m, args)
			}
			return a.mark(cmd.Context(), m, args)
		},
	}
	f := cmd.Flags()
	storeFlag(cmd, &m.store)
	f.StringVar(&m.why, "why", "", "`TEXT`: the reason (required)")
	f.StringVar(&m.until, "until", "", "`DATE` on which the decision lapses")
	f.StringVar(&m.by, "by", "", "`NAME` of who decided (default: you)")
	f.StringVar(&m.from, "from", "", "`FILE` with links or hosts, one a line")
	f.StringArrayVar(&m.prefixes, "prefix", nil, "the links below this `URL` (repeatable)")
	f.StringArrayVar(&m.records, "record", nil, "the links of the record of this `ID` (repeatable)")
	f.StringArrayVar(&m.collections, "collection", nil, "the links of the collection of this `NAME` (repeatable)")
	f.BoolVar(&m.remove, "remove", false, "take the decision back")
	f.BoolVar(&m.list, "list", false, "list the decisions")
	m.fleet.register(cmd, "mark the links of a fleet, whose engine is")
	f.BoolVar(&m.json, "json", false, "with --list: one JSON object a line")
	flags.Now(cmd, &m.now)
	return cmd
}

func (a *app) mark(ctx context.Context, m *markFlags, args []string) error {
	targets, args, err := m.targets(ctx, args)
	if err != nil {
		return err
	}
	now, err := flags.Clock(m.now)
	if err != nil {
		return err
	}
	pin, err := m.pin(args, now())
	if err != nil {
		return err
	}
	var list []store.Pin
	err = m.open(ctx, now, func(st *store.Store, set func(store.Pin) error) error {
		if list, err = targets.Find(ctx, st); err != nil {
			return err
		}
		for _, p := range list {
			pin.Link, pin.Host = p.Link, p.Host
			if err := set(pin); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return storeFailed(err)
	}
	verb := "marked " + pin.State.String()
	if m.remove {
		verb = "no longer marked"
	}
	what := a.mask(targets.Names[0])
	if len(targets.Names) > 1 || targets.Kind != marks.URL {
		what = plain.Plural(len(list), "link or host", "links and hosts")
	}
	a.done("%s: %s\n", verb, what)
	return nil
}

// open opens what is to be marked: a store, or the copies of a fleet.
func (m *markFlags) open(ctx context.Context, now func() time.Time, use func(st *store.Store, set func(store.Pin) error) error) error {
	if m.fleet.at.URL == "" {
		st, err := openExisting(ctx, m.store, now)
		if err != nil {
			return err
		}
		return errors.Join(use(st, st.SetPin), st.Close())
	}
	m.fleet.at.Looks = true
	engine, err := m.fleet.find(ctx)
	if err != nil {
		return err
	}
	defer engine.Close()
	marks, err := marking.Open(ctx, m.fleet.copies, engine, engine.Of.Shards, store.Options{Now: now})
	if err != nil {
		return err
	}
	return errors.Join(use(marks.Store, marks.SetPin), marks.Close())
}

func (a *app) listMarks(ctx context.Context, m *markFlags, args []string) error {
	if len(args) > 0 {
		return exit.Usage("--list lists all decisions; %.200q is too much", a.mask(args[0]))
	}
	now, err := flags.Clock(m.now)
	if err != nil {
		return err
	}
	if m.fleet.at.URL != "" {
		m.store = m.fleet.copies
	}
	st, err := a.openToRead(ctx, m.store, now)
	if err != nil {
		return err
	}
	defer st.Close()
	rows, err := marks.List(st, now())
	if err != nil {
		return storeFailed(err)
	}
	if len(rows) == 0 && !m.json {
		a.done("nothing is marked\n")
		return nil
	}
	if !m.json {
		rows = slices.Insert(rows, 0, marks.Row{})
	}
	return writeRows(a.stdout, rows, m.json, func(r marks.Row) (any, string) {
		if r.Decision == "" {
			return nil, strings.Join([]string{"DECISION", "SINCE", "UNTIL", "BY", "LINK OR HOST", "WHY"}, "\t")
		}
		for _, s := range []*string{&r.URL, &r.By, &r.Why} {
			*s = a.maskText(*s)
		}
		until := "-"
		if !r.Until.IsZero() {
			until = r.Until.UTC().Format(time.DateOnly)
		}
		if r.Lapsed {
			until += " (over)"
		}
		return r, strings.Join([]string{r.Decision, r.At.UTC().Format(time.DateOnly), until, escape.Line(r.By), escape.Line(cmp.Or(r.Host, r.URL)), escape.Line(r.Why)}, "\t")
	})
}

// targets are what is to be marked; the other arguments are left.
func (m *markFlags) targets(ctx context.Context, args []string) (t *marks.Targets, rest []string, err error) {
	t = &marks.Targets{Collections: m.collections, Marked: m.remove}
	ways := 0
	for _, way := range []struct {
		kind  marks.Kind
		names []string
	}{{marks.Prefix, m.prefixes}, {marks.Record, m.records}} {
		if len(way.names) > 0 {
			t.Kind, t.Names = way.kind, way.names
			ways++
		}
	}
	if ways == 0 && len(m.collections) > 0 {
		t.Kind, t.Names = marks.All, []string{strings.Join(m.collections, ", ")}
		ways++
	}
	if m.from != "" {
		if t.Names, err = m.lines(ctx); err != nil {
			return nil, nil, err
		}
		ways++
	}
	decision := 1 // how many arguments the decision is
	if m.remove {
		decision = 0
	}
	switch named := len(args) - decision; {
	case ways > 1:
		return nil, nil, exit.Usage("--prefix, --record and --from name different things: give one of them")
	case ways == 1 && named > 0:
		return nil, nil, exit.Usage("%.200q is too much: the flags say what to mark", secret.Mask(args[0]))
	case ways == 1:
		return t, args, nil
	case len(args) == 0:
		return nil, nil, exit.Usage("mark what? give a URL, a host, --prefix, --record, --collection or --from FILE")
	}
	t.Names = args[:1]
	return t, args[1:], nil
}

// lines are the links and hosts in the file of --from.
func (m *markFlags) lines(ctx context.Context) ([]string, error) {
	names, err := openfile.Lines(ctx, m.from, func(line string) string {
		if strings.HasPrefix(line, "#") { // in the midst of a line it begins a fragment
			return ""
		}
		return line
	})
	switch {
	case err != nil:
		return nil, exit.Usage("%w", err)
	case len(names) == 0:
		return nil, exit.Usage("%s names no link and no host", m.from)
	}
	return names, nil
}

// pin reads the decision from the arguments and flags.
func (m *markFlags) pin(args []string, now time.Time) (p store.Pin, err error) {
	said := store.Pin{By: cmp.Or(marks.Clean(m.by), whoAmI()), At: now.UTC(), From: "cli"}
	if m.remove {
		return said, nil
	}
	if len(args) != 1 {
		return p, exit.Usage("which decision? %s", strings.Join(marks.Decisions, ", "))
	}
	p, ok := marks.Decide(args[0], m.why)
	if !ok {
		return p, exit.Usage("%q is no decision: %s", args[0], strings.Join(marks.Decisions, ", "))
	}
	if strings.TrimSpace(m.why) == "" {
		return p, exit.Usage("say why with --why: the next reader will want to know")
	}
	p.By, p.At, p.From = said.By, said.At, said.From
	if m.until != "" {
		if p.Until, err = flags.ParseTime(m.until); err != nil {
			return p, exit.Usage("--until: %w", err)
		}
		if !p.Until.After(now) {
			return p, exit.Usage("--until: %s is over; the decision would lapse at once", m.until)
		}
	}
	return p, nil
}
