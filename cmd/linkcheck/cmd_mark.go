package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/internal/flags"
	"linkcheck/internal/openfile"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/proxied"
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
		Long: `Pin a decision that overrules what probes say, until the date given. What is marked alive
or ignored leaves the lists; what is marked dead stands under Fix. Who decided, why and until
when is kept and shown in every report. What the store does not know is refused.`,
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
	st, err := openExisting(ctx, m.store, now)
	if err != nil {
		return err
	}
	defer st.Close()
	same, err := withSameTarget(ctx, st, targets)
	if err != nil {
		return storeFailed(err)
	}
	var list []store.Pin
	for _, target := range targets { // all or none of them
		found, err := m.findTarget(st, target, same)
		if err != nil {
			return storeFailed(fmt.Errorf("%s: %w", secret.Mask(target), err))
		}
		for _, p := range found {
			if known, err := hasHost(st, p.Host); err != nil {
				return storeFailed(err)
			} else if !known && !m.remove {
				return usage("no link in the store is on %s", p.Host)
			}
			pin.Link, pin.Host = p.Link, p.Host
			list = append(list, pin)
		}
	}
	for _, p := range list {
		if m.remove {
			err = st.SetPin(store.Pin{Link: p.Link, Host: p.Host})
		} else {
			err = st.SetPin(p)
		}
		if err != nil {
			return storeFailed(err)
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
	a.done("%s: %s\n", verb, what)
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
	targets, err = openfile.Lines(ctx, m.from, func(line string) string {
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
		if p.Until, err = flags.ParseTime(m.until); err != nil {
			return p, usage("--until: %w", err)
		}
		if !p.Until.After(now) {
			return p, usage("--until: %s is over; the decision would lapse at once", m.until)
		}
	}
	return p, nil
}

// withSameTarget gives, by the key of what is asked, the links of the store that are asked
// so: a link, and the same behind a library's proxy. Only what targets name is gathered.
func withSameTarget(ctx context.Context, st *store.Store, targets []string) (links map[string][]uint64, err error) {
	links = map[string][]uint64{}
	for _, target := range targets {
		if l, found, err := st.Find(target); err != nil {
			return nil, err
		} else if found {
			target = cmp.Or(l.Target, l.URL)
		} else if l, ok := proxied.Rules(nil).Target(target); ok {
			target = l.Target
		}
		if _, err := uri.Parse(target); err == nil {
			links[keyOf(target)] = nil
		}
	}
	if len(links) == 0 {
		return links, nil
	}
	for e, err := range st.Scan(store.Pick{}) {
		l := e.Link
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		key := l.Key
		if l.Target != "" {
			key = keyOf(l.Target)
		}
		if ids, ok := links[key]; ok {
			links[key] = append(ids, l.ID)
		}
	}
	return links, nil
}

// keyOf is the key of an address as a store has it; of what is none, the text itself.
func keyOf(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return s
	}
	return uri.SchemeKey(u)
}

// findTarget finds the links that are asked as a URL is, with or without a library's proxy
// before it, or else takes the name for a host's. With --remove they must be marked.
func (m *markFlags) findTarget(st *store.Store, target string, same map[string][]uint64) (pins []store.Pin, err error) {
	l, found, err := st.Find(target)
	if err != nil {
		return nil, err
	}
	asked := target
	if p, ok := proxied.Rules(nil).Target(target); found {
		asked, pins = cmp.Or(l.Target, l.URL), []store.Pin{{Link: l.ID}}
	} else if ok {
		asked = p.Target
	}
	for _, id := range same[keyOf(asked)] {
		if id != l.ID {
			pins = append(pins, store.Pin{Link: id})
		}
	}
	if len(pins) == 0 {
		if strings.ContainsAny(target, "/:@") {
			return nil, store.ErrNotFound
		}
		pins = []store.Pin{{Host: hostOf(target)}}
	}
	if m.remove {
		known := st.Pins()
		pins = slices.DeleteFunc(pins, func(p store.Pin) bool {
			return !slices.ContainsFunc(known, func(q store.Pin) bool { return q.Link == p.Link && q.Host == p.Host })
		})
		if len(pins) == 0 {
			return nil, errors.New("not marked")
		}
	}
	return pins, nil
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

// hasHost says whether a link of the store is on a host; "" is one that all have.
func hasHost(st *store.Store, host string) (bool, error) {
	if host == "" {
		return true, nil
	}
	for e, err := range st.Scan(store.Pick{}) {
		if l := e.Link; err != nil || l.Host == host {
			return err == nil, err
		}
	}
	return false, nil
}
