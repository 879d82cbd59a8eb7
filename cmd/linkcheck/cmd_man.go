package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func cmdMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write the manual pages into a folder",
		Example: "  linkcheck man man1/",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			date := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
			header := &doc.GenManHeader{Title: "LINKCHECK", Section: "1", Source: "linkcheck " + version, Date: &date}
			if err := doc.GenManTree(cmd.Root(), header, args[0]); err != nil {
				return usage("manual pages: %w", err)
			}
			return nil
		},
	}
}
