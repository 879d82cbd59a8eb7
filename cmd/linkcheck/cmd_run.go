package main

import (
	"slices"

	"github.com/spf13/cobra"
)

func cmdRun(a *app) *cobra.Command {
	n := &storeRun{}
	cmd := &cobra.Command{
		Use:   "run PATH...",
		Short: "Read the sources, check what is due, say what changed: the line for cron",
		Long: `Read the links of the documents at the paths into the store (what has not changed is
not read again), probe those that are due, and print a summary. With --quiet it
prints nothing unless there is news, so that cron mails only then.

` + exitTable,
		Example: `  linkcheck run --store library.db catalogue.mrc mail/ rfc/
  17 2 * * *  linkcheck run --quiet --fail-on newly-dead --store /var/lib/linkcheck/library.db /srv/archive`,
		Args: pathsOnDisk,
		RunE: func(cmd *cobra.Command, paths []string) error {
			n.paths = paths
			return a.runStore(cmd.Context(), n)
		},
	}
	n.net.register(cmd)
	n.due.register(cmd)
	extractFlags(cmd, &n.extract)
	f := cmd.Flags()
	wordFlag(cmd, &n.failOn, "fail-on", "never", "exit with 1 on `WHAT`: newly-dead or dead links, any failure, or never", failOnWords)
	f.StringVar(&n.collection, "collection", "", "`NAME` of the collection (default: the name of each path)")
	f.BoolVar(&n.allowEmpty, "allow-empty", false, "a source that now gives no documents is really empty: retire its links")
	f.StringVar(&n.recordURL, "record-url", "", "`TEMPLATE` of a record's address for the summary")
	return cmd
}

// pathsOnDisk wants paths that are there the next night too.
func pathsOnDisk(cmd *cobra.Command, args []string) error {
	if slices.Contains(args, "-") {
		return usage("run remembers where links stand, and standard input is gone tomorrow; give files or folders, or use extract")
	}
	return wantPaths(cmd, args)
}
