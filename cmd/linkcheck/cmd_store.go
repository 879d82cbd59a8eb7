package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/store"
)

func cmdStore(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Look after the store: verify, compact, backup, stats, prune, export, import",
		Example: `  linkcheck store verify --store library.db
  linkcheck store backup --store library.db library.backup.db
  linkcheck store prune --store library.db --older 2y`,
		Args: aVerb,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var file, now, older string
	cmd.PersistentFlags().StringVar(&file, "store", usualStore, "`FILE` that remembers links and answers")
	cmd.PersistentFlags().StringVar(&now, "now", "", "take this `TIME` for the present (for tests)")

	// with opens the store, does the work and closes it.
	with := func(write bool, work func(*cobra.Command, []string, *store.Store) error) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) error {
			clk, err := clock(now)
			if err != nil {
				return err
			}
			var st *store.Store
			if _, missing := os.Stat(file); missing == nil && write {
				st, err = openStore(file, clk)
			} else {
				st, err = a.openToRead(file, clk)
			}
			if err != nil {
				return err
			}
			err = work(cmd, args, st)
			if cerr := st.Close(); err == nil {
				err = cerr
			}
			return storeFailed(err)
		}
	}
	sub := func(use, example, short string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
		c := &cobra.Command{Use: use, Short: short, Args: args, RunE: run, Example: "  linkcheck store " + example}
		cmd.AddCommand(c)
		return c
	}
	sub("verify", "verify --store library.db", "Check every page and every row", noArgs, with(false, a.storeVerify))
	sub("stats", "stats --store library.db", "Figures about the store, as JSON", noArgs, with(false, a.storeStats))
	sub("backup FILE", "backup --store library.db library.backup.db", "Copy the store into FILE", nArgs(1), with(false, func(_ *cobra.Command, args []string, st *store.Store) error {
		if err := mayReplace(args[0], st.Path()); err != nil {
			return err
		}
		if err := st.Backup(args[0]); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "wrote %s\n", args[0])
		return nil
	}))
	prune := sub("prune", "prune --store library.db --older 2y", "Forget probes, vanished mentions and runs older than a time", noArgs, with(true, func(_ *cobra.Command, _ []string, st *store.Store) error {
		return a.storePrune(st, now, older)
	}))
	prune.Flags().StringVar(&older, "older", "2y", "how old: an `AGE` such as 90d, 18m, 2y")
	sub("export", "export --store library.db > library.jsonl", "Write everything as JSONL to standard output", noArgs, with(false, func(_ *cobra.Command, _ []string, st *store.Store) error {
		out := bufio.NewWriterSize(a.stdout, 1<<16)
		if err := st.Export(out); err != nil {
			return err
		}
		return out.Flush()
	}))
	sub("import FILE", "import --store copy.db library.jsonl", "Fill a new store from an export", nArgs(1), func(_ *cobra.Command, args []string) error {
		return a.storeImport(file, args[0])
	})
	sub("compact", "compact --store library.db", "Give back the space that nothing uses", noArgs, func(*cobra.Command, []string) error {
		if err := mustBeThere(file); err != nil {
			return err
		}
		before, after, err := store.Compact(file, nil)
		if err != nil {
			return storeFailed(err)
		}
		fmt.Fprintf(a.stdout, "%s: %s bytes before, %s after\n", file, thousands(int(before)), thousands(int(after)))
		return nil
	})
	return cmd
}

// mayReplace refuses to write a backup over what is none.
func mayReplace(name, path string) error {
	if dir := filepath.Dir(name); !isDir(dir) {
		return usage("there is no folder %s for the backup", dir)
	}
	info, err := os.Stat(name)
	if err != nil || info.Size() == 0 && info.Mode().IsRegular() {
		return nil // nothing there, or nothing in it
	}
	if of, err := os.Stat(path); err == nil && os.SameFile(info, of) {
		return usage("%s is the store itself", name)
	}
	old, err := store.Open(name, &store.Options{ReadOnly: true})
	if errors.Is(err, store.ErrForeign) {
		return storeFailed(err)
	}
	if err == nil {
		return old.Close()
	}
	return nil
}

func (a *app) storeVerify(cmd *cobra.Command, _ []string, st *store.Store) error {
	problems, err := st.Verify(cmd.Context())
	if err != nil {
		return err
	}
	for _, p := range problems {
		fmt.Fprintln(a.stdout, p)
	}
	if len(problems) > 0 {
		return fail(exitDistrusted, "restore a backup", "%s in %s", plural(len(problems), "problem", "problems"), st.Path())
	}
	fmt.Fprintf(a.stdout, "%s is sound\n", st.Path())
	return nil
}

func (a *app) storeStats(_ *cobra.Command, _ []string, st *store.Store) error {
	s, err := st.Stats()
	if err != nil {
		return err
	}
	enc := json.NewEncoder(a.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(s)
}

func (a *app) storePrune(st *store.Store, now, older string) error {
	clk, err := clock(now)
	if err != nil {
		return err
	}
	before, err := ago(clk(), older)
	if err != nil {
		return usage("--older: %w", err)
	}
	p, err := st.Prune(before)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "forgot what is older than %s: %s, %s, %s, %s\n", before.UTC().Format(time.DateOnly),
		plural(p.Events, "probe", "probes"), plural(p.Mentions, "mention", "mentions"),
		plural(p.Links, "link", "links"), plural(p.Runs, "run", "runs"))
	return nil
}

func (a *app) storeImport(file, from string) error {
	in := a.stdin
	if from != "-" {
		f, err := os.Open(from)
		if err != nil {
			return usage("%w", err)
		}
		defer f.Close()
		in = f
	}
	if _, err := os.Stat(file); err == nil {
		return fail(exitUsage, "an import fills a new store; give another name with --store", "%s is there already", file)
	}
	st, err := openStore(file, time.Now)
	if err != nil {
		return err
	}
	if err = st.Import(in); errors.Is(err, io.EOF) {
		err = usage("%s is empty, and no export", from)
	}
	if err := errors.Join(err, st.Close()); err != nil {
		return storeFailed(errors.Join(err, os.Remove(file)))
	}
	fmt.Fprintf(a.stdout, "filled %s\n", file)
	return nil
}

// ago is now less an age such as 90d, 18m or 2y.
func ago(now time.Time, age string) (time.Time, error) {
	var n int
	var unit byte
	if _, err := fmt.Sscanf(age, "%d%c", &n, &unit); err == nil && fmt.Sprintf("%d%c", n, unit) == age && n >= 0 {
		switch unit {
		case 'd':
			return now.AddDate(0, 0, -n), nil
		case 'm':
			return now.AddDate(0, -n, 0), nil
		case 'y':
			return now.AddDate(-n, 0, 0), nil
		}
	}
	return now, fmt.Errorf("%q is no age such as 90d, 18m or 2y", age)
}
