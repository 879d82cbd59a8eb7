package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/check/web"
	"linkcheck/internal/exit"
	"linkcheck/internal/fault"
	"linkcheck/internal/plain"
	"linkcheck/internal/streams"
	"linkcheck/mend/copies"
	"linkcheck/report"
	"linkcheck/store"
	"linkcheck/store/archived"
	"linkcheck/uri/equal"
	"linkcheck/uri/proxied"
)

// openExisting opens a store to write, which must be there.
func openExisting(ctx context.Context, path string, now func() time.Time) (*store.Store, error) {
	if err := mustExist(path); err != nil {
		return nil, err
	}
	return openStore(ctx, path, now, nil)
}

// openStore opens a store to write, and makes it if there is none. Nil proxies leave it its
// own.
func openStore(ctx context.Context, path string, now func() time.Time, proxies proxied.Rules) (*store.Store, error) {
	if path == "" {
		return nil, errNoStore
	}
	if dir := filepath.Dir(path); !isDir(dir) {
		return nil, exit.Fail(exit.BadUsage, "make it first, or give another name with --store", "there is no folder %s for the store", dir)
	}
	st, err := store.Open(path, &store.Options{Context: ctx, Now: now, Rules: equal.Rules{Proxies: proxies}})
	return st, storeFailed(err)
}

// refuseLinkedStore refuses a store that nobody named and that is a link: the current
// folder may have come from elsewhere, and the link may lead to any store of the person
// (SECURITY.md).
func refuseLinkedStore(cmd *cobra.Command, args []string) error {
	flag := cmd.Flag("store")
	if flag == nil || flag.Changed || verbPath(cmd) == "check" && len(args) > 0 { // URIs given need no store
		return nil
	}
	name := flag.Value.String()
	if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return nil
	}
	return exit.Fail(exit.BadUsage, "if you trust it, name it: --store "+name, "the %s of the current folder is a link", name)
}

// isDir says whether a path is a folder; one that cannot be looked at may be.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err != nil && !errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir()
}

// isFolder says whether a path is a folder, such as that of a set.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// filesOfStore gives the octets of a store, and when it changed: of its file, or of those in
// the folder of a set.
func filesOfStore(path string) (octets int64, changed time.Time) {
	entries, _ := os.ReadDir(path) // what is no folder has none
	names := []string{path}
	for _, e := range entries {
		names = append(names, filepath.Join(path, e.Name()))
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && (name == path || filepath.Ext(name) == ".db") {
			if octets += info.Size(); info.ModTime().After(changed) {
				changed = info.ModTime()
			}
		}
	}
	return octets, changed
}

// sizeOf is how many octets a store has.
func sizeOf(path string) int64 {
	octets, _ := filesOfStore(path)
	return octets
}

var errNoStore = exit.Usage("--store names no file: is a variable of the shell not set?")

// mustExist refuses to make a store where it is only to be read.
func mustExist(path string) error {
	if path == "" {
		return errNoStore
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return exit.Fail(exit.BadUsage, "this makes one: linkcheck run --store "+report.ShellWord(path)+" PATH...", "there is no store %s", path)
	}
	return nil
}

// openToRead opens a store for reading. While a run has it open for writing, its last
// snapshot is opened, and a line on standard error gives the time of that snapshot.
func (a *app) openToRead(ctx context.Context, path string, now func() time.Time) (*store.Store, error) {
	if err := mustExist(path); err != nil {
		return nil, err
	}
	var of time.Time
	st, err := store.Open(path, &store.Options{Context: ctx, ReadOnly: true, Snapshot: &of, Now: now, Rules: a.rules})
	if err != nil {
		return nil, storeFailed(err)
	}
	if !of.IsZero() {
		a.log.Warn("a run is under way; this is how things stood at %s", of.UTC().Format(time.RFC3339))
	}
	return st, nil
}

// fillOptions fills in the options that are alike in all reports on a store.
func (a *app) fillOptions(o *report.Options, store string) {
	o.Version, o.ShowSecrets, o.Store = version, a.showSecrets, storeArgument(store)
	o.Resolvers = web.PersistentHosts()
	o.Width, o.Color = streams.Width(a.stdout), a.colour(a.stdout)
}

// fillRoots fills in what a report takes from its store beside links: what web archives
// answered, and the archives that it tells of: those over the network that the
// store knows, as the configuration names who mends them, and its paths.
func (a *app) fillRoots(o *report.Options, st *store.Store) (err error) {
	o.Archive = archived.Known{Store: st}
	if o.Roots, err = st.Roots(); err != nil {
		return storeFailed(err)
	}
	for i := range a.roots {
		s := &a.roots[i]
		if s.Path != "" {
			path, err := filepath.Abs(s.Path)
			if err != nil { // the folder is gone
				path = s.Path
			}
			o.Roots = append(o.Roots, store.Root{URI: path, Name: s.Name, Kind: "path", Owner: s.Owner, RecordURL: s.RecordURL})
		} else if at := slices.IndexFunc(o.Roots, func(r store.Root) bool { return r.URI == s.URI }); at >= 0 {
			o.Roots[at].Owner, o.Roots[at].RecordURL = s.Owner, s.RecordURL
		}
	}
	return nil
}

// fillReport fills in the options of a report on a store that no flag sets.
func (a *app) fillReport(ctx context.Context, r *reportFlags, st *store.Store, now func() time.Time) error {
	r.o.Rules, r.o.Now, r.o.StorePath, r.o.StoreBytes = a.rules, now(), filepath.Base(r.store), sizeOf(r.store)
	a.fillOptions(&r.o, r.store)
	r.o.Folder, _ = filepath.Abs(".") // "": the folder is gone, and paths are whole
	err := errors.Join(a.fillRoots(&r.o, st), a.warnUnknown(ctx, st, &r.o))
	r.o.Archive = a.known(ctx, st, r.store) // with the file of older programs too
	return err
}

// redirects prints the map of redirects; what its form cannot say is named.
func (a *app) redirects(ctx context.Context, m *mendFlags, sources []copies.Source) error {
	var left []string
	err := a.toFile(ctx, "-", func(w io.Writer) (err error) {
		left, err = copies.WriteRedirects(w, m.redirects, sources)
		return err
	})
	for _, address := range left {
		a.log.Warn("left: %s: nginx would take its $ for a variable", address)
	}
	if err == nil && len(left) > 0 {
		return exit.With(exit.Partial)
	}
	return err
}

// verifyBefore verifies a store before a run writes to it. Of a run that has a time to keep
// to it takes a quarter at most, and leaves the rest to the next time.
func verifyBefore(ctx context.Context, st *store.Store, maxDuration time.Duration) error {
	if maxDuration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, maxDuration/4)
		defer cancel()
	}
	problems, err := st.Verify(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("%w: %s: %s: %s", store.ErrCorrupt, st.Path(), plain.Plural(len(problems), "problem", "problems"), problems[0])
	}
	return err
}

// fromTo wants something to read, and nothing where a copy is to stand.
func fromTo(from, to string) error {
	if _, err := os.Stat(from); err != nil {
		return exit.Usage("%w", err)
	}
	if _, err := os.Lstat(to); err == nil {
		return exit.Fail(exit.BadUsage, "give another name", "%s is there already", to)
	}
	return nil
}

// copyInto is fill, and says so.
func (a *app) copyInto(ctx context.Context, from, to string, o store.Options) error {
	err := a.fill(ctx, from, to, o)
	if err == nil {
		a.done("filled %s\n", to)
	}
	return err
}

// fill copies a store into a new one, which is what its options say: a set, the shards of
// a fleet, or a file.
func (a *app) fill(ctx context.Context, from, to string, o store.Options) error {
	if err := fromTo(from, to); err != nil {
		return err
	}
	st, err := store.Open(from, &store.Options{Context: ctx, ReadOnly: true})
	if err != nil {
		return storeFailed(err)
	}
	defer st.Close()
	// A new store is empty and soon opened; Import ends with the context.
	o.Context = context.WithoutCancel(ctx)
	made, err := store.Open(to, &o)
	if err != nil {
		return storeFailed(err)
	}
	rows, written := io.Pipe()
	var exporting fault.Group
	exporting.Go(func() { written.CloseWithError(st.Export(ctx, written, false)) })
	_, err = made.Import(ctx, rows)
	rows.CloseWithError(io.ErrClosedPipe) // so that an export ends of which no more is wanted
	exporting.Wait()
	if err = errors.Join(err, made.Close()); err != nil {
		err = errors.Join(err, os.RemoveAll(to))
	}
	return storeFailed(err)
}

// forRefresh is how long an answer to a change waits for pages that show it: a large store is
// read for longer.
const forRefresh = time.Second

// writer gives the function by which serve --edit changes the store: it is open for no longer
// than the change takes, so that a run need not wait.
func (m *mirror) writer(ctx context.Context) func(context.Context, func(*store.Store) error) error {
	return func(asked context.Context, change func(*store.Store) error) error {
		m.writing.Lock()
		defer m.writing.Unlock()
		st, err := openExisting(context.WithoutCancel(asked), m.path, m.now)
		if err != nil {
			return err
		}
		if err := errors.Join(change(st), st.Close()); err != nil {
			return err
		}
		done := make(chan error, 1)
		go func() { done <- m.refresh(ctx) }()
		select {
		case err := <-done:
			if err != nil && ctx.Err() == nil {
				m.log.Warn("still showing the last copy: %s", exit.Text(err))
			}
		case <-time.After(forRefresh):
		}
		return nil
	}
}
