package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func cmdMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write the manual pages into a folder, which is made",
		Example: "  linkcheck man man1/\n  man man1/linkcheck-report.1",
		Args:    nArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			date := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
			header := &doc.GenManHeader{Title: "LINKCHECK", Section: "1", Source: "linkcheck " + version, Date: &date}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return usage("manual pages: %w", err)
			}
			if err := doc.GenManTree(cmd.Root(), header, args[0]); err != nil {
				return usage("manual pages: %w", err)
			}
			fmt.Fprintf(a.stderr, "linkcheck: wrote %s\n", args[0])
			return nil
		},
	}
}
