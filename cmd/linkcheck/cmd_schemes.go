package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/check/all"
)

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
}

func (a *app) schemes(rows []all.Row, asJSON bool) error {
	return writeRows(a.stdout, rows, asJSON, func(r all.Row) (row any, cells string) {
		port, what := "", plan(r)
		if r.Port != 0 {
			port = fmt.Sprint(r.Port)
		}
		return schemeRow{r.Scheme, r.Protocol, r.Port, r.Does != "", what}, r.Scheme + "\t" + port + "\t" + what
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
