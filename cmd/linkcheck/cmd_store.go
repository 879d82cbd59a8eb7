package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/newfile"
	"linkcheck/internal/openfile"
	"linkcheck/internal/plain"
	"linkcheck/internal/rotate"
	"linkcheck/store"
)

// storeVerbs are the verbs below store, with their flags.
type storeVerbs struct {
	*app
	file, now, older string
	keep, shards     int
	fleet            bool
	source           sourceFlags
}

func cmdStore(a *app) *cobra.Command {
	v := &storeVerbs{app: a}
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Look after the store: verify, compact, backup, salvage, stats, prune, export, import, split, join, sources, forget, rename",
		Example: `  linkcheck store verify --store library.db
  linkcheck store backup --store library.db library.backup.db
  linkcheck store prune --store library.db --older 2y
  linkcheck store rename --store library.db /srv/old /srv/new`,
		Args: exit.WantVerb,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&v.file, "store", defaultStore, "`FILE` that remembers links and answers, or folder of a set of such files")
	cmd.PersistentFlags().StringVar(&v.now, "now", "", "take this `TIME` for the present (for tests)")
	sub := func(use, example, short string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
		c := &cobra.Command{Use: use, Short: short, Args: args, RunE: run, Example: "  linkcheck store " + example}
		cmd.AddCommand(c)
		return c
	}
	sub("verify", "verify --store library.db", "Check every page and every row", exit.NoArgs, v.with(v.openToRead, v.verify))
	sub("stats", "stats --store library.db", "Figures about the store, as JSON", exit.NoArgs, v.with(v.openToRead, v.stats))
	backup := sub("backup FILE", "backup --store library.db --keep 7 /backup/library.db", "Copy the store into FILE, if the copy is sound", exit.ExactArgs(1), v.with(v.openToRead, v.backup))
	backup.Flags().IntVar(&v.keep, "keep", 0, "copy it into FILE-YYYYMMDDTHHMMSSZ, and leave the last `N` of those (0: into FILE)")
	prune := sub("prune", "prune --store library.db --older 2y", "Forget probes, vanished mentions and sources, and runs older than a time", exit.NoArgs, v.with(openExisting, v.prune))
	prune.Flags().StringVar(&v.older, "older", "2y", "how old: an `AGE` such as 90d, 18m, 2y")
	sub("export [FILE]", "export --store library.db library.jsonl", "Write everything as JSONL to FILE, or to standard output", exit.AtMostArgs(1), v.with(v.openToRead, v.export))
	sub("import FILE", "import --store copy.db library.jsonl", "Fill a new store from an export", exit.ExactArgs(1), v.fill)
	sub("compact", "compact --store library.db", "Give back the space that nothing uses", exit.NoArgs, v.compact)
	split := sub("split FILE DIR", "split --shards 16 library.db library", "Make a set of many files, in the folder DIR, of a store of one", exit.ExactArgs(2), v.split)
	split.Flags().IntVar(&v.shards, "shards", 16, "`N` files, 2 to 256: 16 up to 10^8 links")
	split.Flags().BoolVar(&v.fleet, "fleet", false, "make the shards of a fleet, each of them a store of its own; FILE may be a set")
	split.Long = `Copy the store FILE into a new set: a store of many files in the folder DIR, which is used as
one by its name (--store DIR). The links of a host stand in one of the files. Runs read and
remember side by side in them, and each is copied and compacted by itself. FILE stays as it
is. For another number of files join the set, and split that.

With --fleet each file is a store of its own, for one worker of a fleet to change. Verbs that
only read take the folder as one store, and join makes a store of one file of it.`
	sub("join DIR FILE", "join library library.db", "Make a store of one file of a set", exit.ExactArgs(2), v.join)
	salvage := sub("salvage FROM TO", "salvage library.db saved.db", "Save what can be read of a damaged store into a new one", exit.ExactArgs(2), v.salvage)
	salvage.Long = `Write into the new store TO what can be read of the damaged store FROM: each row that is
as it was written, by its checksum, and hangs together with the others. It says how many
rows of each table are lost; the next run reads the documents again that may hold what is.
FROM stays as it is. The exit code is 0 where nothing is lost, 3 where something is, and 4
where there is nothing to save. A backup, if there is one, is the better way.`
	v.sourceVerbs(sub)
	return cmd
}

// storeWork is what a verb does with an open store.
type storeWork func(ctx context.Context, st *store.Store, now time.Time, args []string) error

// with makes the function of a verb that opens the store, works on it and closes it.
func (v *storeVerbs) with(open func(context.Context, string, func() time.Time) (*store.Store, error), work storeWork) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		now, err := flags.Clock(v.now)
		if err != nil {
			return err
		}
		st, err := open(cmd.Context(), v.file, now)
		if err != nil {
			return err
		}
		err = work(cmd.Context(), st, now(), args)
		return storeFailed(cmp.Or(err, st.Close()))
	}
}

func (v *storeVerbs) backup(ctx context.Context, st *store.Store, now time.Time, args []string) (err error) {
	name := args[0]
	if v.keep < 0 {
		return exit.Usage("--keep is not negative")
	}
	if v.keep > 0 {
		if name, err = rotate.Next(name, now); err != nil {
			return exit.Usage("%w", err)
		}
	}
	if err := mayReplace(ctx, name, st.Path()); err != nil {
		return err
	}
	if err := st.Backup(ctx, name); err != nil {
		if errors.Is(err, store.ErrCorrupt) {
			return exit.Fail(exit.Distrusted, "nothing was written, and the backups from before are as they were: restore the last one", "%w", err)
		}
		return err
	}
	v.done("wrote %s\n", name)
	if v.keep == 0 {
		return nil
	}
	removed, err := rotate.Keep(args[0], v.keep, isFolder(st.Path()))
	for _, old := range removed {
		v.done("removed %s\n", old)
	}
	if err != nil {
		return exit.Fail(exit.Distrusted, "the backup is written; older ones are left", "%w", err)
	}
	return nil
}

func (v *storeVerbs) export(ctx context.Context, st *store.Store, _ time.Time, args []string) error {
	if !v.showSecrets {
		v.log.Info("passwords are exported as ***; --show-secrets exports them as they are")
	}
	write := func(w io.Writer) error { return st.Export(ctx, w, !v.showSecrets) }
	if len(args) == 0 || args[0] == "-" {
		return write(v.stdout)
	}
	return replaceFile(ctx, args[0], newfile.Private, escaped(write))
}

func (v *storeVerbs) compact(cmd *cobra.Command, _ []string) error {
	if err := mustExist(v.file); err != nil {
		return err
	}
	before, after, err := store.Compact(cmd.Context(), v.file, &store.Options{Context: cmd.Context()})
	if err != nil {
		return storeFailed(err)
	}
	v.done("%s: %s bytes before, %s after\n", v.file, plain.Thousands(int(before)), plain.Thousands(int(after)))
	return nil
}

func (v *storeVerbs) salvage(cmd *cobra.Command, args []string) error {
	from, to := args[0], args[1]
	if err := fromTo(from, to); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(from), "set.json")); err == nil || isFolder(from) {
		return exit.Fail(exit.BadUsage, "put the damaged file of the set back from a backup", "%s is a set or a file of one, and salvage reads stores of one file", from)
	}
	lost, err := store.Salvage(cmd.Context(), from, to)
	if errors.Is(err, store.ErrCorrupt) {
		return exit.Fail(exit.Distrusted, "the file was left as it is; restore the last backup", "%w", err)
	}
	if err != nil {
		return storeFailed(err)
	}
	for _, what := range lost {
		escape.Printf(v.stdout, "%s\n", what)
	}
	v.done("wrote %s\n", to)
	if len(lost) > 0 {
		return exit.Fail(exit.Partial, "a backup may hold more; the next run over "+to+" reads again what is missing", "not all of %s could be saved", from)
	}
	return nil
}

func (v *storeVerbs) split(cmd *cobra.Command, args []string) error {
	if v.shards < 2 || v.shards > 256 {
		return exit.Usage("--shards is 2 to 256")
	}
	if isFolder(args[0]) && !v.fleet {
		return exit.Fail(exit.BadUsage, "for another number of files: 'linkcheck store join' first", "%s is a folder, and split wants a store of one file", args[0])
	}
	o := store.Options{Shards: v.shards}
	if v.fleet {
		o.Fleet = v.shards
	}
	return v.copyInto(cmd.Context(), args[0], args[1], o)
}

func (v *storeVerbs) join(cmd *cobra.Command, args []string) error {
	if _, err := os.Stat(args[0]); err == nil && !isFolder(args[0]) {
		return exit.Fail(exit.BadUsage, "a store of one file needs no joining", "%s is a file, and join wants the folder of a set", args[0])
	}
	return v.copyInto(cmd.Context(), args[0], args[1], store.Options{})
}

// mayReplace refuses to write a backup over a file that is no store.
func mayReplace(ctx context.Context, name, path string) error {
	if dir := filepath.Dir(name); !isDir(dir) {
		return exit.Usage("there is no folder %s for the backup", dir)
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() != isFolder(path) {
		return exit.Fail(exit.BadUsage, "give another name: a set is copied into a folder, a store of one file into a file", "%s cannot be replaced by a copy of %s", name, path)
	}
	if err != nil || info.Size() == 0 && info.Mode().IsRegular() {
		return nil // nothing there, or nothing in it
	}
	if of, err := os.Stat(path); err == nil && os.SameFile(info, of) {
		return exit.Usage("%s is the store itself", name)
	}
	old, err := store.Open(name, &store.Options{Context: ctx, ReadOnly: true})
	switch {
	case err == nil:
		return old.Close()
	case errors.Is(err, store.ErrForeign):
		return storeFailed(err)
	}
	return nil // a store that cannot be read may be replaced
}

func (v *storeVerbs) verify(ctx context.Context, st *store.Store, _ time.Time, _ []string) error {
	problems, err := st.Verify(ctx)
	if err != nil {
		return err
	}
	for _, p := range problems {
		escape.Printf(v.stdout, "%s\n", p)
	}
	if len(problems) > 0 {
		return exit.Fail(exit.Distrusted, "restore the last backup", "%s in %s", plain.Plural(len(problems), "problem", "problems"), st.Path())
	}
	v.done("%s is sound\n", st.Path())
	return nil
}

func (v *storeVerbs) stats(_ context.Context, st *store.Store, _ time.Time, _ []string) error {
	s, err := st.Stats()
	if err != nil {
		return err
	}
	enc := json.NewEncoder(v.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(s)
}

func (v *storeVerbs) prune(ctx context.Context, st *store.Store, now time.Time, _ []string) error {
	before, err := flags.Ago(now, v.older)
	if err != nil {
		return exit.Usage("--older: %w", err)
	}
	p, err := st.Prune(ctx, before)
	if err != nil {
		return err
	}
	v.done("forgot what is older than %s: %s, %s, %s, %s, %s\n", before.UTC().Format(time.DateOnly),
		plain.Plural(p.Events, "probe", "probes"), plain.Plural(p.Mentions, "mention", "mentions"),
		plain.Plural(p.Links, "link", "links"), plain.Plural(p.Sources, "source", "sources"), plain.Plural(p.Runs, "run", "runs"))
	return nil
}

// fill is `store import`.
func (v *storeVerbs) fill(cmd *cobra.Command, args []string) error {
	from, in := args[0], v.stdin
	if from != "-" {
		f, err := openfile.Read(cmd.Context(), from)
		if err != nil {
			return exit.Usage("%w", err)
		}
		defer f.Close()
		in = f
	}
	if _, err := os.Stat(v.file); err == nil {
		return exit.Fail(exit.BadUsage, "an import fills a new store; give another name with --store", "%s is there already", v.file)
	}
	// A new store is empty and soon opened; Import ends with the context, and removes it.
	st, err := openStore(context.WithoutCancel(cmd.Context()), v.file, time.Now, nil)
	if err != nil {
		return err
	}
	whole, err := st.Import(cmd.Context(), in)
	if errors.Is(err, io.EOF) {
		err = exit.Usage("%s is empty, and no export", from)
	}
	if err := errors.Join(err, st.Close()); err != nil {
		return storeFailed(errors.Join(err, os.Remove(v.file)))
	}
	if !whole {
		v.log.Warn("an older linkcheck made this export, which does not say where it ends: look whether all of it is there")
	}
	v.done("filled %s\n", v.file)
	return nil
}
