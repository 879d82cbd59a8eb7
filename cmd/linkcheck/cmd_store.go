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

// storeFlags are those of every verb below store.
type storeFlags struct{ file, now, older string }

func cmdStore(a *app) *cobra.Command {
	f := &storeFlags{}
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Look after the store: verify, compact, backup, stats, prune, export, import",
		Example: `  linkcheck store verify --store library.db
  linkcheck store backup --store library.db library.backup.db
  linkcheck store prune --store library.db --older 2y`,
		Args: wantVerb,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&f.file, "store", defaultStore, "`FILE` that remembers links and answers")
	cmd.PersistentFlags().StringVar(&f.now, "now", "", "take this `TIME` for the present (for tests)")
	sub := func(use, example, short string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
		c := &cobra.Command{Use: use, Short: short, Args: args, RunE: run, Example: "  linkcheck store " + example}
		cmd.AddCommand(c)
		return c
	}
	sub("verify", "verify --store library.db", "Check every page and every row", noArgs, a.withStore(f, false, a.storeVerify))
	sub("stats", "stats --store library.db", "Figures about the store, as JSON", noArgs, a.withStore(f, false, a.storeStats))
	sub("backup FILE", "backup --store library.db library.backup.db", "Copy the store into FILE", exactArgs(1), a.withStore(f, false, a.storeBackup))
	prune := sub("prune", "prune --store library.db --older 2y", "Forget probes, vanished mentions and runs older than a time", noArgs, a.withStore(f, true, a.storePrune(f)))
	prune.Flags().StringVar(&f.older, "older", "2y", "how old: an `AGE` such as 90d, 18m, 2y")
	sub("export", "export --store library.db > library.jsonl", "Write everything as JSONL to standard output", noArgs, a.withStore(f, false, a.storeExport))
	sub("import FILE", "import --store copy.db library.jsonl", "Fill a new store from an export", exactArgs(1), func(_ *cobra.Command, args []string) error {
		return a.storeImport(f.file, args[0])
	})
	sub("compact", "compact --store library.db", "Give back the space that nothing uses", noArgs, func(*cobra.Command, []string) error {
		return a.storeCompact(f.file)
	})
	return cmd
}

// withStore gives a verb that opens the store, does its work and closes it.
func (a *app) withStore(f *storeFlags, write bool, work func(*cobra.Command, []string, *store.Store) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		now, err := clock(f.now)
		if err != nil {
			return err
		}
		open := a.openToRead
		if _, missing := os.Stat(f.file); missing == nil && write {
			open = openStore
		}
		st, err := open(f.file, now)
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

func (a *app) storeBackup(_ *cobra.Command, args []string, st *store.Store) error {
	if err := mayReplace(args[0], st.Path()); err != nil {
		return err
	}
	if err := st.Backup(args[0]); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "wrote %s\n", args[0])
	return nil
}

func (a *app) storeExport(_ *cobra.Command, _ []string, st *store.Store) error {
	out := bufio.NewWriterSize(a.stdout, 1<<16)
	if err := st.Export(out); err != nil {
		return err
	}
	return out.Flush()
}

func (a *app) storeCompact(file string) error {
	if err := mustExist(file); err != nil {
		return err
	}
	before, after, err := store.Compact(file, nil)
	if err != nil {
		return storeFailed(err)
	}
	fmt.Fprintf(a.stdout, "%s: %s bytes before, %s after\n", file, thousands(int(before)), thousands(int(after)))
	return nil
}

// mayReplace refuses to write a backup over a file that is no store.
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

func (a *app) storePrune(f *storeFlags) func(*cobra.Command, []string, *store.Store) error {
	return func(_ *cobra.Command, _ []string, st *store.Store) error {
		now, err := clock(f.now)
		if err != nil {
			return err
		}
		before, err := ago(now(), f.older)
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
