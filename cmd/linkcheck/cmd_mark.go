package main

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/internal/escape"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/secret"
)

// pinWords are the decisions that a person can pin to a link or a host.
var pinWords = map[string]judge.State{"alive": judge.PinnedAlive, "dead": judge.PinnedDead, "ignore": judge.Ignored}

type markFlags struct {
	store, why, until, by, from, now string
	remove                           bool
}

func cmdMark(a *app) *cobra.Command {
	m := &markFlags{}
	cmd := &cobra.Command{
		Use:   "mark URL|HOST alive|dead|ignore --why TEXT",
		Short: "Pin a human decision to a link, or to every link of a host",
		Long: `Pin a decision that overrules what probes say: the link leaves the lists until the
date given. Who decided, why and until when is kept and shown in every report.`,
		Example: `  linkcheck mark https://journals.example.org/ alive --why "subscribers get in" --until 2027-06-30
  linkcheck mark gopher.tc.umn.edu ignore --why "kept as history"
  linkcheck mark --from decisions.txt alive --why "checked by hand"
  linkcheck mark https://journals.example.org/ --remove`,
		Args: atMostArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.mark(cmd.Context(), m, args) },
	}
	f := cmd.Flags()
	storeFlag(cmd, &m.store)
	f.StringVar(&m.why, "why", "", "`TEXT`: the reason (required)")
	f.StringVar(&m.until, "until", "", "`DATE` on which the decision lapses")
	f.StringVar(&m.by, "by", "", "`NAME` of who decided (default: you)")
	f.StringVar(&m.from, "from", "", "`FILE` with links or hosts, one a line")
	f.BoolVar(&m.remove, "remove", false, "take the decision back")
	nowFlag(cmd, &m.now)
	return cmd
}

func (a *app) mark(ctx context.Context, m *markFlags, args []string) error {
	targets, args, err := m.targets(ctx, args)
	if err != nil {
		return err
	}
	now, err := clock(m.now)
	if err != nil {
		return err
	}
	pin, err := m.pin(args, now())
	if err != nil {
		return err
	}
	st, err := openExisting(m.store, now)
	if err != nil {
		return err
	}
	defer st.Close()
	var list []store.Pin
	for _, target := range targets { // all or none of them
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := m.findTarget(st, target)
		if err != nil {
			return storeFailed(fmt.Errorf("%s: %w", secret.Mask(target), err))
		}
		pin.Link, pin.Host = p.Link, p.Host
		list = append(list, pin)
	}
	for _, p := range list {
		if m.remove {
			err = st.RemovePin(p.Link, p.Host)
		} else {
			err = st.SetPin(p)
		}
		if err != nil {
			return storeFailed(err)
		}
		if err := a.warnUnknownHost(st, p.Host); err != nil {
			return err
		}
	}
	verb := "marked " + pin.State.String()
	if m.remove {
		verb = "no longer marked"
	}
	what := a.mask(targets[0])
	if len(targets) > 1 {
		what = fmt.Sprintf("%d links and hosts", len(targets))
	}
	escape.Printf(a.stdout, "%s: %s\n", verb, what)
	return nil
}

// targets are the links and hosts to mark; the other arguments are left.
func (m *markFlags) targets(ctx context.Context, args []string) (targets, rest []string, err error) {
	if m.from == "" {
		if len(args) == 0 {
			return nil, nil, usage("mark what? give a URL, a host, or --from FILE")
		}
		return args[:1], args[1:], nil
	}
	targets, err = readLines(ctx, m.from, func(line string) string {
		if strings.HasPrefix(line, "#") { // in the midst of a line it begins a fragment
			return ""
		}
		return line
	})
	switch {
	case err != nil:
		return nil, nil, usage("%w", err)
	case len(targets) == 0:
		return nil, nil, usage("%s names no link and no host", m.from)
	}
	return targets, args, nil
}

// pin reads the decision from the arguments and flags.
func (m *markFlags) pin(args []string, now time.Time) (p store.Pin, err error) {
	if m.remove {
		return p, nil
	}
	if len(args) != 1 {
		return p, usage("which decision? alive, dead or ignore")
	}
	state, ok := pinWords[args[0]]
	if !ok {
		return p, usage("%q is no decision: alive, dead or ignore", args[0])
	}
	if strings.TrimSpace(m.why) == "" {
		return p, usage("say why with --why: the next reader will want to know")
	}
	p = store.Pin{State: state, By: m.by, Why: m.why, At: now.UTC()}
	if p.By == "" {
		if u, err := user.Current(); err == nil {
			p.By = u.Username
		}
	}
	if m.until != "" {
		if p.Until, err = parseTime(m.until); err != nil {
			return p, usage("--until: %w", err)
		}
		if !p.Until.After(now) {
			return p, usage("--until: %s is over; the decision would lapse at once", m.until)
		}
	}
	return p, nil
}

// findTarget finds a link by its URL, or else takes the name for a host's. With --remove
// it must be marked.
func (m *markFlags) findTarget(st *store.Store, target string) (p store.Pin, err error) {
	l, found, err := st.Find(target)
	if err != nil {
		return p, err
	}
	if p.Link = l.ID; !found {
		if strings.ContainsAny(target, "/:@") {
			return p, store.ErrNotFound
		}
		p.Host = hostOf(target)
	}
	same := func(q store.Pin) bool { return q.Link == p.Link && q.Host == p.Host }
	if m.remove && !slices.ContainsFunc(st.Pins(), same) {
		return p, errors.New("not marked")
	}
	return p, nil
}

// hostOf gives the name of a host as links have it: in lower case, IDNs as A-labels.
func hostOf(name string) string {
	if u, err := uri.Parse("http://" + name + "/"); err == nil {
		if at, ok := u.Endpoint(); ok {
			return at.Host
		}
	}
	return strings.ToLower(name)
}

// warnUnknownHost says that a host has no link in the store: it may be misspelt.
func (a *app) warnUnknownHost(st *store.Store, host string) error {
	if host == "" {
		return nil
	}
	for l, err := range st.Links() {
		if err != nil || l.Host == host {
			return storeFailed(err)
		}
	}
	escape.Printf(a.stderr, "linkcheck: no link in the store is on %s\n", host)
	return nil
}
