package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/check/web"
	"linkcheck/harvest"
	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/netflags"
	"linkcheck/internal/plain"
	"linkcheck/report/moved"
	"linkcheck/report/text"
	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/repair"
	"linkcheck/uri/secret"
)

func cmdExplain(a *app) *cobra.Command {
	var n netflags.Flags
	var file string
	cmd := &cobra.Command{
		Use:   "explain URI",
		Short: "Everything about one link: parts, keys, the plan of its probe, its history, the rule that decided",
		Example: `  linkcheck explain 'z39.50r://melvyl.ucop.edu/mags?elecworld.v30.n19'
  linkcheck explain --store library.db http://www.example.org/`,
		Args: exit.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.explain(cmd.Context(), &n, file, args[0]) },
	}
	n.RegisterPlan(cmd, version)
	storeFlag(cmd, &file)
	return cmd
}

func (a *app) explain(ctx context.Context, n *netflags.Flags, file, s string) error {
	net, err := n.Open(ctx, nil)
	if err != nil {
		return err
	}
	defer net.Probers.Close()
	text.WriteURI(a.stdout, a.rules, s, a.showSecrets)
	st, l, found, err := a.findLink(ctx, file, net.Options.Now, s)
	if err != nil {
		return err
	}
	if st != nil {
		defer st.Close()
	}
	asked := s
	if p, ok := net.Options.Proxies.Target(s); ok || l.Target != "" {
		asked = cmp.Or(l.Target, p.Target)
		escape.Printf(a.stdout, "  target    %s, by %s\n", a.mask(asked), a.mask(cmp.Or(l.Via, p.Via)))
	}
	if u, err := uri.Parse(asked); err == nil {
		_, row := net.Probers.Lookup(u.Scheme())
		escape.Printf(a.stdout, "  probe     %s\n", plan(row))
	} else if guess, ok := guessURI(s); ok {
		escape.Printf(a.stdout, "  perhaps   %s\n", a.mask(guess))
	}
	switch {
	case st == nil:
		escape.Printf(a.stdout, "  history   there is no store %s\n", file)
		return nil
	case !found:
		escape.Printf(a.stdout, "  history   not in the store\n")
		return nil
	}
	e, err := st.Explain(l.ID)
	if err != nil {
		return storeFailed(err)
	}
	return storeFailed(text.WriteLink(a.stdout, &e, a.showSecrets, moved.Of(&e.Link, e.History, web.PersistentHosts()), a.copied(ctx, st, file, &e)))
}

// findLink finds a link in the store; st is nil if there is no store.
func (a *app) findLink(ctx context.Context, file string, now func() time.Time, s string) (st *store.Store, l store.Link, found bool, err error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, l, false, nil
	}
	if st, err = a.openToRead(ctx, file, now); err != nil {
		return nil, l, false, err
	}
	if l, found, err = st.Find(s); err != nil {
		st.Close()
		return nil, l, false, storeFailed(err)
	}
	return st, l, found, nil
}

// guessURI guesses what a string that is no URI was meant to be: it repairs slips of
// typing and of text recognition.
func guessURI(s string) (guess string, ok bool) {
	if guess, ok = repair.Slips(s); ok {
		return guess, true
	}
	return repair.OCR(s)
}

func cmdNormalize(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "normalize [URI...]",
		Short: "Parse and normalize URIs, with every step and the section that allows it",
		Long: `Parse the URIs given, or the lines of standard input, and print the normal form on
every level of equality that changes it. With --json passwords are printed as they were
given: they are part of what makes two URIs different.

` + levels,
		Example: `  linkcheck normalize HTTP://Example.ORG:80/%7Efoo
  linkcheck normalize --json < uris.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.eachLine(args, func(out io.Writer, s string) error {
				if asJSON {
					return writeJSON(out, a.rules.Describe(s))
				}
				text.WriteURI(out, a.rules, s, a.showSecrets)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

func cmdCompare(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare [A B]",
		Short: "Say whether two URIs are the same, at which level, and why",
		Long: `Compare two URIs, or the pairs on standard input: two URIs a line, with a tab between
them. With --json the verdict is dup (the same), maybe or not, and the level is the
first on which they meet.

` + levels,
		Example: `  linkcheck compare info:lccn/85-2 INFO:LCCN/85000002
  linkcheck compare --json < pairs.tsv`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] != "-" || len(args) > 2 {
				return exit.Usage("compare takes two URIs, or pairs on standard input")
			}
			if len(args) == 2 {
				args = []string{args[0] + "\t" + args[1]}
			}
			line := 0
			return a.eachLine(args, func(out io.Writer, s string) error {
				line++
				x, y, ok := strings.Cut(s, "\t")
				if !ok {
					return exit.Usage("line %d: %q is no pair: two URIs with a tab between them", line, plain.OneLine(secret.Mask(s), 200))
				}
				pair := a.rules.CompareStrings(x, y)
				if asJSON {
					return writeJSON(out, pair)
				}
				text.WritePair(out, pair)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

// levels explains the levels of equality (docs/NORMALIZATION.md) in help texts.
const levels = `The levels, from the surest to the boldest; the same on one is the same on all below:
  syntax     the same address, spelled differently (case, escapes)
  scheme     the same by the rules of its scheme (default port, empty path)
  registry   the same identifier by its namespace's registered rule (info:lccn ...)
  protocol   the same request to the server
  resolver   the same work at another address (doi.org, hdl.handle.net ...)
  heuristic  perhaps the same: a practice, and no rule (www., https, index.html)`

func cmdSchemes(a *app) *cobra.Command {
	var n netflags.Flags
	var reasons, flags, asJSON bool
	cmd := &cobra.Command{
		Use:     "schemes",
		Short:   "What the probe of each scheme does, and what every reason means",
		Example: "  linkcheck schemes\n  linkcheck schemes --reasons",
		Args:    exit.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if reasons {
				return a.meanings(check.Reasons(), asJSON)
			}
			if flags {
				return a.meanings(check.Flags(), asJSON)
			}
			net, err := n.Open(cmd.Context(), nil)
			if err != nil {
				return err
			}
			defer net.Probers.Close()
			return a.schemes(net.Probers.Rows(), asJSON)
		},
	}
	n.RegisterPlan(cmd, version)
	cmd.Flags().BoolVar(&reasons, "reasons", false, "list the reason codes with their meaning")
	cmd.Flags().BoolVar(&flags, "flags", false, "list the flags of results with their meaning")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

// schemeRow is a row of `schemes --json`.
type schemeRow struct {
	Scheme   string `json:"scheme"`
	Protocol string `json:"protocol"`
	Port     int    `json:"port"`
	Probed   bool   `json:"probed"`
	What     string `json:"what"`
	Root     bool   `json:"root"` // run reads what its addresses name
}

// rootPrefixes names what may stand before a scheme in the address of an archive.
func rootPrefixes(scheme string) string {
	var list []string
	for _, s := range harvest.Schemes() {
		if prefix, ok := strings.CutSuffix(s, "+"+scheme); ok {
			list = append(list, prefix+"+")
		}
	}
	if len(list) == 0 {
		return ""
	}
	return ", also with " + strings.Join(list, ", ") + " before them"
}

func (a *app) schemes(rows []all.Row, asJSON bool) error {
	return writeRows(a.stdout, rows, asJSON, func(r all.Row) (any, string) {
		port, what := "", planOf(r)
		if r.Port != 0 {
			port = fmt.Sprint(r.Port)
		}
		row := schemeRow{r.Scheme, r.Protocol, r.Port, r.Does != "", plan(r), slices.Contains(harvest.Schemes(), r.Scheme)}
		return row, r.Scheme + "\t" + port + "\t" + what
	})
}

// planOf is plan, and whether run reads what its addresses name.
func planOf(r all.Row) string {
	if slices.Contains(harvest.Schemes(), r.Scheme) {
		return plan(r) + "; its addresses are archives that run reads" + rootPrefixes(r.Scheme)
	}
	return plan(r)
}

// plan says what the probe of a scheme does, or why there is none.
func plan(r all.Row) string {
	if r.Does == "" {
		return "not probed: " + r.Off
	}
	return r.Does
}

func (a *app) meanings(list []check.Meaning, asJSON bool) error {
	return writeRows(a.stdout, list, asJSON, func(m check.Meaning) (row any, cells string) {
		return m, string(m.Code) + "\t" + m.Says
	})
}
