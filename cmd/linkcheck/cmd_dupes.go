package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"linkcheck/report"
)

func cmdDupes(a *app) *cobra.Command {
	r := &reportFlags{}
	var asJSON bool
	var by string
	cmd := &cobra.Command{
		Use:   "dupes",
		Short: "Links that are written twice: at which level they meet, why, how sure, which spelling to prefer",
		Example: `  linkcheck dupes --store library.db
  linkcheck dupes --store library.db --json
  linkcheck dupes --store library.db --by final`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			now, err := clock(r.now)
			if err != nil {
				return err
			}
			if by != report.BySpelling && by != report.ByFinal {
				return usage("--by is normal or final, not %q", by)
			}
			if r.o.Rules, err = a.rules(); err != nil {
				return err
			}
			st, err := a.openToRead(r.store, now)
			if err != nil {
				return err
			}
			defer st.Close()
			if err := a.tellUnknown(st, r.o.Collections); err != nil {
				return err
			}
			r.o.By = by
			r.o.Now, r.o.ShowSecrets, r.o.Width = now(), a.showSecrets, width(a.stdout)
			write := map[bool]func(context.Context, io.Writer, report.Source, report.Options) error{
				false: report.WriteDupes, true: report.WriteDupesJSON}[asJSON]
			return a.toFile("-", func(w io.Writer) error { return write(cmd.Context(), w, st, r.o) })
		},
	}
	f := cmd.Flags()
	storeFlag(cmd, &r.store)
	f.BoolVar(&asJSON, "json", false, "one JSON object a line")
	f.StringVar(&by, "by", report.BySpelling, "group by `normal|final`: the spelling, or where redirects ended")
	f.StringSliceVar(&r.o.Collections, "collection", nil, "only these `NAMES` of collections")
	f.StringVar(&r.o.Lang, "lang", "en", "`LANGUAGE` of sentences: "+strings.Join(report.Languages(), ", "))
	f.StringVar(&r.now, "now", "", "take this `TIME` for the present (for tests)")
	completes(cmd, "by", []string{report.BySpelling, report.ByFinal})
	completes(cmd, "lang", report.Languages())
	return cmd
}
