package main

import (
	"encoding/json"
	"fmt"
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
			net, err := n.open(nil)
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

func (a *app) schemes(rows []all.Row, asJSON bool) error {
	enc := json.NewEncoder(a.stdout)
	tab := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	defer tab.Flush()
	for _, r := range rows {
		what := r.Does
		if what == "" {
			what = "not probed: " + r.Off
		}
		if asJSON {
			row := struct {
				Scheme   string `json:"scheme"`
				Protocol string `json:"protocol"`
				Port     int    `json:"port"`
				Probed   bool   `json:"probed"`
				What     string `json:"what"`
			}{r.Scheme, r.Protocol, r.Port, r.Does != "", what}
			if err := enc.Encode(row); err != nil {
				return err
			}
			continue
		}
		port := ""
		if r.Port != 0 {
			port = fmt.Sprint(r.Port)
		}
		fmt.Fprintf(tab, "%s\t%s\t%s\n", r.Scheme, port, what)
	}
	return nil
}

func (a *app) meanings(list []check.Meaning, asJSON bool) error {
	enc := json.NewEncoder(a.stdout)
	tab := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	defer tab.Flush()
	for _, m := range list {
		if asJSON {
			if err := enc.Encode(m); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(tab, "%s\t%s\n", m.Code, m.Says)
	}
	return nil
}
