package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/harvest"
	"linkcheck/internal/escape"
	"linkcheck/uri/equal"
	"linkcheck/uri/secret"
)

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
				writeDescription(out, a.rules, s, a.mask)
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
				return usage("compare takes two URIs, or pairs on standard input")
			}
			if len(args) == 2 {
				args = []string{args[0] + "\t" + args[1]}
			}
			line := 0
			return a.eachLine(args, func(out io.Writer, s string) error {
				line++
				x, y, ok := strings.Cut(s, "\t")
				if !ok {
					return usage("line %d: %q is no pair: two URIs with a tab between them", line, oneLine(secret.Mask(s), 200))
				}
				return writePair(out, a.rules.CompareStrings(x, y), asJSON)
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

// writeDescription writes what normalize found for people.
func writeDescription(out io.Writer, rules equal.Rules, s string, mask func(string) string) {
	d := rules.Describe(s)
	escape.Printf(out, "%s\n  valid     %s", mask(d.Input), d.Valid)
	if d.Code != "" {
		escape.Printf(out, " (%s)", d.Code)
	}
	escape.Printf(out, "\n")
	keys := d.Keys
	if masked := mask(d.Input); masked != d.Input && keys != nil { // a key may spell a password in another way
		keys = rules.Describe(masked).Keys
	}
	if keys == nil {
		return
	}
	was := d.Input
	for _, k := range []struct{ level, key string }{
		{"syntax", keys.Syntax}, {"scheme", keys.Scheme}, {"registry", keys.Registry},
		{"protocol", keys.Protocol}, {"resolver", keys.Resolver}, {"heuristic", keys.Heuristic},
	} {
		if k.key == was {
			continue
		}
		was = k.key
		escape.Printf(out, "  %-9s %s\n", k.level, mask(k.key))
		for _, s := range d.Steps {
			if s.Level == k.level {
				escape.Printf(out, "            - %s, %s\n", s.Code, s.Section)
			}
		}
	}
}

// writePair writes what compare found, as JSON or for people.
func writePair(out io.Writer, p equal.ComparedPair, asJSON bool) error {
	if asJSON {
		return writeJSON(out, p)
	}
	why := ""
	if len(p.Reasons) > 0 {
		why = ": " + strings.Join(p.Reasons, ", ")
	}
	switch p.Equality {
	case equal.Not:
		escape.Printf(out, "not the same%s\n", why)
	case equal.Maybe:
		escape.Printf(out, "perhaps the same, at level %s%s\n", p.Level, why)
	default:
		escape.Printf(out, "the same, at level %s%s\n", p.Level, why)
	}
	return nil
}

func cmdSchemes(a *app) *cobra.Command {
	var n netFlags
	var reasons, flags, asJSON bool
	cmd := &cobra.Command{
		Use:     "schemes",
		Short:   "What the probe of each scheme does, and what every reason means",
		Example: "  linkcheck schemes\n  linkcheck schemes --reasons",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if reasons {
				return a.meanings(check.Reasons(), asJSON)
			}
			if flags {
				return a.meanings(check.Flags(), asJSON)
			}
			net, err := n.open(cmd.Context(), nil)
			if err != nil {
				return err
			}
			defer net.probers.Close()
			return a.schemes(net.probers.Rows(), asJSON)
		},
	}
	n.registerPlan(cmd)
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
		port, what := "", plan(r)
		if r.Port != 0 {
			port = fmt.Sprint(r.Port)
		}
		row := schemeRow{r.Scheme, r.Protocol, r.Port, r.Does != "", what, slices.Contains(harvest.Schemes(), r.Scheme)}
		if row.Root {
			what += "; its addresses are archives that run reads" + rootPrefixes(r.Scheme)
		}
		return row, r.Scheme + "\t" + port + "\t" + what
	})
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

// writeRows writes a list as JSON, one object a line, or as a table.
func writeRows[T any](w io.Writer, list []T, asJSON bool, format func(T) (row any, cells string)) error {
	enc := json.NewEncoder(w)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, item := range list {
		row, cells := format(item)
		if !asJSON {
			io.WriteString(tab, cells+"\n")
		} else if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return tab.Flush()
}
