package main

import (
	"bufio"
	"fmt"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/store"
)

// pinWords are the decisions that a person can pin to a link or a host.
var pinWords = map[string]store.State{"alive": store.PinnedAlive, "dead": store.PinnedDead, "ignore": store.Ignored}

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
		Args: cobra.RangeArgs(0, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.mark(m, args) },
	}
	f := cmd.Flags()
	storeFlag(cmd, &m.store)
	f.StringVar(&m.why, "why", "", "the reason (required)")
	f.StringVar(&m.until, "until", "", "`date` on which the decision lapses")
	f.StringVar(&m.by, "by", "", "who decided (default: you)")
	f.StringVar(&m.from, "from", "", "`FILE` with links or hosts, one a line")
	f.BoolVar(&m.remove, "remove", false, "take the decision back")
	f.StringVar(&m.now, "now", "", "take this `time` for the present (for tests)")
	return cmd
}

func (a *app) mark(m *markFlags, args []string) error {
	var targets []string
	if m.from != "" {
		list, err := readTargets(m.from)
		if err != nil {
			return err
		}
		targets = list
	} else if len(args) > 0 {
		targets, args = args[:1], args[1:]
	}
	if len(targets) == 0 {
		return usage("mark what? give a URL, a host, or --from FILE")
	}
	now, err := clock(m.now)
	if err != nil {
		return err
	}
	pin, err := m.pin(args, now())
	if err != nil {
		return err
	}
	if _, err := os.Stat(m.store); err != nil {
		return fail(exitUsage, "run first, then mark", "there is no store %s", m.store)
	}
	st, err := openStore(m.store, now)
	if err != nil {
		return err
	}
	defer st.Close()
	for _, target := range targets {
		if err := m.apply(st, target, pin); err != nil {
			return storeFailed(fmt.Errorf("%s: %w", target, err))
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
	fmt.Fprintf(a.stdout, "%s: %s\n", verb, what)
	return nil
}

// pin reads the decision out of the words and flags.
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
	}
	return p, nil
}

// apply pins one link that the store knows, or else a host.
func (m *markFlags) apply(st *store.Store, target string, pin store.Pin) error {
	l, found, err := st.Find(target)
	if err != nil {
		return err
	}
	host := ""
	if !found {
		if strings.ContainsAny(target, "/:") {
			return store.ErrNotFound
		}
		host = strings.ToLower(target)
	}
	if m.remove {
		return st.Unmark(l.ID, host)
	}
	return st.Mark(store.Pinned{Link: l.ID, Host: host, Pin: pin})
}

// readTargets reads links and hosts, one a line, case kept; '#' at its beginning makes a line a comment.
func readTargets(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, usage("%w", err)
	}
	defer f.Close()
	var list []string
	s := bufio.NewScanner(f)
	for s.Scan() {
		if line := strings.TrimSpace(s.Text()); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	if err := s.Err(); err != nil {
		return nil, usage("%s: %w", name, err)
	}
	return list, nil
}
