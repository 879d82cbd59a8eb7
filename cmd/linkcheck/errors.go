package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/check/browser"
	"linkcheck/crawl"
	"linkcheck/fleet"
	"linkcheck/fleet/overview"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/netflags"
	"linkcheck/internal/sandbox"
	"linkcheck/internal/verbfiles"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/store/setfile"
)

// storeErrors says what each failure of a store means to the shell, and what to do about it.
var storeErrors = []struct {
	is   error
	code int
	hint string
}{
	{setfile.ErrFleet, exit.InUse, "'linkcheck run' and 'linkcheck mark' with --engine and --copies go to the fleet; other verbs do not change its store"},
	{store.ErrInUse, exit.InUse, "wait for the other run to end, or use another --store"},
	{store.ErrForeign, exit.BadUsage, "the file was left as it is; give another name with --store"},
	{store.ErrNewer, exit.BadUsage, "the file was left as it is; use the newer program"},
	{store.ErrOlder, exit.BadUsage, "'linkcheck store join' makes one file of it, and 'linkcheck store split' a set of that"},
	{store.ErrCorrupt, exit.Distrusted, "the file was left as it is; restore the last backup ('linkcheck store backup' makes them); without one, 'linkcheck store salvage' saves what can be read"},
	{store.ErrUnwritable, exit.Distrusted, "is the disk full, or the file read-only? what was committed is kept"},
	{store.ErrReadOnly, exit.BadUsage, "a run brings the store up to date"},
	{store.ErrNotFound, exit.BadUsage, ""},
}

// storeFailed adds the exit code and the hint to an error of the store.
func storeFailed(err error) error {
	for _, e := range storeErrors {
		if errors.Is(err, e.is) {
			return exit.Fail(e.code, e.hint, "%w", err)
		}
	}
	_, told := errors.AsType[*exit.Failure](err)
	if _, system := errors.AsType[syscall.Errno](err); system && !told && !errors.Is(err, fs.ErrNotExist) {
		return exit.Fail(exit.Distrusted, "the system refused; what was committed is kept", "%w", err)
	}
	return err
}

// reportFailed is a usage error where the options were wrong, and else a store that cannot be read.
func reportFailed(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, store.ErrCorrupt) {
		return exit.Fail(exit.Distrusted, "try 'linkcheck store verify'", "%w", err)
	}
	return exit.Usage("%w", err)
}

// fleetErrors says what each failure of a fleet means to the shell, and what to do about it.
var fleetErrors = []struct {
	is   error
	code int
	hint string
}{
	{fleet.ErrNoEngine, exit.Distrusted, "is it started, and the address right? linkcheck-engine is one"},
	{fleet.ErrRefused, exit.BadUsage, "--creds names the file of a user that the engine knows"},
	{fleet.ErrNoSet, exit.BadUsage, "'linkcheck fleet init' makes one; of several --set names one"},
	{fleet.ErrStands, exit.BadUsage, "'linkcheck fleet work' serves it; --set gives another name"},
	{fleet.ErrOtherSet, exit.BadUsage, "nothing was changed"},
	{setfile.ErrForeign, exit.BadUsage, "nothing was changed"},
	{fleet.ErrClock, exit.Distrusted, "set the clock of the one that is wrong; nothing was changed"},
	{fleet.ErrSameName, exit.InUse, "wait for it to end, or give another --name"},
}

// otherFlags is an error of usage where who makes a night has other flags than the night.
func otherFlags(whose string, flags, night map[string]string) error {
	names := overview.Differ(flags, night)
	if len(names) == 0 {
		return nil
	}
	for i, name := range names {
		if name != netflags.Tables {
			names[i] = "--" + name
		}
	}
	return exit.Fail(exit.BadUsage, "give all workers and 'run' the same, best by one configuration file", "%s and the night differ in %s", whose, strings.Join(names, ", "))
}

// fleetFailed adds the exit code and the hint to an error of a fleet.
func fleetFailed(err error) error {
	for _, e := range fleetErrors {
		if errors.Is(err, e.is) {
			return exit.Fail(e.code, e.hint, "%w", err)
		}
	}
	return storeFailed(err)
}

// sandboxWords are those of --sandbox.
var sandboxWords = []string{"auto", "require", "off"}

// scratch are the verbs that keep something in temporary files: unpacked members, rows of
// a workbook, the copy that is served.
var scratch = map[string]bool{
	"archive": true, "extract": true, "mend": true, "report": true, "run": true, "serve": true, "fleet work": true,
	"fleet init": true, "fleet upgrade": true, "fleet rebase": true,
}

// confine leaves a verb only the files that its flags and arguments name, from here to
// the end of the process.
func (a *app) confine(cmd *cobra.Command, args []string) error {
	if err := flags.OneOf("sandbox", a.sandbox, sandboxWords); err != nil {
		return err
	}
	required := a.sandbox == "require"
	if required && !sandbox.Available() {
		return exit.Fail(exit.BadUsage, "--sandbox=auto does without", "--sandbox=require: this system has no Landlock that denies reading and writing")
	}
	if err := a.startBrowser(cmd); err != nil {
		return err
	}
	if a.enter == nil || a.sandbox == "off" {
		return nil
	}
	files := verbfiles.Of(verbPath(cmd), cmd, args)
	for _, s := range a.roots {
		if s.Path != "" && verbPath(cmd) == "run" {
			files.Read = append(files.Read, s.Path)
		}
	}
	if verbPath(cmd) == "run" || verbPath(cmd) == "extract" {
		files.Run = a.preprocess.Programs()
	}
	if verbPath(cmd) == "mend" && len(args) == 0 {
		files.Read = append(files.Read, rootsOfStore(cmd)...)
	}
	if scratch[verbPath(cmd)] {
		if dir, err := os.MkdirTemp("", "linkcheck-"); err == nil { // else whoever needs one says so
			a.scratch, files.Scratch = dir, dir
			os.Setenv("TMPDIR", dir)
		}
	}
	err := a.enter(files)
	if err != nil && required {
		return exit.Usage("--sandbox=require: %w", err)
	}
	if err != nil {
		a.log.Warn("without a sandbox: %s", err)
	}
	return nil
}

// rootsOfStore lists what was read from this disk, by the store that a verb names. A store
// that cannot be read has none: the verb says so.
func rootsOfStore(cmd *cobra.Command) (roots []string) {
	var of time.Time
	st, err := store.Open(cmd.Flag("store").Value.String(), &store.Options{Context: cmd.Context(), ReadOnly: true, Snapshot: &of})
	if err != nil {
		return nil
	}
	defer st.Close()
	for src, err := range st.Sources() {
		if err == nil && src.Remote == 0 && src.Gone.IsZero() && !slices.Contains(roots, src.Root) {
			roots = append(roots, src.Root)
		}
	}
	return roots
}

// removeScratch removes the folder for temporary files. The folder above it is not
// open, so what lies in it is removed first.
func (a *app) removeScratch() {
	left, _ := os.ReadDir(a.scratch) // none where there is no such folder
	for _, e := range left {
		_ = os.RemoveAll(filepath.Join(a.scratch, e.Name()))
	}
	_ = os.Remove(a.scratch)
}

// verbPath is the verb with those above it, such as "store import".
func verbPath(cmd *cobra.Command) string {
	_, verb, _ := strings.Cut(cmd.CommandPath(), " ")
	return verb
}

// browserFlags are those of the browser that is asked before a link is dead.
type browserFlags struct {
	path      string
	noSandbox bool
}

func (b *browserFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&b.path, "browser", "", "before a web link is dead ask also by the Chromium at this `PATH`")
	f.BoolVar(&b.noSandbox, "browser-no-sandbox", false, "start the browser without its own sandbox, as root must")
}

// startBrowser starts what --browser names, before a sandbox keeps us from starting
// programs.
func (a *app) startBrowser(cmd *cobra.Command) error {
	path, flag := cmd.Flags().Lookup("browser"), cmd.Flags().Lookup("browser-no-sandbox")
	if path == nil {
		return nil
	}
	noSandbox := flag.Value.String() == "true"
	switch {
	case path.Value.String() == "" && noSandbox:
		return exit.Usage("--browser-no-sandbox is for --browser")
	case path.Value.String() == "":
		return nil
	case os.Geteuid() == 0 && !noSandbox:
		return exit.Fail(exit.BadUsage, "or add --browser-no-sandbox: then only the sandbox of linkcheck is left around it",
			"--browser: for root a browser does without its own sandbox; run linkcheck as another user")
	}
	b, err := browser.Start(browser.Options{Path: path.Value.String(), NoSandbox: noSandbox, Confine: a.sandbox != "off"})
	if err != nil {
		return exit.Usage("--browser: %.200q cannot be run: %w", path.Value.String(), err)
	}
	a.browser = b
	return nil
}

func (a *app) closeBrowser() {
	if a.browser != nil {
		a.browser.Close()
	}
}

// failOnWords are the words of --fail-on.
var failOnWords = []string{"newly-dead", "dead", "any", "never"}

// matchFailOn applies --fail-on to the run.
func (n *storeRun) matchFailOn(st *store.Store, sum crawl.Summary) (int, error) {
	if n.failOn == "newly-dead" && sum.Run.Changes[string(judge.NewlyDead)] > 0 {
		return exit.Matched, nil
	}
	if n.failOn != "dead" && n.failOn != "any" {
		return exit.OK, nil
	}
	bad := sum.Run.States[judge.Dead.String()]
	for o, links := range sum.Last {
		if n.failOn == "any" && failed(o) {
			bad += links
		}
	}
	switch { // only pins make it necessary to look at each link
	case bad == 0:
		return exit.OK, nil
	case len(st.Pins()) == 0:
		return exit.Matched, nil
	}
	for e, err := range st.Scan(store.Pick{}) {
		l := e.Link
		if err != nil {
			return 0, err
		}
		if l.Mentions > 0 && (l.State == judge.Dead || n.failOn == "any" && l.Pin == nil && failed(l.Last.Outcome)) {
			return exit.Matched, nil
		}
	}
	return exit.OK, nil
}

// failed says whether --fail-on any matches an outcome (docs/OUTCOMES.md section 1.4).
func failed(o check.Outcome) bool {
	switch o {
	case check.Gone, check.Unreachable, check.Temporary, check.Suspect, check.Invalid, check.Internal:
		return true
	}
	return false
}

// verbOf is the verb that a command is, or belongs to.
func verbOf(cmd *cobra.Command) *cobra.Command {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return cmd
}
